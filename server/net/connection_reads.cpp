#include "net/connection_reads.h"

#include <sys/socket.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
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
// The window that the peer has seen meanwhile, the largest without scale. Less than half of it, and
// a peer on this machine, whose segments are that large, sends five of them a second.
constexpr int kOnceHeld = 64 << 10;

constexpr std::size_t kLetGoAtATime = 8;                 // connections of a client
constexpr std::chrono::milliseconds kBetweenThese{100};  // that go on in a pause
constexpr std::size_t kRarest = 10;           // times that, where as many clients are paused
constexpr std::chrono::seconds kNotAgain{1};  // one of them, before
constexpr std::size_t kPassedBy = 16;  // connections that are paused, for each that is looked at

// What a segment counts as, in bytes, as it wakes whoever reads; and the time in which what has
// come fades to 1/e: slowly in a pause, in which nothing comes.
constexpr double kSegment = 400;
// What waits counts as so many times as much: who sends more than is read has all that may wait at
// every look, and would send more; who asks now and then has nothing.
constexpr double kWaits = 8;
constexpr std::chrono::duration<double> kRecent{0.5}, kRecentInPause{4};
constexpr double kPartOfAll = 1.0 / 16;
constexpr std::chrono::milliseconds kBetweenChoices{50};

bool set(int descriptor, int option, int value) {
  return setsockopt(descriptor, SOL_SOCKET, option, &value, sizeof value) == 0;
}

/// The low-water mark makes room for itself where the size of the buffer has not been set, or that
/// is undone (since Linux 5.15); else there is as much as anybody may ask for (net.core.rmem_max).
bool hold_data_of(int descriptor, bool held) {
  if (!held) {
    static_cast<void>(set(descriptor, SO_RCVBUF, kOnceHeld));
    return set(descriptor, SO_RCVLOWAT, 1);
  }
  if (!set(descriptor, SO_BUF_LOCK, 0)) static_cast<void>(set(descriptor, SO_RCVBUF, kHeld));
  return set(descriptor, SO_RCVLOWAT, kHeld);
}

struct Sum {
  double of_all = 0;
  std::size_t count = 0;

  void add(double one) {
    of_all += one;
    ++count;
  }
  [[nodiscard]] double mean() const {
    return of_all / static_cast<double>(std::max<std::size_t>(count, 1));
  }
};

}  // namespace

double ConnectionReads::Connection::recent_by(Clock::time_point now) const {
  const auto fading = is_paused ? kRecentInPause : kRecent;
  return recent * std::exp(-std::max(0.0, (now - recent_at) / fading));
}

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

void ConnectionReads::set_paused(Connection& connection, bool paused, Clock::time_point now) {
  connection.recent = connection.recent_by(now);
  connection.recent_at = now;
  const bool done = apply(connection, [paused](int descriptor, bool is_it) {
    return drop_data_of(descriptor, paused && is_it);
  });
  connection.is_paused = paused && done;  // else it is looked at, and charged, as before
}

void ConnectionReads::note(const Endpoint& peer, const AddressBytes& client, int descriptor,
                           ino_t socket) {
  const MutexLock lock(mutex_);
  Connection& connection = connections_[peer];
  connection = {.client = client_of(client),
                .address = client,
                .descriptor = descriptor,
                .socket = socket,
                .waits_since = Clock::now()};
  if (paused_.contains(connection.client)) set_paused(connection, true, Clock::now());
  connection.is_new = connection.is_paused;
}

bool ConnectionReads::hold(const Endpoint& peer, bool held) {
  const MutexLock lock(mutex_);
  const auto found = connections_.find(peer);
  if (found == connections_.end()) return false;
  return apply(found->second, [held](int descriptor, bool is_it) {
    return is_it ? hold_data_of(descriptor, held) : set(descriptor, SO_RCVLOWAT, 1);
  });
}

void ConnectionReads::pause(const Pauses& clients, Clock::time_point now) {
  const MutexLock lock(mutex_);
  std::map<AddressBytes, std::vector<Connection*>> of_clients;
  for (const auto& [client, until] : clients) {
    const auto [found, is_new] = paused_.try_emplace(client);
    Pause& pause = found->second;
    if (is_new) pause.next = now + between_these();
    pause.until = std::max(pause.until, until);
    if (!is_new && now < pause.chosen + kBetweenChoices) continue;
    pause.chosen = now;
    of_clients[client];
  }
  if (of_clients.empty()) return;
  for (auto& [peer, connection] : connections_) {
    const auto found = of_clients.find(connection.client);
    if (found != of_clients.end()) found->second.push_back(&connection);
  }
  for (const auto& [client, connections] : of_clients) pause_those_that_send_much(connections, now);
}

