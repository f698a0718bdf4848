#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "terrane/result.h"
#include "worldgen/world.h"

namespace terrane::worlds {

/// Worlds by name; immutable once loaded.
using WorldCatalog = std::map<std::string, std::shared_ptr<const worldgen::World>, std::less<>>;

/// The worlds whose presets are part of the program.
/// Errors: kInvalidArgument naming file, field and reason (a bug: the presets are tested).
[[nodiscard]] Result<WorldCatalog> builtin_worlds();

}  // namespace terrane::worlds
