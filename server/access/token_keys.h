#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/result.h"

struct _cjose_jwk_int;

namespace terrane::access {

/// Public keys that tokens are signed for: a JSON Web Key Set (RFC 7517) of RSA keys (2048 to 4096
/// bits) and of P-256, P-384 and P-521. Constant once made: any thread.
class TokenKeys {
 public:
  /// Keys of other kinds, or for other uses than signatures, are passed over.
  /// Errors: kInvalidArgument where it is no key set, holds a private key, or none that is of use.
  [[nodiscard]] static Result<TokenKeys> parse(std::string_view jwks);

  /// Checks a signed token (RFC 7515, compact form; RS256, RS384, RS512, PS256, PS384, PS512,
  /// ES256, ES384, ES512): which algorithm it says, that it is that of the key it names, and the
  /// signature. About 0.1 ms.
  /// @return what was signed
  /// Errors: kUnauthenticated.
  [[nodiscard]] Result<std::string> verify(std::string_view token) const;

  [[nodiscard]] std::size_t size() const { return keys_.size(); }

 private:
  struct Key {
    std::shared_ptr<_cjose_jwk_int> key;
    std::string id;         // "kid"; empty: it has none
    std::string algorithm;  // the only one that it is for; empty: all that suit it
    std::string kind;       // "RSA", "P-256", …
  };

  [[nodiscard]] const Key* find(std::string_view id, std::string_view kind) const;

  std::vector<Key> keys_;
};

/// What a token is refused with: kUnauthenticated, TOKEN_INVALID.
[[nodiscard]] tl::unexpected<Error> invalid_token(std::string_view why);

}  // namespace terrane::access
