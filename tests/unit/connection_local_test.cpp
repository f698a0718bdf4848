// C++ Explorers whose land is made in this process, by threads of the library.
#include <terrane/local.h>
#include <terrane/web_socket.h>
#ifdef __linux__
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "chunk_handle.h"
#include "codec/chunk_codec.h"
#include "codec/chunk_hash.h"
#include "support/time_scale.h"
#include "unit/core_worlds.h"
#include "worldgen/generate.h"

namespace terrane {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kSeed = 7;

LocalLand land_of(const std::string& world, int threads = 2) {
  const std::string bytes = test::described(world).SerializeAsString();
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  return {.world_file = {first, first + bytes.size()}, .threads = threads};
}

ExploreOptions sees(std::vector<int> distances) {
  return {.world = {.name = {}, .seed = kSeed}, .view_distances = std::move(distances)};
}

/// What one thread makes of the same view by the functions of C.
std::map<Tile, std::uint64_t> hashes(const std::string& name, const std::vector<int>& distances,
                                     double x, double y) {
  const auto world = test::open_builtin(name);
  auto options = test::sized<terrane_explore_options>();
  std::copy(distances.begin(), distances.end(), options.view_distances);
  options.seed = kSeed;
  terrane_explorer* made = nullptr;
  EXPECT_EQ(
      terrane_explorer_create_local(TERRANE_ABI_VERSION, world.get(), &options, &made, nullptr),
      TERRANE_OK);
  const test::CoreExplorer explorer(made);
  terrane_pose pose{};
  pose.x = x;
  pose.y = y;
  EXPECT_EQ(terrane_explorer_move(made, &pose, 0, nullptr), TERRANE_OK);
  std::map<Tile, std::uint64_t> hashes;
  terrane_event events[8];
  while (terrane_explorer_work(made) != 0) {
    const std::size_t count = terrane_explorer_poll(made, events, 8);
    for (std::size_t i = 0; i < count; ++i) {
      if (events[i].kind == TERRANE_ARRIVED)
        hashes[core::from_c(events[i].tile)] = codec::hash_chunk(*events[i].chunk->chunk);
    }
  }
  return hashes;
}

/// A game, and what it knows of the land.
class Game {
 public:
  explicit Game(Explorer explorer) : explorer_(std::move(explorer)) {}

  void move(double x, double y) { EXPECT_TRUE(explorer_.move({.x = x, .y = y})); }

  /// Polls until it is so, a minute at most.
  void play_until(const std::function<bool()>& done) {
    const auto start = Clock::now();
    while (!done()) {
      ASSERT_LT(Clock::now() - start, 60s);
      explorer_.wait(1s);
      take_news();
    }
  }
  void play_until_seen(const std::map<Tile, std::uint64_t>& view) {
    play_until([&] { return seen.size() >= view.size(); });
    EXPECT_EQ(seen, view);
  }

  void take_news() {
    const ExploreNews news = explorer_.poll();
    for (const Tile& tile : news.out_of_range) EXPECT_EQ(seen.erase(tile), 1u);
    for (const ArrivedChunk& arrived : news.arrived) {
      if (arrived.chunk) {
        EXPECT_EQ(explorer_.chunk(arrived.tile), arrived.chunk);
        EXPECT_TRUE(seen.emplace(arrived.tile, codec::hash_chunk(*arrived.chunk)).second);
      }
      if (arrived.encoded) encoded.emplace(arrived.tile, *arrived.encoded);
    }
    EXPECT_TRUE(news.failed.empty());
    EXPECT_FALSE(news.differs);
    state = news.state;
    error = news.error;
  }

  Explorer& explorer() { return explorer_; }

  std::map<Tile, std::uint64_t> seen;
  std::map<Tile, std::string> encoded;
  ExploreState state = ExploreState::kConnecting;
  std::optional<Error> error;

