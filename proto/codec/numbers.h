#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

/// A raster's samples as base + scale * number, modulo 2^32. FORMAT.md, "Raster".
namespace terrane::codec {

/// Numbers beside a row's ends that a prediction reaches for: they go on as straight lines.
inline constexpr std::size_t kPadLeft = 2;
inline constexpr std::size_t kPadRight = 1;

/// Numbers are below it, so that no sum of a prediction reaches 2^31.
inline constexpr std::uint32_t kNumberLimit = 1U << 20;

/// What is below it can be predicted in 16 bits.
inline constexpr std::uint32_t kNarrowLimit = 1U << 9;

/// A square of numbers, in padded rows.
/// @tparam Word  std::uint32_t, or std::uint16_t where all are below kNarrowLimit: twice as many
///   side by side
template <typename Word>
struct Numbers {
  explicit Numbers(std::size_t row_size)
      : size(row_size),
        stride(row_size + kPadLeft + kPadRight),
        values(std::make_unique_for_overwrite<Word[]>(row_size * stride)) {}

  [[nodiscard]] Word* row(std::size_t y) const { return values.get() + y * stride + kPadLeft; }

  /// @param sample  index in the square of samples, row by row
  [[nodiscard]] Word& at(std::size_t sample) const {
    const std::size_t rows_before = sample >> std::countr_zero(size);
    return values[sample + rows_before * (kPadLeft + kPadRight) + kPadLeft];
  }

  std::size_t size, stride;
  std::unique_ptr<Word[]> values;
};

/// Fills what is beside a row's ends. @param row  the first of `size` numbers
template <typename Word>
inline void pad_row(Word* row, std::size_t size) {
  row[-1] = static_cast<Word>(2U * row[0] - row[1]);
  row[-2] = static_cast<Word>(2U * row[-1] - row[0]);
  row[size] = static_cast<Word>(2U * row[size - 1] - row[size - 2]);
}

/// The smallest numbers that say the same: base is the least sample, scale the greatest common
/// factor of the differences from it.
struct Scaling {
  std::uint32_t base = 0;
  std::uint32_t scale = 1;
  std::uint32_t limit = 0;  // the largest number
};

/// @param samples  not all equal
[[nodiscard]] Scaling find_scaling(std::span<const std::int32_t> samples);
[[nodiscard]] Scaling find_scaling(std::span<const std::int16_t> samples);
[[nodiscard]] Scaling find_scaling(std::span<const std::uint8_t> samples);

/// @param numbers  receives all of them, and the padding
void to_numbers(std::span<const std::int32_t> samples, const Scaling& scaling,
                const Numbers<std::uint32_t>& numbers);
void to_numbers(std::span<const std::int32_t> samples, const Scaling& scaling,
                const Numbers<std::uint16_t>& numbers);
void to_numbers(std::span<const std::int16_t> samples, const Scaling& scaling,
                const Numbers<std::uint32_t>& numbers);
void to_numbers(std::span<const std::int16_t> samples, const Scaling& scaling,
                const Numbers<std::uint16_t>& numbers);
void to_numbers(std::span<const std::uint8_t> samples, const Scaling& scaling,
                const Numbers<std::uint16_t>& numbers);

/// The inverse. @return a number that is below a power of two exactly if all of them are
std::uint32_t to_samples(const Numbers<std::uint32_t>& numbers, const Scaling& scaling,
                         std::span<std::int32_t> samples);
std::uint32_t to_samples(const Numbers<std::uint16_t>& numbers, const Scaling& scaling,
                         std::span<std::int32_t> samples);
std::uint32_t to_samples(const Numbers<std::uint32_t>& numbers, const Scaling& scaling,
                         std::span<std::int16_t> samples);
std::uint32_t to_samples(const Numbers<std::uint16_t>& numbers, const Scaling& scaling,
                         std::span<std::int16_t> samples);
std::uint32_t to_samples(const Numbers<std::uint32_t>& numbers, const Scaling& scaling,
                         std::span<std::uint8_t> samples);
std::uint32_t to_samples(const Numbers<std::uint16_t>& numbers, const Scaling& scaling,
                         std::span<std::uint8_t> samples);

}  // namespace terrane::codec
