#include "rpc/request_reads.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "rpc/client_rules.h"
#include "rpc/memory_accounts.h"
#include "rpc/pace.h"

namespace terrane::rpc {
namespace {

// Times the bound, by those that read nothing else: many strangers, each with one.
constexpr std::size_t kOvershoot = 4;

constexpr std::chrono::milliseconds kBetweenTurns{1};  // of calls that are held back
constexpr std::size_t kAtATime = 64;                   // of those
// Streams of a client, for each unit of its weight, that start at a time where others are there.
constexpr std::size_t kMostStarting = 16;
constexpr std::uint32_t kMostWeightToStart = 16;
constexpr std::size_t kFew = 16;                // clients looked at for the next turn
constexpr std::chrono::seconds kRemembered{1};  // who has called
Error too_slow(std::chrono::milliseconds limit) {
  return {
      .code = ErrorCode::kDeadlineExceeded,
      .message = fmt::format("the request was not here as a whole after {} ms: send it at once, "
                             "or ask for less in a call",
                             limit.count()),
      .reason = ErrorReason::kClientTooSlow,
      .limit = fmt::format("{} ms", limit.count())};
}

}  // namespace

/// With many that have had nothing yet, only where nobody is in its way.
bool RequestReads::may_begin(Client& client, const Reader& stream, Clock::time_point now) {
  if (!is_behind_) return true;
  while (!client.starting.empty() &&
         now >= client.starting.front()->since_ + bounds_.longest_start) {
    client.starting.front()->state_ = Reader::State::kOutside;
    client.starting.pop_front();
  }
  const std::size_t most = kMostStarting * std::min(client.weight, kMostWeightToStart);
  const bool waits_for_others =
      stream.settles() && pace_.is_held() && client.starting.size() >= most;
  return !is_behind_(stream.source_, waits_for_others ? std::chrono::nanoseconds(0) : kPatience);
}

bool RequestReads::may_start(Client& client, const Reader& reader, Clock::time_point now) {
  if (!has_credit(client, now)) return false;
  if (!reader.takes_place()) return is_closing_ || may_begin(client, reader, now);
  if (client.reading == 0) return reading_.size() < kOvershoot * bounds_.reads;
  return reading_.size() < bounds_.reads && client.reading < client_part(bounds_.reads);
}

/// The one that has waited longest, if it may: a stream that may not holds up nothing else.
RequestReads::Reader* RequestReads::first_to_start(Client& client, Clock::time_point now) {
  std::array<Reader*, 3> first{};
  std::size_t count = 0;
  for (const auto* const queue : {&client.calls, &client.streams, &client.others})
    if (!queue->empty()) first.at(count++) = queue->front();
  const std::span waiting(first.data(), count);
  std::ranges::stable_sort(waiting, {}, [](const Reader* reader) { return reader->since_; });
  for (Reader* const reader : waiting)
    if (may_start(client, *reader, now)) return reader;
  return nullptr;
}

/// A reader that waits, and whose place is the first of its client.
void RequestReads::start(Client& client, Reader& reader) {
  waiting_.add(-1);
  ++client.begun;
  client.credit -= pace_.cost();
  if (!reader.takes_place()) {
    stream_waits_no_more(reader);
    if (!reader.settles()) {
      client.others.erase(reader.place_);
      reader.state_ = Reader::State::kOutside;
      return;
    }
    client.turn = std::max(client.turn, reader.turn_);
    client.starting.splice(client.starting.end(), client.streams, reader.place_);
    reader.state_ = Reader::State::kStarting;
    reader.since_ = Clock::now();
    return;
  }
  reading_.splice(reading_.end(), client.calls, reader.place_);
  ++client.reading;
  reader.state_ = Reader::State::kReading;
  reader.since_ = std::chrono::steady_clock::now();
  set_alarm();
}

/// Streams take turns by their connections, which divide what their client has: start-time fair
/// queueing, as of `schedule::Share`, where each costs the same.
std::list<RequestReads::Reader*>::iterator RequestReads::place_for(Reader& reader, Client& client) {
  std::list<Reader*>& queue = client.queue(reader);
  auto place = queue.end();
  if (!reader.settles()) return place;
  const auto found = connections_.find(reader.source_.connection);
  const bool is_known = found != connections_.end() && found->second.streams > 0;
  reader.turn_ = is_known ? std::max(client.turn, found->second.turn + 1) : client.turn;
  while (place != queue.begin() && (*std::prev(place))->turn_ > reader.turn_) --place;
  return place;
}

void RequestReads::enter(const schedule::Source& source, Reader& reader) {
  const std::uint64_t client = source.client;
  {
    const MutexLock lock(mutex_);
    const auto now = Clock::now();
    adapt_pace(now);
    if (!turns_.empty()) set_pace_alarm();  // those that wait may be held back from now on
    Client& account = clients_[client];
    account.weight = source.weight;
    account.seen = now;
    reader.source_ = source;
    std::list<Reader*>& queue = account.queue(reader);
    const bool goes_behind = pace_.is_held() && account.waits();  // as those that wait come first
    const bool waits = goes_behind || !queue.empty() || !may_start(account, reader, now);
    const bool is_first = waits && !account.waits();
    try {
      if (is_first) turns_.push_back(client);
      reader.place_ = queue.insert(place_for(reader, account), &reader);
    } catch (...) {
      if (is_first && !turns_.empty() && turns_.back() == client) turns_.pop_back();
      forget_if_idle(client);
      throw;
    }
    reader.state_ = Reader::State::kWaiting;
    reader.since_ = now;
    waiting_.add(1);
    if (!reader.takes_place()) stream_waits(reader);
    if (waits) return set_pace_alarm();
    start(account, reader);
    forget_if_idle(client);
  }
  begin(reader);
}

void RequestReads::settle(Reader& reader) {
  const MutexLock lock(mutex_);
  if (reader.state_ != Reader::State::kStarting) return;
  clients_.at(reader.source_.client).starting.erase(reader.place_);
  reader.state_ = Reader::State::kOutside;
  forget_if_idle(reader.source_.client);
}

/// Outside of the lock. The reader may be over when this returns: the caller keeps it alive.
void RequestReads::begin(Reader& reader) {
  reader.start_reading();
  reader.begun_ = true;
}

bool RequestReads::withdraw(Reader& reader) {
  const MutexLock lock(mutex_);
  if (reader.state_ != Reader::State::kWaiting) return false;
  Client& client = clients_.at(reader.source_.client);
  client.queue(reader).erase(reader.place_);
  waiting_.add(-1);
  if (!reader.takes_place()) stream_waits_no_more(reader);
  reader.state_ = Reader::State::kOutside;
  if (!client.waits()) std::erase(turns_, reader.source_.client);
  forget_if_idle(reader.source_.client);
  return true;
}

void RequestReads::leave(Reader& reader) {
  // one by the place that is free, and one as its client reads nothing else
  std::array<std::shared_ptr<Reader>, 2> next;
  {
    const MutexLock lock(mutex_);
    reading_.erase(reader.place_);
    --clients_.at(reader.source_.client).reading;
    reader.state_ = Reader::State::kOutside;
    forget_if_idle(reader.source_.client);
    const auto now = Clock::now();
    for (auto& one : next) one = take_next(now);
    if (!turns_.empty()) set_pace_alarm();
  }
  for (const auto& one : next)
    if (one != nullptr) begin(*one);
}

/// Of the first clients in turn, the first that may: the call that waits longest; null where none
/// may.
std::shared_ptr<RequestReads::Reader> RequestReads::take_next(Clock::time_point now) {
  const std::size_t few = std::min(turns_.size(), kFew);
  for (std::size_t i = 0; i < few; ++i) {
    const auto turn = turns_.begin() + static_cast<std::ptrdiff_t>(i);
    Client& client = clients_.at(*turn);
    Reader* const reader = first_to_start(client, now);
    if (reader == nullptr) continue;
    start(client, *reader);
    std::rotate(turn, turn + 1, turns_.end());  // where it has more, after the others
    if (!client.waits()) turns_.pop_back();
    return reader->shared_from_this();
  }
  return nullptr;
}

/// Where calls have a pace, it is forgotten later.
void RequestReads::forget_if_idle(std::uint64_t client) {
  const auto found = clients_.find(client);
  if (!work_ && found->second.is_idle()) clients_.erase(found);
}

/// Looks at who wants what, where that is due.
void RequestReads::adapt_pace(Clock::time_point now) {
  if (!work_ || is_closing_ || now - adapted_ < CallPace::kInterval) return;
  const Work work = work_();
  for (const std::uint64_t client : work.streaming) clients_[client].seen = now;
  for (const schedule::Source& source : work.waiting) clients_[source.client].seen = now;
  adapted_ = now;
  CallPace::Load load{.used = work.used, .call_cost = work.call_cost, .callers = {}};
  const auto wants = [pace = pace_, now](const Client& client) {
    const CallPace::Seconds since = pace.part_of(client.weight) * (now - client.credited);
    const bool owes =
        pace.is_held() && (client.credit + since < CallPace::Seconds(0) || client.owed > since);
    return !client.is_idle() || now - client.seen <= kRemembered || now < client.paused_until ||
           owes;
  };
  std::erase_if(clients_, [&](const auto& each) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    const Client& client = each.second;
    return !wants(client) && client.received <= part_of_received(client) * (now - client.credited);
  });
  for (const schedule::Source& source : work.waiting)
    if (!clients_.at(source.client).waits()) load.others += source.weight;
  for (auto& [id, client] : clients_) {
    if (is_somebody(id) && wants(client)) ++load.clients;
    const bool waits = client.waits() || now < client.paused_until;
    if (client.begun > 0 || waits)
      load.callers.push_back({static_cast<double>(client.weight), client.begun, waits});
    client.begun = 0;
  }
  pace_.adapt(std::move(load), now);
}

