// Explorers of terrane_core: land made here by the game's threads, and the rules of a stream.
#include <atomic>
#include <cmath>
#include <map>
#include <thread>
#include <tuple>

#include "chunk_handle.h"
#include "unit/core_worlds.h"
#include "worldgen/generate.h"

namespace terrane {
namespace {

using test::CoreExplorer;
using test::sized;

terrane_explore_options seeing(std::initializer_list<std::uint8_t> distances) {
  auto options = sized<terrane_explore_options>();
  std::copy(distances.begin(), distances.end(), options.view_distances);
  options.seed = 7;
  options.world = "continents";
  return options;
}

CoreExplorer local(const terrane_world* world, const terrane_explore_options& options) {
  terrane_explorer* explorer = nullptr;
  auto error = sized<terrane_error>();
  EXPECT_EQ(terrane_explorer_create_local(TERRANE_ABI_VERSION, world, &options, &explorer, &error),
            TERRANE_OK)
      << error.message;
  return CoreExplorer(explorer);
}

/// What a game knows of the land by its events.
class Game {
 public:
  explicit Game(CoreExplorer explorer) : explorer_(std::move(explorer)) {}

  void go(double x, double y) {
    terrane_pose pose{};
    pose.x = x;
    pose.y = y;
    ASSERT_EQ(terrane_explorer_move(explorer_.get(), &pose, ++now_, nullptr), TERRANE_OK);
  }
  std::size_t work() {
    std::size_t made = 0;
    while (terrane_explorer_work(explorer_.get()) != 0) ++made;
    return made;
  }
  void poll(std::size_t at_once = 16) {
    std::vector<terrane_event> events(at_once);
    std::size_t count = 0;
    do {
      count = terrane_explorer_poll(explorer_.get(), events.data(), events.size());
      for (std::size_t i = 0; i < count; ++i) take(events[i]);
    } while (count == events.size());
  }
  terrane_explorer* explorer() { return explorer_.get(); }
  terrane_land* land() { return terrane_explorer_land(explorer_.get()); }

  std::map<Tile, Chunk> chunks;
  std::uint32_t state = TERRANE_CONNECTING;
  terrane_code code = TERRANE_OK;
  std::size_t arrived = 0;

 private:
  void take(const terrane_event& event) {
    const Tile tile = core::from_c(event.tile);
    if (event.kind == TERRANE_ARRIVED) {
      ++arrived;
      EXPECT_TRUE(chunks.emplace(tile, *event.chunk->chunk).second) << "told twice";
    } else if (event.kind == TERRANE_OUT_OF_RANGE_NOW) {
      EXPECT_EQ(chunks.erase(tile), 1u);
    } else if (event.kind == TERRANE_STATE) {
      state = event.state;
      code = event.code;
    } else {
      ADD_FAILURE() << "event " << event.kind;
    }
  }

