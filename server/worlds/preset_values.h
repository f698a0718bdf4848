#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "terrane/result.h"
#include "terrane/worldfile/v1/preset.pb.h"
#include "worldgen/biome_table.h"

namespace terrane::worlds {

/// What a world file can't say.
[[nodiscard]] inline tl::unexpected<Error> wrong(const std::string& message) {
  return fail(ErrorCode::kInvalidArgument, message);
}

/// "2E7612" as 0x2E7612.
/// @param path  of the field, for errors
/// Errors: kInvalidArgument when it is anything but six hexadecimal digits.
[[nodiscard]] Result<std::uint32_t> to_color(const std::string& color, const std::string& path);

/// A range of a layer, in the layer's stored steps; an end that is not given is open.
/// Errors: kInvalidArgument when nothing is in it.
[[nodiscard]] Result<worldgen::Interval> to_interval(const worldfile::v1::Range& range,
                                                     double steps_per_unit,
                                                     const std::string& path);

/// The number of the biome of that name.
/// Errors: kInvalidArgument when there is none.
[[nodiscard]] Result<std::uint8_t> biome_named(const std::string& name,
                                               std::span<const worldgen::Biome> biomes,
                                               const std::string& path);

}  // namespace terrane::worlds
