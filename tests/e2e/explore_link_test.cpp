// Viewers behind slow, far and bad networks.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "e2e/explore_client.h"
#include "e2e/running_server.h"
#include "support/simulated_link.h"
#include "support/time_scale.h"

namespace terrane::e2e {
namespace {

using namespace std::chrono_literals;
using Clock = ExploreClient::Clock;
using test::LinkOptions;
using test::plain_link;
using test::SimulatedLink;

constexpr double kMinShare = 0.7;              // of a link that is filled
constexpr double kLargestWindow = 256 * 1024;  // bytes
constexpr double kLargestChunk = 8 * 1024;     // of kWorld, about

/// A server, and a viewer behind a network.
struct FarViewer {
  FarViewer(const LinkOptions& options, int warm_radius, std::uint32_t distance)
      : link((warm(server.client, 0, 0, warm_radius), server.process.address()), options),
        client(link.address()),
        viewer(client, hello({distance}, 0, 0), 120s) {}

  const TempDirectory data;
  RunningServer server{data};
  SimulatedLink link;
  Client client;
  ExploreClient viewer;
};

/// Reads for so long. @return bytes that came over the link in that time
std::uint64_t read_for(FarViewer& far, Clock::duration time) {
  const std::uint64_t before = far.link.bytes_down();
  const auto end = Clock::now() + time;
  EXPECT_TRUE(far.viewer.read_until([&] { return Clock::now() >= end; }));
  return far.link.bytes_down() - before;
}

/// Jumps, and reads until the chunk underfoot has come. @return bytes of chunks of the old place
/// that came before it
double stale_bytes_after_jump(ExploreClient& viewer, double x, double y, std::uint32_t distance) {
  const std::set<Tile> view = tiles_in_view({distance}, x, y);
  std::size_t seen = viewer.arrivals().size();
  viewer.move(x, y);
  double stale = 0;
  bool is_there = false;
  EXPECT_TRUE(viewer.read_until([&] {
    for (; seen < viewer.arrivals().size(); ++seen) {
      const auto& arrival = viewer.arrivals()[seen];
      is_there |= arrival.tile == tile_at(x, y);
      if (!view.contains(arrival.tile)) stale += static_cast<double>(arrival.encoded.size());
    }
    return is_there;
  }));
  return stale;
}

struct Network {
  double megabits;
  int round_trip_ms;
};

double bytes_a_second(const Network& network) { return network.megabits * 125'000; }

/// What is on its way at most: as much as the way holds, and what batches add to it, which take
/// their time on a slow link.
double window_bound(const Network& network) {
  const double way = 1.5 * bytes_a_second(network) * network.round_trip_ms * 1e-3;
  return std::min(kLargestWindow + kLargestChunk, 2 * way + 4 * kLargestChunk);
}

/// Fills the link for a while, then jumps a few times.
void expect_good_use_of(const Network& network) {
  const std::uint32_t distance = network.megabits < 100 ? 40 : 60;  // more than comes in the time
  FarViewer far(
      plain_link(network.megabits * 1e6, std::chrono::milliseconds(network.round_trip_ms)),
      static_cast<int>(distance), distance);
  // the window grows with each round trip
  read_for(far, 100ms + 20 * std::chrono::milliseconds(network.round_trip_ms));
  const double possible =
      std::min(bytes_a_second(network), kLargestWindow / (network.round_trip_ms * 1e-3));
  double share = 0;
  // what else the machine does may take one or two of them
  for (int trial = 0; trial < 3 && share < kMinShare; ++trial) {
    const auto start = Clock::now();
    const auto got = static_cast<double>(read_for(far, 600ms));
    share = got / std::chrono::duration<double>(Clock::now() - start).count() / possible;
  }
  double stale = 0;
  for (int jump = 1; jump <= 5; ++jump) {
    for (int i = 0; i < 8; ++i) EXPECT_TRUE(far.viewer.read());
    stale = std::max(
        stale, stale_bytes_after_jump(far.viewer, jump % 2 == 0 ? 0 : 6'400'000, 0, distance));
  }
  std::printf(
      "link %g Mbit/s %d ms: %.0f %% filled, at most %.0f stale bytes after a jump (%.0f "
      "allowed)\n",
      network.megabits, network.round_trip_ms, 100 * share, stale, window_bound(network));
  EXPECT_GE(share, kMinShare / time_scale());
  EXPECT_LE(stale, window_bound(network));
}

TEST(explore_link, on_a_slow_link_what_is_near_comes_first) {
  constexpr std::uint32_t kDistance = 8;
  FarViewer far(plain_link(1e6, 20ms), kDistance, kDistance);
  ASSERT_TRUE(far.viewer.read_until([&] { return far.viewer.arrivals().size() >= 60; }));
  EXPECT_EQ(far.viewer.arrivals().front().tile, tile_at(0, 0));
  std::vector<double> order, best;
  for (const auto& arrival : far.viewer.arrivals())
    order.push_back(wanted_order(arrival.tile, 0, 0));
  for (const Tile& tile : tiles_in_view({kDistance}, 0, 0))
    best.push_back(wanted_order(tile, 0, 0));
  std::sort(best.begin(), best.end());
  for (std::size_t i = 0; i < order.size(); ++i)
    EXPECT_LE(order[i], best[std::min(i + 8, best.size() - 1)]) << i;
}

TEST(explore_link, on_a_slow_link_little_of_the_old_place_comes_after_a_jump) {
  constexpr std::uint32_t kDistance = 10;
  FarViewer far(plain_link(1e6, 20ms), kDistance, kDistance);
  for (int jump = 1; jump <= 4; ++jump) {
    const std::size_t before = far.viewer.arrivals().size();
    ASSERT_TRUE(far.viewer.read_until([&] { return far.viewer.arrivals().size() >= before + 15; }));
    EXPECT_LE(stale_bytes_after_jump(far.viewer, 64'000 * jump, 0, kDistance), 5 * kLargestChunk)
        << "at jump " << jump;
  }
}

// Moves are dealt with at intervals, acknowledgements at once: those that pass a jump that waits
// make no room for more of the old place.
TEST(explore_link, little_of_the_old_place_comes_after_a_jump_that_follows_other_moves) {
  constexpr std::uint32_t kDistance = 60;
  FarViewer far(plain_link(1e9, 20ms), kDistance, kDistance);
  read_for(far, 500ms);
  for (int jump = 1; jump <= 4; ++jump) {
    for (int i = 0; i < 8; ++i) ASSERT_TRUE(far.viewer.read());
    const double from = jump % 2 == 0 ? 6'400'000 : 0;
    far.viewer.move(from + 1, 0);
    far.viewer.move(from + 2, 0);
    EXPECT_LE(stale_bytes_after_jump(far.viewer, 6'400'000 - from, 0, kDistance),
              kLargestWindow + kLargestChunk)
        << "at jump " << jump;
  }
}

TEST(explore_link, a_fast_far_link_is_filled_and_stale_chunks_are_few) {
  expect_good_use_of({10, 60});
}

TEST(explore_link, jitter_and_loss_cost_time_and_no_chunk) {
  LinkOptions options = plain_link(20e6, 20ms);
  options.down.jitter = options.up.jitter = 5ms;
  options.down.loss = options.up.loss = 0.005;
  constexpr std::uint32_t kDistance = 8;
  FarViewer far(options, kDistance, kDistance);
  ASSERT_TRUE(far.viewer.read_view({kDistance}, 0, 0));
  EXPECT_EQ(far.viewer.arrivals().size(), tiles_in_view({kDistance}, 0, 0).size());
  EXPECT_TRUE(far.viewer.finish().ok());
}

TEST(explore_link, a_network_that_stalls_for_a_while_goes_on_where_it_stopped) {
  constexpr std::uint32_t kDistance = 12;
  FarViewer far(plain_link(10e6, 20ms), kDistance, kDistance);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(far.viewer.read());
  far.link.stall();
  std::thread later([&] {
    ExploreClient neighbour(far.server.client, hello({8}, 0, 0));  // meanwhile others are served
    EXPECT_TRUE(neighbour.read_view({8}, 0, 0));
    far.link.resume();
  });
  EXPECT_TRUE(far.viewer.read_view({kDistance}, 0, 0));
  later.join();
  EXPECT_EQ(far.viewer.arrivals().size(), tiles_in_view({kDistance}, 0, 0).size());
}

TEST(explore_link, a_cut_connection_ends_the_stream_on_both_sides) {
  FarViewer far(plain_link(10e6, 20ms), 8, 8);
  ASSERT_TRUE(far.viewer.read());
  far.link.cut();
  far.viewer.read_until([] { return false; });
  EXPECT_EQ(far.viewer.finish().error_code(), grpc::UNAVAILABLE);
  ExploreClient again(far.client, hello({4}, 0, 0));
  EXPECT_TRUE(again.read_view({4}, 0, 0));
  EXPECT_TRUE(again.finish().ok());
  far.server.stop_cleanly();
}

TEST(explore_link, many_viewers_behind_different_networks_each_get_their_view) {
  const TempDirectory data;
  RunningServer server(data);
  warm(server.client, 0, 0, 6);
  std::vector<std::thread> viewers;
  for (const Network network :
       {Network{2, 20}, Network{10, 60}, Network{100, 20}, Network{100, 200}}) {
    viewers.emplace_back([&server, network] {
      SimulatedLink link(
          server.process.address(),
          plain_link(network.megabits * 1e6, std::chrono::milliseconds(network.round_trip_ms)));
      Client client(link.address());
      ExploreClient viewer(client, hello({6}, 0, 0));
      EXPECT_TRUE(viewer.read_view({6}, 0, 0));
      EXPECT_TRUE(viewer.finish().ok());
    });
  }
  for (std::thread& viewer : viewers) viewer.join();
  server.stop_cleanly();
}

TEST(explore_link_slow, links_of_all_rates_and_lengths_are_filled_and_stale_chunks_are_few) {
  for (const double megabits : {1.0, 10.0, 100.0}) {
    for (const int round_trip_ms : {20, 60, 200}) expect_good_use_of({megabits, round_trip_ms});
  }
}

}  // namespace
}  // namespace terrane::e2e
