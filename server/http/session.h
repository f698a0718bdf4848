#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstddef>
#include <memory>
#include <optional>

#include "http/http_metrics.h"
#include "http/limits.h"
#include "http/routes.h"

namespace terrane::http {

/// One connection: a request, its answer, the next request. What the client sends meanwhile stays
/// in the socket, so that it holds a header's worth of memory at most. Lives as long as it waits
/// for something; all of it runs on the port's thread.
class Session : public std::enable_shared_from_this<Session> {
 public:
  /// What all connections share; outlives them.
  struct Port {
    const Routes& routes;
    const Limits& limits;
    const HttpMetrics& metrics;
  };

  Session(boost::asio::ip::tcp::socket socket, Port& port);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void start() { await_request(); }

 private:
  using ErrorCode = boost::system::error_code;

  void await_request();
  void read_header();
  void on_header(ErrorCode error);
  void answer_request();
  void answer(Page page, unsigned version, bool keep_alive, bool with_body);
  void on_answered(ErrorCode error, bool keep_alive);
  void linger();
  void discard();
  void count_timeout(ErrorCode error) const;

  Port& port_;
  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::empty_body>>
      parser_;  // of this request
  boost::beast::http::response<boost::beast::http::string_body> response_;
};

}  // namespace terrane::http
