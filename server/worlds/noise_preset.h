#pragma once

#include <string>

#include "terrane/result.h"
#include "terrane/worldfile/v1/preset.pb.h"
#include "worldgen/noise/fractal_noise.h"

namespace terrane::worlds {

/// A noise of a world file.
/// @param path  of the field, for errors
/// Errors: kInvalidArgument when its finest octave is finer than a block.
[[nodiscard]] Result<worldgen::noise::FractalNoise> checked_noise(
    const worldfile::v1::FractalNoise& noise, const std::string& path);

}  // namespace terrane::worlds
