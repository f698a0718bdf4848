#include "net/open_connections.h"

#include <sys/socket.h>

#include <algorithm>

#include "net/socket_inode.h"

namespace terrane::net {
namespace {

// A flood beyond a limit may make the port look after its connections for a thirtieth of its time.
constexpr std::chrono::milliseconds kLeastBetweenSweeps{20};
constexpr int kSweepShare = 30;

/// What has come and was not read goes first: its owner would read all of it, for seconds where
/// there is much, and find the end afterwards. Not after the end, which makes the owner close: then
/// the descriptor may be another's.
bool end(int descriptor) {
  constexpr std::size_t kAll = std::size_t{1} << 30;
  static_cast<void>(recv(descriptor, nullptr, kAll, MSG_TRUNC | MSG_DONTWAIT));
  return shutdown(descriptor, SHUT_RDWR) == 0;
}

}  // namespace

const char* to_string(Refusal refusal) {
  switch (refusal) {
    case Refusal::kTotal: return "total";
    case Refusal::kClient: return "client";
    case Refusal::kDescriptors: return "descriptors";
    case Refusal::kSentAway: return "sent_away";
    case Refusal::kProxyHeader: return "proxy_header";
  }
  return "unknown";
}

std::optional<Refusal> OpenConnections::admit(int descriptor, const AddressBytes& client,
                                              bool is_exempt, Clock::time_point now) {
  const auto index = static_cast<std::size_t>(descriptor);
  if (index >= slots_.size()) slots_.resize(std::max(index + 1, 2 * slots_.size()));
  Slot& slot = slots_[index];
  release(slot);  // the system has handed its descriptor out again
  if (!is_exempt && is_away(client, now)) return Refusal::kSentAway;
  auto refusal = limit_met(client, is_exempt);
  if (refusal && now >= next_sweep_) {
    sweep_if_due(now);
    refusal = limit_met(client, is_exempt);
  }
  if (refusal) return refusal;
  const ino_t inode = inode_of(descriptor);
  if (inode == 0) return std::nullopt;  // no socket: nothing to count
  ++counts_[client];                    // first: it may throw
  slot.inode = inode;
  slot.client = client;
  slot.is_exempt = is_exempt;
  ++open_;
  return std::nullopt;
}

void OpenConnections::note_peer(int descriptor, const ProxiedClients::Endpoint& peer,
                                const AddressBytes& client) {
  Slot& slot = slots_[static_cast<std::size_t>(descriptor)];
  reads_->note(peer, client, descriptor, slot.inode);
  slot.peer = peer;
}

void OpenConnections::note_proxied(int descriptor, const ProxiedClients::Endpoint& proxy,
                                   const AddressBytes& client) {
  Slot& slot = slots_[static_cast<std::size_t>(descriptor)];
  proxied_->note(proxy, client, slot.inode);
  slot.proxy = proxy;
}

std::optional<std::size_t> OpenConnections::send_away(const AddressBytes& client,
                                                      Clock::time_point now,
                                                      Clock::time_point until) {
  std::optional<std::size_t> ended;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Slot& slot = slots_[i];
    if (slot.inode == 0 || slot.is_exempt || slot.client != client) continue;
    if (!ended) ended = 0;
    const int descriptor = static_cast<int>(i);
    if (inode_of(descriptor) == slot.inode && end(descriptor)) ++*ended;
  }
  std::erase_if(away_, [&](const auto& each) { return each.second <= now; });
  if (ended) away_[client] = until;
  return ended;
}

bool OpenConnections::is_away(const AddressBytes& client, Clock::time_point now) const {
  const auto found = away_.find(client);
  return found != away_.end() && now < found->second;
}

void OpenConnections::sweep() {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (slots_[i].inode != 0 && inode_of(static_cast<int>(i)) != slots_[i].inode)
      release(slots_[i]);
  }
}

std::optional<Refusal> OpenConnections::limit_met(const AddressBytes& client,
                                                  bool is_exempt) const {
  if (is_full()) return Refusal::kTotal;
  if (is_exempt) return std::nullopt;
  const auto found = counts_.find(client);
  const std::size_t held = found == counts_.end() ? 0 : found->second;
  if (held >= std::min(limits_.per_client, limits_.total - open_)) return Refusal::kClient;
  return std::nullopt;
}

void OpenConnections::sweep_if_due(Clock::time_point now) {
  const auto start = Clock::now();
  sweep();
  const Clock::duration took = Clock::now() - start;
  next_sweep_ = now + std::max<Clock::duration>(kLeastBetweenSweeps, took * kSweepShare);
}

void OpenConnections::release(Slot& slot) {
  if (slot.inode == 0) return;
  if (slot.proxy) proxied_->forget(*slot.proxy, slot.inode);
  slot.proxy.reset();
  if (slot.peer) reads_->forget(*slot.peer, slot.inode);
  slot.peer.reset();
  slot.inode = 0;
  --open_;
  const auto found = counts_.find(slot.client);
  if (--found->second == 0) counts_.erase(found);
}

}  // namespace terrane::net
