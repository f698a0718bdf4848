#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "net/proxied_clients.h"
#include "ops/metrics.h"
#include "rpc/call_pace.h"
#include "schedule/alarm_clock.h"
#include "schedule/source.h"
#include "terrane/mutex.h"
#include "terrane/result.h"

namespace terrane::rpc {

/// Which calls read their request now. gRPC takes in a message as a whole as soon as somebody reads
/// it, and says only then how large it is: so the memory of requests under way is bounded by the
/// number of calls that read. What comes in one piece is read in microseconds, and hardly ever
/// waits. Clients take turns; each may always read one request, but for a crowd of strangers. Where
/// calls are too many for the processors, they begin at their clients' pace (CallPace); so do
/// streams, which take no place. Thread-safe; nothing blocks.
class RequestReads {
 public:
  /// One call's side of it, which lives in a shared pointer.
  class Reader : public std::enable_shared_from_this<Reader> {
   public:
    virtual ~Reader() = default;
    /// It is its turn.
    virtual void start_reading() = 0;
    /// Whether it takes a place until leave(), as who reads one request does. A stream that reads
    /// as long as it lives has its turn to begin, and is outside as soon as that has come.
    [[nodiscard]] virtual bool takes_place() const { return true; }
    /// Of one that takes no place: whether it is outside only once settle() says that it has had
    /// something.
    [[nodiscard]] virtual bool settles() const { return false; }
    /// It has read for too long. May come when it has just left.
    virtual void stop_reading(const Error& why) = 0;
    /// Whether those whose calls come by its connection are not told apart.
    [[nodiscard]] virtual bool is_of_the_peer() const { return true; }
    /// The peer of its connection; nothing where that can't be held.
    [[nodiscard]] virtual std::optional<net::ProxiedClients::Endpoint> peer_to_hold() const {
      return std::nullopt;
    }

   private:
    friend RequestReads;
    enum class State : std::uint8_t { kOutside, kWaiting, kReading, kStarting };

    State state_ = State::kOutside;  // this and what follows: guarded by the mutex of RequestReads
    schedule::Source source_;
    std::list<Reader*>::iterator place_;           // where it waits, reads or starts
    std::uint64_t turn_ = 0;                       // of a stream among its client's connections
    std::chrono::steady_clock::time_point since_;  // when that began
    std::atomic<bool> begun_ = false;              // start_reading() has returned
  };