void RequestReads::set_pace_alarm() {
  if (pace_alarm_set_ || !(pace_.is_held() || waiting_streams_ > 0)) return;
  try {
    alarms_.set(Clock::now() + kBetweenTurns, [this] { start_those_in_turn(); });
    pace_alarm_set_ = true;
  } catch (const std::bad_alloc&) {
    // whoever comes next sets it
  }
}

/// Of each client that waits, from another one on each time.
void RequestReads::start_those_in_turn() {
  std::vector<std::shared_ptr<Reader>> next;
  {
    const MutexLock lock(mutex_);
    pace_alarm_set_ = false;
    const auto now = Clock::now();
    try {
      adapt_pace(now);
      next.reserve(kAtATime);
      const std::size_t clients = turns_.size(), first = ++first_in_turn_;
      for (std::size_t i = 0; i < clients; ++i) {
        Client& client = clients_.at(turns_[(first + i) % clients]);
        while (next.size() < kAtATime) {
          Reader* const reader = first_to_start(client, now);
          if (reader == nullptr) break;
          start(client, *reader);
          next.push_back(reader->shared_from_this());
        }
      }
    } catch (const std::bad_alloc&) {
      // the next time
    }
    auto kept = turns_.begin();
    for (const std::uint64_t id : turns_)
      if (clients_.at(id).waits()) *kept++ = id;
    turns_.erase(kept, turns_.end());
    if (!turns_.empty()) set_pace_alarm();
  }
  for (const auto& one : next) begin(*one);
}

