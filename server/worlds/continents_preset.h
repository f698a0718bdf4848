#pragma once

#include "terrane/result.h"
#include "worldgen/world.h"

namespace terrane::worldfile::v1 {
class Preset;
}

namespace terrane::worlds {

/// The `continents` terrain of a preset that has one; every value already is within its rule's
/// limits. Errors: kInvalidArgument naming the field, its value and what would be right.
[[nodiscard]] Result<worldgen::ContinentsTerrain> to_continents(
    const worldfile::v1::Preset& preset);

}  // namespace terrane::worlds
