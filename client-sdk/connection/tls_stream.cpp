#include <openssl/ssl.h>

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <utility>

#include "byte_stream.h"

namespace terrane::connection {
namespace {

namespace ssl = asio::ssl;

class TlsStream final : public ByteStream {
 public:
  TlsStream(asio::io_context& context, ssl::context& tls, const std::string& host)
      : ByteStream(context), stream_(context, tls) {
    stream_.set_verify_mode(ssl::verify_peer);
    stream_.set_verify_callback(ssl::host_name_verification(host));
    SystemError no_address;
    asio::ip::make_address(host, no_address);
    if (no_address) SSL_set_tlsext_host_name(stream_.native_handle(), host.c_str());
  }

  asio::ip::tcp::socket& socket() override { return stream_.next_layer(); }
  void handshake(std::function<void(SystemError)> done) override {
    stream_.async_handshake(ssl::stream_base::client, std::move(done));
  }
  void read_some(asio::mutable_buffer into, Done done) override {
    stream_.async_read_some(into, std::move(done));
  }
  void write_some(asio::const_buffer from, Done done) override {
    stream_.async_write_some(from, std::move(done));
  }

 private:
  ssl::stream<asio::ip::tcp::socket> stream_;
};

class OpenSsl final : public Tls {
 public:
  OpenSsl() : context_(ssl::context::tls_client) {}

  [[nodiscard]] Result<void> trust(const std::string& ca_file) {
    SSL_CTX_set_min_proto_version(context_.native_handle(), TLS1_2_VERSION);
    SystemError error;
    if (ca_file.empty()) {
      context_.set_default_verify_paths(error);
    } else {
      context_.load_verify_file(ca_file, error);
    }
    if (!error) return {};
    return fail(ErrorCode::kInvalidArgument, "ca_file '" + ca_file +
                                                 "' cannot be used: " + error.message() +
                                                 "; it must hold certificates as PEM");
  }

  std::shared_ptr<ByteStream> stream(asio::io_context& context, const std::string& host) override {
    return std::make_shared<TlsStream>(context, context_, host);
  }

 private:
  ssl::context context_;
};

}  // namespace

Result<std::unique_ptr<Tls>> make_tls(const std::string& ca_file) {
  auto tls = std::make_unique<OpenSsl>();
  if (auto trusts = tls->trust(ca_file); !trusts) return tl::unexpected(std::move(trusts).error());
  return tls;
}

}  // namespace terrane::connection
