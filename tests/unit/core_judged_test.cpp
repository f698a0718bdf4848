// Explorers of terrane_core whose land is made here and judged: the test is their server, on
// virtual time.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "chunk_handle.h"
#include "codec/chunk_codec.h"
#include "codec/chunk_hash.h"
#include "terrane/v1/explore.pb.h"
#include "unit/core_worlds.h"
#include "world_handle.h"
#include "worldgen/generate.h"

namespace terrane {
namespace {

using test::CoreExplorer;
using test::CoreWorld;
using test::sized;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kSeed = 7;

Chunk made_by(const worldgen::World& world, const Tile& tile) {
  return worldgen::generate(world, kSeed, tile.coord, tile.lod,
                            worldgen::noise::supported_targets().back());
}

/// The generator of one that has gone wrong at one place, and does not know it.
CoreWorld wrong_near(const std::string& name, std::int64_t x, std::int64_t y) {
  worldgen::World world = test::builtin(name);
  worldgen::Stamp hill;
  hill.from = hill.to = {x, y};
  hill.radius = 20;
  hill.falloff = 8;
  hill.raise_q4 = 40;
  world.stamps = worldgen::Stamps({hill}, world.ranges.height_q4);
  EXPECT_TRUE(worldgen::build_biome_tables(world));
  return CoreWorld(
      new terrane_world{std::make_shared<const worldgen::World>(std::move(world)), {}, {}});
}

/// A game on land that it makes itself, and a server that knows better.
class Judged {
 public:
  explicit Judged(const CoreWorld& world, std::uint32_t layers = 0) {
    auto options = sized<terrane_explore_options>();
    options.view_distances[0] = 3;
    options.view_distances[1] = 2;
    options.layers = layers;
    options.seed = kSeed;
    options.world = "continents";
    terrane_explorer* explorer = nullptr;
    auto error = sized<terrane_error>();
    EXPECT_EQ(terrane_explorer_create_judged(TERRANE_ABI_VERSION, world.get(), &options, &explorer,
                                             &error),
              TERRANE_OK)
        << error.message;
    explorer_.reset(explorer);
  }

  /// A frame, `seconds` after the one before.
  void frame(double x, double y, double seconds) {
    now_ += static_cast<std::int64_t>(seconds * kSecond);
    terrane_pose pose{};
    pose.x = x;
    pose.y = y;
    ASSERT_EQ(terrane_explorer_move(explorer(), &pose, now_, nullptr), TERRANE_OK);
    while (terrane_explorer_work(explorer()) != 0) {
    }
    talk();
    poll();
  }

  void talk() {
    if (terrane_explorer_wants_stream(explorer(), now_) != 0) {
      ASSERT_EQ(terrane_explorer_opened(explorer(), nullptr), TERRANE_OK);
      is_open_ = true;
    }
    char buffer[65536];
    while (is_open_ && !is_away) {
      const auto size = terrane_explorer_next_message(explorer(), now_, buffer, sizeof buffer);
      if (size == 0) return;
      v1::ExploreRequest request;
      ASSERT_TRUE(request.ParseFromArray(buffer, static_cast<int>(size)));
      said_bytes += size;
      said.push_back(request);
      if (request.has_hello()) welcome();
      if (request.has_made()) judge(request.made());
    }
  }

  void receive(const v1::ExploreResponse& response) {
    const std::string bytes = response.SerializeAsString();
    const auto code =
        terrane_explorer_receive(explorer(), bytes.data(), bytes.size(), now_, nullptr);
    if (code == TERRANE_OK) return;
    EXPECT_EQ(code, TERRANE_CANCELLED);
    terrane_explorer_closed(explorer(), TERRANE_OK, "", 0, now_);
    is_open_ = false;
  }

  void send_chunk(const Tile& tile) {
    v1::ExploreResponse response;
    response.set_batch(++batch_);
    v1::Chunk& chunk = *response.add_chunks();
    chunk.mutable_coord()->set_x(tile.coord.x);
    chunk.mutable_coord()->set_y(tile.coord.y);
    chunk.set_lod(tile.lod);
    chunk.set_encoded(codec::encode(made_by(server(), tile)));
    receive(response);
  }

  void poll() {
    terrane_event events[16];
    std::size_t count = 0;
    do {
      count = terrane_explorer_poll(explorer(), events, 16);
      for (std::size_t i = 0; i < count; ++i) take(events[i]);
    } while (count == 16);
  }

  /// The height that the land has at a block.
  [[nodiscard]] double height(double x, double y) {
    const double place[]{x, y};
    terrane_ground ground{};
    terrane_land_ground(terrane_explorer_land(explorer()), place, 1, &ground);
    EXPECT_EQ(ground.known, 1);
    return ground.height;
  }

  terrane_explorer* explorer() { return explorer_.get(); }
  static const worldgen::World& server() { return test::builtin("continents"); }

