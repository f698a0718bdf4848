#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

#include "schedule/client_costs.h"

namespace terrane::schedule {
namespace {

using namespace std::chrono_literals;

class client_costs : public ::testing::Test {
 protected:
  /// A client that uses so much of a processor for so long, a millisecond at a time.
  void use(std::uint64_t client, double processors, std::chrono::milliseconds time) {
    for (std::chrono::milliseconds at{0}; at < time; at += 10ms) {
      costs.charge({.client = client},
                   std::chrono::nanoseconds(static_cast<std::int64_t>(processors * 1e7)), now + at);
    }
  }

  ClientCosts costs{100};
  ClientCosts::Clock::time_point now;
};

TEST_F(client_costs, steady_use_is_told_as_processors_in_use_and_the_costliest_comes_first) {
  use(1, 0.25, 5min);
  use(2, 0.75, 5min);
  const auto summary = costs.summary(10, now + 5min);
  ASSERT_EQ(summary.costliest.size(), 2U);
  EXPECT_EQ(summary.costliest[0].client, 2U);
  EXPECT_NEAR(summary.costliest[0].processors, 0.75, 0.02);
  EXPECT_EQ(summary.costliest[1].client, 1U);
  EXPECT_NEAR(summary.costliest[1].processors, 0.25, 0.02);
  EXPECT_NEAR(summary.processors, 1, 0.02);
  EXPECT_EQ(costs.total().all, 300s);
  EXPECT_EQ(costs.total().weighted, 0s);
  costs.charge({.client = 3, .weight = 200}, 2s, now);
  EXPECT_EQ(costs.total().all, 302s);
  EXPECT_EQ(costs.total().weighted, 2s);
}

TEST_F(client_costs, what_is_long_past_counts_for_nothing) {
  use(1, 1, 1min);
  EXPECT_EQ(costs.summary(10, now + 1min).clients, 1U);
  EXPECT_EQ(costs.summary(10, now + 15min).clients, 0U);
}

TEST_F(client_costs, a_summary_is_cut_to_the_costliest_but_counts_all) {
  for (std::uint64_t client = 1; client <= 20; ++client) use(client, 0.01 * double(client), 1s);
  const auto summary = costs.summary(3, now + 1s);
  ASSERT_EQ(summary.costliest.size(), 3U);
  EXPECT_EQ(summary.costliest[0].client, 20U);
  EXPECT_EQ(summary.clients, 20U);
}

TEST_F(client_costs, ever_new_clients_take_bounded_memory_and_do_not_hide_the_costliest) {
  use(7, 1, 10s);
  for (std::uint64_t stranger = 1000; stranger < 11'000; ++stranger)
    costs.charge({.client = stranger}, 2ms, now + 10s);
  const auto summary = costs.summary(1, now + 10s);
  EXPECT_LE(summary.clients, 100U);
  EXPECT_EQ(summary.costliest.front().client, 7U);
}

TEST_F(client_costs, a_clients_weight_is_that_of_its_last_job) {
  costs.charge({.client = 1, .weight = 200}, 1s, now);
  EXPECT_EQ(costs.summary(1, now).costliest.front().weight, 200U);
}

}  // namespace
}  // namespace terrane::schedule
