#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "rpc/checks/refused_field.h"
#include "status/status_details.h"
#include "support/google_rpc_details.h"
#include "terrane/v1/error.pb.h"

namespace terrane::rpc {
namespace {

TEST(status_details, are_read_with_googles_own_messages) {
  Error error = refused_field({.code = ErrorCode::kOutOfRange,
                               .reason = ErrorReason::kFieldOutOfRange,
                               .field = "rectangle.first.x",
                               .value = "9",
                               .limit = "8"},
                              "chunk coordinates reach from -8 to 8");
  error.retry_after = std::chrono::milliseconds(1250);
  const auto details = read_details(status::details_of(error, 11));
  EXPECT_EQ(details.status.code(), 11);
  EXPECT_EQ(details.status.message(), error.message) << "libraries compare it with the status";
  ASSERT_TRUE(details.info && details.request && details.retry);
  EXPECT_EQ(details.info->reason(), "FIELD_OUT_OF_RANGE");
  EXPECT_EQ(details.info->domain(), "terrane");
  EXPECT_EQ(details.metadata("field"), "rectangle.first.x");
  EXPECT_EQ(details.metadata("value"), "9");
  EXPECT_EQ(details.metadata("limit"), "8");
  EXPECT_EQ(details.field(), "rectangle.first.x");
  EXPECT_EQ(details.request->field_violations(0).description(), error.message);
  EXPECT_EQ(details.retry->retry_delay().seconds(), 1);
  EXPECT_EQ(details.retry->retry_delay().nanos(), 250'000'000);
}

TEST(status_details, hold_only_what_is_known) {
  EXPECT_EQ(status::details_of({ErrorCode::kCancelled, "the call was cancelled"}, 1), "");
  const auto details = read_details(status::details_of(
      {.code = ErrorCode::kUnavailable, .message = "gone", .reason = ErrorReason::kDraining}, 14));
  EXPECT_EQ(details.info->reason(), "DRAINING");
  EXPECT_EQ(details.info->metadata_size(), 0);
  EXPECT_FALSE(details.request || details.retry);
}

TEST(status_details, what_is_read_of_them_is_the_error_that_was_written) {
  const Error written{.code = ErrorCode::kResourceExhausted,
                      .message = "the queue is full",
                      .reason = ErrorReason::kQueueFull,
                      .field = "points",
                      .value = "9",
                      .limit = "8",
                      .retry_after = std::chrono::milliseconds(1250)};
  Error read{.code = written.code, .message = written.message};
  status::add_details(status::details_of(written, 8), read);
  EXPECT_EQ(read.reason, written.reason);
  EXPECT_EQ(read.field, written.field);
  EXPECT_EQ(read.value, written.value);
  EXPECT_EQ(read.limit, written.limit);
  EXPECT_EQ(read.retry_after, written.retry_after);
}

TEST(status_details, every_reason_is_called_as_in_the_contract) {
  const auto& reasons = *v1::ErrorReason_descriptor();
  EXPECT_GT(reasons.value_count(), 20);
  for (int i = 0; i < reasons.value_count(); ++i) {
    const auto& value = *reasons.value(i);
    EXPECT_EQ("ERROR_REASON_" + std::string(to_string(static_cast<ErrorReason>(value.number()))),
              value.name());
  }
}

TEST(in_quotes, what_a_client_sent_can_neither_break_a_line_nor_fill_a_log) {
  EXPECT_EQ(in_quotes("moon"), "'moon'");
  EXPECT_EQ(in_quotes("a\nb\x1b[2J\x7f"), "'a\\x0ab\\x1b[2J\\x7f'");
  EXPECT_EQ(in_quotes("\u0085 \u00e9"), "'\\x85 \u00e9'") << "control characters beyond ASCII too";
  EXPECT_EQ(in_quotes(std::string(64, 'x')), "'" + std::string(64, 'x') + "'");
  EXPECT_EQ(in_quotes(std::string(65, 'x')), "'" + std::string(64, 'x') + "…'");
  EXPECT_EQ(in_quotes(std::string(63, 'x') + "\u00e9"), "'" + std::string(63, 'x') + "…'")
      << "no half a character";
  EXPECT_EQ(in_quotes("a\xff\xc3(\xed\xa0\x80"), "'a\\xff\\xc3(\\xed\\xa0\\x80'")
      << "a status is UTF-8";
}

TEST(listed, so_many_names_that_no_status_holds_them_end_in_a_number) {
  EXPECT_EQ(listed(std::vector<std::string>{"a", "b"}), "a, b");
  const std::string text = listed(std::vector<std::string>(1000, "a_world"));
  EXPECT_LT(text.size(), 1100u);
  EXPECT_NE(text.find("a_world and "), std::string::npos);
  EXPECT_TRUE(text.ends_with(" more")) << text;
}

}  // namespace
}  // namespace terrane::rpc
