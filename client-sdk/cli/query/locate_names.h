#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "terrane/locate.h"
#include "terrane/result.h"
#include "terrane/world.h"

/// What a user means to look for. Pure functions.
namespace terrane::cli {

using Target = std::variant<BiomeNamed, StructureNamed, PlaceNamed>;

/// A place, structure or biome of the world by name: the first of these that has it as it is
/// written, else in any case.
/// Errors: kInvalidArgument with the names that come close, and all there are (of places, some).
[[nodiscard]] Result<Target> find_target(const World& world, std::string_view name);

/// "north-east": the way from one block to another; "here" when they are the same. North is towards
/// smaller y.
[[nodiscard]] std::string direction(BlockPos from, BlockPos to);

}  // namespace terrane::cli
