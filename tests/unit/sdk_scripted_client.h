#pragma once

#include <chrono>

#include "sdk_scripted_server.h"
#include "terrane/client.h"

/// A client of a scripted server.
namespace terrane::testing {

/// A world that it says it has, of one seed and fingerprint.
inline const WorldRef kWorld{"classic", 42, 7};

inline Client connect_to(const ScriptedServer& server,
                         std::chrono::milliseconds deadline = std::chrono::seconds(20)) {
  return *Client::connect({.address = server.address(), .deadline = deadline});
}

}  // namespace terrane::testing