  struct Bounds {
    std::size_t reads = 16;                              // of all clients
    std::size_t held = 32;                               // connections, at a time
    std::chrono::milliseconds longest{20'000};           // of one
    std::chrono::milliseconds while_others_wait{5'000};  // of one that is in their way
    // a stream that has had nothing for so long starts no more
    std::chrono::milliseconds longest_start{1'000};
    double processors = 1;    // that calls and all else share
    std::size_t workers = 1;  // threads of the pool
  };

  /// What others do, who share the processors with the calls.
  struct Work {
    std::chrono::nanoseconds used{0};       // processor time of the process, so far
    std::chrono::nanoseconds call_cost{0};  // to gRPC's threads, of late
    std::vector<schedule::Source> waiting;  // clients with jobs that wait for a worker
    std::vector<std::uint64_t> streaming;   // clients with Explore streams
  };

  using IsBehind = std::function<bool(const schedule::Source&, std::chrono::nanoseconds)>;

  /// @param alarms  rings for those that read too long, or wait
  /// @param waiting  the number of calls that wait
  /// @param work    asked now and then, under the lock; empty: calls begin as they come
  /// @param is_behind  whether what a stream wants first would be longer in coming than this, as
  ///   its client has its turns: then it does not begin yet. Asked under the lock; empty: it is not
  /// @param hold  has the system keep what comes on a peer's connection, or no longer, and returns
  ///   whether it can: brief, never throwing, called under the lock; empty: nothing is kept
  RequestReads(const Bounds& bounds, schedule::AlarmClock& alarms, ops::Gauge waiting = {},
               std::function<Work()> work = {}, IsBehind is_behind = {},
               std::function<bool(const net::ProxiedClients::Endpoint&, bool)> hold = {})
      : bounds_(bounds),
        alarms_(alarms),
        waiting_(waiting),
        work_(std::move(work)),
        is_behind_(std::move(is_behind)),
        hold_(std::move(hold)),
        pace_(bounds.processors, bounds.workers) {}

  /// Starts reading, now or when it is its turn. Throws std::bad_alloc, and has then done nothing.
  void enter(const schedule::Source& source, Reader& reader);

  /// Nobody wants it any more. @return whether it waited, and is now outside
  bool withdraw(Reader& reader);

  /// It has read its request, or failed to.
  void leave(Reader& reader);

  /// A stream has had what it wanted first, or has ended: another one of its client may start.
  void settle(Reader& reader);

  /// A call that has begun took so much of gRPC's threads besides: its client's next ones wait for
  /// as long as that takes of its part.
  void charge(std::uint64_t client, std::chrono::nanoseconds cost);

  /// A client has connected, which has taken so much of gRPC's threads, or will.
  /// @return whether it owes more than it may, as others want the processors: no other connection
  ///   should be taken of it for a moment. Throws std::bad_alloc, and has then done nothing.
  [[nodiscard]] bool charge_connection(const schedule::Source& source,
                                       std::chrono::nanoseconds cost);

  /// What has come on a client's connections has taken so much of gRPC's threads.
  /// @param waits  some of it has not been read for a while: the client wants something, though
  ///   nobody knows yet what
  /// @return for how long nobody should read what comes on them, as it owes more than it may; 0:
  ///   they may go on. Throws std::bad_alloc, and has then done nothing.
  [[nodiscard]] std::chrono::nanoseconds charge_received(const schedule::Source& source,
                                                         std::chrono::nanoseconds cost, bool waits);

  /// Whether calls have a pace now, as others want the processors, too.
  [[nodiscard]] bool holds_back();

  /// A call has been refused before it could enter, as there is no memory for it.
  void note_refused(const schedule::Source& source, const Reader& reader);

  /// From now on no call is held back for the sake of others. The places are as before.
  void let_all_begin();

 private:
  using Clock = CallPace::Clock;

  // Of its part, what a client may have for what comes on its connections: gRPC's threads, on which
  // all wait for one another, have few turns where that is much.
  static constexpr double kReceived = 0.25;

  struct Client {
    std::size_t reading = 0;
    // Apart, as a stream may wait for its client's turn at the workers, where calls do not, and for
    // those that start, which nothing else does.
    std::list<Reader*> calls, streams, others;  // that wait
    std::list<Reader*> starting;                // streams that have begun and had nothing yet
    std::uint64_t turn = 0;                     // of the stream that began last
    std::uint32_t weight = 1;
    Clock::time_point seen;       // when it came last
    double begun = 0;             // calls since the pace was adapted, and what is worth as many
    CallPace::Seconds credit{0};  // of processor time for its calls
    // of it for its connections, and for what comes on them: may be more than its calls pay for
    CallPace::Seconds owed{0}, received{0};
    Clock::time_point credited{};      // as of when
    Clock::time_point paused_until{};  // nobody reads what it sends: it waits for that

    [[nodiscard]] bool waits() const {
      return !calls.empty() || !streams.empty() || !others.empty();
    }
    [[nodiscard]] bool is_idle() const { return reading == 0 && starting.empty() && !waits(); }
    [[nodiscard]] std::list<Reader*>& queue(const Reader& reader) {
      if (reader.takes_place()) return calls;
      return reader.settles() ? streams : others;
    }
  };

  /// By which more comes than can begin.
  struct Connection {
    std::size_t streams = 0;  // that wait
    std::size_t refused = 0;  // calls, of late
    bool is_shared = false;   // by callers that are told apart
    std::uint64_t turn = 0;   // of the stream that came last
    // while it is held
    std::optional<net::ProxiedClients::Endpoint> peer = std::nullopt;
    Clock::time_point until{};      // it is held, or refusals count
    Clock::time_point held_last{};  // when that began, or ended
  };

  void stream_waits(const Reader& reader) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void stream_waits_no_more(const Reader& reader) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void hold(Connection& connection, const Reader& reader) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] bool was_held(const Reader& reader) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void let_go(Connection& connection) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void look_again_at(Connection& connection, std::chrono::milliseconds after)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void let_long_held_go() ABSL_LOCKS_EXCLUDED(mutex_);
  [[nodiscard]] bool may_begin(Client& client, const Reader& stream, Clock::time_point now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] bool may_start(Client& client, const Reader& reader, Clock::time_point now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  /// Of those of a client that wait: null where none may start.
  [[nodiscard]] Reader* first_to_start(Client& client, Clock::time_point now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] bool has_credit(Client& client, Clock::time_point now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] double part_of_received(const Client& client) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Client& charge_besides(const schedule::Source& source, CallPace::Seconds cost)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void adapt_pace(Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void set_pace_alarm() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void start_those_in_turn() ABSL_LOCKS_EXCLUDED(mutex_);
  void start(Client& client, Reader& reader) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void forget_if_idle(std::uint64_t client) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] std::list<Reader*>::iterator place_for(Reader& reader, Client& client)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static void begin(Reader& reader);
  [[nodiscard]] bool is_in_the_way(const Reader& reader) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::shared_ptr<Reader> take_next(Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void set_alarm() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void stop_the_slow() ABSL_LOCKS_EXCLUDED(mutex_);

  const Bounds bounds_;
  schedule::AlarmClock& alarms_;
  const ops::Gauge waiting_;
  const std::function<Work()> work_;
  const IsBehind is_behind_;
  const std::function<bool(const net::ProxiedClients::Endpoint&, bool)> hold_;
  Mutex mutex_;
  CallPace pace_ ABSL_GUARDED_BY(mutex_);
  Clock::time_point adapted_ ABSL_GUARDED_BY(mutex_){};
  bool pace_alarm_set_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_closing_ ABSL_GUARDED_BY(mutex_) = false;
  std::size_t waiting_streams_ ABSL_GUARDED_BY(mutex_) = 0;  // nobody's leave() has them begin
  std::unordered_map<std::uint64_t, Connection> connections_ ABSL_GUARDED_BY(mutex_);
  std::size_t held_ ABSL_GUARDED_BY(mutex_) = 0;  // of these
  std::size_t first_in_turn_ ABSL_GUARDED_BY(mutex_) = 0;
  std::unordered_map<std::uint64_t, Client> clients_ ABSL_GUARDED_BY(mutex_);
  // each client with calls that wait, once; the first has the next turn
  std::deque<std::uint64_t> turns_ ABSL_GUARDED_BY(mutex_);
  std::list<Reader*> reading_ ABSL_GUARDED_BY(mutex_);  // the longest first
  bool alarm_set_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace terrane::rpc
