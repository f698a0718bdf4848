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
[[gnu::always_inline]] inline Extent extent(std::span<const Sample> samples) {
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

template <typename Sample>
Scaling scaling_of(std::span<const Sample> samples) {
  const Extent found = find_extent(samples);
  const auto base = static_cast<std::uint32_t>(found.least);
  // Two numbers differ by a multiple of 2^k exactly if their lowest k bits are the same.
  const int shift = std::countr_zero(found.any_bits);
  std::uint32_t odd = 0;
  // which shows itself within a few samples
  for (std::size_t i = 0; i < samples.size() && odd != 1; ++i) {
    odd = std::gcd(
        odd, (static_cast<std::uint32_t>(static_cast<std::int32_t>(samples[i])) - base) >> shift);
  }
  const std::uint32_t range = static_cast<std::uint32_t>(found.largest) - base;
  return {.base = base, .scale = odd << shift, .limit = (range >> shift) / odd};
}

template <typename Sample, typename Word>
[[gnu::always_inline]] inline void scale_down(const Sample* samples, const Scaling& scaling,
                                              const Numbers<Word>& numbers) {
  const int shift = std::countr_zero(scaling.scale);
  const std::uint32_t odd = scaling.scale >> shift;
  for (std::size_t y = 0; y < numbers.size; ++y, samples += numbers.size) {
    Word* const row = numbers.row(y);
    const auto difference = [&](std::size_t i) {
      return (static_cast<std::uint32_t>(static_cast<std::int32_t>(samples[i])) - scaling.base) >>
             shift;
    };
    if (odd == 1) {
      for (std::size_t i = 0; i < numbers.size; ++i) row[i] = static_cast<Word>(difference(i));
    } else {
      for (std::size_t i = 0; i < numbers.size; ++i)
        row[i] = static_cast<Word>(difference(i) / odd);
    }
    pad_row(row, numbers.size);
  }
}

template <typename Word, typename Sample>
[[gnu::always_inline]] inline std::uint32_t scale_up(const Numbers<Word>& numbers,
                                                     const Scaling& scaling, Sample* samples) {
  Word any_bits = 0;
  for (std::size_t y = 0; y < numbers.size; ++y, samples += numbers.size) {
    const Word* const row = numbers.row(y);
    for (std::size_t i = 0; i < numbers.size; ++i) {
      any_bits = static_cast<Word>(any_bits | row[i]);
      samples[i] = static_cast<Sample>(
          static_cast<std::make_unsigned_t<Sample>>(scaling.base + scaling.scale * row[i]));
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
