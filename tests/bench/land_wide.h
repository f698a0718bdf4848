#pragma once

#include "bench/land_measures.h"
#include "bench/land_window.h"

/// Measures of a whole world around its origin. Deterministic; threads: any.
namespace terrane::land {

/// Landmasses, and how even land and sea are: 4,194 km, a sample each 1,024 blocks.
[[nodiscard]] Findings whole_world(const Source& source);

/// The spectrum of heights, the sea's floor among them.
[[nodiscard]] Findings spectrum(const Source& source);

/// Connected high ground: 328 km, a sample each 128 blocks.
[[nodiscard]] Findings ranges(const Source& source);

}  // namespace terrane::land
