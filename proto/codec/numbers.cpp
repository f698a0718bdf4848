#include "codec/numbers.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <type_traits>

#include "codec/vector_clones.h"

namespace terrane::codec {
namespace {

/// What is known of samples at first sight.
struct Extent {
  std::int32_t least;
  std::int32_t largest;
  std::uint32_t any_bits;  // of the differences from the first one
};

template <typename Sample>
TERRANE_INLINE Extent extent(std::span<const Sample> samples) {
  Sample least = samples[0];
  Sample largest = samples[0];
  std::make_unsigned_t<Sample> any_bits = 0;
  for (const Sample sample : samples) {
    least = std::min(least, sample);
    largest = std::max(largest, sample);
    any_bits = static_cast<std::make_unsigned_t<Sample>>(
        any_bits | static_cast<std::make_unsigned_t<Sample>>(sample ^ samples[0]));
  }
  return {least, largest, any_bits};
}

TERRANE_VECTOR_CLONES Extent find_extent(std::span<const std::int32_t> samples) {
  return extent(samples);
}
TERRANE_VECTOR_CLONES Extent find_extent(std::span<const std::int16_t> samples) {
  return extent(samples);
}
TERRANE_VECTOR_CLONES Extent find_extent(std::span<const std::uint8_t> samples) {
  return extent(samples);
}

/// The number that undoes a multiplication by `odd`, modulo 2^32: a multiple of `odd` is divided
/// exactly, and what is none becomes larger than any quotient. Newton's iteration: each step
/// doubles the bits that are right, of which there are three at first.
constexpr std::uint32_t inverse_of(std::uint32_t odd) {
  std::uint32_t inverse = odd;
  for (int right_bits = 3; right_bits < 32; right_bits *= 2) inverse *= 2 - odd * inverse;
  return inverse;
}

/// A sample's difference from the base without its lowest bits, which all differences have as 0.
template <typename Sample>
TERRANE_INLINE auto difference(Sample sample, std::uint32_t base, int shift) {
  // differences of samples of 2 bytes fit there too: twice as many side by side
  using Word = std::conditional_t<sizeof(Sample) == 4, std::uint32_t, std::uint16_t>;
  const auto all_bits = static_cast<Word>(static_cast<Word>(sample) - static_cast<Word>(base));
  return static_cast<Word>(all_bits >> shift);
}

/// The largest quotient of differences by an odd number, as inverse_of gives it.
template <typename Sample>
TERRANE_INLINE std::uint32_t largest_quotient(std::span<const Sample> samples, std::uint32_t base,
                                              int shift, std::uint32_t odd) {
  using Word = decltype(difference(samples[0], base, shift));
  const auto inverse = static_cast<Word>(inverse_of(odd));
  Word largest = 0;
  for (const Sample sample : samples) {
    const unsigned quotient = difference(sample, base, shift) * unsigned{inverse};
    largest = std::max(largest, static_cast<Word>(quotient));
  }
  return largest;
}

TERRANE_VECTOR_CLONES std::uint32_t find_largest_quotient(std::span<const std::int32_t> samples,
                                                          std::uint32_t base, int shift,
                                                          std::uint32_t odd) {
  return largest_quotient(samples, base, shift, odd);
}
TERRANE_VECTOR_CLONES std::uint32_t find_largest_quotient(std::span<const std::int16_t> samples,
                                                          std::uint32_t base, int shift,
                                                          std::uint32_t odd) {
  return largest_quotient(samples, base, shift, odd);
}
TERRANE_VECTOR_CLONES std::uint32_t find_largest_quotient(std::span<const std::uint8_t> samples,
                                                          std::uint32_t base, int shift,
                                                          std::uint32_t odd) {
  return largest_quotient(samples, base, shift, odd);
}

template <typename Sample>
Scaling scaling_of(std::span<const Sample> samples) {
  const Extent found = find_extent(samples);
  const auto base = static_cast<std::uint32_t>(found.least);
  // Two numbers differ by a multiple of 2^k exactly if their lowest k bits are the same.
  const int shift = std::countr_zero(found.any_bits);
  const std::uint32_t range = difference(found.largest, base, shift);
  // The common odd factor is nearly always that of a few samples from all over the square.
  constexpr std::size_t kStep = 61;
  std::uint32_t odd = range >> std::countr_zero(range);
  const auto narrow_down = [&](std::size_t step) {
    for (std::size_t i = 0; i < samples.size() && odd != 1; i += step)
      odd = std::gcd(odd, std::uint32_t{difference(samples[i], base, shift)});
  };
  narrow_down(kStep);
  if (odd != 1 && find_largest_quotient(samples, base, shift, odd) > range / odd) narrow_down(1);
  return {.base = base, .scale = odd << shift, .limit = range / odd};
}

template <typename Sample, typename Word>
TERRANE_INLINE void scale_down(const Sample* samples, const Scaling& scaling,
                               const Numbers<Word>& numbers) {
  const int shift = std::countr_zero(scaling.scale);
  const unsigned inverse = static_cast<Word>(inverse_of(scaling.scale >> shift));
  for (std::size_t y = 0; y < numbers.size; ++y, samples += numbers.size) {
    Word* const row = numbers.row(y);
    for (std::size_t i = 0; i < numbers.size; ++i) {
      const auto low = static_cast<Word>(difference(samples[i], scaling.base, shift));
      row[i] = static_cast<Word>(low * inverse);
    }
    pad_row(row, numbers.size);
  }
}

template <typename Word, typename Sample>
TERRANE_INLINE std::uint32_t scale_up(const Numbers<Word>& numbers, const Scaling& scaling,
                                      Sample* samples) {
  // what is cut off of wider products would be cut off of the samples
  using Product = std::conditional_t<sizeof(Sample) == 4, std::uint32_t, std::uint16_t>;
  const auto base = static_cast<Product>(scaling.base);
  const unsigned scale = static_cast<Product>(scaling.scale);
  Word any_bits = 0;
  const std::size_t size = numbers.size;
  for (std::size_t y = 0; y < size; ++y) {
    const Word* __restrict const row = numbers.row(y);
    Sample* __restrict const to = samples + y * size;
    for (std::size_t i = 0; i < size; ++i) {
      any_bits = static_cast<Word>(any_bits | row[i]);
      const auto sample = static_cast<Product>(base + scale * static_cast<Product>(row[i]));
      to[i] = static_cast<Sample>(static_cast<std::make_unsigned_t<Sample>>(sample));
    }
  }
  return any_bits;
}

}  // namespace

Scaling find_scaling(std::span<const std::int32_t> samples) { return scaling_of(samples); }
Scaling find_scaling(std::span<const std::int16_t> samples) { return scaling_of(samples); }
Scaling find_scaling(std::span<const std::uint8_t> samples) { return scaling_of(samples); }

TERRANE_VECTOR_CLONES void to_numbers(std::span<const std::int32_t> samples, const Scaling& scaling,
                                      const Numbers<std::uint32_t>& numbers) {
  scale_down(samples.data(), scaling, numbers);
}
TERRANE_VECTOR_CLONES void to_numbers(std::span<const std::int32_t> samples, const Scaling& scaling,
                                      const Numbers<std::uint16_t>& numbers) {
  scale_down(samples.data(), scaling, numbers);
}
TERRANE_VECTOR_CLONES void to_numbers(std::span<const std::int16_t> samples, const Scaling& scaling,
                                      const Numbers<std::uint32_t>& numbers) {
  scale_down(samples.data(), scaling, numbers);
}
TERRANE_VECTOR_CLONES void to_numbers(std::span<const std::int16_t> samples, const Scaling& scaling,
                                      const Numbers<std::uint16_t>& numbers) {
  scale_down(samples.data(), scaling, numbers);
}
TERRANE_VECTOR_CLONES void to_numbers(std::span<const std::uint8_t> samples, const Scaling& scaling,
                                      const Numbers<std::uint16_t>& numbers) {
  scale_down(samples.data(), scaling, numbers);
}

TERRANE_VECTOR_CLONES std::uint32_t to_samples(const Numbers<std::uint32_t>& numbers,
                                               const Scaling& scaling,
                                               std::span<std::int32_t> samples) {
  return scale_up(numbers, scaling, samples.data());
}
TERRANE_VECTOR_CLONES std::uint32_t to_samples(const Numbers<std::uint16_t>& numbers,
                                               const Scaling& scaling,
                                               std::span<std::int32_t> samples) {
  return scale_up(numbers, scaling, samples.data());
}
TERRANE_VECTOR_CLONES std::uint32_t to_samples(const Numbers<std::uint32_t>& numbers,
                                               const Scaling& scaling,
                                               std::span<std::int16_t> samples) {
  return scale_up(numbers, scaling, samples.data());
}
TERRANE_VECTOR_CLONES std::uint32_t to_samples(const Numbers<std::uint16_t>& numbers,
                                               const Scaling& scaling,
                                               std::span<std::int16_t> samples) {
  return scale_up(numbers, scaling, samples.data());
}
TERRANE_VECTOR_CLONES std::uint32_t to_samples(const Numbers<std::uint32_t>& numbers,
                                               const Scaling& scaling,
                                               std::span<std::uint8_t> samples) {
  return scale_up(numbers, scaling, samples.data());
}
TERRANE_VECTOR_CLONES std::uint32_t to_samples(const Numbers<std::uint16_t>& numbers,
                                               const Scaling& scaling,
                                               std::span<std::uint8_t> samples) {
  return scale_up(numbers, scaling, samples.data());
}

}  // namespace terrane::codec
