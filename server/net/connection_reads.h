#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "net/proxied_clients.h"
#include "net/socket_traffic.h"
#include "terrane/mutex.h"

namespace terrane::net {

/// Connections whose bytes can be left with the system or with the peer for a while, whoever reads
/// them otherwise. A connection is known by the peer's end of it.
/// Thread-safe; nothing blocks.
class ConnectionReads {
 public:
  using Endpoint = ProxiedClients::Endpoint;
  using Clock = std::chrono::steady_clock;

  /// Bytes that connections may have here unread, unless they are held: requests are small, and
  /// what is here already is read, though somebody is found to send too much (ADR 15).
  static constexpr int kReceiveBuffer = 16 << 10;

  /// What has come on a connection since it was looked at last.
  struct Received {
    AddressBytes client;         // whose connection it is
    std::uint32_t segments = 0;  // of TCP: each may have woken whoever reads
    std::uint64_t bytes = 0;
    bool waits = false;  // there was something at the last look, too, and nobody has read any of it
  };

  /// @param client  the address that the connection comes from
  /// @param descriptor, socket  of the connection here, and the inode of its socket
  void note(const Endpoint& peer, const AddressBytes& client, int descriptor, ino_t socket);
  /// The connection is closed. Does nothing where that end has another one by now.
  void forget(const Endpoint& peer, ino_t socket);

  /// From now on nobody is told that bytes have come, until they are as many as the peer may send
  /// unasked, or the peer closes; or no longer, and whoever reads is told at once of what has come.
  /// @return whether there is such a connection
  bool hold(const Endpoint& peer, bool held);

  /// Clients (client_of()), and until when.
  using Pauses = std::map<AddressBytes, Clock::time_point>;

  /// The system takes in nothing of these clients' connections until then, but for those that have
  /// sent less than half of their client's mean of late (others may share its address), nor of
  /// those that they open meanwhile (drop_data_of()): they have to send that again. look() ends it.
  /// About 2 us for each of their connections that go on, some 20 us for each that is paused; which
  /// those are is looked at 20 times a second at most.
  void pause(const Pauses& clients, Clock::time_point now);

  /// Looks at some connections, at others each time, and lets some of those go on whose pause is
  /// over, whoever waits longest; before that one each tenth of a second, and one of those that
  /// were opened meanwhile. About 2 us each.
  /// @param most  connections to look at
  /// @return those on which something has come, or waits
  std::vector<Received> look(std::size_t most, Clock::time_point now);

  /// What each client's open connections (client_of()) have brought since they began, of each no
  /// more than so many bytes. As of when they were looked at last.
  [[nodiscard]] std::map<AddressBytes, std::uint64_t> brought(std::uint64_t most_of_each) const;

  /// Clients that are paused.
  [[nodiscard]] std::size_t paused() const;

 private:
  struct Connection {
    AddressBytes client{}, address{};
    int descriptor = -1;
    ino_t socket = 0;
    bool is_paused = false;
    bool is_new = false;              // it was opened in its client's pause, and still is in it
    SocketTraffic told{};             // when it was looked at
    std::uint64_t taken = 0;          // bytes that had been read by then
    SocketTraffic seen{};             // the last time
    double recent = 0;                // that have come, fading, and what segments count as
    Clock::time_point recent_at{};    // as of when
    Clock::time_point waits_since{};  // when it was opened, or let go last

    [[nodiscard]] double recent_by(Clock::time_point now) const;
  };
  struct Pause {
    Clock::time_point until{}, chosen{};  // its end; when those that send much were chosen last
    Clock::time_point next{};  // when some may go on that may be others than those who send much
    // Of those that are opened meanwhile: nobody waits behind hundreds that came before, nor for
    // ever because others come.
    bool is_newest_next = true;
  };
  /// Neighbours are of different clients, as far as those don't choose their ports for it: so that
  /// whoever has many connections is met at the first look.
  struct Scattered {
    bool operator()(const Endpoint& a, const Endpoint& b) const;
  };
  using Connections = std::map<Endpoint, Connection, Scattered>;

  template <typename Set>
  static bool apply(const Connection& connection, Set set);
  static void set_paused(Connection& connection, bool paused, Clock::time_point now);
  static bool see(Connection& connection, Clock::time_point now);
  static Received take_in(Connection& connection, Clock::time_point now);
  static void pause_those_that_send_much(const std::vector<Connection*>& all,
                                         Clock::time_point now);
  enum class First : std::uint8_t { kOldest, kNewest };
  static void let_go(std::vector<Connection*>& paused, std::size_t most, Clock::time_point now,
                     First first = First::kOldest);
  [[nodiscard]] Clock::duration between_these() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void end_pauses(Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable Mutex mutex_;
  Connections connections_ ABSL_GUARDED_BY(mutex_);
  Endpoint next_ ABSL_GUARDED_BY(mutex_);  // to be looked at: this, or whoever follows
  // clients, whether or not they have connections
  std::map<AddressBytes, Pause> paused_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::net
