#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "sdk_explore_script.h"
#include "support/bad_gateway.h"

/// Explorers behind a network that answers anything: all of them end.
namespace terrane {
namespace {

using namespace testing;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Explorers that play for a moment behind a gateway and are destroyed while anything happens.
/// @return how long the slowest took to be destroyed
Clock::duration slowest_end_of_a_crowd(const test::BadGateway& gateway, std::uint64_t seed,
                                       std::size_t explorers) {
  const auto client = Client::connect({.address = gateway.address()});
  std::vector<Clock::duration> ends(explorers);
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < explorers; ++i) {
    threads.emplace_back([&client, &end = ends[i], seed = seed * 100 + i] {
      std::minstd_rand random(static_cast<std::minstd_rand::result_type>(seed + 1));
      std::optional<Explorer> explorer(*client->explore(four_chunks()));
      const auto stop = Clock::now() + milliseconds(random() % 400);
      while (Clock::now() < stop) {
        EXPECT_TRUE(explorer->move(in_chunk(static_cast<std::int64_t>(random() % 9), 0)));
        explorer->wait(milliseconds(random() % 20));
        EXPECT_TRUE(explorer->poll().arrived.empty());
      }
      const auto start = Clock::now();
      explorer.reset();
      end = Clock::now() - start;
    });
  }
  threads.clear();
  return *std::max_element(ends.begin(), ends.end());
}

TEST(explorer_gateway, crowds_behind_a_gateway_that_answers_anything_are_gone_in_a_moment) {
  // it takes milliseconds, but for a busy machine; five seconds if gRPC forgets a call
  constexpr std::chrono::seconds kMoment{3};
  std::uint64_t calls = 0;
  for (std::uint64_t crowd = 0; crowd < 24; ++crowd) {
    const test::BadGateway gateway(crowd + 1);
    const auto slowest = slowest_end_of_a_crowd(gateway, crowd, 24);
    calls += gateway.calls();
    EXPECT_LT(slowest, kMoment) << "crowd " << crowd;
  }
  EXPECT_GT(calls, 50u) << "the gateway was hardly asked";
}

}  // namespace
}  // namespace terrane
