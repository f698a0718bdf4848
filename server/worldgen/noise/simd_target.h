#pragma once

#include <string_view>
#include <vector>

#include "terrane/result.h"

namespace terrane::worldgen::noise {

/// An instruction set that the noise kernels are compiled for. All give the same bits.
enum class SimdTarget { kScalar, kSsse3, kSse4, kAvx2, kAvx512, kNeon };

/// Lower-case name, as the TERRANE_SIMD variable takes it.
[[nodiscard]] std::string_view to_string(SimdTarget target);

/// Targets that this build holds and this CPU runs, slowest first; never empty.
[[nodiscard]] std::vector<SimdTarget> supported_targets();

/// The fastest supported target, or the one that `name` forces (empty: none forced).
/// Errors: kInvalidArgument naming what this machine supports.
[[nodiscard]] Result<SimdTarget> choose_target(std::string_view name);

}  // namespace terrane::worldgen::noise
