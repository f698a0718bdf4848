#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "codec/predictor.h"

/// A raster's samples as base + scale * number, modulo 2^32. FORMAT.md, "Raster".
namespace terrane::codec {

/// The numbers of an encoder, in padded rows.
struct Numbers {
  explicit Numbers(std::size_t row_size)
      : size(row_size),
        stride(row_size + kPadLeft + kPadRight),
        values(std::make_unique_for_overwrite<std::uint32_t[]>(row_size * stride)) {}

  [[nodiscard]] std::uint32_t* row(std::size_t y) const { return values.get() + y * stride + kPadLeft; }
  [[nodiscard]] const std::uint32_t* row_above(std::size_t y, std::size_t rows) const {
    return y < rows ? nullptr : row(y - rows);
  }

  std::size_t size, stride;
  std::uint32_t base = 0;
  std::uint32_t scale = 1;
  std::uint32_t limit = 0;  // no number is above it
  std::unique_ptr<std::uint32_t[]> values;
};

/// The smallest numbers that say the same: base is the least sample, scale the greatest common factor of the differences from it.
/// @param samples  a square of `size` along one edge, not all equal
template <typename Sample>
[[nodiscard]] Numbers to_numbers(std::span<const Sample> samples, std::size_t size);

/// One row back as samples.
void to_samples(const std::uint32_t* row, std::uint32_t base, std::uint32_t scale, std::size_t size, std::int32_t* out);
void to_samples(const std::uint32_t* row, std::uint32_t base, std::uint32_t scale, std::size_t size, std::int16_t* out);

}  // namespace terrane::codec
