// What is generated can be abandoned between any two stages, and leaves nothing behind.
#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <thread>
#include <vector>

#include "worldgen/generate.h"
#include "worldgen/structure_queries.h"
#include "worlds/world_catalog.h"

namespace terrane::worldgen {
namespace {

const worlds::WorldCatalog& catalog() {
  static const worlds::WorldCatalog kCatalog = worlds::builtin_worlds().value();
  return kCatalog;
}

noise::SimdTarget fastest() { return noise::supported_targets().back(); }

/// Says yes at the n-th time that it is asked.
struct Nth {
  mutable int asked = 0;
  int yes_at = 0;  // 0: never

  [[nodiscard]] Abandon abandon() const {
    return {[](const void* what) {
              const Nth& nth = *static_cast<const Nth*>(what);
              return ++nth.asked == nth.yes_at;
            },
            this};
  }
};

TEST(abandoned_generation, stops_wherever_it_is_asked_and_leaves_nothing_behind) {
  for (const auto& [name, world] : catalog()) {
    for (const Lod lod : {Lod{0}, world->max_lod}) {
      const ChunkCoord coord{3, -7};
      const Chunk expected = generate(*world, 42, coord, lod, fastest());
      const Nth never;
      EXPECT_EQ(generate(*world, 42, coord, lod, fastest(), never.abandon()), expected);
      EXPECT_GE(never.asked, 4) << name << " lod " << int{lod};
      for (int n = 1; n <= never.asked; n += 1 + never.asked / 20) {
        const Nth nth{.yes_at = n};
        EXPECT_THROW(static_cast<void>(generate(*world, 42, coord, lod, fastest(), nth.abandon())),
                     Abandoned);
        EXPECT_EQ(nth.asked, n) << "and nothing is done after it";
      }
      EXPECT_EQ(generate(*world, 42, coord, lod, fastest()), expected);
    }
  }
}

TEST(abandoned_generation, what_a_thread_remembers_between_chunks_is_whole) {
  const World& world = *catalog().at("continents");
  for (int n = 1; n <= 60; n += 3) {
    const ChunkCoord coord{1000 * n, 5};  // near nothing that was made before
    const Nth nth{.yes_at = n};
    EXPECT_THROW(static_cast<void>(generate(world, 42, coord, 0, fastest(), nth.abandon())),
                 Abandoned);
    Chunk elsewhere;
    std::thread([&] { elsewhere = generate(world, 42, coord, 0, fastest()); }).join();
    EXPECT_EQ(generate(world, 42, coord, 0, fastest()), elsewhere) << "after " << n << " stages";
  }
}

TEST(abandoned_generation, of_points_and_structures_stops_as_well) {
  const World& world = *catalog().at("continents");
  const std::vector<BlockPos> points{{5, 5}, {6, 5}, {900, 3}, {1800, 77}, {5000, 5000}};
  const Nth never, of_structures;
  EXPECT_EQ(sample_points(world, 42, points, fastest(), never.abandon()),
            sample_points(world, 42, points, fastest()));
  EXPECT_EQ(structures_within(world, 42, {0, 0}, {4095, 4095}, fastest(), of_structures.abandon()),
            structures_within(world, 42, {0, 0}, {4095, 4095}, fastest()));
  const Nth middle{.yes_at = never.asked / 2}, second{.yes_at = of_structures.asked / 2};
  EXPECT_THROW(static_cast<void>(sample_points(world, 42, points, fastest(), middle.abandon())),
               Abandoned);
  EXPECT_THROW(static_cast<void>(
                   structures_within(world, 42, {0, 0}, {4095, 4095}, fastest(), second.abandon())),
               Abandoned);
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// When it was asked.
struct Clocked {
  mutable std::vector<double> at;

  [[nodiscard]] Abandon abandon() const {
    return {[](const void* what) {
              static_cast<const Clocked*>(what)->at.push_back(thread_seconds());
              return false;
            },
            this};
  }
};

TEST(abandoned_generation, asks_often_where_a_chunk_takes_long) {
  const World& world = *catalog().at("continents");
  std::vector<double> shares;  // that the longest stage has of its chunk
  double longest = 0, whole = 0;
  for (int i = 0; i < 20; ++i) {
    Clocked clocked;
    clocked.at.reserve(10'000);
    clocked.at.push_back(thread_seconds());
    static_cast<void>(
        generate(world, 42, {100 + i, 9}, world.max_lod, fastest(), clocked.abandon()));
    clocked.at.push_back(thread_seconds());
    double gap = 0;
    for (std::size_t k = 1; k < clocked.at.size(); ++k)
      gap = std::max(gap, clocked.at[k] - clocked.at[k - 1]);
    const double took = clocked.at.back() - clocked.at.front();
    shares.push_back(gap / took);
    longest += gap / 20;
    whole += took / 20;
  }
  std::nth_element(shares.begin(), shares.begin() + 10, shares.end());
  std::printf("abandon: a chunk of lod %d takes %.0f us, its longest stage %.0f us\n",
              int{world.max_lod}, whole * 1e6, longest * 1e6);
  EXPECT_LE(shares[10], 0.25) << "of the time of its chunk";
}

}  // namespace
}  // namespace terrane::worldgen
