#include <gtest/gtest.h>

#include <chrono>
#include <latch>
#include <memory>
#include <string>

#include "schedule/alarm_clock.h"

namespace terrane::schedule {
namespace {

using std::chrono::milliseconds;

TEST(AlarmClock, alarms_ring_in_order_of_their_times_and_not_before) {
  AlarmClock clock;
  std::string order;
  std::latch done(3);
  const auto now = AlarmClock::Clock::now();
  const auto ring = [&](const char* name, milliseconds after) {
    clock.set(now + after, [&, name, after] {
      EXPECT_GE(AlarmClock::Clock::now(), now + after);
      order += name;
      done.count_down();
    });
  };
  ring("c", milliseconds(30));
  ring("a", milliseconds(-5));
  ring("b", milliseconds(15));
  done.wait();
  EXPECT_EQ(order, "abc");
}

TEST(AlarmClock, an_alarm_may_set_the_next) {
  AlarmClock clock;
  std::latch done(2);
  clock.set(AlarmClock::Clock::now(), [&] {
    done.count_down();
    clock.set(AlarmClock::Clock::now(), [&] { done.count_down(); });
  });
  done.wait();
}

TEST(AlarmClock, what_has_not_rung_is_dropped_with_the_clock) {
  const auto held = std::make_shared<int>(1);
  {
    AlarmClock clock;
    clock.set(AlarmClock::Clock::now() + std::chrono::hours(1),
              [held] { FAIL() << "rang at once"; });
    EXPECT_EQ(held.use_count(), 2);
  }
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace terrane::schedule
