#include "http/session.h"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "http/peer.h"
#include "http/stream.h"
#include "http/target.h"
#include "http/web_socket.h"

namespace terrane::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace protocol = boost::beast::http;
using AsioError = boost::system::error_code;

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

RequestTarget target_of(const protocol::request_header<>& header) {
  return request_target({header.target().data(), header.target().size()});
}

/// @param encodings  "br, gzip;q=0.5": RFC 9110, 12.5.3
bool takes_gzip(beast::string_view encodings) {
  const auto at = encodings.find("gzip");
  if (at == beast::string_view::npos) return false;
  const auto behind = encodings.substr(at);
  return !behind.starts_with("gzip;q=0") || behind.starts_with("gzip;q=0.");
}

std::string peer_of(const asio::ip::tcp::socket& socket) {
  AsioError error;
  const auto peer = socket.remote_endpoint(error);
  return error ? std::string() : peer_text(peer);
}

/// A connection that stays open for as long as it waits for something.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(Stream stream, Port& port);
  ~Session() {
    gone_.request_stop();
    port_.metrics.connections.add(-1);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start();

 private:
  beast::tcp_stream& connection() { return beast::get_lowest_layer(stream_); }
  void await_request();
  void read_header();
  void on_header(AsioError error);
  void refuse(unsigned status, const std::string& why);
  void refuse_it(Page page);
  void answer_request();
  Request request();
  bool show_certificate(Request& asked);
  void ask();
  void become_web_socket();
  void watch();
  void look_whether_it_left();
  void on_page(Page page);
  void answer(Page page);
  void charge();
  void on_answered(AsioError error);
  void say_goodbye();
  void linger();
  void discard();
  void count_timeout(AsioError error) const;

  Port& port_;
  Stream stream_;
  beast::flat_buffer buffer_;
  std::optional<protocol::request_parser<protocol::empty_body>> parser_;  // of this request
  const std::string peer_;
  std::optional<ops::Histogram> seconds_;  // of requests like this one
  std::chrono::steady_clock::time_point asked_at_;
  unsigned requests_ = 0;      // so far
  std::string forwarded_for_;  // of the last one
  // how the request is to be answered
  unsigned version_ = kHttp11;
  bool keep_alive_ = false, with_body_ = true;
  std::stop_source gone_;  // nobody waits for the answer any more
  bool is_asking_ = false, has_left_ = false;
  asio::steady_timer next_look_;  // whether the client is still there
  Page page_;                     // while it is being sent
  protocol::response<protocol::span_body<const char>> response_;
};

Session::Session(Stream stream, Port& port)
    : port_(port),
      stream_(std::move(stream)),
      buffer_(port.limits.max_header_bytes + kReadBytes),
      peer_(peer_of(connection().socket())),
      next_look_(connection().get_executor()) {
  port_.metrics.connections.add(1);
}

void Session::start() {
  connection().expires_after(port_.limits.request);
  stream_.handshake([self = shared_from_this()](AsioError error) {
    if (!error) return self->await_request();
    self->port_.metrics.handshakes_failed.add();
  });
}

void Session::await_request() {
  if (buffer_.size() > 0) return read_header();  // it came with the one before
  connection().expires_after(port_.limits.idle);
  stream_.async_read_some(buffer_.prepare(kReadBytes),
                          [self = shared_from_this()](AsioError error, std::size_t bytes) {
                            if (error) return self->count_timeout(error);
                            self->buffer_.commit(bytes);
                            self->read_header();
                          });
}

void Session::read_header() {
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(port_.limits.max_header_bytes));
  // bodies are refused by name, and never read
  parser_->body_limit(std::numeric_limits<std::uint64_t>::max());
  connection().expires_after(port_.limits.request);
  stream_.expect_few_reads(port_.limits.request);
  protocol::async_read_header(
      stream_, buffer_, *parser_,
      [self = shared_from_this()](AsioError error, std::size_t) { self->on_header(error); });
}

