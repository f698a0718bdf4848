#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "rpc/call_pace.h"

namespace terrane::rpc {
namespace {

using namespace std::chrono_literals;
using Seconds = CallPace::Seconds;

constexpr double kEndless = 1e6;  // calls a second: more than anybody can have

/// One processor and clients that call, in virtual time.
struct Rig {
  struct Client {
    double wants;  // calls a second
    std::uint32_t weight = 1;
  };

  /// Lets ten seconds pass. @return calls a second that each client had in the last five
  std::vector<double> live(const std::vector<Client>& clients) {
    const double interval = Seconds(CallPace::kInterval).count();
    std::vector<double> had(clients.size());
    for (int turn = 0; turn < 500; ++turn) {
      CallPace::Load load{.call_cost = cost, .callers = {}};
      load.clients = clients.size() + (others > 0 ? 1 : 0);
      load.others = others;
      double busy = 0;
      for (std::size_t i = 0; i < clients.size(); ++i) {
        const auto [wants, weight] = clients[i];
        const double may =
            pace.is_held() ? pace.part_of(weight) / Seconds(pace.cost()).count() : kEndless;
        const double calls = std::min({wants, may, 1 / Seconds(cost).count()}) * interval;
        busy += calls * Seconds(cost).count();
        if (turn >= 250) had[i] += calls / 5;
        load.callers.push_back(
            {.weight = static_cast<double>(weight), .begun = calls, .waits = wants > may});
      }
      busy = std::min(busy, interval);
      const double jobs = others > 0 ? interval - busy : 0;  // have what is left
      used += std::chrono::nanoseconds(static_cast<std::int64_t>(1e9 * (busy + jobs)));
      load.used = used;
      pace.adapt(load, now += CallPace::kInterval);
    }
    return had;
  }

  CallPace pace{1, 1};
  std::chrono::nanoseconds cost = 50us;
  double others = 0;  // weight of clients with jobs
  std::chrono::nanoseconds used{0};
  CallPace::Clock::time_point now = CallPace::Clock::time_point{} + 1h;
};

TEST(call_pace, alone_nobody_is_held_back) {
  Rig rig;
  EXPECT_GT(rig.live({{kEndless}})[0], 19'900) << "all of the processor";
  EXPECT_FALSE(rig.pace.is_held());
}

TEST(call_pace, who_wants_little_has_it_and_the_others_share_the_rest) {
  Rig rig;
  const auto had = rig.live({{kEndless}, {300}, {kEndless}});
  EXPECT_NEAR(had[1], 300, 15);
  EXPECT_NEAR(had[0], had[2], 1);
  EXPECT_GT(had[0] + had[2], 14'000) << "most of the processor";
  EXPECT_LT(had[0] + had[2], 19'000) << "and not all: the rest would wait inside of gRPC";
}

TEST(call_pace, parts_are_by_weight) {
  Rig rig;
  const auto had = rig.live({{kEndless, 9}, {kEndless, 1}});
  EXPECT_NEAR(had[0] / had[1], 9, 0.1);
}

TEST(call_pace, where_there_is_enough_for_all_everybody_has_all_that_they_want) {
  Rig rig;
  const auto had = rig.live({{9'000}, {6'000}, {1'000}});
  EXPECT_NEAR(had[0], 9'000, 100);
  EXPECT_NEAR(had[1], 6'000, 100);
  EXPECT_NEAR(had[2], 1'000, 50);
}

TEST(call_pace, calls_leave_jobs_their_part) {
  Rig rig;
  rig.others = 1;
  EXPECT_NEAR(rig.live({{kEndless}})[0], 10'000, 500) << "half and half";
  EXPECT_NEAR(rig.live({{kEndless}, {kEndless}, {kEndless}})[0], 3'333, 200)
      << "no more than half, or gRPC would fall behind";
  rig.others = 199;
  EXPECT_NEAR(rig.live({{kEndless}})[0], 100, 10) << "beside a game server";
}

TEST(call_pace, a_game_server_that_calls_now_and_then_leaves_its_part_to_its_jobs) {
  Rig rig;
  rig.others = 200;
  std::vector<Rig::Client> clients(11, {kEndless});
  clients.front() = {1'000, 200};
  const auto had = rig.live(clients);
  EXPECT_NEAR(had[0], 1'000, 50);
  EXPECT_NEAR(had[1], 95, 15) << "a stranger, of 210";
}

}  // namespace
}  // namespace terrane::rpc
