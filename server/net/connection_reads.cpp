#include "net/connection_reads.h"

#include <sys/socket.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "net/packet_filter.h"
#include "net/socket_inode.h"
#include "net/socket_traffic.h"

namespace terrane::net {
namespace {

// The system makes room for twice as much. It counts some hundred bytes for each segment besides,
// so that this is what a thousand small requests take.
constexpr int kHeld = 1 << 20;

constexpr std::size_t kLetGoAtATime = 8;  // connections of a client
constexpr std::size_t kPassedBy = 16;     // connections that are paused, for each that is looked at

}  // namespace

bool ConnectionReads::Scattered::operator()(const Endpoint& a, const Endpoint& b) const {
  // multiplicative hashing (Knuth, "The Art of Computer Programming" 3, 6.4): 2^16 by the golden
  // ratio; no two ports have the same
  const auto place = [](const Endpoint& end) {
    return static_cast<std::uint16_t>(end.port * std::uint32_t{40'503});
  };
  return std::pair(place(a), a.address) < std::pair(place(b), b.address);
}

void ConnectionReads::forget(const Endpoint& peer, ino_t socket) {
  const MutexLock lock(mutex_);
  const auto found = connections_.find(peer);
  if (found != connections_.end() && found->second.socket == socket) connections_.erase(found);
}

/// The descriptor may be closed at any time, and another's from then on: one that is met by mistake
/// is released.
/// @param set  for a descriptor: what is asked for, or the opposite
template <typename Set>
bool ConnectionReads::apply(const Connection& connection, Set set) {
  const int descriptor = connection.descriptor;
  if (inode_of(descriptor) != connection.socket) return false;
  const bool done = set(descriptor, true);
  if (inode_of(descriptor) == connection.socket) return done;
  set(descriptor, false);
  return false;
}

void ConnectionReads::set_paused(Connection& connection, bool paused) {
  const bool done = apply(connection, [paused](int descriptor, bool is_it) {
    return drop_data_of(descriptor, paused && is_it);
  });
  connection.is_paused = paused && done;  // else it is looked at, and charged, as before
}

void ConnectionReads::note(const Endpoint& peer, const AddressBytes& client, int descriptor,
                           ino_t socket) {
  const MutexLock lock(mutex_);
  Connection& connection = connections_[peer];
  connection = {
      .client = client_of(client), .address = client, .descriptor = descriptor, .socket = socket};
  if (paused_.contains(connection.client)) set_paused(connection, true);
}

bool ConnectionReads::hold(const Endpoint& peer, bool held) {
  const MutexLock lock(mutex_);
  const auto found = connections_.find(peer);
  if (found == connections_.end()) return false;
  return apply(found->second, [held](int descriptor, bool is_it) {
    const int low_water = held && is_it ? kHeld : 1;
    return setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &low_water, sizeof low_water) == 0;
  });
}

void ConnectionReads::pause(const AddressBytes& client, Clock::time_point until) {
  const MutexLock lock(mutex_);
  Clock::time_point& paused_until = paused_[client_of(client)];
  paused_until = std::max(paused_until, until);
  for (auto& [peer, connection] : connections_)
    if (connection.client == client_of(client) && !connection.is_paused)
      set_paused(connection, true);
}

std::vector<ConnectionReads::Received> ConnectionReads::look(std::size_t most,
                                                             Clock::time_point now) {
  std::vector<Received> all;
  const MutexLock lock(mutex_);
  all.reserve(std::min(most, connections_.size()));
  end_pauses(now);
  auto each = connections_.lower_bound(next_);
  const std::size_t end = std::min(connections_.size(), kPassedBy * most);
  for (std::size_t i = 0, looked_at = 0; i < end && looked_at < most; ++i, ++each) {
    if (each == connections_.end()) each = connections_.begin();
    if (each->second.is_paused) continue;
    ++looked_at;
    const Received received = take_in(*each);
    if (received.segments > 0 || received.waits) all.push_back(received);
  }
  next_ = each == connections_.end() ? Endpoint{} : each->first;
  return all;
}

std::map<AddressBytes, std::uint64_t> ConnectionReads::brought(std::uint64_t most_of_each) const {
  std::map<AddressBytes, std::uint64_t> all;
  const MutexLock lock(mutex_);
  for (const auto& [peer, connection] : connections_)
    all[connection.client] += std::min(connection.seen.bytes, most_of_each);
  return all;
}

std::size_t ConnectionReads::paused() const {
  const MutexLock lock(mutex_);
  return paused_.size();
}

/// Of a system that does not count segments, nothing.
ConnectionReads::Received ConnectionReads::take_in(Connections::value_type& each) {
  Connection& connection = each.second;
  Received received{.client = connection.address};
  const auto now = traffic_of(connection.descriptor);
  if (!now || inode_of(connection.descriptor) != connection.socket) return received;
  received.segments = now->segments - connection.seen.segments;
  received.bytes = now->bytes - connection.seen.bytes;
  const std::uint64_t taken = now->bytes - std::min(now->bytes, now->unread);
  received.waits = taken < connection.seen.bytes && taken == connection.taken;
  connection.taken = taken;
  connection.seen = *now;
  return received;
}

/// A few connections of each client at a time: where they go on as before, it is paused again
/// before all of them have.
void ConnectionReads::end_pauses(Clock::time_point now) {
  const std::size_t most = now == Clock::time_point::max() ? connections_.size() : kLetGoAtATime;
  std::map<AddressBytes, std::size_t> let_go;
  for (const auto& [client, until] : paused_)
    if (until <= now) let_go[client] = 0;
  if (let_go.empty()) return;
  auto each = connections_.lower_bound(next_let_go_);
  for (std::size_t i = 0; i < connections_.size(); ++i, ++each) {
    if (each == connections_.end()) each = connections_.begin();
    Connection& connection = each->second;
    if (!connection.is_paused) continue;
    const auto client = let_go.find(connection.client);
    if (client == let_go.end() || ++client->second > most) continue;
    set_paused(connection, false);
    next_let_go_ = each->first;
  }
  for (const auto& [client, count] : let_go)
    if (count <= most) paused_.erase(client);
}

}  // namespace terrane::net
