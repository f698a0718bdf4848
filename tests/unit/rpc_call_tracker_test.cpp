#include <gtest/gtest.h>

#include <chrono>
#include <latch>
#include <thread>

#include "rpc/call_tracker.h"

namespace terrane::rpc {
namespace {

using std::chrono::steady_clock;

TEST(call_tracker, a_closed_tracker_lets_no_call_in) {
  CallTracker tracker;
  tracker.close();
  EXPECT_EQ(tracker.wait_until_empty(steady_clock::now()), 0u);
  EXPECT_EQ(tracker.enter(), nullptr);
}

TEST(call_tracker, closing_waits_for_the_calls_inside) {
  CallTracker tracker;
  CallTracker::Pass pass = tracker.enter();
  ASSERT_NE(pass, nullptr);
  std::latch closing(1);
  std::thread caller([&] {
    closing.wait();
    pass.reset();
  });
  closing.count_down();
  tracker.close();
  EXPECT_EQ(tracker.wait_until_empty(steady_clock::time_point::max()), 0u);
  caller.join();
}

TEST(call_tracker, waiting_for_quiet_ends_at_the_deadline_however_long_quiet_would_take) {
  CallTracker tracker;
  tracker.close();
  EXPECT_EQ(tracker.enter(), nullptr);
  tracker.wait_for_quiet(std::chrono::hours(1), steady_clock::now());
}

TEST(call_tracker, closing_tells_how_many_outstayed_the_deadline) {
  CallTracker tracker;
  const CallTracker::Pass first = tracker.enter();
  const CallTracker::Pass second = tracker.enter();
  tracker.close();
  EXPECT_EQ(tracker.wait_until_empty(steady_clock::now()), 2u);
}

}  // namespace
}  // namespace terrane::rpc