void Session::on_header(AsioError error) {
  stream_.expect_many_reads();
  stream_.leave_unread();
  if (is_too_long(error)) {
    return refuse(431, "the request's header is longer than " +
                           std::to_string(port_.limits.max_header_bytes) + " bytes");
  }
  if (is_malformed(error)) return refuse(400, "this is not HTTP/1.1: " + error.message());
  if (error) return count_timeout(error);
  answer_request();
}

/// Of what is no request, and the end of the connection.
void Session::refuse(unsigned status, const std::string& why) {
  version_ = kHttp11;
  with_body_ = true;
  refuse_it(text_page(status, why));
}

/// What has no turn to wait for: the next request is to connect anew.
void Session::refuse_it(Page page) {
  keep_alive_ = false;
  answer(std::move(page));
}

void Session::answer_request() {
  const auto& request = parser_->get();
  const bool has_body = parser_->chunked() || parser_->content_length().value_or(0) > 0;
  seconds_ = port_.metrics.seconds_of(target_of(request).path);
  asked_at_ = std::chrono::steady_clock::now();
  version_ = std::min(request.version(), kHttp11);
  keep_alive_ = request.keep_alive() && !has_body;
  with_body_ = request.method() != protocol::verb::head;
  const std::size_t hosts = request.count(protocol::field::host);
  if (hosts > 1) {
    return refuse_it(text_page(400, "the header has " + std::to_string(hosts) +
                                        " fields Host, and servers differ about which is meant"));
  }
  const auto method = request.method();
  if (with_body_ && method != protocol::verb::get && method != protocol::verb::options)
    return refuse_it(only_reading());
  if (has_body) return refuse_it(text_page(413, "a request must not have a body here"));
  if (request.version() >= kHttp11 && hosts == 0)
    return refuse_it(text_page(400, "the header lacks the field Host, which HTTP/1.1 demands"));
  beast::websocket::is_upgrade(request) ? become_web_socket() : ask();
}

Request Session::request() {
  const auto& header = parser_->get();
  const auto field = [&header](protocol::field name) { return std::string(header[name]); };
  const bool is_encrypted = stream_.tls() != nullptr || header["X-Forwarded-Proto"] == "https";
  const std::string scheme = is_encrypted ? "https" : "http";
  const RequestTarget target = target_of(header);
  forwarded_for_ = std::string(header["X-Forwarded-For"]);
  const std::string host =
      target.host.empty() ? field(protocol::field::host) : std::string(target.host);
  return {.target = std::string(target.path),
          .peer = peer_,
          .id = rpc::checked_request_id(std::string(header["X-Request-ID"])),
          .authorization = field(protocol::field::authorization),
          .forwarded_for = forwarded_for_,
          .if_none_match = field(protocol::field::if_none_match),
          .from_origin = field(protocol::field::origin),
          .takes_gzip = takes_gzip(header[protocol::field::accept_encoding]),
          .is_preflight = header.method() == protocol::verb::options,
          .origin = scheme + "://" + escaped(host, ":[]"),
          .gone = gone_.get_token(),
          .host = &port_.calls,
          .number = ++requests_};
}

/// Adds to a request what the connection says of who makes it.
/// @return false where that is not enough, and it has been answered
bool Session::show_certificate(Request& asked) {
  SSL* const tls = stream_.tls();
  if (tls == nullptr) return true;
  const X509* const certificate = SSL_get0_peer_certificate(tls);
  const bool asks = SSL_get_verify_mode(tls) != SSL_VERIFY_NONE;
  if (asks && certificate == nullptr && !is_probe(asked.target)) {
    refuse_it(text_page(403, "this is for clients with a certificate alone (mutual TLS)"));
    return false;
  }
  asked.has_certificate = certificate != nullptr;
  if (certificate != nullptr) asked.subjects = subjects_of(*certificate);
  return true;
}

/// From here on the connection is another's.
void Session::become_web_socket() {
  Request asked = request();
  if (!show_certificate(asked)) return;
  const auto door = port_.routes.explore(asked);
  if (!door) return refuse_it(error_page(door.error()));
  if (buffer_.size() > 0) return refuse(400, "a WebSocket begins with its answer, not before");
  connection().expires_never();
  open_web_socket(std::move(stream_), port_, **door, std::move(asked), parser_->release());
}

