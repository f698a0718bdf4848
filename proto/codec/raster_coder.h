#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "terrane/result.h"

/// The coding `raster`, for numbers that change little from sample to sample: predict, then code
/// the differences by their frequencies. FORMAT.md, "Raster".
namespace terrane::codec {

/// Appends the code of a square of samples that are not all equal.
/// @param size  samples along one edge, at most 128
/// @return false when they lie too far apart for this coding; `out` is then as it was
template <typename Sample>
[[nodiscard]] bool encode_raster(std::span<const Sample> samples, std::size_t size,
                                 std::string& out);

/// Fills `out`, a square of `size` samples along one edge. Errors: kDataLoss with what is wrong.
template <typename Sample>
[[nodiscard]] Result<void> decode_raster(std::string_view payload, std::size_t size,
                                         std::span<Sample> out);

}  // namespace terrane::codec
