#pragma once

#include <sys/types.h>

#include <compare>
#include <cstdint>
#include <map>
#include <optional>

#include "net/client_address.h"
#include "terrane/mutex.h"

namespace terrane::net {

/// For whom trusted proxies have connected, as they said at the beginning of each connection
/// (ProxyHeader). A connection is known by the proxy's end of it. Thread-safe.
class ProxiedClients {
 public:
  struct Endpoint {
    AddressBytes address{};
    std::uint16_t port = 0;
    friend auto operator<=>(const Endpoint&, const Endpoint&) = default;
  };

  /// @param socket  inode of the connection's socket here
  void note(const Endpoint& proxy, const AddressBytes& client, ino_t socket);
  /// The connection is closed. Does nothing where that end has another one by now.
  void forget(const Endpoint& proxy, ino_t socket);

  [[nodiscard]] std::optional<AddressBytes> find(const Endpoint& proxy) const;

 private:
  struct Client {
    AddressBytes address{};
    ino_t socket = 0;
  };

  mutable Mutex mutex_;
  std::map<Endpoint, Client> clients_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::net
