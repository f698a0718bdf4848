#pragma once

#include <string_view>

#include "terrane/result.h"
#include "worldgen/world.h"

namespace terrane::worlds {

/// Reads a world file: JSON in the schema of proto/terrane/worldfile/v1/preset.proto and what it
/// imports.
/// @param json  the file's text
/// @param file  what to call it in errors
/// Errors: kInvalidArgument with file, field and reason; unknown fields, values out of range and
/// tables with gaps are refused. Threads: any. Blocks: no.
[[nodiscard]] Result<worldgen::World> parse_preset(std::string_view json, std::string_view file);

}  // namespace terrane::worlds
