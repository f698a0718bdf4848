#pragma once

#include "terrane/result.h"
#include "worldgen/world.h"

namespace terrane::worldfile::v1 {
class Preset;
}

namespace terrane::worlds {

/// Reads what stands in a preset's world, trees and boulders, into a world that has its biomes.
/// Every value already is within its rule's limits. Errors: kInvalidArgument naming the field, its
/// value and what would be right.
[[nodiscard]] Result<void> read_placements(const worldfile::v1::Preset& preset,
                                           worldgen::World& world);

/// The same for structures.
[[nodiscard]] Result<void> read_structures(const worldfile::v1::Preset& preset,
                                           worldgen::World& world);

/// The same for stamps and named places, into a world that has its terrain, too.
[[nodiscard]] Result<void> read_stamps(const worldfile::v1::Preset& preset, worldgen::World& world);

}  // namespace terrane::worlds
