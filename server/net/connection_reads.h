#pragma once

#include <sys/types.h>

#include <map>

#include "net/proxied_clients.h"
#include "terrane/mutex.h"

namespace terrane::net {

/// Connections whose bytes can be left with the system for a while, whoever reads them otherwise:
/// the peer then waits with what it has to send. A connection is known by the peer's end of it.
/// Thread-safe; nothing blocks.
class ConnectionReads {
 public:
  using Endpoint = ProxiedClients::Endpoint;

  /// @param descriptor, socket  of the connection here, and the inode of its socket
  void note(const Endpoint& peer, int descriptor, ino_t socket);
  /// The connection is closed. Does nothing where that end has another one by now.
  void forget(const Endpoint& peer, ino_t socket);

  /// From now on nobody is told that bytes have come, until they are as many as the peer may send
  /// unasked, or the peer closes; or no longer, and whoever reads is told at once of what has come.
  /// @return whether there is such a connection
  bool hold(const Endpoint& peer, bool held);

 private:
  struct Connection {
    int descriptor = -1;
    ino_t socket = 0;
  };

  Mutex mutex_;
  std::map<Endpoint, Connection> connections_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::net
