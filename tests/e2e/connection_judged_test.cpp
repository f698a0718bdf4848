// Games that make their land themselves and have a real server judge it, over terrane_connection.
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <tuple>

#include "codec/chunk_codec.h"
#include "e2e/running_server.h"
#include "support/http_connection.h"
#include "support/time_scale.h"
#include "terrane/connection.h"
#include "world_handle.h"
#include "worldgen/world.h"

namespace terrane::e2e {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Key = std::tuple<std::uint32_t, std::int64_t, std::int64_t>;

constexpr std::uint64_t kSeed = 7;

std::string bytes_of(const terrane_chunk* chunk) {
  std::string bytes(terrane_chunk_encode(chunk, nullptr, 0), '\0');
  terrane_chunk_encode(chunk, bytes.data(), bytes.size());
  return bytes;
}

/// A game with a thread that makes its land.
class Game {
 public:
  /// @param spoil_x  where a hill stands that the server does not have, if anywhere
  Game(const RunningServer& server, std::optional<std::int64_t> spoil_x = std::nullopt) {
    urls_ = "ws://" + server.process.http_address();
    options_.struct_size = sizeof options_;
    options_.urls = urls_.c_str();
    EXPECT_EQ(
        terrane_download_world(TERRANE_ABI_VERSION, &options_, "continents", &world_, nullptr),
        TERRANE_OK);
    made_from_ = world_->generated;
    if (spoil_x) spoil(*spoil_x);
    terrane_explore_options wanted{};
    wanted.struct_size = sizeof wanted;
    wanted.world = "continents";
    wanted.seed = kSeed;
    wanted.view_distances[0] = 4;
    terrane_world world{made_from_, {}, {}};
    EXPECT_EQ(
        terrane_explorer_create_judged(TERRANE_ABI_VERSION, &world, &wanted, &explorer_, nullptr),
        TERRANE_OK);
    EXPECT_EQ(
        terrane_connection_open(TERRANE_ABI_VERSION, &options_, explorer_, &connection_, nullptr),
        TERRANE_OK);
    worker_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        if (terrane_explorer_work(explorer_) == 0) std::this_thread::sleep_for(1ms);
      }
    });
  }
  Game(const Game&) = delete;
  Game& operator=(const Game&) = delete;
  ~Game() {
    worker_ = {};
    terrane_connection_close(connection_);
    terrane_explorer_destroy(explorer_);
    terrane_world_close(world_);
  }

  void frame(double x, double y) {
    terrane_pose pose{};
    pose.x = x;
    pose.y = y;
    EXPECT_EQ(terrane_explorer_move(explorer_, &pose, terrane_connection_now(), nullptr),
              TERRANE_OK);
    terrane_event events[32];
    while (const std::size_t count = terrane_explorer_poll(explorer_, events, 32)) {
      for (std::size_t i = 0; i < count; ++i) take(events[i]);
    }
    terrane_connection_flush(connection_);
    terrane_connection_wait(connection_, 10);
  }

  /// Whether all at hand is the server's.
  [[nodiscard]] bool is_right() const {
    for (const auto& [key, bytes] : at_hand) {
      const terrane_tile tile{std::get<1>(key), std::get<2>(key), std::get<0>(key), 0};
      terrane_chunk* right = nullptr;
      EXPECT_EQ(terrane_chunk_generate(world_, kSeed, &tile, TERRANE_ALL_LAYERS, &right, nullptr),
                TERRANE_OK);
      const bool same = bytes_of(right) == bytes;
      terrane_chunk_release(right);
      if (!same) return false;
    }
    return true;
  }

  std::map<Key, std::string> at_hand;
  std::optional<Key> differs;
  std::uint32_t state = TERRANE_CONNECTING;

 private:
  void spoil(std::int64_t x) {
    worldgen::World wrong = *made_from_;
    worldgen::Stamp hill;
    hill.from = hill.to = {x, 32};
    hill.radius = 20;
    hill.falloff = 8;
    hill.raise_q4 = 40;
    wrong.stamps = worldgen::Stamps({hill}, wrong.ranges.height_q4);
    EXPECT_TRUE(worldgen::build_biome_tables(wrong));
    made_from_ = std::make_shared<const worldgen::World>(std::move(wrong));
  }
  void take(const terrane_event& event) {
    const Key key{event.tile.lod, event.tile.x, event.tile.y};
    if (event.kind == TERRANE_ARRIVED) at_hand.insert_or_assign(key, bytes_of(event.chunk));
    if (event.kind == TERRANE_OUT_OF_RANGE_NOW) at_hand.erase(key);
    if (event.kind == TERRANE_DIFFERS) differs = key;
    if (event.kind == TERRANE_STATE) state = event.state;
  }

  std::string urls_;
  terrane_connection_options options_{};
  terrane_world* world_ = nullptr;
  std::shared_ptr<const worldgen::World> made_from_;
  terrane_explorer* explorer_ = nullptr;
  terrane_connection* connection_ = nullptr;
  std::jthread worker_;
};

/// A number of the server's metrics.
double metric(const RunningServer& server, const std::string& line) {
  const std::string page = test::Connection(server.process.http_address())
                               .ask(test::get("/metrics"))
                               .value_or(test::Answer())
                               .body;
  const std::size_t at = page.find("\n" + line + " ");
  return at == std::string::npos ? -1 : std::stod(page.substr(at + line.size() + 2));
}

TEST(connection_judged, land_that_is_right_costs_the_server_no_chunk) {
  const TempDirectory data;
  RunningServer server(data);
  {
    Game game(server);
    const auto start = Clock::now();
    double x = 20;
    while (metric(server, "terrane_judged_chunks_total{result=\"same\"}") < 3) {
      ASSERT_LT(Clock::now() - start, 60s);
      game.frame(x += 2, 32);
    }
    EXPECT_EQ(game.state, static_cast<std::uint32_t>(TERRANE_STREAMING));
    EXPECT_FALSE(game.differs);
    EXPECT_GE(game.at_hand.size(), 40u);
    EXPECT_TRUE(game.is_right());
  }
  EXPECT_EQ(metric(server, "terrane_sent_chunks_total{clients=\"strangers\"}"), 0);
  EXPECT_EQ(metric(server, "terrane_judged_chunks_total{result=\"other\"}"), 0);
  server.stop_cleanly();
}

TEST(connection_judged, land_that_is_wrong_is_noticed_within_a_second_and_healed) {
  const TempDirectory data;
  RunningServer server(data);
  {
    Game game(server, 416);
    const auto start = Clock::now();
    double x = 20;
    for (; x < 384; x += 1.5) game.frame(x, 32);
    const auto reached = Clock::now();
    while (!game.differs) {
      ASSERT_LT(Clock::now() - start, 60s);
      game.frame(x, 32);
    }
    EXPECT_EQ(*game.differs, (Key{0, 6, 0}));
    EXPECT_LT(Clock::now() - reached, 1s * time_scale());
    while (!game.is_right()) {
      ASSERT_LT(Clock::now() - start, 60s) << "it is healed by streaming";
      game.frame(x, 32);
    }
    EXPECT_GE(game.at_hand.size(), 40u);
  }
  EXPECT_EQ(metric(server, "terrane_judged_chunks_total{result=\"other\"}"), 1);
  server.stop_cleanly();
}

}  // namespace
}  // namespace terrane::e2e
