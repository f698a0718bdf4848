#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "terrane/explorer.h"
#include "terrane/result.h"
#include "terrane/token.h"

namespace terrane {

/// Servers that are reached by their HTTP ports.
struct WebSocketOptions {
  /// "ws://host:port", or with TLS "wss://host:port"; the port is 80 or 443 where none is said, and
  /// a path goes before what the server offers, for one behind a proxy. Where one is not there, or
  /// leaves, the next is tried. They must offer the same worlds.
  std::vector<std::string> urls = {"ws://127.0.0.1:4151"};
  std::string ca_file =
      {};  // PEM: whom certificates are trusted from; empty: whom the system trusts
  /// Asked before each connection, on its thread, which waits for it; empty: nothing is shown.
  TokenProvider token = {};
  /// Send it in the clear, beyond this machine: where something else encrypts.
  bool insecure_token = false;
  std::chrono::milliseconds patience{10000};  // for one server to be connected with
};

/// An Explorer over a WebSocket: all that Client::explore's is, in a program without gRPC. It has a
/// thread of its own. Link with terrane::explorer, which may be beside terrane::client.
/// Errors: kInvalidArgument names the option, its value and the limit. Blocks: no.
[[nodiscard]] Result<Explorer> connect_explorer(const WebSocketOptions& servers,
                                                ExploreOptions options);

}  // namespace terrane