  std::map<Tile, Chunk> chunks;
  std::vector<v1::ExploreRequest> said;
  std::size_t said_bytes = 0;
  std::optional<Tile> differs;
  bool is_away = false;  // the server

 private:
  void welcome() {
    v1::ExploreResponse response;
    v1::Welcome& welcome = *response.mutable_welcome();
    welcome.set_fingerprint(server().fingerprint);
    welcome.set_chunk_size(static_cast<std::uint32_t>(server().chunk_size));
    welcome.set_format(2);
    welcome.set_heartbeat_ms(5000);
    batch_ = 0;
    receive(response);
  }
  void judge(const v1::Made& made) {
    const Tile tile{static_cast<Lod>(made.lod()), {made.x(), made.y()}};
    Chunk here = made_by(server(), tile);
    if (said.front().hello().layers_size() > 0) {
      Chunk heights;
      heights.height_q4 = here.height_q4;
      here = heights;
    }
    if (static_cast<std::uint32_t>(codec::hash_chunk(here)) != made.hash()) send_chunk(tile);
  }
  void take(const terrane_event& event) {
    const Tile tile = core::from_c(event.tile);
    if (event.kind == TERRANE_ARRIVED) chunks.insert_or_assign(tile, *event.chunk->chunk);
    if (event.kind == TERRANE_OUT_OF_RANGE_NOW) {
      EXPECT_EQ(chunks.erase(tile), 1u);
    }
    if (event.kind == TERRANE_DIFFERS) {
      EXPECT_FALSE(differs) << "told twice";
      differs = tile;
    }
  }

