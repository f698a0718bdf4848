#pragma once

#include <string>

#include "terrane/result.h"
#include "terrane/worldfile/v1/preset.pb.h"
#include "worldgen/plain_climate.h"

namespace terrane::worlds {

/// A plain climate of a world file; every value already is within its rule's limits.
/// @param path  of the field, for errors
/// Errors: kInvalidArgument when a noise is finer than a block.
[[nodiscard]] Result<worldgen::PlainClimate> to_plain_climate(
    const worldfile::v1::PlainClimate& climate, const std::string& path);

}  // namespace terrane::worlds
