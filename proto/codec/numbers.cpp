#include "codec/numbers.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "codec/vector_clones.h"

namespace terrane::codec {
namespace {

/// The largest odd number that divides all `numbers`, given that not all are even.
std::uint32_t odd_factor(const Numbers& numbers) {
  std::uint32_t factor = 0;
  for (std::size_t y = 0; y < numbers.size; ++y) {
    for (std::size_t i = 0; i < numbers.size; ++i) {
      factor = std::gcd(factor, numbers.row(y)[i]);
      if (factor == 1) return 1;  // which shows itself within a few samples
    }
  }
  return factor;
}

}  // namespace

template <typename Sample>
Numbers to_numbers(std::span<const Sample> samples, std::size_t size) {
  Numbers numbers(size);
  Sample least = samples[0];
  for (const Sample sample : samples) least = std::min(least, sample);
  numbers.base = static_cast<std::uint32_t>(static_cast<std::int32_t>(least));
  std::uint32_t any_bits = 0;
  for (std::size_t y = 0; y < size; ++y) {
    const Sample* from = samples.data() + y * size;
    std::uint32_t* row = numbers.row(y);
    for (std::size_t i = 0; i < size; ++i) {
      row[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(from[i])) - numbers.base;
      any_bits |= row[i];
    }
  }
  const int shift = std::countr_zero(any_bits);
  for (std::size_t y = 0; shift != 0 && y < size; ++y) {
    for (std::size_t i = 0; i < size; ++i) numbers.row(y)[i] >>= shift;
  }
  const std::uint32_t odd = odd_factor(numbers);
  for (std::size_t y = 0; odd != 1 && y < size; ++y) {
    for (std::size_t i = 0; i < size; ++i) numbers.row(y)[i] /= odd;
  }
  numbers.scale = odd << shift;
  numbers.limit = (any_bits >> shift) / odd;
  for (std::size_t y = 0; y < size; ++y) pad_row(numbers.row(y), size);
  return numbers;
}

TERRANE_VECTOR_CLONES void to_samples(const std::uint32_t* row, std::uint32_t base, std::uint32_t scale, std::size_t size,
                                      std::int32_t* out) {
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::int32_t>(base + scale * row[i]);
}

TERRANE_VECTOR_CLONES void to_samples(const std::uint32_t* row, std::uint32_t base, std::uint32_t scale, std::size_t size,
                                      std::int16_t* out) {
  // In 16 bits from the start, which are the low ones of the sum.
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::int16_t>(base + scale * (row[i] & 0xffffU));
}

template Numbers to_numbers(std::span<const std::int32_t>, std::size_t);
template Numbers to_numbers(std::span<const std::int16_t>, std::size_t);

}  // namespace terrane::codec
