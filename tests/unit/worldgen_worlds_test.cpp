// The laws that every world keeps: same bits on every instruction set, seams, nesting, points,
// distance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "worldgen/generate.h"
#include "worlds/world_catalog.h"

namespace terrane::worldgen {
namespace {

using noise::SimdTarget;

const worlds::WorldCatalog& catalog() {
  static const worlds::WorldCatalog kCatalog = worlds::builtin_worlds().value();
  return kCatalog;
}

SimdTarget fastest() { return noise::supported_targets().back(); }

Chunk make(const World& world, ChunkCoord coord, Lod lod = 0, std::uint64_t seed = 42,
           SimdTarget target = fastest()) {
  return generate(world, seed, coord, lod, target);
}

/// Chunk coordinates that have gone wrong in other programs, within the limits of a level of
/// detail.
std::vector<ChunkCoord> telling_coords(Lod lod) {
  const std::int64_t far = max_chunk_coord(lod);
  std::vector<ChunkCoord> coords{{0, 0},      {-1, -1},    {3, -7},      {far, far},
                                 {-far, far}, {far, -far}, {-far, -far}, {0, -far}};
  const std::int64_t int32_edge = std::int64_t{1} << 31;
  if (int32_edge < far) {
    coords.insert(coords.end(), {{int32_edge, -int32_edge}, {-int32_edge - 1, int32_edge - 1}});
    const std::int64_t block_edge = int32_edge / 64;
    coords.insert(coords.end(), {{block_edge, -block_edge}, {-block_edge - 1, block_edge - 1}});
  }
  return coords;
}

TEST(every_world, has_the_same_bits_on_every_target) {
  for (const auto& [name, world] : catalog()) {
    for (Lod lod = 0; lod <= world->max_lod; ++lod) {
      for (const ChunkCoord coord : telling_coords(lod)) {
        const Chunk expected = make(*world, coord, lod, 7, SimdTarget::kScalar);
        for (const SimdTarget target : noise::supported_targets()) {
          ASSERT_EQ(make(*world, coord, lod, 7, target), expected)
              << name << " " << coord.x << "," << coord.y << " lod " << int{lod} << " on "
              << to_string(target);
        }
      }
    }
  }
}

TEST(every_world, a_coarse_sample_is_the_fine_sample_at_the_same_block) {
  for (const auto& [name, world] : catalog()) {
    const int size = world->chunk_size;
    for (Lod lod = 1; lod <= world->max_lod; ++lod) {
      for (const ChunkCoord coord : telling_coords(lod)) {
        const Chunk coarse = make(*world, coord, lod);
        // The finer chunk at the coarse one's origin shares a quarter of its samples.
        const ChunkCoord finer{coord.x * 2, coord.y * 2};
        const Chunk fine = make(*world, finer, static_cast<Lod>(lod - 1));
        for (int j = 0; j < size / 2; ++j) {
          for (int i = 0; i < size / 2; ++i) {
            const auto c = static_cast<std::size_t>(j * size + i),
                       f = static_cast<std::size_t>(2 * j * size + 2 * i);
            ASSERT_EQ(coarse.height_q4[c], fine.height_q4[f]) << name << " lod " << int{lod};
            ASSERT_EQ(coarse.temperature_d[c], fine.temperature_d[f])
                << name << " lod " << int{lod};
            ASSERT_EQ(coarse.humidity_d[c], fine.humidity_d[f]) << name << " lod " << int{lod};
            ASSERT_EQ(coarse.biome[c], fine.biome[f]) << name << " lod " << int{lod};
            ASSERT_TRUE(coarse.water_q4.empty() || coarse.water_q4[c] == fine.water_q4[f])
                << name << " lod " << int{lod};
            if (coarse.forest_p.empty()) continue;
            ASSERT_EQ(coarse.forest_p[c], fine.forest_p[f]) << name << " lod " << int{lod};
            ASSERT_EQ(coarse.rocks_p[c], fine.rocks_p[f]) << name << " lod " << int{lod};
          }
        }
      }
    }
  }
}

TEST(every_world, points_are_what_chunks_hold) {
  for (const auto& [name, world] : catalog()) {
    const int size = world->chunk_size;
    for (Lod lod = 0; lod <= world->max_lod; ++lod) {
      for (const ChunkCoord coord : telling_coords(lod)) {
        const Chunk chunk = make(*world, coord, lod);
        const BlockPos origin = chunk_origin(coord, size, lod);
        std::vector<BlockPos> points;
        std::vector<std::size_t> indices;
        for (int k = 0; k < size; k += 5) {
          const int i = (k * 7) % size, j = (k * 3 + 1) % size;
          points.push_back(
              {origin.x + (std::int64_t{i} << lod), origin.y + (std::int64_t{j} << lod)});
          indices.push_back(static_cast<std::size_t>(j * size + i));
        }
        const std::vector<PointSample> samples = sample_points(*world, 42, points, fastest());
        for (std::size_t k = 0; k < points.size(); ++k) {
          const std::size_t at = indices[k];
          PointSample expected{chunk.height_q4[at], chunk.temperature_d[at], chunk.humidity_d[at],
                               chunk.biome[at]};
          if (!chunk.water_q4.empty()) expected.water_q4 = chunk.water_q4[at];
          if (!chunk.forest_p.empty())
            expected.forest_p = chunk.forest_p[at], expected.rocks_p = chunk.rocks_p[at];
          ASSERT_EQ(samples[k], expected) << name << " " << points[k].x << "," << points[k].y;
          ASSERT_EQ(sample_points(*world, 42, {&points[k], 1}, fastest())[0], expected)
              << name << ", alone";
        }
      }
    }
  }
}

/// Expects that two chunks of a world, cut into pieces of unlike sizes, hold the same where they
/// overlap.
void expect_same_land(const Chunk& one, const Chunk& other, const std::string& what) {
  const BlockPos a = chunk_origin(one.coord, one.size, one.lod),
                 b = chunk_origin(other.coord, other.size, other.lod);
  for (int j = 0; j < one.size; ++j) {
    for (int i = 0; i < one.size; ++i) {
      const std::int64_t x = i + ((a.x - b.x) >> one.lod), y = j + ((a.y - b.y) >> one.lod);
      if (x < 0 || y < 0 || x >= other.size || y >= other.size) continue;
      const auto k = static_cast<std::size_t>(j * one.size + i),
                 m = static_cast<std::size_t>(y * other.size + x);
      ASSERT_EQ(one.height_q4[k], other.height_q4[m]) << what;
      ASSERT_EQ(one.temperature_d[k], other.temperature_d[m]) << what;
      ASSERT_EQ(one.humidity_d[k], other.humidity_d[m]) << what;
      ASSERT_EQ(one.biome[k], other.biome[m]) << what;
      ASSERT_TRUE(one.water_q4.empty() || one.water_q4[k] == other.water_q4[m]) << what;
      if (one.forest_p.empty()) continue;
      ASSERT_EQ(one.forest_p[k], other.forest_p[m]) << what;
      ASSERT_EQ(one.rocks_p[k], other.rocks_p[m]) << what;
    }
  }
}

TEST(every_world, is_the_same_in_chunks_of_any_size) {
  for (const auto& [name, world] : catalog()) {
    for (const int size : {16, 32, 128}) {
      World resized = *world;
      resized.chunk_size = size;
      for (Lod lod = 0; lod <= world->max_lod; ++lod) {
        for (const ChunkCoord coord : telling_coords(lod)) {
          // All of the smaller chunks along the larger one's diagonals: they meet its corners and
          // what lies between.
          const Chunk whole = make(*world, coord, lod);
          const BlockPos origin = chunk_origin(coord, world->chunk_size, lod);
          const int pieces = std::max(1, world->chunk_size / size);
          for (int k = 0; k < 2 * pieces; ++k) {
            const int i = k % pieces, j = k < pieces ? i : pieces - 1 - i;
            const std::int64_t step = std::int64_t{size} << lod;
            const ChunkCoord piece =
                chunk_of({origin.x + i * step, origin.y + j * step}, size, lod);
            expect_same_land(
                whole, make(resized, piece, lod),
                name + " in chunks of " + std::to_string(size) + ", lod " + std::to_string(lod));
          }
        }
      }
    }
  }
}

TEST(every_world, does_not_depend_on_the_order_or_the_thread_that_asks) {
  constexpr std::int64_t kSide = 6;
  for (const auto& [name, world] : catalog()) {
    std::vector<Chunk> expected;
    for (std::int64_t k = 0; k < kSide * kSide; ++k)
      expected.push_back(make(*world, {k % kSide - 3, k / kSide - 3}));
    std::vector<std::vector<Chunk>> got(4, std::vector<Chunk>(expected.size()));
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < got.size(); ++t) {
      threads.emplace_back([&, t, world = world] {
        for (std::int64_t n = 0; n < kSide * kSide; ++n) {
          // Each thread in another order: the factors have no divisor in common with the number of
          // chunks.
          constexpr std::int64_t kFactors[] = {5, 7, 29, 31};
          const std::int64_t k = n * kFactors[t] % (kSide * kSide);
          got[t][static_cast<std::size_t>(k)] =
              make(*world, {k % kSide - 3, k / kSide - 3}, static_cast<Lod>(0));
        }
      });
    }
    threads.clear();
    for (const auto& chunks : got) EXPECT_EQ(chunks, expected) << name;
  }
}

TEST(every_world, is_continuous_across_chunk_borders) {
  // The step across a border is no larger than the largest step inside of the two chunks.
  for (const auto& [name, world] : catalog()) {
    const auto size = static_cast<std::size_t>(world->chunk_size);
    for (const ChunkCoord coord : telling_coords(0)) {
      for (const bool right : {true, false}) {
        const ChunkCoord next{coord.x + (right ? 1 : 0), coord.y + (right ? 0 : 1)};
        if (std::max(next.x, next.y) > max_chunk_coord(0)) continue;
        const Chunk here = make(*world, coord), there = make(*world, next);
        const std::size_t along = right ? size : 1,
                          // from one sample to the next, along the border and across
            step = right ? 1 : size;
        std::int32_t inside = 0, across = 0;
        for (std::size_t j = 0; j < size; ++j) {
          for (std::size_t k = j * along + step; k <= j * along + (size - 1) * step; k += step) {
            inside = std::max(inside, std::abs(here.height_q4[k] - here.height_q4[k - step]));
            inside = std::max(inside, std::abs(there.height_q4[k] - there.height_q4[k - step]));
          }
          across = std::max(across, std::abs(there.height_q4[j * along] -
                                             here.height_q4[j * along + (size - 1) * step]));
        }
        EXPECT_LE(across, inside + 16) << name << " at " << coord.x << "," << coord.y;
      }
    }
  }
}

/// Heights of 36 chunks far from each other, at the coarsest level.
std::vector<double> far_and_wide(const World& world, std::uint64_t seed) {
  std::vector<double> heights;
  for (std::int64_t k = 0; k < 36; ++k) {
    const Chunk chunk = make(world, {k % 6 * 97 - 300, k / 6 * 113 - 400}, world.max_lod, seed);
    for (std::size_t i = 0; i < chunk.height_q4.size(); i += 13)
      heights.push_back(chunk.height_q4[i]);
  }
  return heights;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    n += 1, x += a[i], y += b[i], xx += a[i] * a[i], yy += b[i] * b[i], xy += a[i] * b[i];
  return (n * xy - x * y) / std::sqrt((n * xx - x * x) * (n * yy - y * y));
}

TEST(every_world, seeds_that_differ_in_their_top_bits_give_land_that_has_nothing_in_common) {
  for (const auto& [name, world] : catalog()) {
    const std::vector<double> base = far_and_wide(*world, 1);
    double worst = 0;
    for (int bit = 48; bit < 64; ++bit) {
      const double alike =
          std::abs(correlation(base, far_and_wide(*world, 1 | (std::uint64_t{1} << bit))));
      worst = std::max(worst, alike);
      EXPECT_LT(alike, 0.4) << name << " bit " << bit;
    }
    std::printf("check seeds: heights of %s correlate by %.2f at most\n", name.c_str(), worst);
  }
}

TEST(every_world, keeps_to_its_declared_ranges_and_biomes) {
  for (const auto& [name, world] : catalog()) {
    for (std::int64_t k = 0; k < 64; ++k) {
      const Chunk chunk =
          make(*world, {k * 31 - 900, 700 - k * 17}, 3, static_cast<std::uint64_t>(k));
      for (std::size_t i = 0; i < chunk.biome.size(); ++i) {
        ASSERT_GE(chunk.height_q4[i], world->ranges.height_q4.min) << name;
        ASSERT_LE(chunk.height_q4[i], world->ranges.height_q4.max) << name;
        ASSERT_GE(chunk.temperature_d[i], world->ranges.temperature_d.min) << name;
        ASSERT_LE(chunk.temperature_d[i], world->ranges.temperature_d.max) << name;
        ASSERT_GE(chunk.humidity_d[i], world->ranges.humidity_d.min) << name;
        ASSERT_LE(chunk.humidity_d[i], world->ranges.humidity_d.max) << name;
        ASSERT_LT(chunk.biome[i], world->biomes.size()) << name;
      }
    }
  }
}

/// Whether a layer of a grid of n x n chunks holds a chunk's samples at the chunk's place.
template <typename T>
void expect_part(const std::vector<T>& whole, const std::vector<T>& part, int size, int n, int cx,
                 int cy, const std::string& what) {
  ASSERT_EQ(whole.size(), part.size() * static_cast<std::size_t>(n * n)) << what;
  if (part.empty()) return;
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      const auto at = static_cast<std::size_t>((cy * size + j) * n * size + cx * size + i);
      ASSERT_EQ(whole[at], part[static_cast<std::size_t>(j * size + i)])
          << what << ", sample " << i << "," << j << " of chunk " << cx << "," << cy;
    }
  }
}

