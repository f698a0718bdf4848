// The same viewer over gRPC and over a WebSocket, in turns: a row of figures for each.
#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <vector>

#include "e2e/explore_client.h"
#include "e2e/running_server.h"

namespace terrane::e2e {
namespace {

using Clock = std::chrono::steady_clock;
using Ms = std::chrono::duration<double, std::milli>;

constexpr int kPlaces = 10, kRounds = 4, kWide = 32;
constexpr double kApart = 100'000;
const ViewDistances kView{8, 8, 8};

struct Figures {
  std::vector<double> underfoot_ms, view_ms;
  double wide_chunks_s = 0;
  std::uint64_t bytes = 0;

  static double at(std::vector<double> values, double part) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
  }
};

/// Jumps from place to place, whose chunks are all in the server's cache.
void jump(Client& client, Figures& figures) {
  ExploreClient viewer(client, hello(kView, 0, 0));
  ASSERT_TRUE(viewer.read_view(kView, 0, 0));
  for (int i = 1; i < kPlaces; ++i) {
    const double x = i * kApart;
    const auto start = Clock::now();
    const std::size_t before = viewer.arrivals().size();
    viewer.move(x, 0);
    ASSERT_TRUE(viewer.read_view(kView, x, 0));
    figures.view_ms.push_back(Ms(Clock::now() - start).count());
    const auto& all = viewer.arrivals();
    const auto underfoot =
        std::find_if(all.begin() + static_cast<std::ptrdiff_t>(before), all.end(),
                     [&](const auto& arrival) { return arrival.tile == tile_at(x, 0); });
    ASSERT_NE(underfoot, all.end());
    figures.underfoot_ms.push_back(Ms(underfoot->at - start).count());
  }
  figures.bytes += viewer.bytes();
}

void look_far(Client& client, Figures& figures) {
  const auto start = Clock::now();
  ExploreClient viewer(client, hello({kWide}, 0, 0));
  ASSERT_TRUE(viewer.read_view({kWide}, 0, 0));
  const double seconds = Ms(Clock::now() - start).count() / 1000;
  figures.wide_chunks_s =
      std::max(figures.wide_chunks_s, static_cast<double>(viewer.arrivals().size()) / seconds);
}

TEST(explore_carriers, a_web_socket_serves_a_viewer_about_as_well_as_gRPC) {
  const TempDirectory data;
  RunningServer server(data, {"--memory-cache", "256MiB"});
  for (int i = 0; i < kPlaces; ++i) {
    ExploreClient first(server.client, hello(kView, i * kApart, 0));
    ASSERT_TRUE(first.read_view(kView, i * kApart, 0));
  }
  warm(server.client, 0, 0, kWide);
  Client over_web_socket(server.process.address());
  over_web_socket.explore_over(server.process.http_address());
  std::array<Figures, 2> figures;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t carrier = 0; carrier < 2; ++carrier) {
      Client& client = carrier == 0 ? server.client : over_web_socket;
      jump(client, figures[carrier]);
      look_far(client, figures[carrier]);
    }
  }
  std::cout << "| | underfoot p50, p99 | view p50, p99 | bytes | chunks/s of a wide view |\n";
  for (std::size_t carrier = 0; carrier < 2; ++carrier) {
    const Figures& its = figures[carrier];
    std::printf("| %s | %.2f, %.2f ms | %.1f, %.1f ms | %llu | %.0f |\n",
                carrier == 0 ? "gRPC" : "WebSocket", Figures::at(its.underfoot_ms, 0.5),
                Figures::at(its.underfoot_ms, 0.99), Figures::at(its.view_ms, 0.5),
                Figures::at(its.view_ms, 0.99), static_cast<unsigned long long>(its.bytes),
                its.wide_chunks_s);
  }
  EXPECT_EQ(figures[0].bytes, figures[1].bytes) << "the same chunks";
  EXPECT_LT(Figures::at(figures[1].underfoot_ms, 0.5),
            2 * Figures::at(figures[0].underfoot_ms, 0.5) + 1);
  EXPECT_GT(figures[1].wide_chunks_s, 0.5 * figures[0].wide_chunks_s);
  server.stop_cleanly();
}

}  // namespace
}  // namespace terrane::e2e
