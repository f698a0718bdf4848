#include "far_trees.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "ground.h"
#include "worldgen/noise/hash.h"

namespace terrane::core {
namespace {

using worldgen::KindShare;
using worldgen::PlacementRules;
using worldgen::ScaleRange;
using worldgen::noise::mix64;

/// A square of the world with an edge of 2^wide_log2 blocks, from (x << wide_log2, y << wide_log2).
struct Square {
  std::int64_t x = 0, y = 0;
  int wide_log2 = 0;
};

/// Its own, whatever the tile or the seed.
std::uint64_t hash_of(const Square& square) {
  const auto row = static_cast<std::uint64_t>(square.y) * 64;
  return mix64(mix64(static_cast<std::uint64_t>(square.x)) + row +
               static_cast<std::uint64_t>(square.wide_log2));
}

/// Where a square's tree may stand: where one of its four quarters has its own, and so on down to a
/// single block. So of the trees of a level of detail one in four stands where the next has one.
BlockPos block_of(Square square) {
  while (square.wide_log2 > 0) {
    const std::uint64_t hash = hash_of(square);
    square = {2 * square.x + static_cast<std::int64_t>(hash & 1),
              2 * square.y + static_cast<std::int64_t>(hash >> 1 & 1), square.wide_log2 - 1};
  }
  return {square.x, square.y};
}

/// How many trees stand on a block of a forest of 100 percent: one in each cell of the scatter,
/// less those that stand too near to another.
double closest_forest(const PlacementRules& rules) {
  const double cell = rules.cell, distance = rules.distance;
  return 1 / (cell * cell + distance * distance);
}

const KindShare& chosen(const std::vector<KindShare>& shares, std::uint64_t bits) {
  const auto at = static_cast<std::uint32_t>(bits % shares.back().up_to);
  const auto found = std::find_if(shares.begin(), shares.end(),
                                  [at](const KindShare& share) { return at < share.up_to; });
  return found != shares.end() ? *found : shares.back();
}

/// The trees of one tile.
class FarTrees {
 public:
  FarTrees(const Land& land, const terrane_world& world, const LandNode& node)
      : rules_(*world.generated->placements),
        kinds_(world.described.placement_kinds),
        solids_(world.solids),
        node_(node),
        size_log2_(land.size_log2()),
        surface_(land) {}

  /// @param tree  filled, if the square has one that is seen from afar
  bool look_at(const Square& square, terrane_far_tree& tree) {
    const BlockPos block = block_of(square);
    const Chunk& chunk = *node_.chunk;
    const std::size_t sample = nearest_sample(block);
    const std::uint64_t hash = hash_of({block.x, block.y, 0});
    // more than one of the closest forest's trees, or a share of one
    const double trees = closest_forest(rules_) * std::ldexp(1.0, 2 * square.wide_log2);
    const double chance = chunk.forest_p[sample] * std::min(trees, 1.0) * (65536.0 / 100);
    if (static_cast<double>(hash & 0xffff) >= chance) return false;
    if (chunk.biome[sample] >= rules_.trees.size()) return false;
    const auto& shares = rules_.trees[chunk.biome[sample]];
    if (shares.empty()) return false;
    const std::uint8_t kind = chosen(shares, hash >> 16).kind;
    if (solids_.kinds[kind].part == 0) return false;  // bushes
    return fill(block, kind, std::max(trees, 1.0), mix64(hash), tree);
  }

 private:
  [[nodiscard]] std::size_t nearest_sample(BlockPos block) const {
    const int lod = node_.tile.lod, last = (1 << size_log2_) - 1;
    const BlockPos origin = chunk_origin(node_.tile.coord, last + 1, node_.tile.lod);
    const std::int64_t half = (std::int64_t{1} << lod) / 2;
    const auto along = [&](std::int64_t from) {
      return static_cast<std::size_t>(std::min<std::int64_t>((from + half) >> lod, last));
    };
    return (along(block.y - origin.y) << size_log2_) + along(block.x - origin.x);
  }

  /// @return whether it stands on dry ground
  bool fill(BlockPos block, std::uint8_t kind, double trees, std::uint64_t bits,
            terrane_far_tree& tree) {
    constexpr double kPerQ4Percent = 1.0 / 1600;
    const Cell cell = cell_of(surface_, 1 << size_log2_, node_, block);
    const BlockPos origin = chunk_origin(node_.tile.coord, 1 << size_log2_, node_.tile.lod);
    const double share = std::ldexp(1.0, -int{node_.tile.lod});
    const double u = static_cast<double>(block.x - cell.origin.x) * share;
    const double v = static_cast<double>(block.y - cell.origin.y) * share;
    if (water_at(surface_, cell, 1 << size_log2_, u, v)) return false;
    const ScaleRange range = kind < rules_.scales.size() ? rules_.scales[kind] : ScaleRange{};
    const double scale =
        range.low + static_cast<double>((bits >> 8) % (range.high - range.low + 1u));
    const bool is_known = kind < kinds_.size();
    const double radius = is_known ? kinds_[kind].radius_q4 : kRadiusQ4;
    const double height = is_known ? kinds_[kind].height_q4 : kHeightQ4;
    tree.x = static_cast<float>(block.x - origin.x);
    tree.y = static_cast<float>(block.y - origin.y);
    tree.z = static_cast<float>(cell.height(u, v));
    tree.radius = static_cast<float>(radius * scale * kPerQ4Percent);
    tree.height = static_cast<float>(height * scale * kPerQ4Percent);
    tree.trees = static_cast<float>(trees);
    tree.kind = kind;
    tree.turn = static_cast<std::uint8_t>(bits);
    tree.reserved = 0;
    return true;
  }

  static constexpr double kRadiusQ4 = 16 * 2, kHeightQ4 = 16 * 8;  // that nothing is said of

  const PlacementRules& rules_;
  const std::vector<PlacementKind>& kinds_;
  const Solids& solids_;
  const LandNode& node_;
  const int size_log2_;
  Surface surface_;
};

}  // namespace

std::size_t far_trees(const Land& land, const terrane_world& world, const LandNode& node,
                      std::uint8_t left_out, terrane_far_tree* out, std::size_t capacity) {
  const Chunk& chunk = *node.chunk;
  const Tile& tile = node.tile;
  if (tile.lod == 0 || !world.generated->placements || chunk.biome.empty() ||
      chunk.forest_p.size() != chunk.height_q4.size() || capacity < 4)
    return 0;
  const int tile_log2 = land.size_log2() + tile.lod;
  const int edge_log2 = std::min((static_cast<int>(std::bit_width(capacity)) - 1) / 2, tile_log2);
  const std::int64_t edge = std::int64_t{1} << edge_log2;
  FarTrees trees(land, world, node);
  std::size_t count = 0;
  for (std::int64_t j = 0; j < edge; ++j) {
    for (std::int64_t i = 0; i < edge; ++i) {
      const std::int64_t quarter = 2 * (2 * j / edge) + 2 * i / edge;
      if ((left_out >> quarter & 1) != 0) continue;
      const Square square{tile.coord.x * edge + i, tile.coord.y * edge + j, tile_log2 - edge_log2};
      if (trees.look_at(square, out[count])) ++count;
    }
  }
  return count;
}

}  // namespace terrane::core
