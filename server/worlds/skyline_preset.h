#pragma once

#include "terrane/result.h"
#include "worldgen/terrains/skyline/skyline.h"

namespace terrane::worldfile::v1 {
class Preset;
}

namespace terrane::worlds {

/// The `skyline` terrain of a preset that has one; every value already is within its rule's limits.
/// Errors: kInvalidArgument naming the field, its value and what would be right.
[[nodiscard]] Result<worldgen::SkylineTerrain> to_skyline(const worldfile::v1::Preset& preset);

}  // namespace terrane::worlds
