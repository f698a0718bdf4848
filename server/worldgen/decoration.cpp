#include "worldgen/decoration.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>

#include "worldgen/placement/density.h"
#include "worldgen/placement/placement.h"
#include "worldgen/structures/levelling.h"

namespace terrane::worldgen {

namespace {

/// A layer moved up within patches and down between them, by `most` at most, within its range.
void move(std::span<const std::int16_t> layer, PatchLevels patches, std::int32_t most,
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
    to[i] = static_cast<std::int16_t>(from[i] + by_level[patches[i]]);
  const auto min = static_cast<std::int16_t>(range.min), max = static_cast<std::int16_t>(range.max);
  for (std::size_t i = 0; i < layer.size(); ++i) to[i] = std::min(std::max(to[i], min), max);
}

/// Whether water stands anywhere.
bool is_wet(const TerrainOutput& terrain) {
  int wet = 0;
  for (std::size_t i = 0; i < terrain.water_q4.size(); ++i)
    wet |= terrain.water_q4[i] > terrain.height_q4[i] ? 1 : 0;
  return wet != 0;
}

/// The patches of a grid, by their density.
struct Patches {
  PatchLevels forest, rocks;
};

/// The biomes that densities go by: those of a climate that the patches change. So forests end in
/// groves and clearings on both sides of a biome's border, and not along it. In the grid's scratch.
std::span<const std::uint8_t> density_biomes(const World& world, const GridContext& context,
                                             const Patches& patches, const TerrainOutput& terrain) {
  const PlacementRules& rules = *world.placements;
  if (rules.border_humidity_d == 0 && rules.border_temperature_d == 0) return terrain.biome;
  const std::size_t count = context.samples();
  const auto biome = context.scratch->take_span<std::uint8_t>(count);
  const Scratch::Scope scope(*context.scratch);
  const auto humidity = context.scratch->take_span<std::int16_t>(count);
  const auto temperature = context.scratch->take_span<std::int16_t>(count);
  move(terrain.site.humidity_d, patches.forest, rules.border_humidity_d, world.ranges.humidity_d,
       humidity.data());
  move(terrain.site.temperature_d, patches.rocks, rules.border_temperature_d,
       world.ranges.temperature_d, temperature.data());
  SiteLayers site = terrain.site;
  site.humidity_d = humidity;
  site.temperature_d = temperature;
  world.biome_table.choose(site, biome);
  world.stamps.paint(context, biome);
  return biome;
}

void fill_densities(const World& world, const GridContext& context, const TerrainOutput& terrain,
                    const DensityLayers& out) {
  const PlacementRules& rules = *world.placements;
  const Patches patches{fill_patches(rules.forest, "forest", context),
                        fill_patches(rules.rocks, "rocks", context)};
  const DensitySite site{density_biomes(world, context, patches, terrain), terrain.height_q4,
                         is_wet(terrain) ? terrain.water_q4 : std::span<const std::int32_t>(),
                         terrain.site.slope_p};
  fill_density(rules.forest, patches.forest, site, out.forest_p);
  fill_density(rules.rocks, patches.rocks, site, out.rocks_p);
}

/// Nothing grows or lies on roads.
void keep_roads_clear(const TerrainOutput& terrain, const DensityLayers& out) {
  const std::span<const std::uint8_t> fresh = terrain.site.fresh;
  if (fresh.empty() ||
      std::memchr(fresh.data(), static_cast<int>(FreshWater::kRoad), fresh.size()) == nullptr)
    return;  // most grids hold none
  for (std::size_t at = 0; at < fresh.size(); ++at)
    if (is_road(terrain, at)) out.forest_p[at] = out.rocks_p[at] = 0;
}

/// Paints what villages paint, but not where stamps do, or keep the ground clear.
void till(const World& world, const GridContext& context, const TerrainOutput& terrain,
          const std::vector<Village>& villages, const DensityLayers& out) {
  if (villages.empty()) return;
  const Scratch::Scope scope(*context.scratch);
  const auto open = context.scratch->take_span<std::uint8_t>(context.samples());
  std::fill(open.begin(), open.end(), std::uint8_t{1});
  world.stamps.clear(context, open);
  for (const Village& village : villages)
    village.till(context.grid, terrain, open, {out.forest_p, out.rocks_p});
  world.stamps.paint(context, terrain.biome);
}

}  // namespace

std::vector<Site> decorate(const World& world, const GridContext& context,
                           const TerrainOutput& terrain, const DensityLayers& out,
                           const BlockArea& wanted) {
  Built built;
  if (world.structures) built = built_around(world, context, terrain, wanted);
  std::vector<Footing> footings;
  for (const Site& site : built.sites)
    footings.emplace_back(site, world.structures->kinds[site.kind]);
  if (world.placements) {
    fill_densities(world, context, terrain, out);
    keep_roads_clear(terrain, out);
    world.stamps.clear(context, out.forest_p);
    world.stamps.clear(context, out.rocks_p);
    for (const Footing& footing : footings) {
      footing.clear(context.grid, out.forest_p);
      footing.clear(context.grid, out.rocks_p);
    }
  }
  till(world, context, terrain, built.villages, out);
  for (const Footing& footing : footings) footing.level(context.grid, terrain.height_q4);
  return std::move(built.sites);
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