 private:
  Explorer explorer_;
};

TEST(local_explorer, land_is_that_of_the_generator_however_many_threads_make_it) {
  for (const auto& [threads, distances] :
       {std::pair(1, std::vector{4, 2}), std::pair(3, std::vector{8, 8, 8})}) {
    const auto view = hashes("continents", distances, 1000, -500);
    Game game(local_explorer(land_of("continents", threads), sees(distances)).value());
    game.move(1000, -500);
    game.play_until_seen(view);
    EXPECT_EQ(game.state, ExploreState::kStreaming);
    EXPECT_FALSE(game.error);
    const ExploreStats stats = game.explorer().stats();
    EXPECT_EQ(stats.chunks, view.size());
    EXPECT_EQ(stats.in_range, view.size());
    EXPECT_EQ(stats.bytes + stats.waiting + stats.kept + stats.reconnects, 0u);
    EXPECT_GT(stats.first.count(), 0);
  }
  for (const auto& [tile, hash] : hashes("continents", {2, 2}, 1000, -500)) {
    EXPECT_EQ(hash, codec::hash_chunk(
                        worldgen::generate(test::builtin("continents"), kSeed, tile.coord, tile.lod,
                                           worldgen::noise::supported_targets().back())));
  }
}

TEST(local_explorer, a_walker_who_comes_back_finds_what_was_kept) {
  const auto here = hashes("perlin", {5, 3}, 0.5, 0.5);
  const auto there = hashes("perlin", {5, 3}, 64 * 40, 0.5);
  Game game(local_explorer(land_of("perlin"), sees({5, 3})).value());
  game.move(0.5, 0.5);
  game.play_until_seen(here);
  game.move(64 * 40, 0.5);
  game.play_until([&] { return game.seen == there; });
  EXPECT_TRUE(game.explorer().chunk({0, {0, 0}})) << "it is kept";
  const auto made = game.explorer().stats().chunks;
  EXPECT_EQ(made, here.size() + there.size());
  game.move(0.5, 0.5);
  game.play_until([&] { return game.seen == here; });
  EXPECT_EQ(game.explorer().stats().chunks, made) << "nothing was made again";
  EXPECT_EQ(game.explorer().stats().kept, here.size());
}

TEST(local_explorer, nothing_is_made_before_the_first_move_nor_past_what_may_wait) {
  ExploreOptions options = sees({6});
  options.max_waiting = 8;
  Game game(local_explorer(land_of("perlin", 1), options).value());
  EXPECT_FALSE(game.explorer().wait(10ms));
  EXPECT_EQ(game.explorer().move({.x = 1e300}).error().code, ErrorCode::kOutOfRange);
  EXPECT_EQ(game.explorer().stats().chunks, 0u);
  game.move(0, 0);
  while (game.explorer().stats().waiting < 8) EXPECT_TRUE(game.explorer().wait(60s));
  EXPECT_EQ(game.explorer().stats().chunks, 8u);
  game.play_until_seen(hashes("perlin", {6}, 0, 0));
}

#ifdef __linux__
/// Threads of this process that interrupt nobody when they are woken, and give way.
int threads_that_give_way() {
  const auto first = static_cast<id_t>(getpid());
  int count = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    const auto id = static_cast<id_t>(std::stoul(thread.path().filename().string()));
    if (sched_getscheduler(static_cast<pid_t>(id)) == SCHED_BATCH &&
        getpriority(PRIO_PROCESS, id) > getpriority(PRIO_PROCESS, first))
      ++count;
  }
  return count;
}

TEST(local_explorer, frames_come_before_its_threads) {
  int lowered = 0;  // where the system lets a thread do so
  std::jthread([&] {
    terrane_lower_thread_priority();
    terrane_lower_thread_priority();
    lowered = threads_that_give_way();
  }).join();
  if (lowered == 0) GTEST_SKIP() << "this system has no lower priorities to give";
  EXPECT_EQ(threads_that_give_way(), 0) << "the thread that has ended";
  Game game(local_explorer(land_of("perlin", 3), sees({4})).value());
  game.move(0, 0);
  game.play_until_seen(hashes("perlin", {4}, 0, 0));
  game.play_until([] { return threads_that_give_way() == 3; });
}
#endif

TEST(local_explorer, a_game_that_wants_bytes_gets_the_servers) {
  const auto view = hashes("continents", {3, 2}, 0, 0);
  for (const bool both : {false, true}) {
    ExploreOptions options = sees({3, 2});
    options.decode = options.with_encoded = both;
    Game game(local_explorer(land_of("continents"), options).value());
    game.move(0, 0);
    game.play_until([&] { return game.encoded.size() == view.size(); });
    EXPECT_EQ(game.seen.size(), both ? view.size() : 0u);
    for (const auto& [tile, bytes] : game.encoded) {
      const auto chunk = codec::decode(bytes, tile.coord);
      ASSERT_TRUE(chunk);
      EXPECT_EQ(codec::hash_chunk(*chunk), view.at(tile));
      EXPECT_EQ(bytes, codec::encode(*chunk));
      EXPECT_EQ(game.explorer().chunk(tile) != nullptr, both);
    }
  }
}

