// The laws that every world keeps: same bits on every instruction set, seams, nesting, points, distance.
#include <gtest/gtest.h>

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

Chunk make(const World& world, ChunkCoord coord, Lod lod = 0, std::uint64_t seed = 42, SimdTarget target = fastest()) {
  return generate(world, seed, coord, lod, {}, target).value();
}

/// Chunk coordinates that have gone wrong in other programs, within the limits of a level of detail.
std::vector<ChunkCoord> telling_coords(Lod lod) {
  const std::int64_t far = max_chunk_coord(lod);
  std::vector<ChunkCoord> coords{{0, 0}, {-1, -1}, {3, -7}, {far, far}, {-far, far}, {far, -far}, {-far, -far}, {0, -far}};
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
              << name << " " << coord.x << "," << coord.y << " lod " << int{lod} << " on " << to_string(target);
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
            const auto c = static_cast<std::size_t>(j * size + i), f = static_cast<std::size_t>(2 * j * size + 2 * i);
            ASSERT_EQ(coarse.height_q4[c], fine.height_q4[f]) << name << " lod " << int{lod};
            ASSERT_EQ(coarse.temperature_d[c], fine.temperature_d[f]) << name << " lod " << int{lod};
            ASSERT_EQ(coarse.humidity_d[c], fine.humidity_d[f]) << name << " lod " << int{lod};
            ASSERT_EQ(coarse.biome[c], fine.biome[f]) << name << " lod " << int{lod};
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
          points.push_back({origin.x + (std::int64_t{i} << lod), origin.y + (std::int64_t{j} << lod)});
          indices.push_back(static_cast<std::size_t>(j * size + i));
        }
        const std::vector<PointSample> samples = sample_points(*world, 42, points, fastest());
        for (std::size_t k = 0; k < points.size(); ++k) {
          const std::size_t at = indices[k];
          const PointSample expected{chunk.height_q4[at], chunk.temperature_d[at], chunk.humidity_d[at], chunk.biome[at]};
          ASSERT_EQ(samples[k], expected) << name << " " << points[k].x << "," << points[k].y;
        }
      }
    }
  }
}

TEST(every_world, is_continuous_across_chunk_borders) {
  // The step across a border is no larger than the largest step inside of the two chunks.
  for (const auto& [name, world] : catalog()) {
    const auto size = static_cast<std::size_t>(world->chunk_size);
    for (const ChunkCoord coord : telling_coords(0)) {
      if (coord.x == max_chunk_coord(0)) continue;
      const Chunk left = make(*world, coord), right = make(*world, {coord.x + 1, coord.y});
      std::int32_t inside = 0, across = 0;
      for (std::size_t j = 0; j < size; ++j) {
        for (std::size_t i = 1; i < size; ++i) {
          inside = std::max(inside, std::abs(left.height_q4[j * size + i] - left.height_q4[j * size + i - 1]));
          inside = std::max(inside, std::abs(right.height_q4[j * size + i] - right.height_q4[j * size + i - 1]));
        }
        across = std::max(across, std::abs(right.height_q4[j * size] - left.height_q4[j * size + size - 1]));
      }
      EXPECT_LE(across, inside + 16) << name << " at " << coord.x << "," << coord.y;
    }
  }
}

TEST(every_world, seeds_that_differ_in_their_top_bits_give_other_land) {
  for (const auto& [name, world] : catalog()) {
    const Chunk base = make(*world, {5, 5}, 0, 1);
    for (int bit = 48; bit < 64; ++bit) {
      EXPECT_NE(make(*world, {5, 5}, 0, 1 | (std::uint64_t{1} << bit)).height_q4, base.height_q4) << name << " bit " << bit;
    }
  }
}

TEST(every_world, keeps_to_its_declared_ranges_and_biomes) {
  for (const auto& [name, world] : catalog()) {
    for (std::int64_t k = 0; k < 64; ++k) {
      const Chunk chunk = make(*world, {k * 31 - 900, 700 - k * 17}, 3, static_cast<std::uint64_t>(k));
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

TEST(generate, stops_when_told_to) {
  std::stop_source source;
  source.request_stop();
  EXPECT_FALSE(generate(*catalog().begin()->second, 1, {0, 0}, 0, source.get_token(), fastest()));
}

}  // namespace
}  // namespace terrane::worldgen