  CoreExplorer explorer_;
  std::int64_t now_ = 0;
};

TEST(core_explorer, local_land_is_the_servers_nearest_first) {
  const auto world = test::open_builtin("continents");
  Game game(local(world.get(), seeing({3, 2})));
  EXPECT_EQ(game.work(), 0u) << "nothing is made before the first move";
  game.go(1000.5, -300.5);
  ASSERT_EQ(terrane_explorer_work(game.explorer()), 1);
  game.poll();
  ASSERT_EQ(game.chunks.size(), 1u);
  EXPECT_EQ(game.chunks.begin()->first, (Tile{0, {15, -5}})) << "the one underfoot";
  EXPECT_EQ(game.state, static_cast<std::uint32_t>(TERRANE_STREAMING));
  game.work();
  game.poll();
  EXPECT_GT(game.chunks.size(), 30u);
  EXPECT_EQ(terrane_land_count(game.land()), game.chunks.size());
  for (const auto& [tile, chunk] : game.chunks) {
    EXPECT_EQ(chunk, worldgen::generate(test::builtin("continents"), 7, tile.coord, tile.lod,
                                        worldgen::noise::supported_targets().back()));
  }
}

TEST(core_explorer, what_is_left_behind_goes_and_comes_back_without_being_made_again) {
  const auto world = test::open_builtin("perlin");
  Game game(local(world.get(), seeing({4})));
  game.go(0.5, 0.5);
  const std::size_t made = game.work();
  game.poll();
  const auto before = game.chunks;
  game.go(64 * 20, 0.5);
  game.work();
  game.poll();
  EXPECT_FALSE(game.chunks.contains({0, {0, 0}}));
  EXPECT_EQ(terrane_land_count(game.land()), game.chunks.size());
  game.go(0.5, 0.5);
  EXPECT_EQ(game.work(), 0u) << "all " << made << " were kept";
  game.poll();
  for (const auto& [tile, chunk] : before) EXPECT_TRUE(game.chunks.contains(tile));
}

TEST(core_explorer, a_move_is_followed_by_who_works_and_the_latest_counts) {
  const auto world = test::open_builtin("perlin");
  Game game(local(world.get(), seeing({3})));
  game.go(0.5, 0.5);
  const std::size_t view = game.work();
  game.poll();
  const auto before = game.chunks;
  game.go(64 * 100, 0.5);
  game.poll();
  EXPECT_EQ(game.chunks, before) << "nobody has followed yet";
  game.go(64 * -20, 0.5);
  EXPECT_EQ(game.work(), view) << "of the place between nothing is made";
  game.poll();
  EXPECT_EQ(game.chunks.size(), view);
  for (const auto& [tile, chunk] : game.chunks) EXPECT_LT(tile.coord.x, -15);
}

TEST(core_explorer, what_is_out_of_range_is_told_though_nothing_may_be_made) {
  const auto world = test::open_builtin("perlin");
  auto options = seeing({3});
  options.max_waiting = 1;
  Game game(local(world.get(), options));
  game.go(0.5, 0.5);
  while (game.work() > 0) game.poll();
  ASSERT_GT(game.chunks.size(), 20u);
  game.go(64 * 20, 0.5);
  EXPECT_EQ(game.work(), 1u) << "one waits";
  game.go(64 * 40, 0.5);
  EXPECT_EQ(game.work(), 1u) << "which was left behind meanwhile";
  game.poll();
  EXPECT_EQ(game.chunks.size(), 1u);
}

TEST(core_explorer, works_on_as_many_threads_as_the_game_gives) {
  const auto world = test::open_builtin("continents");
  Game game(local(world.get(), seeing({6, 4, 4})));
  std::atomic<bool> over = false;
  std::vector<std::thread> workers;
  workers.reserve(3);
  for (int i = 0; i < 3; ++i) {
    workers.emplace_back([&] {
      while (!over) {
        if (terrane_explorer_work(game.explorer()) == 0) std::this_thread::yield();
      }
    });
  }
  for (int step = 0; step < 60; ++step) {
    game.go(step * 40.0, step * -25.0);
    game.poll(7);
  }
  while (game.chunks.size() < 100) game.poll();
  over = true;
  for (std::thread& worker : workers) worker.join();
  game.work();
  game.poll();
  Game still(local(world.get(), seeing({6, 4, 4})));
  still.go(59 * 40.0, 59 * -25.0);
  still.work();
  still.poll();
  for (const auto& [tile, chunk] : still.chunks) {
    ASSERT_TRUE(game.chunks.contains(tile)) << "nothing is missing in the end";
    EXPECT_EQ(game.chunks.at(tile), chunk);
  }
}

TEST(core_explorer, waits_for_a_game_that_does_not_poll) {
  const auto world = test::open_builtin("perlin");
  auto options = seeing({8});
  options.max_waiting = 10;
  Game game(local(world.get(), options));
  game.go(0, 0);
  EXPECT_EQ(game.work(), 10u);
  game.poll();
  EXPECT_EQ(game.work(), 10u);
}

TEST(core_explorer, what_cannot_be_is_refused_with_the_limit) {
  const auto world = test::open_builtin("perlin");
  auto error = sized<terrane_error>();
  terrane_explorer* explorer = nullptr;
  auto options = seeing({65});
  EXPECT_EQ(
      terrane_explorer_create_local(TERRANE_ABI_VERSION, world.get(), &options, &explorer, &error),
      TERRANE_INVALID_ARGUMENT);
  EXPECT_NE(std::string(error.message).find("64"), std::string::npos) << error.message;
  options = seeing({4});
  options.fingerprint = 1;
  EXPECT_EQ(
      terrane_explorer_create_local(TERRANE_ABI_VERSION, world.get(), &options, &explorer, &error),
      TERRANE_FAILED_PRECONDITION);
  options = seeing({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(
      terrane_explorer_create_local(TERRANE_ABI_VERSION, world.get(), &options, &explorer, &error),
      TERRANE_INVALID_ARGUMENT)
      << "levels that the world does not have";
  options = seeing({4});
  options.struct_size = 0;
  EXPECT_EQ(
      terrane_explorer_create_local(TERRANE_ABI_VERSION, world.get(), &options, &explorer, &error),
      TERRANE_INVALID_ARGUMENT);
  EXPECT_NE(std::string(error.message).find("struct_size"), std::string::npos) << error.message;
  options = seeing({4});
  options.world = nullptr;
  EXPECT_EQ(terrane_explorer_create(TERRANE_ABI_VERSION, &options, &explorer, &error),
            TERRANE_INVALID_ARGUMENT);
  EXPECT_EQ(explorer, nullptr);
  Game game(local(world.get(), seeing({2})));
  for (const double x : {std::nan(""), 1e300, -1e15}) {
    terrane_pose pose{};
    pose.x = x;
    EXPECT_NE(terrane_explorer_move(game.explorer(), &pose, 0, &error), TERRANE_OK);
  }
  EXPECT_EQ(terrane_explorer_receive(game.explorer(), "", 0, 0, &error),
            TERRANE_FAILED_PRECONDITION)
      << "there is no stream";
  EXPECT_EQ(terrane_explorer_wants_stream(game.explorer(), 0), 0);
}

constexpr std::int64_t kSecond = 1'000'000'000;

/// One that has moved and so wants a stream.
Game streamed() {
  const auto options = seeing({2});
  terrane_explorer* made = nullptr;
  EXPECT_EQ(terrane_explorer_create(TERRANE_ABI_VERSION, &options, &made, nullptr), TERRANE_OK);
  Game game{CoreExplorer(made)};
  game.go(5, 5);
  EXPECT_EQ(terrane_explorer_wants_stream(made, 0), 1);
  return game;
}

TEST(core_explorer, a_connection_that_can_not_be_opened_is_tried_again_with_growing_pauses) {
  Game game = streamed();
  std::int64_t now = 0, longest = 0;
  for (int attempt = 0; attempt < 8; ++attempt) {
    ASSERT_EQ(terrane_explorer_wants_stream(game.explorer(), now), 1);
    terrane_explorer_closed(game.explorer(), TERRANE_UNAVAILABLE, "refused", 0, now);
    EXPECT_EQ(terrane_explorer_wants_stream(game.explorer(), now), 0);
    const std::int64_t look = terrane_explorer_next_look(game.explorer());
    ASSERT_GT(look, now);
    longest = std::max(longest, look - now);
    now = look;
  }
  EXPECT_GT(longest, 2 * kSecond);
  auto error = sized<terrane_error>();
  game.poll();
  EXPECT_EQ(terrane_explorer_get_error(game.explorer(), &error), TERRANE_UNAVAILABLE);
  EXPECT_STREQ(error.message, "refused");
}

TEST(core_explorer, ends_that_are_no_complaints_are_come_back_from) {
  for (const terrane_code code : {TERRANE_OK, TERRANE_CANCELLED, TERRANE_DEADLINE_EXCEEDED,
                                  TERRANE_RESOURCE_EXHAUSTED, TERRANE_UNAVAILABLE}) {
    Game game = streamed();
    terrane_explorer_opened(game.explorer(), nullptr);
    terrane_explorer_closed(game.explorer(), code, nullptr, 0, 1);
    game.poll();
    EXPECT_EQ(game.state, static_cast<std::uint32_t>(TERRANE_CONNECTING)) << code;
    EXPECT_EQ(terrane_explorer_wants_stream(game.explorer(), 10 * kSecond), 1) << code;
  }
  Game game = streamed();
  terrane_explorer_opened(game.explorer(), nullptr);
  terrane_explorer_closed(game.explorer(), TERRANE_PERMISSION_DENIED, "\xff no", 0, 1);
  game.poll();
  EXPECT_EQ(game.state, static_cast<std::uint32_t>(TERRANE_ENDED));
  auto error = sized<terrane_error>();
  EXPECT_EQ(terrane_explorer_get_error(game.explorer(), &error), TERRANE_PERMISSION_DENIED);
  EXPECT_STREQ(error.message, "? no") << "what is no UTF-8 is not told as such";
  terrane_explorer_opened(game.explorer(), nullptr);
  EXPECT_EQ(terrane_explorer_receive(game.explorer(), "", 0, 2, &error),
            TERRANE_FAILED_PRECONDITION);
  game.poll();
  EXPECT_EQ(game.state, static_cast<std::uint32_t>(TERRANE_ENDED)) << "for good";
}

TEST(core_explorer, a_token_is_shown_in_the_first_message) {
  Game game = streamed();
  ASSERT_EQ(terrane_explorer_set_token(game.explorer(), "secret", nullptr), TERRANE_OK);
  terrane_explorer_opened(game.explorer(), nullptr);
  char buffer[4096];
  const std::size_t size = terrane_explorer_next_message(game.explorer(), 1, buffer, sizeof buffer);
  v1::ExploreRequest hello;
  ASSERT_TRUE(hello.ParseFromArray(buffer, static_cast<int>(size)));
  EXPECT_EQ(hello.hello().token(), "secret");
}

TEST(core_explorer, a_stream_is_asked_for_after_the_first_move_and_again_after_a_pause) {
  const auto options = seeing({2});
  terrane_explorer* made = nullptr;
  ASSERT_EQ(terrane_explorer_create(TERRANE_ABI_VERSION, &options, &made, nullptr), TERRANE_OK);
  Game game{CoreExplorer(made)};
  char buffer[4096];
  EXPECT_EQ(terrane_explorer_wants_stream(made, 0), 0);
  EXPECT_EQ(terrane_explorer_next_message(made, 0, buffer, sizeof buffer), 0u);
  game.go(5, 5);
  EXPECT_EQ(terrane_explorer_wants_stream(made, 0), 1);
  terrane_explorer_opened(made, nullptr);
  EXPECT_EQ(terrane_explorer_wants_stream(made, 0), 0);
  const std::size_t size = terrane_explorer_next_message(made, 0, nullptr, 0);
  ASSERT_GT(size, 0u);
  EXPECT_EQ(terrane_explorer_next_message(made, 0, buffer, size - 1), size) << "not taken";
  EXPECT_EQ(terrane_explorer_next_message(made, 0, buffer, size), size);
  EXPECT_EQ(terrane_explorer_next_message(made, 0, buffer, sizeof buffer), 0u) << "all is said";
  v1::ExploreRequest hello;
  ASSERT_TRUE(hello.ParseFromArray(buffer, static_cast<int>(size)));
  EXPECT_EQ(hello.hello().world().name(), "continents");
  EXPECT_EQ(hello.hello().world().seed(), 7u);
  EXPECT_EQ(hello.hello().move().x(), 5);

  EXPECT_EQ(terrane_explorer_is_overdue(made, 9 * kSecond), 0);
  EXPECT_EQ(terrane_explorer_is_overdue(made, 11 * kSecond), 1) << "no welcome for ten seconds";
  terrane_explorer_closed(made, TERRANE_UNAVAILABLE, "gone", 0, 11 * kSecond);
  game.poll();
  EXPECT_EQ(game.state, static_cast<std::uint32_t>(TERRANE_CONNECTING));
  EXPECT_EQ(game.code, TERRANE_UNAVAILABLE);
  auto error = sized<terrane_error>();
  EXPECT_EQ(terrane_explorer_get_error(made, &error), TERRANE_UNAVAILABLE);
  EXPECT_STREQ(error.message, "gone");
  EXPECT_EQ(terrane_explorer_wants_stream(made, 11 * kSecond), 0) << "not at once";
  const std::int64_t look = terrane_explorer_next_look(made);
  EXPECT_GT(look, 11 * kSecond);
  EXPECT_LT(look, 12 * kSecond);
  EXPECT_EQ(terrane_explorer_wants_stream(made, look), 1);
  terrane_explorer_opened(made, nullptr);
  EXPECT_EQ(terrane_explorer_receive(made, "\xff\xff", 2, look, &error), TERRANE_DATA_LOSS);
  terrane_explorer_closed(made, TERRANE_UNAVAILABLE, "and so it was closed", 0, look);
  game.poll();
  EXPECT_EQ(game.state, static_cast<std::uint32_t>(TERRANE_ENDED)) << "such a server is none";
  EXPECT_EQ(game.code, TERRANE_DATA_LOSS);
}

}  // namespace
}  // namespace terrane
