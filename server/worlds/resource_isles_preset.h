#pragma once

#include <vector>

#include "terrane/objects.h"
#include "terrane/result.h"
#include "worldgen/terrains/resource_isles/resource_isles.h"

namespace terrane::worldfile::v1 {
class Preset;
}

namespace terrane::worlds {

/// The `resource_isles` terrain of a preset that has one; every value already is within its rule's
/// limits. Errors: kInvalidArgument naming the field, its value and what would be right.
[[nodiscard]] Result<worldgen::ResourceIslesTerrain> to_resource_isles(
    const worldfile::v1::Preset& preset);

/// Its resources as kinds of placements, in their order; none in a preset of another terrain.
/// Errors: kInvalidArgument naming a colour that is none.
[[nodiscard]] Result<std::vector<PlacementKind>> resource_kinds(
    const worldfile::v1::Preset& preset);

}  // namespace terrane::worlds
