#pragma once

#include <cstdint>
#include <string>

#include "terrane/coord.h"
#include "terrane/result.h"
#include "terrane/world.h"
#include "worldgen/world.h"

namespace terrane::cli {

/// A small picture of a seed's land: shaded biomes of at least `radius` blocks around a place, made
/// here and not on a server. @return a PNG file's bytes. Errors: as encode_png.
[[nodiscard]] Result<std::string> portrait_of(const worldgen::World& world, const World& described,
                                              std::uint64_t seed, BlockPos place,
                                              std::int64_t radius);

}  // namespace terrane::cli
