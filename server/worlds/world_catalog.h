#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "terrane/result.h"
#include "worldgen/world.h"

namespace terrane::worlds {

using WorldPtr = std::shared_ptr<const worldgen::World>;

/// Worlds by name.
using WorldCatalog = std::map<std::string, WorldPtr, std::less<>>;

/// The worlds whose presets are part of the program.
/// Errors: kInvalidArgument naming file, field and reason (a bug: the presets are tested).
[[nodiscard]] Result<WorldCatalog> builtin_worlds();

}  // namespace terrane::worlds
