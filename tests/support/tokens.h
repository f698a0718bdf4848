#pragma once

#include <openssl/types.h>

#include <chrono>
#include <memory>
#include <string>

namespace terrane::test {

/// Somebody who signs tokens, with OpenSSL alone: what the server checks them with has no part in
/// it. All of it throws std::runtime_error where OpenSSL fails.
class TokenIssuer {
 public:
  /// @param id  of the key; empty: it has none
  [[nodiscard]] static TokenIssuer with_ec(std::string id = "ec");  // P-256, ES256
  [[nodiscard]] static TokenIssuer with_rsa(std::string id = "rsa", unsigned bits = 2048);  // RS256

  /// The public key, as an entry of a key set.
  [[nodiscard]] std::string jwk() const;
  /// The same with the private part.
  [[nodiscard]] std::string private_jwk() const;

  /// A token of these claims (JSON). @param header  empty: one that is right
  [[nodiscard]] std::string sign(const std::string& claims, std::string header = {}) const;

 private:
  TokenIssuer(std::shared_ptr<EVP_PKEY> key, std::string algorithm, std::string id)
      : key_(std::move(key)), algorithm_(std::move(algorithm)), id_(std::move(id)) {}
  [[nodiscard]] std::string members() const;

  std::shared_ptr<EVP_PKEY> key_;
  std::string algorithm_, id_;
};

/// {"keys": […]}
[[nodiscard]] std::string key_set(const std::string& keys);

[[nodiscard]] std::string base64url(const std::string& bytes);

/// Claims that a server with the issuer "issuer" and the audience "terrane" takes.
/// @param more  members, each with a comma in front: ,"terrane":{…}
[[nodiscard]] std::string claims_of(const std::string& subject, const std::string& more = {},
                                    std::chrono::seconds lasts = std::chrono::hours(1));

/// The SHA-256 of a text, in hexadecimal digits.
[[nodiscard]] std::string sha256_hex(const std::string& text);

/// What signs with a secret that both sides know: HS256.
[[nodiscard]] std::string sign_with_secret(const std::string& claims, const std::string& secret,
                                           const std::string& id);

}  // namespace terrane::test
