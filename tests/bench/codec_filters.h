#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "terrane/chunk.h"

/// A layer's samples for rivals of the codec, and the filters that are usual before a general
/// compressor.
namespace terrane::bench {

/// Samples of 1 or 2 bytes, in the machine's order. A fair rival would take heights in 2 bytes too.
struct Plane {
  std::size_t width = 0;  // bytes of a sample
  std::size_t size = 0;   // samples along one edge
  std::string bytes;
};

template <typename To, typename From>
Plane plane_of(const std::vector<From>& samples, int size) {
  const std::vector<To> narrow(samples.begin(), samples.end());
  return {sizeof(To),
          static_cast<std::size_t>(size),
          {reinterpret_cast<const char*>(narrow.data()), narrow.size() * sizeof(To)}};
}

/// The layers of samples that a chunk has.
inline std::vector<Plane> planes_of(const Chunk& chunk) {
  std::vector<Plane> planes;
  const auto add = [&](auto narrow, const auto& samples) {
    if (!samples.empty()) planes.push_back(plane_of<decltype(narrow)>(samples, chunk.size));
  };
  add(std::int16_t{}, chunk.height_q4);
  add(std::int16_t{}, chunk.temperature_d);
  add(std::int16_t{}, chunk.humidity_d);
  add(std::uint8_t{}, chunk.biome);
  add(std::int16_t{}, chunk.water_q4);
  add(std::uint8_t{}, chunk.forest_p);
  add(std::uint8_t{}, chunk.rocks_p);
  return planes;
}

enum class Predict { kNothing, kLeft, kPlane };
enum class Shuffle { kNothing, kBytes, kBits };

/// What is expected of a row's samples from those above: in its first column the one above, and
/// else how much the one above differs from the one to its left, or nothing.
template <typename Word>
Word from_above(Predict predict, const Word* above, std::size_t i) {
  if (i == 0) return above[0];
  return predict == Predict::kPlane ? static_cast<Word>(above[i] - above[i - 1]) : Word{0};
}

/// Replaces samples by their differences from what is expected, as zigzag numbers.
template <typename Word>
void predict_as(Predict predict, const Plane& plane, std::string& out) {
  constexpr unsigned kSign = 8 * sizeof(Word) - 1;
  const std::vector<Word> none(plane.size);
  std::vector<Word> samples(plane.size * plane.size);
  std::memcpy(samples.data(), plane.bytes.data(), plane.bytes.size());
  std::vector<Word> differences(samples.size());
  for (std::size_t y = 0; y < plane.size; ++y) {
    const Word* const row = samples.data() + y * plane.size;
    const Word* const above = y == 0 ? none.data() : row - plane.size;
    Word* const to = differences.data() + y * plane.size;
    const auto say = [&](std::size_t i, Word left) {
      const auto difference = static_cast<Word>(row[i] - left - from_above(predict, above, i));
      const auto sign = static_cast<Word>(0 - (difference >> kSign));
      to[i] = static_cast<Word>(difference << 1 ^ sign);
    };
    say(0, 0);
    for (std::size_t i = 1; i < plane.size; ++i) say(i, row[i - 1]);
  }
  out.assign(reinterpret_cast<const char*>(differences.data()), plane.bytes.size());
}

template <typename Word>
void restore_as(Predict predict, Plane& plane, const std::string& differences) {
  const std::vector<Word> none(plane.size);
  std::vector<Word> samples(plane.size * plane.size);
  std::memcpy(samples.data(), differences.data(), differences.size());
  for (std::size_t y = 0; y < plane.size; ++y) {
    Word* const row = samples.data() + y * plane.size;
    const Word* const above = y == 0 ? none.data() : row - plane.size;
    Word left = 0;
    for (std::size_t i = 0; i < plane.size; ++i) {
      const auto sign = static_cast<Word>(0 - (row[i] & 1));
      const auto difference = static_cast<Word>(row[i] >> 1 ^ sign);
      left = row[i] = static_cast<Word>(left + difference + from_above(predict, above, i));
    }
  }
  plane.bytes.assign(reinterpret_cast<const char*>(samples.data()), differences.size());
}

/// First all low bytes of samples of 2, then all high ones.
inline std::string shuffle_bytes(const std::string& bytes) {
  std::string out(bytes.size(), '\0');
  const std::size_t count = bytes.size() / 2;
  for (std::size_t i = 0; i < count; ++i) out[i] = bytes[2 * i];
  for (std::size_t i = 0; i < count; ++i) out[count + i] = bytes[2 * i + 1];
  return out;
}

inline std::string unshuffle_bytes(const std::string& bytes) {
  std::string out(bytes.size(), '\0');
  const std::size_t count = bytes.size() / 2;
  for (std::size_t i = 0; i < count; ++i) {
    out[2 * i] = bytes[i];
    out[2 * i + 1] = bytes[count + i];
  }
  return out;
}

/// Eight bytes as a square of bits, turned about its diagonal. H. S. Warren, "Hacker's Delight".
inline std::uint64_t transpose_bits(std::uint64_t x) {
  std::uint64_t t = (x ^ x >> 7) & 0x00aa00aa00aa00aa;
  x ^= t ^ t << 7;
  t = (x ^ x >> 14) & 0x0000cccc0000cccc;
  x ^= t ^ t << 14;
  t = (x ^ x >> 28) & 0x00000000f0f0f0f0;
  return x ^ t ^ t << 28;
}

/// First bit 0 of all bytes, then bit 1, …; `back` undoes it. Applied to shuffled bytes.
inline std::string shuffle_bits(const std::string& bytes, bool back) {
  std::string out(bytes.size(), '\0');
  const std::size_t eighths = bytes.size() / 8;
  for (std::size_t i = 0; i < eighths; ++i) {
    std::uint64_t eight = 0;
    for (std::size_t k = 0; k < 8; ++k) {
      const std::size_t from = back ? k * eighths + i : 8 * i + k;
      eight |= std::uint64_t{static_cast<unsigned char>(bytes[from])} << (8 * k);
    }
    eight = transpose_bits(eight);
    for (std::size_t k = 0; k < 8; ++k)
      out[back ? 8 * i + k : k * eighths + i] = static_cast<char>(eight >> (8 * k));
  }
  return out;
}

inline std::string filtered(const Plane& plane, Predict predict, Shuffle shuffle) {
  std::string bytes = plane.bytes;
  if (predict != Predict::kNothing) {
    plane.width == 2 ? predict_as<std::uint16_t>(predict, plane, bytes)
                     : predict_as<std::uint8_t>(predict, plane, bytes);
  }
  if (shuffle != Shuffle::kNothing && plane.width > 1) bytes = shuffle_bytes(bytes);
  return shuffle == Shuffle::kBits ? shuffle_bits(bytes, false) : bytes;
}

/// The inverse of filtered(). @param plane  whose width and size are set; receives the bytes
inline void unfilter(std::string bytes, Predict predict, Shuffle shuffle, Plane& plane) {
  if (shuffle == Shuffle::kBits) bytes = shuffle_bits(bytes, true);
  if (shuffle != Shuffle::kNothing && plane.width > 1) bytes = unshuffle_bytes(bytes);
  if (predict == Predict::kNothing) {
    plane.bytes = std::move(bytes);
  } else {
    plane.width == 2 ? restore_as<std::uint16_t>(predict, plane, bytes)
                     : restore_as<std::uint8_t>(predict, plane, bytes);
  }
}

}  // namespace terrane::bench
