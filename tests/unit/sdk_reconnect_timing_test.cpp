#include <gtest/gtest.h>

#include "reconnect_timing.h"

namespace terrane::client {
namespace {

using std::chrono::milliseconds;

const Error kGone{ErrorCode::kUnavailable, "gone"};

/// A stream that was answered.
ReconnectTiming streaming(ReconnectTiming::TimePoint now,
                          milliseconds heartbeat = milliseconds(1000)) {
  ReconnectTiming timing;
  EXPECT_TRUE(timing.is_due(now));
  timing.opened();
  timing.connected(now);
  timing.heard(now, false);
  timing.welcomed(heartbeat);
  return timing;
}

class ReconnectTimingTest : public ::testing::Test {
 protected:
  ReconnectTiming::TimePoint now{std::chrono::hours(1)};
};

TEST_F(ReconnectTimingTest,
       never_gives_up_on_a_server_that_may_come_back_but_pauses_longer_and_longer) {
  ReconnectTiming timing = streaming(now);
  milliseconds last{0};
  for (int i = 0; i < 5000; ++i) {
    timing.failed(kGone, std::nullopt, now, 0.5);
    ASSERT_EQ(timing.state(), ExploreState::kConnecting);
    ASSERT_EQ(timing.error(), kGone);
    const auto pause = std::chrono::duration_cast<milliseconds>(*timing.next_look() - now);
    ASSERT_GE(pause, last);
    ASSERT_LE(pause, milliseconds(7500));
    ASSERT_FALSE(timing.is_due(now));
    last = pause;
    now += pause;
    ASSERT_TRUE(timing.is_due(now));
    timing.opened();
  }
  EXPECT_GE(last, milliseconds(5000));
  timing.welcomed(milliseconds(1000));
  timing.heard(now, true);
  timing.failed(kGone, std::nullopt, now, 0.5);
  EXPECT_EQ(*timing.next_look() - now, milliseconds(100)) << "progress forgives";
}

TEST_F(ReconnectTimingTest, a_server_silent_for_three_heartbeats_is_overdue) {
  ReconnectTiming timing = streaming(now, milliseconds(1000));
  EXPECT_FALSE(timing.is_overdue(now + milliseconds(2999)));
  EXPECT_TRUE(timing.is_overdue(now + milliseconds(3000)));
  EXPECT_EQ(timing.next_look(), now + milliseconds(3000));
  timing.heard(now + milliseconds(2000), true);
  EXPECT_FALSE(timing.is_overdue(now + milliseconds(4999)));
}

TEST_F(ReconnectTimingTest,
       a_stream_waits_for_its_connection_for_ever_but_for_the_first_answer_only_a_while) {
  ReconnectTiming timing;
  timing.opened();
  EXPECT_FALSE(timing.is_overdue(now + std::chrono::hours(24)));
  timing.connected(now);
  EXPECT_FALSE(timing.is_overdue(now + milliseconds(1000)));
  EXPECT_TRUE(timing.is_overdue(now + std::chrono::minutes(1)));
}

TEST_F(ReconnectTimingTest, heartbeats_that_make_no_sense_do_not_make_a_living_server_a_lost_one) {
  EXPECT_FALSE(streaming(now, milliseconds(0)).is_overdue(now + milliseconds(5000)));
  EXPECT_TRUE(streaming(now, milliseconds(0xffffffff)).is_overdue(now + std::chrono::hours(1)));
}

TEST_F(ReconnectTimingTest, errors_that_coming_back_cannot_mend_are_final) {
  for (const ErrorCode code : {ErrorCode::kInvalidArgument, ErrorCode::kNotFound,
                               ErrorCode::kOutOfRange, ErrorCode::kFailedPrecondition,
                               ErrorCode::kPermissionDenied, ErrorCode::kUnauthenticated}) {
    ReconnectTiming timing = streaming(now);
    timing.failed({code, "no"}, std::nullopt, now, 0);
    EXPECT_EQ(timing.state(), ExploreState::kEnded) << to_string(code);
    EXPECT_EQ(timing.error()->code, code);
    EXPECT_FALSE(timing.is_due(now + std::chrono::hours(24)));
  }
}

TEST_F(ReconnectTimingTest, a_bug_in_the_server_gets_one_second_chance) {
  ReconnectTiming timing = streaming(now);
  timing.failed({ErrorCode::kInternal, "oops"}, std::nullopt, now, 0);
  EXPECT_EQ(timing.state(), ExploreState::kConnecting);
  timing.opened();
  timing.failed({ErrorCode::kInternal, "oops"}, std::nullopt, now, 0);
  EXPECT_EQ(timing.state(), ExploreState::kEnded);
}

TEST_F(ReconnectTimingTest, waits_as_an_overloaded_server_asks_and_not_all_viewers_equally_long) {
  const auto pause = [this](milliseconds pushback, double jitter) {
    ReconnectTiming timing = streaming(now);
    timing.failed({ErrorCode::kResourceExhausted, "busy"}, pushback, now, jitter);
    EXPECT_EQ(timing.state(), ExploreState::kConnecting);
    return std::chrono::duration_cast<milliseconds>(*timing.next_look() - now);
  };
  EXPECT_EQ(pause(milliseconds(800), 0), milliseconds(800));
  EXPECT_EQ(pause(milliseconds(800), 0.5), milliseconds(1000));
  EXPECT_LE(pause(milliseconds::max(), 0.9), std::chrono::hours(1))
      << "a server cannot send viewers away for ever";
  ReconnectTiming timing = streaming(now);
  timing.failed({ErrorCode::kResourceExhausted, "go"}, milliseconds(-1), now, 0);
  EXPECT_EQ(timing.state(), ExploreState::kEnded) << "but it can tell them not to come back";
}

TEST_F(ReconnectTimingTest, a_server_about_to_stop_says_when_to_come_back) {
  ReconnectTiming timing = streaming(now);
  timing.told_to_leave(milliseconds(4000), now);
  now += milliseconds(1000);
  timing.failed(kGone, std::nullopt, now, 0);
  EXPECT_EQ(*timing.next_look() - now, milliseconds(3000));
  timing.opened();
  timing.failed(kGone, std::nullopt, now, 0);
  EXPECT_LE(*timing.next_look() - now, milliseconds(200))
      << "that was for the stream it was said on";
}

TEST_F(ReconnectTimingTest, counts_reconnects_and_not_attempts) {
  ReconnectTiming timing = streaming(now);
  EXPECT_EQ(timing.reconnects(), 0u);
  for (int i = 0; i < 3; ++i) {
    timing.failed(kGone, std::nullopt, now, 0);
    timing.opened();
  }
  EXPECT_EQ(timing.reconnects(), 0u);
  timing.welcomed(milliseconds(1000));
  EXPECT_EQ(timing.reconnects(), 1u);
  EXPECT_EQ(timing.state(), ExploreState::kStreaming);
  EXPECT_FALSE(timing.error());
}

}  // namespace
}  // namespace terrane::client
