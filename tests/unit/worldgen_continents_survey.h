#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "worldgen/generate.h"
#include "worldgen/noise/hash.h"
#include "worlds/builtin_presets.h"
#include "worlds/json.h"
#include "worlds/world_catalog.h"

/// Pieces of the world `continents` spread over seeds and coordinates, for checks that count what
/// the land is like.
namespace terrane::testing {

/// `continents` as it is offered, but cut into chunks of another size, and without a limit to its
/// levels of detail: neither changes a sample.
inline worldgen::World continents(int chunk_size = 64) {
  static const worlds::WorldCatalog kCatalog = worlds::builtin_worlds().value();
  worldgen::World world = *kCatalog.at("continents");
  world.chunk_size = chunk_size;
  world.max_lod = kMaxLod;
  return world;
}

inline worldgen::ContinentsTerrain continents_terrain() {
  return std::get<worldgen::ContinentsTerrain>(continents().terrain);
}

/// What the preset's file says at a path of names, "continents" first.
inline worlds::JsonValue continents_parameter(std::initializer_list<std::string_view> path) {
  worlds::JsonValue value;
  for (const worlds::BuiltinPreset& preset : worlds::builtin_presets()) {
    if (preset.file == "continents.json") value = worlds::parse_json(preset.json).value();
  }
  for (const std::string_view name : path) {
    const auto found = std::find(value.names.begin(), value.names.end(), name);
    worlds::JsonValue item = value.items.at(static_cast<std::size_t>(found - value.names.begin()));
    value = std::move(item);
  }
  return value;
}

/// A square of samples, 2^lod blocks apart. Heights are in blocks.
struct Map {
  int size = 0;
  std::vector<float> height;
  std::vector<std::uint8_t> biome;

  [[nodiscard]] std::size_t at(int i, int j) const {
    const int place = j * size + i;
    return static_cast<std::size_t>(place);
  }
  [[nodiscard]] bool is_land(std::size_t k) const { return height[k] >= 0; }
};

/// The chunk at a hashed place, one for each index, most of them beyond 2^31 blocks.
inline ChunkCoord survey_chunk(std::uint64_t index, Lod lod) {
  const std::uint64_t h = worldgen::noise::mix64(index + 1);
  const int unused = 64 - (30 - lod);
  return {static_cast<std::int64_t>(h) >> unused, static_cast<std::int64_t>(h << 32) >> unused};
}

/// `chunks` by `chunks` chunks from one on.
inline Map map_from(const worldgen::World& world, std::uint64_t seed, ChunkCoord first, int chunks,
                    Lod lod) {
  Map map;
  map.size = chunks * world.chunk_size;
  map.height.resize(static_cast<std::size_t>(map.size) * static_cast<std::size_t>(map.size));
  map.biome.resize(map.height.size());
  const auto fastest = worldgen::noise::supported_targets().back();
  for (int y = 0; y < chunks; ++y) {
    for (int x = 0; x < chunks; ++x) {
      const Chunk chunk = worldgen::generate(world, seed, {first.x + x, first.y + y}, lod, fastest);
      for (int j = 0; j < chunk.size; ++j) {
        for (int i = 0; i < chunk.size; ++i) {
          const std::size_t to = map.at(x * chunk.size + i, y * chunk.size + j);
          const int in_chunk = j * chunk.size + i;
          const auto from = static_cast<std::size_t>(in_chunk);
          map.height[to] = static_cast<float>(chunk.height_q4[from]) / 16.0f;
          map.biome[to] = chunk.biome[from];
        }
      }
    }
  }
  return map;
}

/// The same of a survey, each index with its seed and place.
inline Map survey_map(const worldgen::World& world, std::uint64_t index, int chunks, Lod lod) {
  return map_from(world, index, survey_chunk(index, lod), chunks, lod);
}

/// 64 maps 131,072 blocks wide, with a sample each 2,048 blocks.
inline std::vector<Map> wide_maps() {
  const worldgen::World world = continents(32);
  std::vector<Map> maps;
  for (std::uint64_t k = 0; k < 64; ++k) maps.push_back(survey_map(world, k, 2, 11));
  return maps;
}

/// Whether a row of the table is for ground below the sea's surface alone.
inline bool is_sea(const worldgen::Biome& biome) { return biome.height_q4.max < 0; }

/// Samples of every biome in the wide maps.
struct BiomeCounts {
  std::vector<std::pair<worldgen::Biome, std::size_t>> counts;
  std::size_t land = 0, all = 0;
};

inline BiomeCounts count_biomes() {
  BiomeCounts out;
  for (const worldgen::Biome& biome : continents().biomes) out.counts.emplace_back(biome, 0);
  for (const Map& map : wide_maps()) {
    for (const std::uint8_t id : map.biome) {
      ++out.counts[id].second;
      ++out.all;
      out.land += !is_sea(out.counts[id].first);
    }
  }
  return out;
}

/// Whether such a map is land at nine points spread over it: spares making those that are sea.
inline bool is_mostly_land(const worldgen::World& world, std::uint64_t index, int chunks, Lod lod) {
  const BlockPos origin = chunk_origin(survey_chunk(index, lod), world.chunk_size, lod);
  const std::int64_t third = (std::int64_t{chunks} * world.chunk_size << lod) / 3;
  std::vector<BlockPos> points;
  points.reserve(9);
  for (int k = 0; k < 9; ++k)
    points.push_back({origin.x + third / 2 + k % 3 * third, origin.y + third / 2 + k / 3 * third});
  const auto samples =
      worldgen::sample_points(world, index, points, worldgen::noise::supported_targets().back());
  return std::all_of(samples.begin(), samples.end(),
                     [](const PointSample& sample) { return sample.height_q4 >= 0; });
}

/// The value below which a share of `values` lies; reorders them.
inline double quantile(std::vector<float>& values, double share) {
  if (values.empty()) return 0;
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

inline double percent(std::size_t part, std::size_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(whole, 1));
}

}  // namespace terrane::testing
