#pragma once

#include "worldgen/continents/curve.h"
#include "worldgen/noise/fractal_noise.h"

namespace terrane::worldgen {

/// `inland` (parameters.h) of each value of a noise: the share of the world where the noise is lower, minus the sea's share, over the
/// land's share on land and the sea's at sea. Measured on some 65,000 places far apart, with a fixed seed.
/// @param land_share  (0, 1)
[[nodiscard]] Curve rank_inland(const noise::FractalNoise& shape, double land_share);

}  // namespace terrane::worldgen
