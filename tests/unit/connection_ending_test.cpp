#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>
#include <string>

#include "ending.h"

namespace terrane::connection {
namespace {

const Ending kOtherwise{TERRANE_UNAVAILABLE, "otherwise", 0};

TEST(connection_ending, is_what_the_server_says_as_json) {
  const Ending ending = read_http_error(
      R"({"status": "RESOURCE_EXHAUSTED", "message": "too \"much\" ä", "reason": "X",)"
      R"( "retryAfterMs": 7, "retry_after_ms": 1500})",
      kOtherwise);
  EXPECT_EQ(ending.code, TERRANE_RESOURCE_EXHAUSTED);
  EXPECT_EQ(ending.message, "too \"much\" ä");
  EXPECT_EQ(ending.retry_after_ms, 1500);
}

/// Runs it with a stack of 64 KiB: a game's threads may have little more.
void with_a_small_stack(const std::function<void()>& body) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 64 << 10), 0);
  pthread_t thread{};
  const auto run = [](void* what) -> void* {
    (*static_cast<const std::function<void()>*>(what))();
    return nullptr;
  };
  ASSERT_EQ(
      pthread_create(&thread, &attributes, run, const_cast<void*>(static_cast<const void*>(&body))),
      0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

TEST(connection_ending, of_what_is_no_such_thing_is_another) {
  for (const std::string& text :
       {std::string(), std::string("<html>502</html>"), std::string("{"), std::string("[]"),
        std::string("{}"), std::string(R"({"status": 7})"), std::string(R"({"status": "MOOD"})"),
        std::string(R"({"status": "NOT_FOUND")"), std::string(R"({"status": "OK"})"),
        std::string(4000, '{'), std::string(5000, '{'), "{\"a\":" + std::string(4000, '['),
        R"({"a":"\"",)" + std::string(4000, '['), std::string(R"({"status": {"a": 1}})"),
        std::string("{\"status\": \"NOT_FOUND\", \"retry_after_ms\": \"soon\"} x")}) {
    with_a_small_stack([&] {
      EXPECT_EQ(read_http_error(text, kOtherwise).message, "otherwise") << text.substr(0, 40);
    });
  }
}

TEST(connection_ending, waits_no_less_than_no_time) {
  const Ending ending = read_http_error(
      R"({"status": "UNAVAILABLE", "message": "", "retry_after_ms": -5})", kOtherwise);
  EXPECT_EQ(ending.retry_after_ms, 0);
}

TEST(connection_ending, by_a_status_of_http_is_as_good_as_that) {
  EXPECT_EQ(refusal(401, "Unauthorized", "", "").code, TERRANE_UNAUTHENTICATED);
  EXPECT_EQ(refusal(403, "Forbidden", "", "").code, TERRANE_PERMISSION_DENIED);
  EXPECT_EQ(refusal(404, "Not Found", "<html>", "").code, TERRANE_NOT_FOUND);
  EXPECT_EQ(refusal(429, "Too Many Requests", "", "").code, TERRANE_RESOURCE_EXHAUSTED);
  for (const unsigned status : {200u, 301u, 418u, 500u, 502u, 503u, 504u}) {
    EXPECT_EQ(refusal(status, "", "", "").code, TERRANE_UNAVAILABLE) << status;
  }
  EXPECT_EQ(refusal(502, "Bad Gateway", "<html>", "").message, "HTTP 502 Bad Gateway");
}

TEST(connection_ending, waits_for_as_long_as_the_answer_says) {
  EXPECT_EQ(refusal(503, "", "", "7").retry_after_ms, 7000);
  EXPECT_EQ(refusal(503, "", "", "99999999999").retry_after_ms, 3'600'000);
  EXPECT_EQ(refusal(503, "", "", "99999999999999999999").retry_after_ms, 0);
  EXPECT_EQ(refusal(503, "", "", "-1").retry_after_ms, 0);
  EXPECT_EQ(refusal(503, "", "", "Wed, 21 Oct 2026 07:28:00 GMT").retry_after_ms, 0);
  EXPECT_EQ(
      refusal(429, "", R"({"status": "UNAVAILABLE", "retry_after_ms": 5})", "7").retry_after_ms, 5);
}

TEST(connection_ending, by_a_close_code_is_the_status_in_it) {
  EXPECT_EQ(closing(1000, "").code, TERRANE_OK);
  EXPECT_EQ(closing(4005, "").code, TERRANE_NOT_FOUND);
  EXPECT_EQ(closing(4016, "TOKEN_EXPIRED").code, TERRANE_UNAUTHENTICATED);
  EXPECT_EQ(closing(4016, "TOKEN_EXPIRED").message,
            "the server ended the stream: UNAUTHENTICATED, TOKEN_EXPIRED");
  EXPECT_EQ(closing(0, "").message, "the WebSocket was closed without a code");
  for (const int code : {0, 1001, 1006, 1009, 1011, 4000, 4017, 4999, 65535}) {
    EXPECT_EQ(closing(static_cast<std::uint16_t>(code), "").code, TERRANE_UNAVAILABLE) << code;
  }
}

}  // namespace
}  // namespace terrane::connection
