#include "solids.h"

#include <algorithm>
#include <cstddef>

#include "terrane/terrane.h"

namespace terrane::core {
namespace {

/// Those that stand in some biome's forest.
std::array<bool, 256> trees_of(const worldgen::World& world) {
  std::array<bool, 256> trees{};
  if (!world.placements) return trees;
  for (const auto& shares : world.placements->trees) {
    for (const worldgen::KindShare& share : shares) trees[share.kind] = true;
  }
  return trees;
}

Solid solid_of(float radius, float height, bool is_tree) {
  if (!(radius > 0 && height > 0) || (is_tree && height < kBush)) return {};
  if (is_tree) radius = std::max(kTrunkShare * radius, std::min(radius, kThinTrunk));
  const auto part =
      static_cast<std::uint8_t>(is_tree ? TERRANE_OBSTACLE_TRUNK : TERRANE_OBSTACLE_ROCK);
  return {radius / 100, height / 100, part};
}

}  // namespace

Solids solids_of(const worldgen::World& world, std::span<const PlacementKind> kinds) {
  constexpr float kRadius = 2, kHeight = 8;  // of kinds that nothing is said of
  constexpr std::size_t kLargest = 255;      // percent
  const std::array<bool, 256> trees = trees_of(world);
  Solids solids;
  for (std::size_t k = 0; k < solids.kinds.size(); ++k) {
    const bool is_known = k < kinds.size();
    solids.kinds[k] =
        solid_of(is_known ? static_cast<float>(kinds[k].radius_q4) / 16 : kRadius,
                 is_known ? static_cast<float>(kinds[k].height_q4) / 16 : kHeight, trees[k]);
    const bool is_placed = world.placements && k < world.placements->scales.size();
    if (!is_known && !is_placed) solids.kinds[k] = {};
    const std::size_t largest = is_placed ? world.placements->scales[k].high : kLargest;
    solids.widest = std::max(solids.widest, solids.kinds[k].radius * static_cast<float>(largest));
  }
  for (const StructureKind& kind : world.structure_kinds) {
    for (const Piece& piece : kind.pieces)
      solids.widest_room =
          std::max(solids.widest_room, static_cast<float>(std::max(piece.width, piece.depth)));
  }
  return solids;
}

}  // namespace terrane::core
