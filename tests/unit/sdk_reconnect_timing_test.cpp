#include <gtest/gtest.h>

#include "reconnect_timing.h"

namespace terrane::client {
namespace {

using std::chrono::milliseconds;

const Error kGone{ErrorCode::kUnavailable, "gone"};

/// A stream that was answered.
ReconnectTiming streaming(ReconnectTiming::TimePoint now,
                          milliseconds heartbeat = milliseconds(1000)) {
  ReconnectTiming reconnection;
  EXPECT_TRUE(reconnection.is_due(now));
  reconnection.opened();
  reconnection.connected(now);
  reconnect_timing.heard(now, false);
  reconnection.welcomed(heartbeat);
  return reconnection;
}

class ReconnectTimingTest : public ::testing::Test {
 protected:
  ReconnectTiming::TimePoint now{std::chrono::hours(1)};
};

TEST_F(ReconnectTimingTest,
       never_gives_up_on_a_server_that_may_come_back_but_pauses_longer_and_longer) {
  ReconnectTiming reconnection = streaming(now);
  milliseconds last{0};
  for (int i = 0; i < 5000; ++i) {
    reconnection.failed(kGone, std::nullopt, now, 0.5);
    ASSERT_EQ(reconnection.state(), ExploreState::kConnecting);
    ASSERT_EQ(reconnection.error(), kGone);
    const auto pause = std::chrono::duration_cast<milliseconds>(*reconnection.next_look() - now);
    ASSERT_GE(pause, last);
    ASSERT_LE(pause, milliseconds(7500));
    ASSERT_FALSE(reconnection.is_due(now));
    last = pause;
    now += pause;
    ASSERT_TRUE(reconnection.is_due(now));
    reconnection.opened();
  }
  EXPECT_GE(last, milliseconds(5000));
  reconnection.welcomed(milliseconds(1000));
  reconnect_timing.heard(now, true);
  reconnection.failed(kGone, std::nullopt, now, 0.5);
  EXPECT_EQ(*reconnection.next_look() - now, milliseconds(100)) << "progress forgives";
}

TEST_F(ReconnectTimingTest, a_server_silent_for_three_heartbeats_is_overdue) {
  ReconnectTiming reconnection = streaming(now, milliseconds(1000));
  EXPECT_FALSE(reconnection.is_overdue(now + milliseconds(2999)));
  EXPECT_TRUE(reconnection.is_overdue(now + milliseconds(3000)));
  EXPECT_EQ(reconnection.next_look(), now + milliseconds(3000));
  reconnect_timing.heard(now + milliseconds(2000), true);
  EXPECT_FALSE(reconnection.is_overdue(now + milliseconds(4999)));
}

TEST_F(ReconnectTimingTest,
       a_stream_waits_for_its_connection_for_ever_but_for_the_first_answer_only_a_while) {
  ReconnectTiming reconnection;
  reconnection.opened();
  EXPECT_FALSE(reconnection.is_overdue(now + std::chrono::hours(24)));
  reconnection.connected(now);
  EXPECT_FALSE(reconnection.is_overdue(now + milliseconds(1000)));
  EXPECT_TRUE(reconnection.is_overdue(now + std::chrono::minutes(1)));
}

TEST_F(ReconnectTimingTest, heartbeats_that_make_no_sense_do_not_make_a_living_server_a_lost_one) {
  EXPECT_FALSE(streaming(now, milliseconds(0)).is_overdue(now + milliseconds(5000)));
  EXPECT_TRUE(streaming(now, milliseconds(0xffffffff)).is_overdue(now + std::chrono::hours(1)));
}

TEST_F(ReconnectTimingTest, errors_that_coming_back_cannot_mend_are_final) {
  for (const ErrorCode code : {ErrorCode::kInvalidArgument, ErrorCode::kNotFound,
                               ErrorCode::kOutOfRange, ErrorCode::kFailedPrecondition,
                               ErrorCode::kPermissionDenied, ErrorCode::kUnauthenticated}) {
    ReconnectTiming reconnection = streaming(now);
    reconnection.failed({code, "no"}, std::nullopt, now, 0);
    EXPECT_EQ(reconnection.state(), ExploreState::kEnded) << to_string(code);
    EXPECT_EQ(reconnection.error()->code, code);
    EXPECT_FALSE(reconnection.is_due(now + std::chrono::hours(24)));
  }
}

TEST_F(ReconnectTimingTest, a_bug_in_the_server_gets_one_second_chance) {
  ReconnectTiming reconnection = streaming(now);
  reconnection.failed({ErrorCode::kInternal, "oops"}, std::nullopt, now, 0);
  EXPECT_EQ(reconnection.state(), ExploreState::kConnecting);
  reconnection.opened();
  reconnection.failed({ErrorCode::kInternal, "oops"}, std::nullopt, now, 0);
  EXPECT_EQ(reconnection.state(), ExploreState::kEnded);
}

TEST_F(ReconnectTimingTest, waits_as_an_overloaded_server_asks_and_not_all_viewers_equally_long) {
  const auto pause = [this](milliseconds pushback, double jitter) {
    ReconnectTiming reconnection = streaming(now);
    reconnection.failed({ErrorCode::kResourceExhausted, "busy"}, pushback, now, jitter);
    EXPECT_EQ(reconnection.state(), ExploreState::kConnecting);
    return std::chrono::duration_cast<milliseconds>(*reconnection.next_look() - now);
  };
  EXPECT_EQ(pause(milliseconds(800), 0), milliseconds(800));
  EXPECT_EQ(pause(milliseconds(800), 0.5), milliseconds(1000));
  EXPECT_LE(pause(milliseconds::max(), 0.9), std::chrono::hours(1))
      << "a server cannot send viewers away for ever";
  ReconnectTiming reconnection = streaming(now);
  reconnection.failed({ErrorCode::kResourceExhausted, "go"}, milliseconds(-1), now, 0);
  EXPECT_EQ(reconnection.state(), ExploreState::kEnded) << "but it can tell them not to come back";
}

TEST_F(ReconnectTimingTest, a_server_about_to_stop_says_when_to_come_back) {
  ReconnectTiming reconnection = streaming(now);
  reconnection.told_to_leave(milliseconds(4000), now);
  now += milliseconds(1000);
  reconnection.failed(kGone, std::nullopt, now, 0);
  EXPECT_EQ(*reconnection.next_look() - now, milliseconds(3000));
  reconnection.opened();
  reconnection.failed(kGone, std::nullopt, now, 0);
  EXPECT_LE(*reconnection.next_look() - now, milliseconds(200))
      << "that was for the stream it was said on";
}

TEST_F(ReconnectTimingTest, counts_reconnects_and_not_attempts) {
  ReconnectTiming reconnection = streaming(now);
  EXPECT_EQ(reconnection.reconnects(), 0u);
  for (int i = 0; i < 3; ++i) {
    reconnection.failed(kGone, std::nullopt, now, 0);
    reconnection.opened();
  }
  EXPECT_EQ(reconnection.reconnects(), 0u);
  reconnection.welcomed(milliseconds(1000));
  EXPECT_EQ(reconnection.reconnects(), 1u);
  EXPECT_EQ(reconnection.state(), ExploreState::kStreaming);
  EXPECT_FALSE(reconnection.error());
}

}  // namespace
}  // namespace terrane::client
