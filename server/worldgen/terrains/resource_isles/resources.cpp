#include "worldgen/terrains/resource_isles/resources.h"

#include "worldgen/noise/hash.h"

namespace terrane::worldgen {

namespace {

/// Largest part of the sizes that things have, in percent.
constexpr std::uint64_t kSmallest = 80, kLargest = 120;

/// Chances of all things up to each one, by kind of tile.
std::vector<std::array<std::uint64_t, kTileKinds>> add_up(const ResourceIslesTerrain& terrain) {
  auto sums = terrain.resources;
  for (std::size_t k = 1; k < sums.size(); ++k) {
    for (std::size_t tile = 0; tile < kTileKinds; ++tile) sums[k][tile] += sums[k - 1][tile];
  }
  return sums;
}

}  // namespace

std::vector<Placement> scatter_resources(const ResourceIslesTerrain& terrain, std::uint64_t seed,
                                         const noise::SampleGrid& grid,
                                         std::span<const std::uint8_t> tiles) {
  const BlockPos origin = grid.origin;
  std::vector<Placement> found;
  if (terrain.resources.empty()) return found;
  const auto sums = add_up(terrain);
  const std::uint64_t key = noise::stream_key(seed, "resource_isles.resources");
  for (int j = 0; j < grid.height; ++j) {
    const std::uint64_t row_key = noise::combine(key, static_cast<std::uint64_t>(origin.y + j));
    for (int i = 0; i < grid.width; ++i) {
      const std::size_t tile = tiles[static_cast<std::size_t>(j * grid.width + i)];
      if (sums.back()[tile] == 0) continue;
      const std::uint64_t h = noise::line_hash(row_key, origin.x + i), draw = h >> 32;
      if (draw >= sums.back()[tile]) continue;
      std::size_t kind = 0;
      while (draw >= sums[kind][tile]) ++kind;
      const std::uint64_t scale =
          kSmallest + ((h >> 8 & 0xffff) * (kLargest - kSmallest + 1) >> 16);
      found.push_back({{origin.x + i, origin.y + j},
                       static_cast<std::uint8_t>(kind),
                       static_cast<std::uint8_t>(h & 0xff),
                       static_cast<std::uint8_t>(scale)});
    }
  }
  return found;
}

}  // namespace terrane::worldgen
