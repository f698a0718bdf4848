#pragma once

#include <cstdint>
#include <vector>

#include "terrane/objects.h"
#include "worldgen/biome_table.h"

/// Where structures stand and how they grow, as the generator reads it.
namespace terrane::worldgen {

class FieldArchive;

/// Of the stage that makes structures: grows whenever a change to the code changes any of them.
inline constexpr int kStructuresVersion = 2;

/// What the layout asks of a piece besides its form.
struct PieceRule {
  std::uint32_t weight = 1;  // how often it is tried; 0: never
  bool entrance = false;     // only as the first piece: its first door leads outside
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
  // as StructureKind::pieces; one at least is an entrance
  std::vector<PieceRule> pieces;
};

inline constexpr int kMaxSkirt = 32;

/// The ground of a site is looked at on the nodes of a lattice with this many blocks, anchored at
/// the world's origin, so that everyone who asks looks at the same.
inline constexpr int kSiteStep = 4;

/// One site at most in each region, a square of `region` blocks with its corner at a multiple of
/// that; a structure, its skirt included, lies within.
struct StructureRules {
  int region = 1024;                 // blocks: a power of two
  std::vector<StructureRule> kinds;  // as World::structure_kinds; shares sum to 10,000 at most
};

/// The rules' fields and those of the kinds that they are for, with their limits: all that is said
/// of structures but for names and colours.
void structure_fields(FieldArchive& archive, StructureRules& rules,
                      std::vector<StructureKind>& kinds);

/// How many blocks a tile of the coarsest level may span.
[[nodiscard]] std::int64_t widest_tile(const StructureRules& rules);

}  // namespace terrane::worldgen
