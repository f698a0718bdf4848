#include "net/proxied_clients.h"

namespace terrane::net {

void ProxiedClients::note(const Endpoint& proxy, const AddressBytes& client, ino_t socket) {
  const MutexLock lock(mutex_);
  clients_[proxy] = {client, socket};
}

void ProxiedClients::forget(const Endpoint& proxy, ino_t socket) {
  const MutexLock lock(mutex_);
  const auto found = clients_.find(proxy);
  if (found != clients_.end() && found->second.socket == socket) clients_.erase(found);
}

std::optional<AddressBytes> ProxiedClients::find(const Endpoint& proxy) const {
  const MutexLock lock(mutex_);
  const auto found = clients_.find(proxy);
  if (found == clients_.end()) return std::nullopt;
  return found->second.address;
}

}  // namespace terrane::net
