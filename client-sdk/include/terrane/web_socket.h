#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "terrane/explorer.h"
#include "terrane/local.h"
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
/// Errors: kInvalidArgument names the option, its value and the limit; kResourceExhausted when
/// there is no thread or descriptor to be had. Blocks: no.
[[nodiscard]] Result<Explorer> connect_explorer(const WebSocketOptions& servers,
                                                ExploreOptions options);

/// The same for land that is made here, as local_explorer()'s, and that a server judges: about once
/// a second it is told of one chunk, in 13 bytes or so, and answers with its own where that is
/// another. From then on (ExploreNews::differs) the land is streamed; what was made here stays
/// until it is replaced or left behind. While there is no connection (kConnecting) land is made all
/// the same; kEnded ends that, too. `options.world` is what the server calls the world, and the
/// seed; not for realms, and decoded.
/// Errors: those of both. Blocks: as local_explorer().
[[nodiscard]] Result<Explorer> connect_explorer(const WebSocketOptions& servers,
                                                const LocalLand& land, ExploreOptions options);

}  // namespace terrane
