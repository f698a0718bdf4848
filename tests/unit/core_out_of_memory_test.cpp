// terrane_core where memory ends: at any one allocation, nothing is lost and nothing is thrown.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "chunk_handle.h"
#include "held_chunks.h"
#include "support/failing_memory.h"
#include "unit/core_worlds.h"

namespace terrane {
namespace {

using test::CoreExplorer;
using test::sized;

/// What a game has been told is in view.
class Game {
 public:
  explicit Game(const terrane_world* world) {
    auto options = sized<terrane_explore_options>();
    options.view_distances[0] = 2;
    options.view_distances[1] = 2;
    options.kept_chunks = 8;
    terrane_explorer* made = nullptr;
    EXPECT_EQ(terrane_explorer_create_local(TERRANE_ABI_VERSION, world, &options, &made, nullptr),
              TERRANE_OK);
    explorer_.reset(made);
  }

  void go(double x) {
    terrane_pose pose{};
    pose.x = x;
    (void)terrane_explorer_move(explorer_.get(), &pose, 0, nullptr);
  }
  void work() {
    while (terrane_explorer_work(explorer_.get()) != 0) {
    }
  }
  void poll() {
    terrane_event events[16];
    for (int round = 0; round < 20; ++round) {
      const std::size_t count = terrane_explorer_poll(explorer_.get(), events, 16);
      test::exempt_from_failures(true);  // what is the game's own
      for (std::size_t i = 0; i < count; ++i) {
        const Tile tile = core::from_c(events[i].tile);
        if (events[i].kind == TERRANE_ARRIVED) {
          EXPECT_NE(events[i].chunk->chunk, nullptr);
          EXPECT_TRUE(tiles.insert(tile).second) << "told twice";
        } else if (events[i].kind == TERRANE_OUT_OF_RANGE_NOW) {
          EXPECT_EQ(tiles.erase(tile), 1u);
        }
      }
      test::exempt_from_failures(false);
    }
  }
  [[nodiscard]] std::size_t in_land() {
    return terrane_land_count(terrane_explorer_land(explorer_.get()));
  }

  std::set<Tile> tiles;

 private:
  CoreExplorer explorer_;
};

TEST(core_out_of_memory, a_local_walk_ends_with_all_of_its_land) {
  const auto world = test::open_builtin("perlin");
  Game fresh(world.get());  // with what is in view alone
  fresh.go(150.5);
  fresh.work();
  fresh.poll();
  std::size_t failed = 1;
  for (std::size_t n = 0; failed > 0; n += 1 + n / 40) {
    Game game(world.get());
    test::fail_memory(n, false);
    for (const double x : {0.0, 200.0, 150.0}) {
      game.go(x);
      game.work();
      game.poll();
    }
    failed = test::restore_memory();
    game.go(150.5);  // the next frame
    game.work();
    game.poll();
    ASSERT_TRUE(std::ranges::includes(game.tiles, fresh.tiles)) << "allocation " << n;
    for (const Tile& tile : game.tiles) {  // in view, or within two tiles of that
      ASSERT_LE(std::abs(tile.coord.x - (150 >> (6 + tile.lod))), 4) << "allocation " << n;
      ASSERT_LE(std::abs(tile.coord.y), 4) << "allocation " << n;
    }
    ASSERT_EQ(game.in_land(), game.tiles.size()) << "allocation " << n;
  }
}

TEST(core_out_of_memory, rooms_need_none) {
  const auto world = test::open_builtin("continents");
  terrane_room room{};
  room.open_doors = 0xff;
  test::fail_memory(0, true);
  terrane_box boxes[64];
  const std::size_t count = terrane_room_boxes(world.get(), &room, boxes, 64);
  EXPECT_EQ(test::restore_memory(), 0u);
  EXPECT_GT(count, 4u);
}

TEST(held_chunks, a_tile_that_comes_twice_is_told_of_once) {
  client::HeldChunks chunks(4);
  const Tile tile{0, {1, 2}};
  const auto chunk = std::make_shared<const Chunk>();
  chunks.add({tile, chunk, nullptr});
  chunks.add({tile, chunk, nullptr});
  EXPECT_EQ(chunks.waiting(), 1u);
  EXPECT_TRUE(chunks.drop(tile));
  ExploreNews news;
  chunks.take_news(news);
  EXPECT_TRUE(news.arrived.empty());
  EXPECT_TRUE(news.out_of_range.empty());
}

}  // namespace
}  // namespace terrane