  CoreExplorer explorer_;
  std::int64_t now_ = 0;
  bool is_open_ = false;
  std::uint64_t batch_ = 0;
};

TEST(core_judged, a_minute_of_flight_costs_less_than_a_kilobyte) {
  const auto world = test::open_builtin("continents");
  Judged game(world);
  game.frame(5000, 300, 0);
  ASSERT_EQ(game.said.size(), 2u);
  const v1::Hello& hello = game.said[0].hello();
  EXPECT_TRUE(hello.makes_chunks());
  EXPECT_EQ(hello.world().fingerprint(), Judged::server().fingerprint);
  EXPECT_EQ(game.said[1].made().x(), 5000 / 64) << "the chunk underfoot is judged at once";
  EXPECT_GT(game.chunks.size(), 30u) << "the land does not wait for the server";
  game.said_bytes = 0;
  game.said.clear();
  for (int frame = 1; frame <= 60 * 30; ++frame)
    game.frame(5000 + frame * (100.0 / 30) * 0.8, 300 + frame * (100.0 / 30) * 0.6, 1.0 / 30);
  EXPECT_GE(game.said.size(), 55u) << "about one a second";
  EXPECT_LE(game.said_bytes, 900u) << "with the server's twelve heartbeats, a kilobyte";
  EXPECT_FALSE(game.differs);
  for (const auto& request : game.said) EXPECT_TRUE(request.has_made());
}

TEST(core_judged, one_who_stands_still_says_nothing_more) {
  const auto world = test::open_builtin("continents");
  Judged game(world);
  for (int second = 0; second < 10; ++second) game.frame(100, 100, 1);
  game.said.clear();
  for (int second = 0; second < 100; ++second) game.frame(100, 100, 1);
  EXPECT_TRUE(game.said.empty());
}

TEST(core_judged, layers_that_are_not_wanted_are_not_judged) {
  const auto world = test::open_builtin("continents");
  Judged game(world, TERRANE_LAYER_HEIGHT);
  for (int second = 0; second < 5; ++second) game.frame(100, 100 + 64 * second, 1);
  EXPECT_GE(game.said.size(), 5u);
  EXPECT_FALSE(game.differs);
}

TEST(core_judged, what_is_not_the_servers_is_noticed_within_a_second_and_streamed_from_then_on) {
  const auto world = wrong_near("continents", 1032, 32);
  Judged game(world);
  int frame = 0;
  const auto x = [&] { return 20 + frame * (100.0 / 30); };
  for (; x() < 1024; ++frame) game.frame(x(), 32, 1.0 / 30);
  EXPECT_FALSE(game.differs) << "nothing is wrong that far";
  const int first = frame;
  for (; !game.differs && frame < first + 300; ++frame) game.frame(x(), 32, 1.0 / 30);
  ASSERT_TRUE(game.differs);
  EXPECT_EQ(*game.differs, (Tile{0, {16, 0}}));
  EXPECT_LE(frame - first, 30) << "frames of a thirtieth of a second since it was underfoot";

  const std::size_t before = game.chunks.size();
  const double wrong = game.height(1032, 32);
  game.said.clear();
  for (int later = 0; later < 10; ++later) game.frame(x(), 32, 1.0 / 30);
  ASSERT_FALSE(game.said.empty()) << "another stream, after a pause";
  const v1::Hello& hello = game.said.front().hello();
  EXPECT_FALSE(hello.makes_chunks());
  EXPECT_TRUE(hello.move().have().empty()) << "nothing that was made here is worth keeping";
  EXPECT_EQ(hello.move().x(), x());
  EXPECT_EQ(game.chunks.size(), before) << "no hole opens meanwhile";

  game.send_chunk({0, {16, 0}});
  game.poll();
  EXPECT_EQ(game.chunks.at({0, {16, 0}}), made_by(Judged::server(), {0, {16, 0}}));
  EXPECT_LT(game.height(1032, 32), wrong - 2) << "the hill is gone";
  EXPECT_EQ(terrane_explorer_work(game.explorer()), 0) << "nothing more is made here";
  for (const Tile& tile : {Tile{0, {100, 0}}, Tile{0, {101, 0}}}) {
    game.frame(100 * 64 + 5, 32, 1.0 / 30);
    game.send_chunk(tile);
  }
  game.poll();
  EXPECT_EQ(game.chunks.size(), 3u) << "what was made here is left behind; the streamed one waits";
  v1::ExploreResponse left;
  left.add_out_of_range()->set_x(16);
  game.receive(left);
  game.poll();
  EXPECT_EQ(game.chunks.size(), 2u);
  EXPECT_EQ(terrane_land_count(terrane_explorer_land(game.explorer())), 2u);
  game.frame(1100, 32, 1.0 / 30);
  EXPECT_FALSE(game.chunks.contains({0, {17, 0}})) << "what was made here does not come back";
}

TEST(core_judged, goes_on_without_its_server) {
  const auto world = test::open_builtin("continents");
  Judged game(world);
  game.is_away = true;
  for (int second = 0; second < 5; ++second) game.frame(64 * 20 * second, 0, 1);
  EXPECT_TRUE(game.chunks.contains({0, {80, 0}}));
  game.is_away = false;
  game.frame(64 * 80, 0, 1);
  ASSERT_EQ(game.said.size(), 2u) << "and is judged when that comes back";
  EXPECT_EQ(game.said[1].made().x(), 80);
}

TEST(core_judged, what_waits_to_be_judged_wakes_nobody_while_there_is_no_stream) {
  const auto world = test::open_builtin("continents");
  Judged game(world);
  game.frame(0, 0, 0);
  game.frame(100, 0, 0.5);
  EXPECT_EQ(terrane_explorer_next_look(game.explorer()), kSecond * 9 / 10) << "the next claim";
  terrane_explorer_closed(game.explorer(), TERRANE_RESOURCE_EXHAUSTED, "full", 10000,
                          kSecond * 6 / 10);
  EXPECT_GT(terrane_explorer_next_look(game.explorer()), 10 * kSecond);
}

TEST(core_judged, makes_nothing_more_where_the_server_has_another_world) {
  const auto world = test::open_builtin("continents");
  Judged game(world);
  game.frame(0, 0, 0);
  terrane_explorer_closed(game.explorer(), TERRANE_FAILED_PRECONDITION, "another world", 0, 1);
  game.poll();
  EXPECT_EQ(terrane_explorer_get_error(game.explorer(), nullptr), TERRANE_FAILED_PRECONDITION);
  terrane_pose far{};
  far.x = 1e6;
  ASSERT_EQ(terrane_explorer_move(game.explorer(), &far, 2, nullptr), TERRANE_OK);
  ASSERT_FALSE(game.chunks.empty());
  game.poll();
  EXPECT_TRUE(game.chunks.empty()) << "what is out of range is told though nobody works any more";
  EXPECT_EQ(terrane_explorer_work(game.explorer()), 0);
}

TEST(core_judged, is_not_for_realms_nor_for_other_worlds) {
  const auto world = test::open_builtin("continents");
  auto options = sized<terrane_explore_options>();
  auto error = sized<terrane_error>();
  terrane_explorer* explorer = nullptr;
  const auto create = [&] {
    return terrane_explorer_create_judged(TERRANE_ABI_VERSION, world.get(), &options, &explorer,
                                          &error);
  };
  EXPECT_EQ(create(), TERRANE_INVALID_ARGUMENT) << "no world's name";
  options.realm = "secret";
  EXPECT_EQ(create(), TERRANE_INVALID_ARGUMENT);
  EXPECT_NE(std::string(error.message).find("realm = 'secret'"), std::string::npos)
      << error.message;
  options.realm = nullptr;
  options.world = "continents";
  options.fingerprint = 5;
  EXPECT_EQ(create(), TERRANE_FAILED_PRECONDITION);
  EXPECT_EQ(explorer, nullptr);
}

}  // namespace
}  // namespace terrane
