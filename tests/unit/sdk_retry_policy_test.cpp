#include <gtest/gtest.h>

#include "retry_policy.h"

namespace terrane::client {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;

constexpr double kMiddle = 0.5;  // jitter that leaves the nominal back-off

const RetryPolicy kPolicy{.max_attempts = 4, .first_backoff = 100ms, .max_backoff = 1000ms};

Failures failures(ErrorCode code, int attempts) {
  Failures failures;
  failures.code = code;
  failures.attempts = attempts;
  failures.internal = code == ErrorCode::kInternal ? attempts : 0;
  failures.remaining = 1h;
  return failures;
}

TEST(retry_policy, an_unavailable_server_is_tried_again_after_doubling_pauses) {
  EXPECT_EQ(wait_before_retry(kPolicy, failures(ErrorCode::kUnavailable, 1), kMiddle), 100ms);
  EXPECT_EQ(wait_before_retry(kPolicy, failures(ErrorCode::kUnavailable, 2), kMiddle), 200ms);
  EXPECT_EQ(wait_before_retry(kPolicy, failures(ErrorCode::kUnavailable, 3), kMiddle), 400ms);
}

TEST(retry_policy, the_last_attempt_is_the_last) {
  EXPECT_EQ(wait_before_retry(kPolicy, failures(ErrorCode::kUnavailable, 4), kMiddle),
            std::nullopt);
  EXPECT_EQ(wait_before_retry({.max_attempts = 1}, failures(ErrorCode::kUnavailable, 1), kMiddle),
            std::nullopt);
}

TEST(retry_policy, pauses_are_bounded) {
  const RetryPolicy patient{.max_attempts = 1000, .first_backoff = 100ms, .max_backoff = 1000ms};
  EXPECT_EQ(wait_before_retry(patient, failures(ErrorCode::kUnavailable, 999), kMiddle), 1000ms);
}

TEST(retry_policy, jitter_spreads_clients_over_half_to_one_and_a_half_pauses) {
  EXPECT_EQ(wait_before_retry(kPolicy, failures(ErrorCode::kUnavailable, 1), 0.0), 50ms);
  EXPECT_EQ(wait_before_retry(kPolicy, failures(ErrorCode::kUnavailable, 1), 0.999), 150ms);
}

TEST(retry_policy, an_overloaded_server_says_how_long_to_wait_however_often) {
  auto told = failures(ErrorCode::kResourceExhausted, 100);
  told.pushback = 1234ms;
  EXPECT_EQ(wait_before_retry(kPolicy, told, 0.0), 1234ms);
  EXPECT_EQ(wait_before_retry(kPolicy, told, 0.9), 1234ms);
}

TEST(retry_policy, an_overloaded_server_that_says_never_is_left_alone) {
  auto told = failures(ErrorCode::kResourceExhausted, 1);
  told.pushback = -1ms;
  EXPECT_EQ(wait_before_retry(kPolicy, told, kMiddle), std::nullopt);
}

TEST(retry_policy, an_overloaded_server_that_says_nothing_is_treated_as_unavailable) {
  EXPECT_EQ(wait_before_retry(kPolicy, failures(ErrorCode::kResourceExhausted, 2), kMiddle), 200ms);
  EXPECT_EQ(wait_before_retry(kPolicy, failures(ErrorCode::kResourceExhausted, 4), kMiddle),
            std::nullopt);
}

TEST(retry_policy, a_failed_generator_gets_one_second_chance) {
  EXPECT_EQ(wait_before_retry(kPolicy, failures(ErrorCode::kInternal, 1), kMiddle), 100ms);
  EXPECT_EQ(wait_before_retry(kPolicy, failures(ErrorCode::kInternal, 2), kMiddle), std::nullopt);
}

TEST(retry_policy, no_wait_reaches_past_the_deadline) {
  auto late = failures(ErrorCode::kUnavailable, 1);
  late.remaining = 100ms;
  EXPECT_EQ(wait_before_retry(kPolicy, late, kMiddle), std::nullopt);
  late.remaining = 101ms;
  EXPECT_EQ(wait_before_retry(kPolicy, late, kMiddle), 100ms);
  late.code = ErrorCode::kResourceExhausted;
  late.pushback = 500ms;
  EXPECT_EQ(wait_before_retry(kPolicy, late, kMiddle), std::nullopt);
}

TEST(retry_policy, what_cannot_get_better_is_not_repeated) {
  for (const ErrorCode code :
       {ErrorCode::kCancelled, ErrorCode::kInvalidArgument, ErrorCode::kDeadlineExceeded,
        ErrorCode::kNotFound, ErrorCode::kPermissionDenied, ErrorCode::kFailedPrecondition,
        ErrorCode::kOutOfRange, ErrorCode::kDataLoss, ErrorCode::kUnauthenticated}) {
    EXPECT_EQ(wait_before_retry(kPolicy, failures(code, 1), kMiddle), std::nullopt)
        << to_string(code);
  }
}

}  // namespace
}  // namespace terrane::client
