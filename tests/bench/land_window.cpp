#include "bench/land_window.h"

#include <algorithm>
#include <utility>

#include "worldgen/generate.h"
#include "worldgen/noise/simd_target.h"

namespace terrane::land {
namespace {

/// Samples along one edge of what is made at once: 64 cells of drainage at the coarsest, which is
/// what worlds allow.
int tile_of(Lod lod) { return std::max(16, std::min(128, 65536 >> lod)); }

/// What is on a sample, by its water and biome.
Cover cover_of(const worldgen::World& world, std::int32_t ground_q4, std::int32_t water_q4,
               std::uint8_t biome) {
  if (water_q4 <= ground_q4) return ground_q4 < world.sea_level_q4 ? Cover::kSea : Cover::kDry;
  switch (world.biomes[biome].water) {
    case worldgen::FreshWater::kRiver: return Cover::kRiver;
    case worldgen::FreshWater::kLake: return Cover::kLake;
    case worldgen::FreshWater::kNone:
    case worldgen::FreshWater::kPainted:
    case worldgen::FreshWater::kRoad: break;
  }
  return water_q4 > world.sea_level_q4 ? Cover::kRiver : Cover::kSea;  // a ford
}

/// Fills the part of a window that `grid` covers, from its sample (i, j) on.
void fill(const Source& source, const worldgen::noise::SampleGrid& grid, int i, int j,
          Window& window) {
  const worldgen::GridLayers layers = worldgen::sample_grid(
      source.world, source.seed, grid, worldgen::noise::supported_targets().back());
  for (int y = 0; y < grid.height; ++y) {
    for (int x = 0; x < grid.width; ++x) {
      const int at = y * grid.width + x;
      const auto from = static_cast<std::size_t>(at);
      const std::size_t to = window.at(i + x, j + y);
      const std::int32_t ground = layers.height_q4[from];
      const std::int32_t water = layers.water_q4.empty() ? kNoWater : layers.water_q4[from];
      window.z[to] = static_cast<float>(std::max(ground, water)) / 16.0f;
      window.cover[to] = cover_of(source.world, ground, water, layers.biome[from]);
    }
  }
}

}  // namespace

Window flat_window(int size, double cell) {
  Window window;
  window.size = size;
  window.cell = cell;
  const auto count = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  window.z.assign(count, 0);
  window.cover.assign(count, Cover::kDry);
  return window;
}

worldgen::World prepared(worldgen::World world) {
  world.placements.reset();
  world.structures.reset();
  world.chunk_size = 64;
  world.max_lod = kMaxLod;
  return world;
}

Window make_window(const Source& source, std::int64_t x, std::int64_t y, Lod lod, int size) {
  const std::int64_t stride = std::int64_t{1} << lod;
  const int tile = tile_of(lod);
  Window window = flat_window(size, static_cast<double>(stride));
  for (int j = 0; j < size; j += tile) {
    for (int i = 0; i < size; i += tile) {
      const int width = std::min(tile, size - i), height = std::min(tile, size - j);
      fill(source, {{x + i * stride, y + j * stride}, stride, width, height}, i, j, window);
    }
  }
  return window;
}

std::vector<double> make_profile(const Source& source, std::int64_t x, std::int64_t y, Lod lod,
                                 int size) {
  const std::int64_t stride = std::int64_t{1} << lod;
  const int tile = tile_of(lod);
  std::vector<double> heights;
  for (int i = 0; i < size; i += tile) {
    const worldgen::GridLayers layers = worldgen::sample_grid(
        source.world, source.seed, {{x + i * stride, y}, stride, std::min(tile, size - i), 1},
        worldgen::noise::supported_targets().back());
    for (const std::int32_t height : layers.height_q4) heights.push_back(height / 16.0);
  }
  return heights;
}

Window thinned(const Window& window, int step) {
  Window out = flat_window(window.size / step, window.cell * step);
  for (int j = 0; j < out.size; ++j) {
    for (int i = 0; i < out.size; ++i) {
      out.z[out.at(i, j)] = window.z[window.at(i * step, j * step)];
      out.cover[out.at(i, j)] = window.cover[window.at(i * step, j * step)];
    }
  }
  return out;
}

Window averaged(const Window& window, int step) {
  Window out = flat_window(window.size / step, window.cell * step);
  for (int j = 0; j < out.size; ++j) {
    for (int i = 0; i < out.size; ++i) {
      double sum = 0;
      for (int y = 0; y < step; ++y)
        for (int x = 0; x < step; ++x)
          sum += static_cast<double>(window.z[window.at(i * step + x, j * step + y)]);
      out.z[out.at(i, j)] = static_cast<float>(sum / (step * step));
      out.cover[out.at(i, j)] = window.cover[window.at(i * step + step / 2, j * step + step / 2)];
    }
  }
  return out;
}

}  // namespace terrane::land
