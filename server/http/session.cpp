#include "http/session.h"

#include <algorithm>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace terrane::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace protocol = boost::beast::http;
using Error = boost::system::error_code;
using Clear = beast::tcp_stream;
using Encrypted = asio::ssl::stream<beast::tcp_stream>;

constexpr std::size_t kReadBytes = 2048;  // a request is rarely longer
constexpr unsigned kHttp11 = 11;          // as Beast writes it

/// Whether the bytes are to blame, and not the connection.
bool is_malformed(const boost::system::error_code& error) {
  if (error == protocol::error::end_of_stream || error == protocol::error::partial_message)
    return false;
  return error.category() == protocol::make_error_code(protocol::error::bad_method).category();
}

bool is_too_long(const boost::system::error_code& error) {
  return error == protocol::error::header_limit || error == protocol::error::buffer_overflow;
}

/// What anybody may ask: it says no more than that the server is there.
bool is_probe(std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  return path == "/healthz" || path == "/readyz";
}

/// A connection that stays open for as long as it waits for something.
template <typename Stream>
class Session : public std::enable_shared_from_this<Session<Stream>> {
 public:
  Session(Stream stream, Port& port, std::shared_ptr<asio::ssl::context> context);
  ~Session() { port_.metrics.connections.add(-1); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start();

 private:
  static constexpr bool kEncrypted = std::is_same_v<Stream, Encrypted>;

  beast::tcp_stream& connection() { return beast::get_lowest_layer(stream_); }
  void await_request();
  void read_header();
  void on_header(Error error);
  void answer_request();
  Page page_for(std::string_view target) const;
  void answer(Page page, unsigned version, bool keep_alive, bool with_body);
  void on_answered(Error error, bool keep_alive);
  void say_goodbye();
  void linger();
  void discard();
  void count_timeout(Error error) const;

  Port& port_;
  const std::shared_ptr<asio::ssl::context> context_;  // of the stream; null in the clear
  Stream stream_;
  beast::flat_buffer buffer_;
  std::optional<protocol::request_parser<protocol::empty_body>> parser_;  // of this request
  protocol::response<protocol::string_body> response_;
};

template <typename Stream>
Session<Stream>::Session(Stream stream, Port& port, std::shared_ptr<asio::ssl::context> context)
    : port_(port),
      context_(std::move(context)),
      stream_(std::move(stream)),
      buffer_(port.limits.max_header_bytes + kReadBytes) {
  port_.metrics.connections.add(1);
}

template <typename Stream>
void Session<Stream>::start() {
  if constexpr (kEncrypted) {
    connection().expires_after(port_.limits.request);
    stream_.async_handshake(asio::ssl::stream_base::server,
                            [self = this->shared_from_this()](Error error) {
                              if (!error) return self->await_request();
                              self->port_.metrics.handshakes_failed.add();
                            });
  } else {
    await_request();
  }
}

template <typename Stream>
void Session<Stream>::await_request() {
  if (buffer_.size() > 0) return read_header();  // it came with the one before
  connection().expires_after(port_.limits.idle);
  stream_.async_read_some(buffer_.prepare(kReadBytes),
                          [self = this->shared_from_this()](Error error, std::size_t bytes) {
                            if (error) return self->count_timeout(error);
                            self->buffer_.commit(bytes);
                            self->read_header();
                          });
}

template <typename Stream>
void Session<Stream>::read_header() {
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(port_.limits.max_header_bytes));
  // bodies are refused by name, and never read
  parser_->body_limit(std::numeric_limits<std::uint64_t>::max());
  connection().expires_after(port_.limits.request);
  protocol::async_read_header(
      stream_, buffer_, *parser_,
      [self = this->shared_from_this()](Error error, std::size_t) { self->on_header(error); });
}

template <typename Stream>
void Session<Stream>::on_header(Error error) {
  if (is_too_long(error)) {
    return answer(text_page(431, "the request's header is longer than " +
                                     std::to_string(port_.limits.max_header_bytes) + " bytes"),
                  kHttp11, false, true);
  }
  if (is_malformed(error))
    return answer(text_page(400, "this is not HTTP/1.1: " + error.message()), kHttp11, false, true);
  if (error) return count_timeout(error);
  answer_request();
}

