#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

#include "schedule/regular_client.h"

namespace terrane::schedule {
namespace {

using namespace std::chrono_literals;

class Regulars : public testing::Test {
 protected:
  void run(std::uint64_t client, int jobs, Priority priority = Priority::kView) {
    for (int i = 0; i < jobs; ++i)
      regulars_.job_ended({.client = client, .weight = 3}, priority, now_ += 100us);
  }
  std::uint64_t expected() {
    const auto expected = regulars_.expected(now_);
    return expected ? expected->source.client : 0;
  }

  RegularClient::Time now_ = RegularClient::Time(1h);
  RegularClient regulars_;
};

TEST_F(Regulars, have_had_three_of_four_jobs_and_the_last) {
  EXPECT_EQ(expected(), 0u);
  run(11, 11);
  EXPECT_EQ(expected(), 0u);
  run(11, 1);
  EXPECT_EQ(expected(), 11u);
  run(12, 1);
  EXPECT_EQ(expected(), 0u) << "the last was another's";
  run(11, 1);
  EXPECT_EQ(expected(), 11u);
  for (int i = 0; i < 8; ++i) {
    run(12, 1);
    run(11, 1);
  }
  EXPECT_EQ(expected(), 0u) << "every other job";
}

TEST_F(Regulars, are_expected_within_a_millisecond_of_their_last_job) {
  run(11, 16, Priority::kPlayerWaits);
  const auto expected = regulars_.expected(now_ + 500us);
  ASSERT_TRUE(expected);
  EXPECT_EQ(expected->until, now_ + 1ms);
  EXPECT_EQ(expected->priority, Priority::kPlayerWaits);
  EXPECT_EQ(expected->source.weight, 3u);
  EXPECT_FALSE(regulars_.expected(now_ + 1ms));
}

TEST_F(Regulars, are_expected_no_more_when_they_often_did_not_come_until_they_come_in_time) {
  run(11, 16);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(expected(), 11u);
    regulars_.did_not_come();
  }
  EXPECT_EQ(expected(), 0u);
  regulars_.came(11, now_ + 2ms);
  regulars_.came(12, now_);
  EXPECT_EQ(expected(), 0u);
  regulars_.came(11, now_ + 200us);
  EXPECT_EQ(expected(), 11u);
  regulars_.did_not_come();
  EXPECT_EQ(expected(), 0u);
  run(12, 16);
  EXPECT_EQ(expected(), 12u) << "another client is another matter";
}

TEST_F(Regulars, are_never_the_server_itself) {
  run(0, 16);
  EXPECT_FALSE(regulars_.expected(now_));
}

}  // namespace
}  // namespace terrane::schedule
