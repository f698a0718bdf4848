#include "support/simulated_link_timing.h"

#include <gtest/gtest.h>

#include <cmath>

namespace terrane::test {
namespace {

using namespace std::chrono_literals;
using Clock = LinkTiming::Clock;

const Clock::time_point kStart{1h};

double ms_after_start(Clock::time_point time) {
  return std::chrono::duration<double, std::milli>(time - kStart).count();
}

/// Sends as fast as the link takes it. @return bytes a second
double transfer(LinkTiming& timing, std::size_t segments) {
  Clock::time_point now = kStart, arrives = kStart;
  for (std::size_t i = 0; i < segments; ++i) {
    if (timing.room(now) < LinkTiming::kSegment) now = timing.ready_at() + 1us;
    arrives = timing.send(LinkTiming::kSegment, true, now);
  }
  return static_cast<double>(segments * LinkTiming::kSegment) /
         std::chrono::duration<double>(arrives - kStart).count();
}

TEST(simulated_link_timing, bytes_take_their_turn_at_the_rate_and_then_the_delay) {
  LinkTiming timing({.delay = 10ms, .bits_per_second = 8e5}, 20ms, 1);  // 100 bytes a millisecond
  EXPECT_NEAR(ms_after_start(timing.send(500, true, kStart)), 15, 0.01);
  EXPECT_NEAR(ms_after_start(timing.send(1000, true, kStart)), 25, 0.01);
  EXPECT_NEAR(ms_after_start(timing.send(100, true, kStart + 100ms)), 111, 0.01)
      << "an idle link does not save up";
}

TEST(simulated_link_timing, a_full_queue_has_room_again_as_it_drains) {
  LinkTiming timing({.bits_per_second = 8e5, .queue_bytes = 4 * LinkTiming::kSegment}, 0ms, 1);
  for (int i = 0; i < 4; ++i) timing.send(LinkTiming::kSegment, true, kStart);
  EXPECT_LT(timing.room(kStart), LinkTiming::kSegment);
  EXPECT_NEAR(ms_after_start(timing.ready_at()), 14.48, 0.01);
  EXPECT_GE(timing.room(timing.ready_at() + 1us), LinkTiming::kSegment);
}

TEST(simulated_link_timing, jitter_delays_and_nothing_overtakes) {
  LinkTiming timing({.delay = 10ms, .jitter = 30ms}, 20ms, 1);
  Clock::time_point last = kStart;
  double longest = 0;
  for (int i = 0; i < 200; ++i) {
    const Clock::time_point arrives = timing.send(100, true, kStart + i * 5ms);
    EXPECT_GE(arrives, last);
    EXPECT_GE(arrives, kStart + i * 5ms + 10ms);
    longest = std::max(longest, ms_after_start(arrives) - i * 5);
    last = arrives;
  }
  EXPECT_GT(longest, 30);
  EXPECT_LE(longest, 40.01);
}

TEST(simulated_link_timing, what_is_behind_a_lost_segment_waits_for_it) {
  LinkTiming timing({.delay = 10ms, .loss = 1}, 20ms, 1);
  EXPECT_NEAR(ms_after_start(timing.send(100, true, kStart)), 30, 0.2)
      << "once more, a round trip later";
  timing.change({.delay = 10ms}, 20ms);
  EXPECT_NEAR(ms_after_start(timing.send(100, true, kStart)), 30, 0.2);
  EXPECT_EQ(timing.lost(), 1u);
}

TEST(simulated_link_timing, a_lost_segment_that_nothing_follows_waits_for_a_timeout) {
  LinkTiming timing({.delay = 10ms, .loss = 1}, 20ms, 1);
  EXPECT_NEAR(ms_after_start(timing.send(100, false, kStart)), 210, 0.2);
}

TEST(simulated_link_timing, a_long_transfer_runs_as_fast_as_the_loss_lets_tcp) {
  for (const double loss : {0.001, 0.01}) {
    LinkTiming timing({.delay = 20ms, .loss = loss}, 40ms, 7);
    const double expected = LinkTiming::kSegment / 0.040 * std::sqrt(1.5 / loss);
    const double rate = transfer(timing, static_cast<std::size_t>(300 / loss));
    EXPECT_GT(rate, expected / 2) << loss;
    EXPECT_LT(rate, expected * 2) << loss;
  }
}

TEST(simulated_link_timing, without_loss_a_transfer_has_the_links_rate_whatever_the_delay) {
  LinkTiming timing({.delay = 100ms, .bits_per_second = 1e7}, 200ms, 1);
  EXPECT_NEAR(transfer(timing, 20'000), 1.25e6, 0.02e6);
}

}  // namespace
}  // namespace terrane::test