TEST(every_world, gives_a_grid_of_three_by_three_chunks_the_samples_of_nine_chunks) {
  constexpr int kChunks = 3;
  for (const auto& [name, world] : catalog()) {
    const int size = world->chunk_size;
    for (const Lod lod : {Lod{0}, Lod{1}, std::min(Lod{3}, world->max_lod), world->max_lod}) {
      if (lod > world->max_lod) continue;
      for (const ChunkCoord first : {ChunkCoord{-1, -2}, {12345, -max_chunk_coord(lod)}}) {
        const noise::SampleGrid grid{chunk_origin(first, size, lod), std::int64_t{1} << lod,
                                     kChunks * size, kChunks * size};
        const GridLayers whole = sample_grid(*world, 42, grid, fastest());
        for (int y = 0; y < kChunks; ++y) {
          for (int x = 0; x < kChunks; ++x) {
            const Chunk chunk = make(*world, {first.x + x, first.y + y}, lod);
            const std::string where = name + " lod " + std::to_string(lod) + " ";
            const auto expect = [&](const auto& layer, const auto& part, const char* what) {
              expect_part(layer, part, size, kChunks, x, y, where + what);
            };
            expect(whole.height_q4, chunk.height_q4, "height");
            expect(whole.temperature_d, chunk.temperature_d, "temperature");
            expect(whole.humidity_d, chunk.humidity_d, "humidity");
            expect(whole.water_q4, chunk.water_q4, "water");
            expect(whole.biome, chunk.biome, "biome");
            expect(whole.forest_p, chunk.forest_p, "forest");
            expect(whole.rocks_p, chunk.rocks_p, "rocks");
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

TEST(every_world, gives_the_largest_grid_the_samples_of_its_last_chunk) {
  for (const auto& [name, world] : catalog()) {
    const int size = world->chunk_size;
    const int n = std::min(kMaxGridChunks, noise::kMaxGridSize / size);
    for (const Lod lod : {Lod{0}, world->max_lod}) {
      const ChunkCoord first{-5, 70};
      const noise::SampleGrid grid{chunk_origin(first, size, lod), std::int64_t{1} << lod, n * size,
                                   n * size};
      const GridLayers whole = sample_grid(*world, 9, grid, fastest());
      const Chunk last = make(*world, {first.x + n - 1, first.y + n - 1}, lod, 9);
      expect_part(whole.height_q4, last.height_q4, size, n, n - 1, n - 1, name);
      expect_part(whole.biome, last.biome, size, n, n - 1, n - 1, name);
    }
  }
}

}  // namespace
}  // namespace terrane::worldgen