void ConnectionReads::pause_those_that_send_much(const std::vector<Connection*>& connections,
                                                 Clock::time_point now) {
  Sum all, open;
  std::vector<Connection*> going_on;
  for (Connection* const each : connections) {
    if (!each->is_paused) {
      see(*each, now);
      open.add(each->recent_by(now));
      going_on.push_back(each);
    }
    all.add(each->recent_by(now));
  }
  // Those that are paused count as well: what they have sent is what has to be waited for. But
  // where nobody else has sent as much, and all others have sent a part of it, it is they.
  const auto pause_from = [&](double least) {
    return std::ranges::count_if(going_on, [&](Connection* each) {
      if (each->recent_by(now) >= least) set_paused(*each, true, now);
      return each->is_paused;
    });
  };
  if (pause_from(all.mean() / 2) == 0 && open.of_all >= kPartOfAll * all.of_all)
    static_cast<void>(pause_from(open.mean() / 2));
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
    const Received received = take_in(each->second, now);
    if (received.segments > 0 || received.waits) all.push_back(received);
  }
  next_ = each == connections_.end() ? Endpoint{} : each->first;
  return all;
}

std::map<AddressBytes, std::uint64_t> ConnectionReads::brought(std::uint64_t most_of_each) const {
  std::map<AddressBytes, std::uint64_t> all;
  const MutexLock lock(mutex_);
  for (const auto& [peer, connection] : connections_)
    if (inode_of(connection.descriptor) == connection.socket)
      all[connection.client] += std::min(connection.seen.bytes, most_of_each);
  return all;
}

std::size_t ConnectionReads::paused() const {
  const MutexLock lock(mutex_);
  return paused_.size();
}

/// @return whether the system says what has come
bool ConnectionReads::see(Connection& connection, Clock::time_point now) {
  const auto traffic = traffic_of(connection.descriptor);
  if (!traffic || inode_of(connection.descriptor) != connection.socket) return false;
  const std::uint32_t segments = traffic->segments - connection.seen.segments;
  const double recent = connection.recent_by(now) +
                        static_cast<double>(traffic->bytes - connection.seen.bytes) +
                        kSegment * static_cast<double>(segments);
  // who is held has more there, and not by its own choice
  const auto waits = std::min<std::uint64_t>(traffic->unread, kReceiveBuffer);
  connection.recent = std::max(recent, kWaits * static_cast<double>(waits));
  connection.recent_at = now;
  connection.seen = *traffic;
  return true;
}

/// Of a system that does not count segments, nothing.
ConnectionReads::Received ConnectionReads::take_in(Connection& connection, Clock::time_point now) {
  Received received{.client = connection.address};
  if (!see(connection, now)) return received;
  const SocketTraffic& seen = connection.seen;
  received.segments = seen.segments - connection.told.segments;
  received.bytes = seen.bytes - connection.told.bytes;
  const std::uint64_t taken = seen.bytes - std::min(seen.bytes, seen.unread);
  received.waits = taken < connection.told.bytes && taken == connection.taken;
  connection.taken = taken;
  connection.told = seen;
  return received;
}

/// So that those of ten clients take no more than those of one.
ConnectionReads::Clock::duration ConnectionReads::between_these() const {
  return kBetweenThese * std::clamp<std::size_t>(paused_.size(), 1, kRarest);
}

/// A few connections of each client at a time: where they go on as before, it is paused again
/// before all of them have.
void ConnectionReads::end_pauses(Clock::time_point now) {
  std::map<AddressBytes, std::vector<Connection*>> of_clients;  // whose turn it is
  for (const auto& [client, pause] : paused_)
    if (now >= std::min(pause.until, pause.next)) of_clients[client];
  if (of_clients.empty()) return;
  for (auto& [peer, connection] : connections_) {
    const auto found = connection.is_paused ? of_clients.find(connection.client) : of_clients.end();
    if (found != of_clients.end()) found->second.push_back(&connection);
  }
  for (auto& [client, connections] : of_clients) {
    const auto found = paused_.find(client);
    Pause& pause = found->second;
    if (now < pause.until) {
      const auto old = std::partition(connections.begin(), connections.end(),
                                      [](const Connection* each) { return each->is_new; });
      std::vector<Connection*> others(old, connections.end());
      std::erase_if(others,
                    [now](const Connection* each) { return now < each->waits_since + kNotAgain; });
      connections.erase(old, connections.end());
      let_go(connections, 1, now, pause.is_newest_next ? First::kNewest : First::kOldest);
      let_go(others, 1, now);
      pause.is_newest_next = !pause.is_newest_next;
      pause.next = now + between_these();
      continue;
    }
    const bool is_end = now == Clock::time_point::max();
    let_go(connections, is_end ? connections.size() : kLetGoAtATime, now);
    if (connections.empty()) paused_.erase(found);
  }
}

/// Those that have waited longest, or least. What they have sent before is forgotten, or whoever
/// has sent much once would be paused again whatever it sends.
/// @param paused  those that are left, at the end
void ConnectionReads::let_go(std::vector<Connection*>& paused, std::size_t most,
                             Clock::time_point now, First first) {
  std::ranges::sort(paused, {}, &Connection::waits_since);
  if (first == First::kNewest) std::ranges::reverse(paused);
  const auto end = paused.begin() + static_cast<std::ptrdiff_t>(std::min(most, paused.size()));
  for (auto each = paused.begin(); each != end; ++each) {
    set_paused(**each, false, now);
    (*each)->recent = 0;
    (*each)->is_new = false;
    (*each)->waits_since = now;
  }
  paused.erase(paused.begin(), end);
}

}  // namespace terrane::net
