#include "rpc/tls_credentials.h"

#include <grpc/grpc.h>
#include <grpc/grpc_security.h>

#include <string>
#include <utility>

namespace terrane::rpc {
namespace {

using net::Certificates, net::LiveCertificates;

/// gRPC's C++ credentials are made once, or reread files that may not fit each other; its C ones
/// ask at the beginning of each connection.
class TlsCredentials final : public grpc::ServerCredentials {
 public:
  explicit TlsCredentials(std::shared_ptr<const LiveCertificates> certificates)
      : certificates_(std::move(certificates)) {
    const auto asked = certificates_->asks_clients()
                           ? GRPC_SSL_REQUEST_CLIENT_CERTIFICATE_AND_VERIFY
                           : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE;
    credentials_ = grpc_ssl_server_credentials_create_with_options(
        grpc_ssl_server_credentials_create_options_using_config_fetcher(asked, &fetch, this));
  }
  ~TlsCredentials() override { grpc_server_credentials_release(credentials_); }
  TlsCredentials(const TlsCredentials&) = delete;
  TlsCredentials& operator=(const TlsCredentials&) = delete;

  /// Nobody here has one.
  void SetAuthMetadataProcessor(const std::shared_ptr<grpc::AuthMetadataProcessor>&) override {}

 private:
  int AddPortToServer(const std::string& address, grpc_server* server) override {
    return grpc_server_add_http2_port(server, address.c_str(), credentials_);
  }

  /// gRPC calls it under a lock of its own.
  static grpc_ssl_certificate_config_reload_status fetch(
      void* self, grpc_ssl_server_certificate_config** config) {
    auto& shown = static_cast<TlsCredentials*>(self)->shown_;
    auto now = static_cast<TlsCredentials*>(self)->certificates_->now();
    if (now == shown) return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_UNCHANGED;
    const grpc_ssl_pem_key_cert_pair pair{now->key.c_str(), now->chain.c_str()};
    // it insists on some, even where no client is asked
    const std::string& trusted = now->client_ca.empty() ? now->chain : now->client_ca;
    *config = grpc_ssl_server_certificate_config_create(trusted.c_str(), &pair, 1);
    shown = std::move(now);
    return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_NEW;
  }

  const std::shared_ptr<const LiveCertificates> certificates_;
  std::shared_ptr<const Certificates> shown_;
  grpc_server_credentials* credentials_ = nullptr;
};

}  // namespace

std::shared_ptr<grpc::ServerCredentials> tls_credentials(
    std::shared_ptr<const LiveCertificates> certificates) {
  return std::make_shared<TlsCredentials>(std::move(certificates));
}

}  // namespace terrane::rpc
