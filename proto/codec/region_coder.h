#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "terrane/result.h"

/// The coding `regions`, for few values in large areas: a palette, and for each row where its
/// borders lie relative to those of the row above. After ITU-T T.6 (fax group 4), with any number
/// of colours and entropy coding. FORMAT.md, "Regions".
namespace terrane::codec {

/// Appends the code of a square of samples.
/// @param size  samples along one edge, at most 128
/// @return false when the areas are so small that this coding does not pay; `out` is then as it was
[[nodiscard]] bool encode_regions(std::span<const std::uint8_t> samples, std::size_t size,
                                  std::string& out);
/// As above; false as well when there are more than 256 different values.
[[nodiscard]] bool encode_regions(std::span<const std::int32_t> samples, std::size_t size,
                                  std::string& out);

/// Fills `out`, a square of `size` samples along one edge. Errors: kDataLoss with what is wrong.
[[nodiscard]] Result<void> decode_regions(std::string_view payload, std::size_t size,
                                          std::span<std::uint8_t> out);
[[nodiscard]] Result<void> decode_regions(std::string_view payload, std::size_t size,
                                          std::span<std::int32_t> out);

}  // namespace terrane::codec
