#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>

#include "rpc/message_cost.h"
#include "schedule/worker_pool.h"

namespace terrane::rpc {
namespace {

using namespace std::chrono_literals;

/// A server in virtual time, whose messages cost so much each, beside what else the process does.
struct CostRig {
  void live(int looks, std::uint64_t messages, std::chrono::nanoseconds each,
            std::chrono::nanoseconds besides = 0ns) {
    for (int i = 0; i < looks; ++i) {
      used += static_cast<std::int64_t>(messages) * each + besides;
      cost.note(messages, now += 20ms);
    }
  }

  std::chrono::nanoseconds used{0};
  MessageCost::Clock::time_point now = MessageCost::Clock::time_point{} + 1h;
  MessageCost cost{[this] { return used; }};
};

TEST(message_cost, is_what_the_processors_take_for_them) {
  for (const auto each : {8us, 40us}) {
    CostRig rig;
    rig.live(100, 400, each);
    EXPECT_LT(std::chrono::abs(rig.cost.of_message() - each), 500ns);
    EXPECT_EQ(rig.cost.of_call(), 4 * rig.cost.of_message());
  }
}

TEST(message_cost, is_not_learnt_from_a_few_beside_other_work) {
  CostRig rig;
  rig.live(100, 400, 10us);
  const auto before = rig.cost.of_message();
  rig.live(100, 10, 10us, 15ms);
  EXPECT_EQ(rig.cost.of_message(), before);
}

TEST(message_cost, stays_within_bounds) {
  CostRig dear, cheap;
  dear.live(100, 100, 5ms);
  EXPECT_LE(dear.cost.of_message(), 300us);
  EXPECT_LE(dear.cost.of_call(), 200us);
  cheap.live(100, 100, 0us);
  EXPECT_GE(cheap.cost.of_message(), 5us);
}

/// What a job of client 7 costs that client in which the dues of `client` for so many messages are
/// paid, twice.
std::chrono::nanoseconds paid(std::uint64_t client, int messages = 1000) {
  Dues dues(std::make_shared<MessageCost>());
  for (int i = 0; i < messages; ++i) dues.add(100);
  std::promise<std::chrono::nanoseconds> cost;
  schedule::WorkerPool pool(
      {.on_thread_start = {}, .on_charge = [&](const auto&, auto took) { cost.set_value(took); }});
  const auto job = [&] {
    dues.pay({.client = client});
    dues.pay({.client = client});
  };
  EXPECT_TRUE(pool.submit(schedule::Priority::kView, job, {.client = 7}));
  return cost.get_future().get();
}

TEST(message_cost, is_due_once_and_where_the_client_has_its_turn) {
  constexpr auto kOfAll = 1000 * 15us + 1000 * 100ns;  // where nothing has been measured
  EXPECT_GE(paid(7), kOfAll);
  EXPECT_LT(paid(7), 2 * kOfAll);
  EXPECT_LT(paid(8), kOfAll / 2) << "nobody pays for others";
}

TEST(message_cost, of_a_stream_is_that_of_its_call_before_anything_is_said) {
  EXPECT_GE(paid(7, 0), MessageCost().of_call());
}

}  // namespace
}  // namespace terrane::rpc
