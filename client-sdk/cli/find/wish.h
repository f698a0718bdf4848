#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "terrane/coord.h"
#include "terrane/result.h"
#include "terrane/world.h"

/// What somebody wishes of a seed's land. Pure functions.
namespace terrane::cli {

/// The way from one block to another, as far as a wish says.
enum class Direction : std::uint8_t {
  kAny,
  kNorth,
  kNorthEast,
  kEast,
  kSouthEast,
  kSouth,
  kSouthWest,
  kWest,
  kNorthWest
};

/// What must be in a seed's land, and where.
struct Wish {
  enum class Kind : std::uint8_t {
    kLand,       // no water stands there
    kSea,        // water that is neither river nor lake
    kRiver,      // these three: water of that kind
    kLake,       //
    kWater,      // any water
    kHeight,     // ground of at least `number` blocks
    kBiomes,     // at least `number` biomes of different names
    kBiome,      // one of `ids`
    kStructure,  // one of `ids`
    kHarbour,    // sea that land shelters; see Judge
  };
  Kind kind = Kind::kLand;
  std::string text;             // as it was written
  bool absent = false;          // there must be none
  int number = 0;               // blocks, or biomes
  std::array<bool, 256> ids{};  // of biomes, or of kinds of structures
  std::int64_t within = 0;      // blocks from the place, straight; 0: the place itself
  Direction direction = Direction::kAny;
  int percent = 0;  // of the ground there, at least; 0: anything of it
};

inline constexpr std::int64_t kFarthestWish = 8192;     // blocks
inline constexpr std::int64_t kFarthestHarbour = 1024;  // blocks
inline constexpr std::int64_t kHarbourOpening = 640;  // blocks: how far a harbour's way out is free

/// "[no] WHAT [over P%] [within N] [DIRECTION]", in any case: WHAT is land, sea, river, lake,
/// water, harbour, "height N", "N biomes", or the name of a biome or a kind of structure. Without
/// `within` 500 blocks, land at the place itself.
/// @param world  the one whose seeds are looked for
/// Errors: kInvalidArgument with the wish, and what would be right.
[[nodiscard]] Result<Wish> parse_wish(std::string_view text, const World& world);

/// Whether the way from one block to another is in a direction: of the axes the quarter around it,
/// of the diagonals the quarter between two axes. A block is in every direction of itself.
[[nodiscard]] bool is_towards(Direction direction, BlockPos from, BlockPos to);

}  // namespace terrane::cli
