#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "worldgen/samples.h"
#include "worldgen/structures/layout.h"
#include "worldgen/structures/parameters.h"
#include "worldgen/terrains/terrain.h"

namespace terrane::worldgen {

/// A lane and places beside it, in blocks: `along` it from its middle, and `across` from where it
/// runs, for it bends a little at each lot.
class Lane {
 public:
  /// A unit vector (x, y) / length in integers, so that all platforms turn alike.
  struct Direction {
    int x = 1, y = 0, length = 1;
  };
  struct Place {
    int along = 0, across = 0;
  };

  Lane(BlockPos middle, Direction direction, int lot, int bend, int first_lot, int last_lot,
       std::uint64_t key);

  [[nodiscard]] Place place_of(BlockPos block) const;
  [[nodiscard]] BlockPos block_at(Place place) const;
  /// Whether the lane runs there at all.
  [[nodiscard]] bool has(Place place) const { return place.along >= from_ && place.along <= to_; }
  [[nodiscard]] const Direction& direction() const { return direction_; }
  [[nodiscard]] std::uint64_t key() const { return key_; }

 private:
  [[nodiscard]] int bend(int along) const;

  BlockPos middle_;
  Direction direction_;
  int lot_, bend_, from_, to_;
  std::uint64_t key_;
};

/// A village: where its lanes run, its homes are to stand and its fields lie. A pure function of
/// its arguments, but for the ways to doors; whether it exists, and which homes do, the ground
/// decides (see sites_in()).
class Village {
 public:
  /// A home on its lot.
  struct Home {
    std::uint8_t kind = 0;
    std::uint64_t key = 0;  // of its layout
    std::size_t lane = 0;
    int along = 0, side = 1;
  };
  /// What a village makes of a block.
  enum class Use : std::uint8_t { kNone, kYard, kLane, kFord, kField };
  struct Ground {
    Use use = Use::kNone;
    std::uint8_t biome = 0;  // of lanes, fords and fields
  };

  /// @param rule    the kind whose structure stands in the middle; it has a village
  /// @param corner  of the blocks that this structure may cover
  Village(const StructureRules& rules, const StructureRule& rule, BlockPos corner,
          std::uint64_t key);

  /// Where the structure in the middle has its entrance: towards the lane.
  [[nodiscard]] Side front() const { return towards_lane(lanes_.front(), -1); }

  /// The blocks that this structure may cover or change, and the way from its door.
  [[nodiscard]] BlockArea around_centre() const;

  [[nodiscard]] const std::vector<Home>& homes() const { return homes_; }
  /// The blocks that a home may cover or change, and the way from its door.
  [[nodiscard]] BlockArea around(const Home& home) const;
  [[nodiscard]] Side front_of(const Home& home) const {
    return towards_lane(lanes_[home.lane], home.side);
  }
  [[nodiscard]] BlockPos corner_of(const Home& home, const Layout& layout) const;

  /// Around the way from a door to a lane.
  /// @param anchor  the block before the door
  [[nodiscard]] BlockArea around_way(std::size_t lane, BlockPos anchor) const;
  /// Has till() paint that way, too.
  void add_way(std::size_t lane, BlockPos anchor);

  /// Whether it makes something of any sample of a grid.
  [[nodiscard]] bool uses_a_sample(const noise::SampleGrid& grid,
                                   const TerrainOutput& terrain) const;
  /// Paints lanes and fields, and sets densities to 0 there and in yards. Of water, what lanes
  /// cross of rivers becomes fords, whose ground is raised; all else is left alone. Fields end
  /// where the ground is too steep, or not of the heights and climate that the village wants.
  /// @param open       0 where nothing may be tilled
  /// @param densities  each empty, or as the terrain's layers
  void till(const noise::SampleGrid& grid, const TerrainOutput& terrain,
            std::span<const std::uint8_t> open,
            std::initializer_list<std::span<std::uint8_t>> densities) const;

 private:
  /// It leads straight to its lane, on the side of the door.
  struct Way {
    std::size_t lane = 0;
    BlockPos anchor;
    Lane::Place door;
  };

  [[nodiscard]] Ground ground_at(BlockPos block) const;
  [[nodiscard]] bool is_on(const Way& way, BlockPos block) const;
  [[nodiscard]] Ground ground_of(const TerrainOutput& terrain, std::size_t at,
                                 BlockPos block) const;
  [[nodiscard]] static Side towards_lane(const Lane& lane, int side);
  void settle_lots(std::uint64_t key);
  [[nodiscard]] bool is_arable(const TerrainOutput& terrain, std::size_t at) const;
  [[nodiscard]] Ground field_at(const Lane& lane, Lane::Place place) const;

  const StructureRules& rules_;
  const StructureRule& centre_;
  const VillageRule& rule_;
  LotSizes sizes_;
  std::vector<Lane> lanes_;
  std::vector<Home> homes_;
  std::vector<Way> ways_;
  BlockPos heart_;  // of the blocks that the structure in the middle may cover
  BlockArea area_;  // beyond it no block is of use
};

}  // namespace terrane::worldgen
