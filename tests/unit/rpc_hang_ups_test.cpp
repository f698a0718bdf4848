#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <vector>

#include "rpc/hang_ups.h"

namespace terrane::rpc {
namespace {

using namespace std::chrono_literals;
using Clock = HangUps::Clock;

/// One processor, of which hang-ups may take a fifth: 2,000 a second.
struct HangUpsRig {
  HangUpsRig() : hang_ups(1, [this](const HangUps::SentAway& each) { sent.push_back(each); }) {}

  /// Clients hang up at these rates for a while, each evenly.
  struct Rate {
    std::uint64_t client;
    int per_second;
    std::uint32_t weight = 1;
  };
  void pass(std::chrono::milliseconds time, const std::vector<Rate>& rates) {
    for (const auto end = now + time; now < end; now += 10ms) {
      for (const Rate& rate : rates) {
        for (int i = 0; i < rate.per_second / 100; ++i)
          hang_ups.note({.client = rate.client, .weight = rate.weight}, now);
      }
    }
  }
  [[nodiscard]] std::vector<std::uint64_t> clients() const {
    std::vector<std::uint64_t> all;
    for (const auto& each : sent) all.push_back(each.client);
    return all;
  }

  std::vector<HangUps::SentAway> sent{};
  HangUps hang_ups;
  Clock::time_point now = Clock::time_point{} + 1h;
};

TEST(hang_ups, a_client_that_does_nothing_else_is_sent_away_within_a_second) {
  HangUpsRig rig;
  rig.pass(1s, {{.client = 7, .per_second = 9000}});
  ASSERT_EQ(rig.clients(), std::vector<std::uint64_t>{7});
  EXPECT_EQ(rig.sent[0].time, 1s);
  EXPECT_GT(rig.sent[0].calls, 4000u);
}

TEST(hang_ups, of_several_those_go_who_hang_up_most_until_the_rest_is_bearable) {
  HangUpsRig rig;
  rig.pass(900ms, {{.client = 1, .per_second = 400},
                   {.client = 2, .per_second = 6000},
                   {.client = 3, .per_second = 9000}});
  EXPECT_EQ(rig.clients(), (std::vector<std::uint64_t>{3, 2}));
}

TEST(hang_ups, hundreds_a_second_are_nobodys_business) {
  HangUpsRig rig;
  rig.pass(60s, {{.client = 1, .per_second = 900}, {.client = 2, .per_second = 900}});
  EXPECT_TRUE(rig.sent.empty());
}

TEST(hang_ups, many_who_hang_up_now_and_then_are_not_sent_away_whatever_they_sum_up_to) {
  HangUpsRig rig;
  std::vector<HangUpsRig::Rate> crowd;
  for (std::uint64_t client = 1; client <= 30; ++client)
    crowd.push_back({.client = client, .per_second = 100});
  rig.pass(10s, crowd);
  EXPECT_TRUE(rig.sent.empty());
}

TEST(hang_ups, thousands_at_once_are_a_client_that_went) {
  HangUpsRig rig;
  for (int i = 0; i < 3000; ++i) rig.hang_ups.note({.client = 1}, rig.now);
  rig.pass(10s, {{.client = 1, .per_second = 100}});
  EXPECT_TRUE(rig.sent.empty());
}

TEST(hang_ups, a_weight_is_so_many_clients) {
  HangUpsRig rig;
  rig.pass(900ms,
           {{.client = 1, .per_second = 6000, .weight = 200}, {.client = 2, .per_second = 2000}});
  EXPECT_EQ(rig.clients(), std::vector<std::uint64_t>{2});
  rig.pass(5s, {{.client = 1, .per_second = 6000, .weight = 200}});
  EXPECT_EQ(rig.clients(), std::vector<std::uint64_t>{2});
}

TEST(hang_ups, who_comes_back_and_goes_on_is_away_twice_as_long_up_to_a_minute) {
  HangUpsRig rig;
  rig.pass(5min, {{.client = 7, .per_second = 9000}});
  std::vector<std::chrono::milliseconds> times;
  for (const auto& each : rig.sent) times.push_back(each.time);
  ASSERT_GE(times.size(), 8u);
  times.resize(8);
  EXPECT_EQ(times, (std::vector<std::chrono::milliseconds>{1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s}));
}

TEST(hang_ups, who_comes_back_and_goes_on_is_gone_within_a_tenth_of_a_second) {
  HangUpsRig rig;
  rig.pass(1s, {{.client = 7, .per_second = 9000}, {.client = 8, .per_second = 500}});
  rig.now += 1s;
  rig.pass(100ms, {{.client = 7, .per_second = 9000}, {.client = 8, .per_second = 500}});
  EXPECT_EQ(rig.clients(), (std::vector<std::uint64_t>{7, 7}));
}

TEST(hang_ups, after_a_minute_of_peace_it_is_a_second_again) {
  HangUpsRig rig;
  rig.pass(5s, {{.client = 7, .per_second = 9000}});
  ASSERT_GT(rig.sent.back().time, 1s);
  rig.now += 3min;
  rig.pass(1s, {{.client = 7, .per_second = 9000}});
  EXPECT_EQ(rig.sent.back().time, 1s);
}

}  // namespace
}  // namespace terrane::rpc