TEST(local_explorer, destroying_one_at_work_waits_for_no_more_than_the_chunks_being_made) {
  Explorer explorer = local_explorer(land_of("continents", 4), sees({64, 64, 64})).value();
  ASSERT_TRUE(explorer.move({}));
  ASSERT_TRUE(explorer.wait(60s));
  const auto start = Clock::now();
  explorer = local_explorer(land_of("perlin", 4), sees({1})).value();
  EXPECT_LT(Clock::now() - start, 500ms * time_scale());
  ASSERT_TRUE(explorer.move({}));
  EXPECT_TRUE(explorer.wait(60s)) << "the other one goes on in its place";
}

std::string refused(const Result<Explorer>& explorer, ErrorCode code) {
  if (explorer) return "made";
  EXPECT_EQ(explorer.error().code, code) << explorer.error().message;
  return explorer.error().message;
}

TEST(local_explorer, what_is_wrong_with_the_options_is_said) {
  const auto wrong = [](const LocalLand& land, const ExploreOptions& options) {
    return refused(local_explorer(land, options), ErrorCode::kInvalidArgument);
  };
  const LocalLand land = land_of("continents");
  EXPECT_EQ(wrong(land_of("continents", 0), sees({4})), "threads: 0 to make land; from 1 to 64");
  EXPECT_EQ(wrong(land_of("continents", 65), sees({4})), "threads: 65 to make land; from 1 to 64");
  EXPECT_EQ(wrong(land, sees({65})), "view_distances: 65 chunks at lod 0; from 0 to 64");
  EXPECT_TRUE(wrong({}, sees({4})).starts_with("world_file: ")) << wrong({}, sees({4}));
  LocalLand junk = land;
  junk.world_file.resize(1000);
  EXPECT_TRUE(wrong(junk, sees({4})).starts_with("world_file: ")) << wrong(junk, sees({4}));
  ExploreOptions realm = sees({4});
  realm.world.realm = "survival";
  EXPECT_EQ(wrong(land, realm),
            "realm = 'survival': its seed is nobody's to make land from; have it streamed");
  ExploreOptions pinned = sees({4});
  pinned.world.fingerprint = 8;
  const auto other = refused(local_explorer(land, pinned), ErrorCode::kFailedPrecondition);
  EXPECT_NE(other.find("wanted is 8"), std::string::npos) << other;
  const auto levels = static_cast<std::size_t>(test::builtin("skyline").max_lod) + 2;
  if (levels <= kMaxLod + 1u) {
    EXPECT_EQ(wrong(land_of("skyline"), sees(std::vector<int>(levels, 1))),
              "view_distances: " + std::to_string(levels) + " levels of detail; the world has " +
                  std::to_string(levels - 1));
  }
}

TEST(local_explorer, land_that_is_judged_takes_the_options_of_both) {
  const auto wrong = [](const WebSocketOptions& servers, const LocalLand& land,
                        const ExploreOptions& options) {
    return refused(connect_explorer(servers, land, options), ErrorCode::kInvalidArgument);
  };
  ExploreOptions options = sees({4});
  options.world.name = "continents";
  EXPECT_EQ(wrong({.urls = {"ws://"}}, land_of("continents"), options),
            "the URL 'ws://' names no host");
  EXPECT_EQ(wrong({}, land_of("continents", 0), options), "threads: 0 to make land; from 1 to 64");
  EXPECT_EQ(wrong({}, land_of("continents"), sees({4})),
            "world: the name is empty, and so is the realm's");
  options.layers = 1 << 10 | 1;
  EXPECT_EQ(wrong({}, land_of("continents"), options),
            "layers: the mask 1025 names no layer; its bits 1 (height) to 9 (structures) do, and "
            "all bits all");
  options.layers = kAllLayers;
  options.decode = false;
  EXPECT_TRUE(wrong({}, land_of("continents"), options).starts_with("decode: false; "));
}

TEST(local_explorer, land_that_is_judged_is_made_though_nobody_judges_it) {
  ExploreOptions options = sees({8, 4});
  options.world.name = "continents";
  const auto view = hashes("continents", options.view_distances, 0, 0);
  Game game(
      connect_explorer({.urls = {"ws://127.0.0.1:1"}}, land_of("continents"), options).value());
  game.move(0, 0);
  game.play_until_seen(view);
  game.play_until([&] { return game.error.has_value(); });
  EXPECT_EQ(game.state, ExploreState::kConnecting);
  EXPECT_EQ(game.error->code, ErrorCode::kUnavailable);
  const ExploreStats stats = game.explorer().stats();
  EXPECT_EQ(stats.chunks, view.size());
  EXPECT_EQ(stats.in_range, view.size());
  EXPECT_GT(stats.first.count(), 0);
}

}  // namespace
}  // namespace terrane
