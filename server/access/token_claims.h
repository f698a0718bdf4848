#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "access/caller.h"
#include "terrane/result.h"

namespace terrane::access {

/// What is asked of signed tokens besides their signature.
struct TokenRules {
  std::string issuer = {};          // "iss" must be it
  std::string audience = {};        // "aud" must be it, or have it
  std::chrono::seconds leeway{30};  // that clocks may differ by
};

/// Somebody by a token, and since when it is valid.
struct TokenHolder {
  Caller caller;
  std::chrono::system_clock::time_point begins{};
};

/// Reads the claims of a token whose signature is right (RFC 7519): "iss", "aud", "exp" and "sub"
/// must be there, "nbf" may, and "terrane" may hold the members of read_grant(). Whether it is
/// valid now is the caller's to see. `client` is 0. Pure.
/// Errors: kUnauthenticated.
[[nodiscard]] Result<TokenHolder> read_claims(std::string_view claims, const TokenRules& rules);

}  // namespace terrane::access
