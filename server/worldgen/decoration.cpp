#include "worldgen/decoration.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "worldgen/placement/density.h"
#include "worldgen/placement/placement.h"
#include "worldgen/structures/levelling.h"

namespace terrane::worldgen {

namespace {

constexpr std::size_t kMaxSamples = noise::kMaxGridSize * noise::kMaxGridSize;

/// A layer moved up within patches and down between them, by `most` at most, within its range.
void move(std::span<const std::int16_t> layer, const PatchLevels& patches, std::int32_t most,
          Interval range, std::int16_t* out) {
  constexpr std::int32_t kMiddle = kPatchLevels / 2;
  std::array<std::int16_t, kPatchLevels> by_level;
  for (std::int32_t level = 0; level < kPatchLevels; ++level) {
    by_level[static_cast<std::size_t>(level)] =
        static_cast<std::int16_t>(most * (level - kMiddle) / kMiddle);
  }
  const std::int16_t* __restrict from = layer.data();
  std::int16_t* __restrict to = out;
  for (std::size_t i = 0; i < layer.size(); ++i)
    to[i] = static_cast<std::int16_t>(from[i] + by_level[patches.at[i]]);
  const auto min = static_cast<std::int16_t>(range.min), max = static_cast<std::int16_t>(range.max);
  for (std::size_t i = 0; i < layer.size(); ++i) to[i] = std::min(std::max(to[i], min), max);
}

/// Whether water stands anywhere.
bool is_wet(const TerrainLayers& layers) {
  int wet = 0;
  for (std::size_t i = 0; i < layers.water_q4.size(); ++i)
    wet |= layers.water_q4[i] > layers.height_q4[i] ? 1 : 0;
  return wet != 0;
}

/// The biomes that densities go by: those of a climate that the patches change. So forests end in
/// groves and clearings on both sides of a biome's border, and not along it.
class DensityBiomes {
 public:
  DensityBiomes(const World& world, const PatchLevels& forest, const PatchLevels& rocks,
                const SiteLayers& site, std::span<const std::uint8_t> biome)
      : biome_(biome) {
    const PlacementRules& rules = *world.placements;
    if (rules.border_humidity_d == 0 && rules.border_temperature_d == 0) return;
    std::array<std::int16_t, kMaxSamples> humidity, temperature;
    move(site.humidity_d, forest, rules.border_humidity_d, world.ranges.humidity_d,
         humidity.data());
    move(site.temperature_d, rocks, rules.border_temperature_d, world.ranges.temperature_d,
         temperature.data());
    const std::span<const std::int16_t> t(temperature.data(), biome.size()),
        h(humidity.data(), biome.size());
    const std::span<std::uint8_t> own(own_.data(), biome.size());
    if (site.slope_p.empty()) {
      world.biome_table.choose(site.height_q4, t, h, own);
    } else {
      world.biome_table.choose(site.height_q4, t, h, site.slope_p, site.inland_p, own);
    }
    biome_ = own;
  }

  [[nodiscard]] std::span<const std::uint8_t> biome() const { return biome_; }

 private:
  std::array<std::uint8_t, kMaxSamples> own_;
  std::span<const std::uint8_t> biome_;
};

}  // namespace

std::vector<Site> decorate(const World& world, std::uint64_t seed, const noise::SampleGrid& grid,
                           noise::SimdTarget target, const TerrainLayers& layers,
                           const SiteLayers& site, std::span<const std::uint8_t> biome,
                           const DensityLayers& out, BlockPos from, BlockPos to) {
  std::vector<Site> sites;
  if (world.structures) sites = sites_around(world, seed, grid, target, layers, from, to);
  std::vector<Footing> footings;
  for (const Site& built : sites) footings.emplace_back(built, world.structures->kinds[built.kind]);
  if (world.placements) {
    const PlacementRules& rules = *world.placements;
    PatchLevels forest, rocks;
    fill_patches(rules.forest, "forest", seed, grid, target, forest);
    fill_patches(rules.rocks, "rocks", seed, grid, target, rocks);
    const DensityBiomes biomes(world, forest, rocks, site, biome);
    const DensitySite there{biomes.biome(), layers.height_q4,
                            is_wet(layers) ? layers.water_q4 : std::span<const std::int32_t>(),
                            site.slope_p};
    fill_density(rules.forest, forest, there, out.forest_p);
    fill_density(rules.rocks, rocks, there, out.rocks_p);
    for (const Footing& footing : footings) {
      footing.clear(grid, out.forest_p);
      footing.clear(grid, out.rocks_p);
    }
  }
  for (const Footing& footing : footings) footing.level(grid, layers.height_q4);
  return sites;
}

void fill_objects(const World& world, std::uint64_t seed, std::span<const Site> sites,
                  Chunk& chunk) {
  if (world.placements && chunk.lod == 0) fill_placements(*world.placements, seed, chunk);
  if (chunk.lod > kMaxStructureLod) return;
  const auto is_here = [&](BlockPos block) {
    return chunk_of(block, chunk.size, chunk.lod) == chunk.coord;
  };
  for (const Site& site : sites) {
    if (is_here(anchor_of(site))) chunk.structures.push_back(to_structure(site));
    if (chunk.lod > 0) continue;
    for (std::size_t k = 0; k < site.layout.rooms.size(); ++k) {
      const Room room = to_room(world, site, k);
      if (is_here(room.corner)) chunk.rooms.push_back(room);
    }
  }
  std::sort(chunk.structures.begin(), chunk.structures.end(),
            [](const Structure& a, const Structure& b) {
              return std::tie(a.anchor.y, a.anchor.x) < std::tie(b.anchor.y, b.anchor.x);
            });
  std::sort(chunk.rooms.begin(), chunk.rooms.end(), [](const Room& a, const Room& b) {
    return std::tie(a.structure.y, a.structure.x, a.index) <
           std::tie(b.structure.y, b.structure.x, b.index);
  });
}

}  // namespace terrane::worldgen
