#pragma once

#include <string>

namespace terrane::rpc {

/// The token of a Hello that came over a WebSocket, where nothing else could show one.
/// @param message  the bytes of an ExploreRequest, from which it is taken; what is none, or no
///   Hello, stays as it is: whoever serves the call says what is wrong
[[nodiscard]] std::string take_token(std::string& message);

}  // namespace terrane::rpc
