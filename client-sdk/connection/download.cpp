#include "download.h"

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <chrono>
#include <optional>
#include <utility>

#include "any_stream.h"
#include "dial.h"
#include "terrane_version.h"

namespace terrane::connection {
namespace {

namespace http = boost::beast::http;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMaxBody = 64u << 20;

/// One question to one server.
class Question {
 public:
  Question(const Servers& servers, const ServerUrl& url, std::string_view target,
           const std::string& token)
      : url_(url),
        bytes_(servers.stream(context_, url)),
        stream_(bytes_),
        dial_(std::make_shared<Dial>(context_, url, bytes_)),
        request_(http::verb::get, url.path + std::string(target), 11) {
    request_.set(http::field::host, url.authority());
    request_.set(http::field::user_agent, "terrane_connection/" TERRANE_VERSION);
    request_.set(http::field::connection, "close");
    if (!token.empty()) request_.set(http::field::authorization, "Bearer " + token);
    answer_.body_limit(kMaxBody);
  }

  [[nodiscard]] Downloaded ask(Clock::time_point until) {
    dial_->start(std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()),
                 [this](const std::string& failure) {
                   if (!failure.empty()) return fail(failure);
                   write();
                 });
    context_.run_until(until);
    if (failure_) return {"", {TERRANE_UNAVAILABLE, url_.text() + ": " + *failure_, 0}};
    if (!answer_.is_done()) {
      return {"", {TERRANE_DEADLINE_EXCEEDED, url_.text() + " does not answer in time", 0}};
    }
    auto& answer = answer_.get();
    if (answer.result() == http::status::ok) return {std::move(answer.body()), {TERRANE_OK, "", 0}};
    Ending why = refusal(answer);
    why.message = url_.text() + ": " + why.message;
    return {"", std::move(why)};
  }

 private:
  void write() {
    http::async_write(stream_, request_, [this](SystemError error, std::size_t) {
      if (error) return fail(error.message());
      http::async_read_header(stream_, buffer_, answer_, [this](SystemError failed, std::size_t) {
        if (failed) return fail(failed.message());
        read();
      });
    });
  }
  void read() {
    // Beast makes room for as much as is announced before it looks at its limit
    if (answer_.content_length().value_or(0) > kMaxBody)
      return fail("the answer has more than " + std::to_string(kMaxBody) + " bytes");
    http::async_read(stream_, buffer_, answer_, [this](SystemError failed, std::size_t) {
      if (failed) fail(failed.message());
    });
  }
  void fail(const std::string& why) { failure_ = why; }

  const ServerUrl& url_;
  asio::io_context context_{1};
  std::shared_ptr<ByteStream> bytes_;
  AnyStream stream_;
  std::shared_ptr<Dial> dial_;
  http::request<http::empty_body> request_;
  boost::beast::flat_buffer buffer_;
  http::response_parser<http::string_body> answer_;
  std::optional<std::string> failure_;
};

}  // namespace

Downloaded download(const Servers& servers, std::string_view target) {
  const auto until = Clock::now() + servers.patience;
  const auto token = servers.get_token();
  if (!token)
    return {"", {static_cast<terrane_code>(token.error().code), token.error().message, 0}};
  Downloaded last;
  for (std::size_t i = 0; i < servers.urls.size(); ++i) {
    const auto now = Clock::now();
    const auto left = static_cast<int>(servers.urls.size() - i);
    last = Question(servers, servers.urls[i], target, *token).ask(now + (until - now) / left);
    const bool answered =
        last.ending.code != TERRANE_UNAVAILABLE && last.ending.code != TERRANE_DEADLINE_EXCEEDED;
    if (answered) break;
  }
  return last;
}

}  // namespace terrane::connection
