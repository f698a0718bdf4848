#include "http/stream.h"

#include <boost/beast/websocket/ssl.hpp>
#include <boost/beast/websocket/teardown.hpp>

namespace terrane::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using Clear = beast::tcp_stream;
using Encrypted = asio::ssl::stream<Clear>;

std::variant<Clear, Encrypted> bytes_of(asio::ip::tcp::socket socket, asio::ssl::context* tls) {
  Clear clear(std::move(socket));
  if (tls == nullptr) return clear;
  return Encrypted(std::move(clear), *tls);
}

}  // namespace

Stream::Stream(asio::ip::tcp::socket socket, std::shared_ptr<asio::ssl::context> tls)
    : context_(std::move(tls)), bytes_(bytes_of(std::move(socket), context_.get())) {}

Stream::next_layer_type& Stream::next_layer() {
  return std::visit([](auto& bytes) -> Clear& { return beast::get_lowest_layer(bytes); }, bytes_);
}

SSL* Stream::tls() {
  auto* const encrypted = std::get_if<Encrypted>(&bytes_);
  return encrypted == nullptr ? nullptr : encrypted->native_handle();
}

void Stream::handshake(Done done) {
  auto* const encrypted = std::get_if<Encrypted>(&bytes_);
  if (encrypted == nullptr) return done({});
  encrypted->async_handshake(asio::ssl::stream_base::server, std::move(done));
}

void Stream::shutdown(Done done) {
  auto* const encrypted = std::get_if<Encrypted>(&bytes_);
  if (encrypted == nullptr) return done({});
  encrypted->async_shutdown(std::move(done));
}

void Stream::end(beast::role_type role, Done done) {
  using beast::websocket::async_teardown;
  std::visit([&](auto& bytes) { async_teardown(role, bytes, std::move(done)); }, bytes_);
}

void Stream::read_some(asio::mutable_buffer into, Moved done) {
  std::visit([&](auto& bytes) { bytes.async_read_some(into, std::move(done)); }, bytes_);
}

void Stream::write_some(const GatheredBytes& from, Moved done) {
  std::visit([&](auto& bytes) { bytes.async_write_some(from, std::move(done)); }, bytes_);
}

}  // namespace terrane::http
