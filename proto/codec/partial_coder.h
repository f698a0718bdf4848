#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "terrane/result.h"

/// The coding `partial`, for numbers that change little where they are at all: regions say where,
/// and a raster says what. FORMAT.md, "Partial".
namespace terrane::codec {

/// Appends the code of a square of samples.
/// @param size     samples along one edge, at most 128
/// @param nothing  the sample of where there is no number
/// @return false when this coding does not suit them; `out` is then as it was
[[nodiscard]] bool encode_partial(std::span<const std::int32_t> samples, std::size_t size,
                                  std::int32_t nothing, std::string& out);

/// Fills `out`, a square of `size` samples along one edge. Errors: kDataLoss with what is wrong.
[[nodiscard]] Result<void> decode_partial(std::string_view payload, std::size_t size,
                                          std::span<std::int32_t> out);

}  // namespace terrane::codec
