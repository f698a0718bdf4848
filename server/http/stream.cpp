#include "http/stream.h"

#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/beast/websocket/ssl.hpp>
#include <boost/beast/websocket/teardown.hpp>

#include "schedule/processor_time.h"

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
    : context_(std::move(tls)),
      bytes_(bytes_of(std::move(socket), context_.get())),
      pause_(next_layer().get_executor()) {}

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
  hold(false);
  auto* const encrypted = std::get_if<Encrypted>(&bytes_);
  if (encrypted == nullptr) return done({});
  encrypted->async_shutdown(std::move(done));
}

void Stream::end(beast::role_type role, Done done) {
  using beast::websocket::async_teardown;
  hold(false);
  std::visit([&](auto& bytes) { async_teardown(role, bytes, std::move(done)); }, bytes_);
}

void Stream::expect_few_reads(std::chrono::milliseconds longest) {
  constexpr int kFew = 2;
  expects_few_ = true;
  reads_left_ = std::min(reads_left_ + kFew, kFew);
  read_by_ = std::chrono::steady_clock::now() + longest;
}

/// Whether some of what has come is here already: TLS gives a record at a time.
bool Stream::has_read_ahead() {
  SSL* const encrypted = tls();
  return encrypted != nullptr &&
         (SSL_has_pending(encrypted) == 1 || BIO_ctrl_pending(SSL_get_rbio(encrypted)) > 0);
}

std::chrono::milliseconds Stream::pause_before_read() {
  constexpr int kMostDoublings = 8;
  if (!expects_few_ || has_read_ahead()) return std::chrono::milliseconds(0);
  reads_left_ = std::max(reads_left_ - 1, -1 - kMostDoublings);
  if (reads_left_ >= 0) return std::chrono::milliseconds(0);
  return std::chrono::milliseconds(1 << (-1 - reads_left_));
}

void Stream::read_some(asio::mutable_buffer into, Moved done) {
  const auto pause = pause_before_read();
  if (pause.count() == 0) return read_now(into, std::move(done));
  leave_unread();
  pause_.expires_at(std::min(std::chrono::steady_clock::now() + pause, read_by_));
  pause_.async_wait([this, into, done = std::move(done)](Error error) mutable {
    if (!error && std::chrono::steady_clock::now() >= read_by_) error = beast::error::timeout;
    error ? done(error, 0) : read_now(into, std::move(done));
  });
}

void Stream::hold(bool held) {
  constexpr int kHeld = 1 << 16;  // bytes: what a socket takes in at first is twice as much
  if (is_held_ == held) return;
  const int least = held ? kHeld : 1;
  if (setsockopt(next_layer().socket().native_handle(), SOL_SOCKET, SO_RCVLOWAT, &least,
                 sizeof least) == 0)
    is_held_ = held;
}

/// What can be moved at once is: then this is most of what it costs.
void Stream::read_now(asio::mutable_buffer into, Moved done) {
  const auto begun = schedule::processor_time_of_thread();
  hold(false);
  std::visit([&](auto& bytes) { bytes.async_read_some(into, std::move(done)); }, bytes_);
  spent_ += schedule::processor_time_of_thread() - begun;
}

void Stream::write_some(const GatheredBytes& from, Moved done) {
  const auto begun = schedule::processor_time_of_thread();
  std::visit([&](auto& bytes) { bytes.async_write_some(from, std::move(done)); }, bytes_);
  spent_ += schedule::processor_time_of_thread() - begun;
}

}  // namespace terrane::http
