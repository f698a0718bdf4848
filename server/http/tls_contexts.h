#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <utility>

#include "net/certificates.h"

namespace terrane::http {

/// What TLS sessions begin with: made anew when the certificates have changed. Threads: one at a
/// time.
class TlsContexts {
 public:
  explicit TlsContexts(std::shared_ptr<const net::LiveCertificates> certificates)
      : certificates_(std::move(certificates)) {}

  /// TLS 1.2 and 1.3. Clients are asked for certificates where those say so, and let in without.
  /// Throws boost::system::system_error where OpenSSL has no memory.
  [[nodiscard]] std::shared_ptr<boost::asio::ssl::context> now();

 private:
  const std::shared_ptr<const net::LiveCertificates> certificates_;
  std::shared_ptr<const net::Certificates> shown_;
  std::shared_ptr<boost::asio::ssl::context> context_;
};

}  // namespace terrane::http