/// Has the answer made, by whichever thread.
void Session::ask() {
  gone_ = std::stop_source();
  Request asked = request();
  if (!show_certificate(asked)) return;
  auto reply = port_.answers.expect(
      [self = shared_from_this()](Page page) { self->on_page(std::move(page)); });
  watch();
  port_.routes.answer(asked, std::move(reply));
}

/// Sees a client leave that waits for its answer: it need not be made, then.
void Session::watch() {
  is_asking_ = true;
  connection().socket().async_wait(asio::ip::tcp::socket::wait_read,
                                   [self = shared_from_this()](AsioError error) {
                                     if (!error) self->look_whether_it_left();
                                   });
}

/// What it has sent may as well be its next request: then there is no telling when it leaves but by
/// looking.
void Session::look_whether_it_left() {
  constexpr std::chrono::milliseconds kBetweenLooks{200};
  if (!is_asking_) return;
  if (has_left(connection().socket().native_handle())) {
    has_left_ = true;
    gone_.request_stop();
    return;
  }
  next_look_.expires_after(kBetweenLooks);
  next_look_.async_wait([self = shared_from_this()](AsioError error) {
    if (!error) self->look_whether_it_left();
  });
}

void Session::on_page(Page page) {
  AsioError ignored;
  is_asking_ = false;
  connection().socket().cancel(ignored);  // the watch
  next_look_.cancel();
  // Whoever has only ended what it says may still read; what was not made for it is no answer.
  constexpr unsigned kFailure = 500;
  if (!has_left_ || page.status < kFailure) answer(std::move(page));
}

void Session::answer(Page page) {
  constexpr unsigned kNoContent = 204, kNotModified = 304;
  page_ = std::move(page);
  const std::string_view body = page_.body ? std::string_view(*page_.body) : std::string_view();
  port_.metrics.answered(page_.status, with_body_ ? body.size() : 0);
  if (seconds_) seconds_->observe(std::chrono::steady_clock::now() - asked_at_);
  seconds_.reset();
  response_ = {};
  response_.version(version_);
  response_.result(page_.status);
  if (!page_.content_type.empty()) response_.set(protocol::field::content_type, page_.content_type);
  response_.set(protocol::field::cache_control, page_.cache_control);
  for (const auto& [name, value] : page_.fields) response_.set(name, value);
  if (page_.status != kNoContent && page_.status != kNotModified)
    response_.content_length(body.size());  // of a HEAD too
  response_.keep_alive(keep_alive_);
  if (with_body_) response_.body() = {body.data(), body.size()};
  connection().expires_after(port_.limits.answer);
  protocol::async_write(
      stream_, response_,
      [self = shared_from_this()](AsioError error, std::size_t) { self->on_answered(error); });
}

/// What reads and writes have taken, where it is known who asked.
void Session::charge() {
  const auto spent = stream_.take_spent();
  if (requests_ > 0) port_.routes.charge(peer_, forwarded_for_, spent);
}

void Session::on_answered(AsioError error) {
  charge();
  page_ = {};
  if (error) return count_timeout(error);
  if (keep_alive_) {
    await_request();
  } else {
    say_goodbye();
  }
}

void Session::say_goodbye() {
  connection().expires_after(port_.limits.linger);
  stream_.shutdown([self = shared_from_this()](AsioError) { self->linger(); });
}

/// Closing with unread bytes would reset the connection, and the client might never see its answer.
void Session::linger() {
  AsioError ignored;
  connection().socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  connection().expires_after(port_.limits.linger);
  buffer_.clear();
  discard();
}

void Session::discard() {
  connection().async_read_some(buffer_.prepare(kReadBytes),
                               [self = shared_from_this()](AsioError error, std::size_t) {
                                 if (!error) self->discard();
                               });
}

void Session::count_timeout(AsioError error) const {
  if (error == beast::error::timeout) port_.metrics.timed_out.add();
}

}  // namespace

void start_session(asio::ip::tcp::socket socket, std::shared_ptr<asio::ssl::context> tls,
                   Port& port) {
  std::make_shared<Session>(Stream(std::move(socket), std::move(tls)), port)->start();
}

}  // namespace terrane::http
