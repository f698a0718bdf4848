#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "terrane/objects.h"
#include "worldgen/biome_table.h"

/// Where structures stand and how they grow, as the generator reads it.
namespace terrane::worldgen {

class FieldArchive;

/// Of the stage that makes structures: grows whenever a change to the code changes any of them.
inline constexpr int kStructuresVersion = 3;

/// What the layout asks of a piece besides its form.
struct PieceRule {
  std::uint32_t weight = 1;  // how often it is tried; 0: never
  bool entrance = false;     // only as the first piece: its first door leads outside
};

/// What must lie around a site: the ground on kSurroundingsNodes x kSurroundingsNodes nodes that
/// reach `distance` blocks from the middle of what stands there.
struct SurroundingsRule {
  int distance = 0;    // a power of two, as all strides are; 0: nobody looks
  bool water = false;  // some of it must be under water
  Interval relief_q4;  // the highest above the lowest
  Interval summit_q4;  // the site's floor above the mean
};

inline constexpr int kSurroundingsNodes = 9;
inline constexpr int kLeastSurroundings = 16, kMostSurroundings = 128;

/// One of several things of which each is taken as often as its weight says.
struct Choice {
  std::uint8_t id = 0;
  std::uint32_t weight = 1;
};

/// What grows around a structure: homes along a lane before it, and along a second one that leads
/// away from there; and fields behind the homes.
struct VillageRule {
  int homes_low = 1, homes_high = 1;  // how many lots there are; homes stand on suitable ones
  int lot = 32;                       // blocks along a lane for each
  int lane_width = 3;                 // blocks: odd
  std::uint8_t lane_biome = 0;
  int field_depth = 0;         // blocks, away from the lane; 0: there are no fields
  int field_slope_p = 100;     // fields lie on ground that is no steeper, in percent
  std::vector<Choice> homes;   // of StructureRules::kinds; have no village themselves
  std::vector<Choice> fields;  // of the biomes
};

/// One kind of structure, beside its StructureKind.
struct StructureRule {
  // of 10,000 regions, how many have a site for this kind
  std::uint32_t share = 0;
  int rooms_low = 1, rooms_high = 1;  // how many rooms it has
  // blocks: along x and along y it reaches no further
  int extent = 32;
  // blocks: from its walls to where the ground is as it was; 1 to kMaxSkirt
  int skirt = 6;
  int deepest = 0, highest = 0;                   // storeys below and above the ground floor
  std::uint32_t walled_up = 0;                    // percent of the doors that nothing is joined to
  std::int32_t unevenness_q4 = 0;                 // how far the ground may rise and fall
  Interval height_q4, temperature_d, humidity_d;  // of all the ground there
  SurroundingsRule surroundings;
  std::optional<VillageRule> village;
  // as StructureKind::pieces; one at least is an entrance
  std::vector<PieceRule> pieces;
};

inline constexpr int kMaxSkirt = 32;

/// The ground of a site is looked at on the nodes of a lattice with this many blocks, anchored at
/// the world's origin, so that everyone who asks looks at the same.
inline constexpr int kSiteStep = 4;

/// One site at most in each region, a square of `region` blocks with its corner at a multiple of
/// that; a structure, its skirt and its village included, lies within.
struct StructureRules {
  int region = 1024;                 // blocks: a power of two
  std::vector<StructureRule> kinds;  // as World::structure_kinds; shares sum to 10,000 at most
};

/// What lots need, in blocks, so that nothing upon one meets what is upon others, or a lane: skirts
/// included.
struct LotSizes {
  int skirt = 0;    // the widest
  int setback = 0;  // from a lane's middle to the walls along it
  int depth = 0;    // from a lane's middle to the end of lots
  int bend = 0;     // how far a lane may bend, either way, and run through no house
  int least = 0;    // of VillageRule::lot
};
[[nodiscard]] LotSizes lot_sizes(const VillageRule& village, const StructureRule& centre,
                                 const std::vector<StructureRule>& kinds);

/// How far a village may reach from its middle, in blocks.
[[nodiscard]] int village_reach(const VillageRule& village, const StructureRule& centre,
                                const std::vector<StructureRule>& kinds);

/// How far a kind's structure and all that belongs to it may reach beyond the blocks that the
/// structure may cover.
[[nodiscard]] int margin_of(const StructureRule& rule, const std::vector<StructureRule>& kinds);

/// The rules' fields and those of the kinds that they are for, with their limits: all that is said
/// of structures but for names and colours.
void structure_fields(FieldArchive& archive, StructureRules& rules,
                      std::vector<StructureKind>& kinds, int chunk_size);

/// What is wrong with the village of a kind, beside the others; none: nothing.
[[nodiscard]] std::optional<std::string> village_problem(const StructureRule& rule,
                                                         const StructureRules& rules,
                                                         int chunk_size);

/// The biomes of villages must be some.
void require_biomes(FieldArchive& archive, const StructureRules& rules, std::size_t biomes);

/// How many blocks a tile of the coarsest level may span.
[[nodiscard]] std::int64_t widest_tile(const StructureRules& rules);

}  // namespace terrane::worldgen