/// The server is about to stop: nobody is held back any more.
void RequestReads::let_all_begin() {
  {
    const MutexLock lock(mutex_);
    is_closing_ = true;
    pace_ = CallPace(bounds_.processors, bounds_.workers);
  }
  std::size_t before = 0, left = std::numeric_limits<std::size_t>::max();
  do {
    start_those_in_turn();
    before = left;
    const MutexLock lock(mutex_);
    left = waiting_streams_;
  } while (left > 0 && left < before);
}

void RequestReads::set_alarm() {
  if (alarm_set_) return;
  try {
    alarms_.set(std::chrono::steady_clock::now() + bounds_.while_others_wait,
                [this] { stop_the_slow(); });
    alarm_set_ = true;
  } catch (const std::bad_alloc&) {
    // whoever comes next sets it
  }
}

/// Whether somebody waits who could read in its place, or more read than should.
bool RequestReads::is_in_the_way(const Reader& reader) const {
  const Client& own = clients_.at(reader.source_.client);
  if (reading_.size() > bounds_.reads) return true;
  if (own.reading < 2) return false;
  if (!own.calls.empty() && own.reading >= client_part(bounds_.reads)) return true;
  return reading_.size() == bounds_.reads && !turns_.empty();
}

void RequestReads::stop_the_slow() {
  std::vector<std::pair<std::shared_ptr<Reader>, std::chrono::milliseconds>> slow;
  {
    const MutexLock lock(mutex_);
    alarm_set_ = false;
    const auto now = std::chrono::steady_clock::now();
    try {
      for (Reader* const reader : reading_) {
        if (!reader->begun_) continue;
        const bool is_short = is_in_the_way(*reader) && !was_held(*reader);
        const auto limit = is_short ? bounds_.while_others_wait : bounds_.longest;
        if (now >= reader->since_ + limit) slow.emplace_back(reader->shared_from_this(), limit);
      }
    } catch (const std::bad_alloc&) {
      // those found so far
    }
    if (!reading_.empty()) set_alarm();
  }
  for (const auto& [reader, limit] : slow) reader->stop_reading(too_slow(limit));
}

}  // namespace terrane::rpc
