#pragma once

#include <openssl/types.h>

#include <chrono>
#include <memory>
#include <string>

namespace terrane::test {

/// A certificate and its key, as PEM.
struct Identity {
  std::string certificate;
  std::string key;
};

/// Makes certificates, for 127.0.0.1 and localhost, and vouches for them. All of it throws
/// std::runtime_error where OpenSSL fails.
class Authority {
 public:
  explicit Authority(const std::string& name);

  /// @param name        of the subject
  /// @param begins, ends  when it is valid, from now
  [[nodiscard]] Identity issue(const std::string& name,
                               std::chrono::seconds begins = -std::chrono::hours(1),
                               std::chrono::seconds ends = std::chrono::hours(24)) const;

  /// Its own certificate.
  [[nodiscard]] const std::string& certificate() const { return certificate_; }

 private:
  std::string name_;
  std::shared_ptr<EVP_PKEY> key_;
  std::string certificate_;
};

/// The key, but with a passphrase.
[[nodiscard]] std::string locked(const std::string& key);

}  // namespace terrane::test
