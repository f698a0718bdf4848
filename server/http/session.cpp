#include "http/session.h"

#include <algorithm>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace terrane::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace protocol = boost::beast::http;

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

}  // namespace

Session::Session(asio::ip::tcp::socket socket, Port& port)
    : port_(port), stream_(std::move(socket)), buffer_(port.limits.max_header_bytes + kReadBytes) {
  port_.metrics.connections.add(1);
}

Session::~Session() { port_.metrics.connections.add(-1); }

void Session::await_request() {
  if (buffer_.size() > 0) return read_header();  // it came with the one before
  stream_.expires_after(port_.limits.idle);
  stream_.async_read_some(buffer_.prepare(kReadBytes),
                          [self = shared_from_this()](ErrorCode error, std::size_t bytes) {
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
  stream_.expires_after(port_.limits.request);
  protocol::async_read_header(
      stream_, buffer_, *parser_,
      [self = shared_from_this()](ErrorCode error, std::size_t) { self->on_header(error); });
}

void Session::on_header(ErrorCode error) {
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

void Session::answer_request() {
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
    return port_.routes.get({request.target().data(), request.target().size()});
  };
  answer(page(), std::min(request.version(), kHttp11), request.keep_alive() && !has_body, !is_head);
}

void Session::answer(Page page, unsigned version, bool keep_alive, bool with_body) {
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
  stream_.expires_after(port_.limits.answer);
  protocol::async_write(stream_, response_,
                        [self = shared_from_this(), keep_alive](ErrorCode error, std::size_t) {
                          self->on_answered(error, keep_alive);
                        });
}

void Session::on_answered(ErrorCode error, bool keep_alive) {
  if (error) return count_timeout(error);
  if (keep_alive) {
    await_request();
  } else {
    linger();
  }
}

/// Closing with unread bytes would reset the connection, and the client might never see its answer.
void Session::linger() {
  ErrorCode ignored;
  stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  stream_.expires_after(port_.limits.linger);
  buffer_.clear();
  discard();
}

void Session::discard() {
  stream_.async_read_some(buffer_.prepare(kReadBytes),
                          [self = shared_from_this()](ErrorCode error, std::size_t) {
                            if (!error) self->discard();
                          });
}

void Session::count_timeout(ErrorCode error) const {
  if (error == beast::error::timeout) port_.metrics.timed_out.add();
}

}  // namespace terrane::http
