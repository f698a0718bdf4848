#include <chrono>
#include <iterator>
#include <new>

#include "rpc/request_reads.h"

/// Connections that bring more than can begin, and are held.
namespace terrane::rpc {
namespace {

// Of one connection, streams that wait, or calls that are refused within a second: with more it is
// held, until no more than half as many wait, or that second is over. It is let go for a moment now
// and then, for pings and for those that are cancelled.
constexpr std::size_t kMostAtOnce = 64;
constexpr std::chrono::milliseconds kRefusedCounts{1'000};
constexpr std::chrono::milliseconds kLongestHeld{5'000};

}  // namespace

/// Without memory the connection is not held.
void RequestReads::stream_waits(const Reader& reader) {
  ++waiting_streams_;
  if (!hold_) return;
  try {
    Connection& connection = connections_[reader.source_.connection];
    connection.is_shared |= !reader.is_of_the_peer();
    connection.turn = reader.turn_;
    if (++connection.streams > kMostAtOnce) hold(connection, reader);
  } catch (const std::bad_alloc&) {
    return;
  }
}

void RequestReads::stream_waits_no_more(const Reader& reader) {
  --waiting_streams_;
  const auto found = connections_.find(reader.source_.connection);
  if (found == connections_.end() || found->second.streams == 0) return;
  Connection& connection = found->second;
  if (--connection.streams <= kMostAtOnce / 2 && connection.refused == 0) let_go(connection);
  if (connection.streams == 0 && connection.refused == 0) connections_.erase(found);
}

void RequestReads::note_refused(const schedule::Source& source, const Reader& reader) {
  const MutexLock lock(mutex_);
  if (!hold_) return;
  try {
    Connection& connection = connections_[source.connection];
    connection.is_shared |= !reader.is_of_the_peer();
    if (connection.refused++ == 0) look_again_at(connection, kRefusedCounts);
    if (connection.refused > kMostAtOnce) hold(connection, reader);
  } catch (const std::bad_alloc&) {
    return;
  }
}

void RequestReads::hold(Connection& connection, const Reader& reader) {
  if (is_closing_ || connection.is_shared || connection.peer || held_ >= bounds_.held) return;
  const auto peer = reader.peer_to_hold();
  const auto now = Clock::now();
  if (!peer) return;
  if (connection.until <= now) look_again_at(connection, kLongestHeld);
  if (!hold_(*peer, true)) return;
  connection.peer = peer;
  connection.held_last = now;
  ++held_;
}

void RequestReads::let_go(Connection& connection) {
  if (!connection.peer) return;
  hold_(*connection.peer, false);
  connection.peer.reset();
  connection.held_last = Clock::now();
  --held_;
}

/// Since it began to read: then it may not be the client who is slow.
bool RequestReads::was_held(const Reader& reader) const {
  const auto found = connections_.find(reader.source_.connection);
  if (found == connections_.end()) return false;
  return found->second.peer || found->second.held_last > reader.since_;
}

void RequestReads::look_again_at(Connection& connection, std::chrono::milliseconds after) {
  const auto until = Clock::now() + after;
  alarms_.set(until, [this] { let_long_held_go(); });
  connection.until = until;
}

/// The next one that waits, or is refused, has it held again.
void RequestReads::let_long_held_go() {
  const MutexLock lock(mutex_);
  const auto now = Clock::now();
  for (auto each = connections_.begin(); each != connections_.end();) {
    Connection& connection = each->second;
    if (now >= connection.until) {
      let_go(connection);
      connection.refused = 0;
    }
    const bool is_over = connection.streams + connection.refused == 0 && !connection.peer;
    each = is_over ? connections_.erase(each) : std::next(each);
  }
}

}  // namespace terrane::rpc