template <typename Stream>
void Session<Stream>::answer_request() {
  const auto& request = parser_->get();
  const bool is_head = request.method() == protocol::verb::head;
  const bool has_body = parser_->chunked() || parser_->content_length().value_or(0) > 0;
  const auto page = [&] {
    if (!is_head && request.method() != protocol::verb::get)
      return text_page(405, "only GET and HEAD are answered here");
    if (has_body) return text_page(413, "a request must not have a body here");
    if (request.version() >= kHttp11 && request.count(protocol::field::host) == 0) {
      return text_page(400, "the header lacks the field Host, which HTTP/1.1 demands");
    }
    return page_for({request.target().data(), request.target().size()});
  };
  answer(page(), std::min(request.version(), kHttp11), request.keep_alive() && !has_body, !is_head);
}

template <typename Stream>
Page Session<Stream>::page_for(std::string_view target) const {
  if constexpr (kEncrypted) {
    SSL* const tls = const_cast<Encrypted&>(stream_).native_handle();
    const bool asks = SSL_get_verify_mode(tls) != SSL_VERIFY_NONE;
    if (asks && SSL_get0_peer_certificate(tls) == nullptr && !is_probe(target))
      return text_page(403, "this is for clients with a certificate alone (mutual TLS)");
  }
  return port_.routes.get(target);
}

template <typename Stream>
void Session<Stream>::answer(Page page, unsigned version, bool keep_alive, bool with_body) {
  port_.metrics.answered(page.status);
  response_ = {};
  response_.version(version);
  response_.result(page.status);
  response_.set(protocol::field::content_type, page.content_type);
  response_.set(protocol::field::cache_control, "no-store");
  if (page.status == 405) response_.set(protocol::field::allow, "GET, HEAD");
  response_.content_length(page.body.size());  // of a HEAD too
  response_.keep_alive(keep_alive);
  if (with_body) response_.body() = std::move(page.body);
  connection().expires_after(port_.limits.answer);
  protocol::async_write(stream_, response_,
                        [self = this->shared_from_this(), keep_alive](Error error, std::size_t) {
                          self->on_answered(error, keep_alive);
                        });
}

template <typename Stream>
void Session<Stream>::on_answered(Error error, bool keep_alive) {
  if (error) return count_timeout(error);
  if (keep_alive) {
    await_request();
  } else {
    say_goodbye();
  }
}

template <typename Stream>
void Session<Stream>::say_goodbye() {
  if constexpr (kEncrypted) {
    connection().expires_after(port_.limits.linger);
    stream_.async_shutdown([self = this->shared_from_this()](Error) { self->linger(); });
  } else {
    linger();
  }
}

/// Closing with unread bytes would reset the connection, and the client might never see its answer.
template <typename Stream>
void Session<Stream>::linger() {
  Error ignored;
  connection().socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  connection().expires_after(port_.limits.linger);
  buffer_.clear();
  discard();
}

template <typename Stream>
void Session<Stream>::discard() {
  connection().async_read_some(buffer_.prepare(kReadBytes),
                               [self = this->shared_from_this()](Error error, std::size_t) {
                                 if (!error) self->discard();
                               });
}

template <typename Stream>
void Session<Stream>::count_timeout(Error error) const {
  if (error == beast::error::timeout) port_.metrics.timed_out.add();
}

}  // namespace

void start_session(asio::ip::tcp::socket socket, Port& port) {
  std::make_shared<Session<Clear>>(Clear(std::move(socket)), port, nullptr)->start();
}

void start_session(asio::ip::tcp::socket socket, std::shared_ptr<asio::ssl::context> context,
                   Port& port) {
  Encrypted stream(Clear(std::move(socket)), *context);
  std::make_shared<Session<Encrypted>>(std::move(stream), port, std::move(context))->start();
}

}  // namespace terrane::http
