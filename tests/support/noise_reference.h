#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "worldgen/noise/fractal_noise.h"

/// Gradient noise written a second time, from its description: one sample at a time, in 128-bit
/// integers and plain floats, sharing nothing with the generator but the struct that describes a
/// noise.
namespace terrane::testing {

__extension__ using Wide = __int128;

inline std::uint64_t reference_mix(std::uint64_t h) {
  h ^= h >> 30;
  h *= 0xbf58476d1ce4e5b9u;
  h ^= h >> 27;
  h *= 0x94d049bb133111ebu;
  h ^= h >> 31;
  return h;
}

inline std::uint64_t reference_combine(std::uint64_t key, std::uint64_t value) {
  return reference_mix(key + 0x9e3779b97f4a7c15u + reference_mix(value));
}

/// The hash of a lattice point.
inline std::uint32_t reference_point_hash(std::uint64_t key_x, std::uint64_t key_y, std::int64_t ix,
                                          std::int64_t iy) {
  const std::uint64_t column = reference_mix(key_x ^ reference_mix(static_cast<std::uint64_t>(ix)));
  const std::uint64_t row = reference_mix(key_y ^ reference_mix(static_cast<std::uint64_t>(iy)));
  const auto low = static_cast<std::uint32_t>(column) + static_cast<std::uint32_t>(row);
  const auto high =
      static_cast<std::uint32_t>(column >> 32) + static_cast<std::uint32_t>(row >> 32);
  return low * high;
}

/// A lattice point's gradient in floats, with the generator's polynomials.
inline std::array<float, 2> reference_gradient(std::uint32_t hash) {
  const float t = static_cast<float>(static_cast<std::int32_t>(hash << 2)) / 2147483648.0f;
  const float t2 = t * t;
  const float sine = t * (t2 * (t2 * 0.00242710740f + -0.0807140009f) + 0.785394235f);
  const float cosine = t2 * (t2 * 0.0153718725f + -0.308245153f) + 0.999990039f;
  switch (hash >> 30) {
    case 0: return {cosine, sine};
    case 1: return {-sine, cosine};
    case 2: return {-cosine, -sine};
    default: return {sine, -cosine};
  }
}

/// The same gradient by its definition: a unit vector at the hashed angle.
inline std::array<double, 2> exact_gradient(std::uint32_t hash) {
  const double quarter = static_cast<double>(static_cast<std::int32_t>(hash << 2)) / 2147483648.0;
  const double angle =
      (static_cast<double>(hash >> 30) + 0.5 * quarter) * (3.14159265358979323846 / 2);
  return {std::cos(angle), std::sin(angle)};
}

/// Where a sample lies on one octave's lattice.
struct ReferencePosition {
  std::int64_t cell;
  std::int64_t remainder;
};

inline ReferencePosition reference_position(std::int64_t block, std::int64_t num, std::int64_t den,
                                            std::int64_t offset) {
  const Wide position = static_cast<Wide>(block) * num + offset;
  Wide cell = position / den;
  if (position % den < 0) --cell;
  return {static_cast<std::int64_t>(cell), static_cast<std::int64_t>(position - cell * den)};
}

struct ReferenceOctave {
  std::uint64_t key_x, key_y;
  std::int64_t num, den, offset_x, offset_y;
};

inline ReferenceOctave reference_octave(const worldgen::noise::FractalNoise& noise, int k,
                                        std::uint64_t key) {
  std::int64_t num = std::int64_t{noise.frequency.cells} << k;
  std::int64_t den = noise.frequency.blocks;
  for (std::int64_t divisor = 2; divisor <= num && divisor <= den; ++divisor) {
    while (num % divisor == 0 && den % divisor == 0) num /= divisor, den /= divisor;
  }
  const std::uint64_t octave_key = reference_combine(key, static_cast<std::uint64_t>(k));
  const auto limit = static_cast<std::uint64_t>(den);
  return {reference_combine(octave_key, 3),
          reference_combine(octave_key, 4),
          num,
          den,
          static_cast<std::int64_t>(reference_combine(octave_key, 1) % limit),
          static_cast<std::int64_t>(reference_combine(octave_key, 2) % limit)};
}

inline float reference_octave_value(const ReferenceOctave& o, BlockPos block, float amplitude) {
  const auto [cx, rx] = reference_position(block.x, o.num, o.den, o.offset_x);
  const auto [cy, ry] = reference_position(block.y, o.num, o.den, o.offset_y);
  const float fx = (static_cast<float>(rx) + 0.5f) / static_cast<float>(o.den);
  const float fy = (static_cast<float>(ry) + 0.5f) / static_cast<float>(o.den);
  const auto fade = [](float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); };
  const float upper = amplitude * fade(fy);
  const float lower = amplitude - upper;
  const auto g = [&, cx = cx, cy = cy](int dx, int dy) {
    return reference_gradient(reference_point_hash(o.key_x, o.key_y, cx + dx, cy + dy));
  };
  const auto g00 = g(0, 0), g10 = g(1, 0), g01 = g(0, 1), g11 = g(1, 1);
  const float left_slope = lower * g00[0] + upper * g01[0];
  const float right_slope = lower * g10[0] + upper * g11[0];
  const float left = lower * fy * g00[1] + upper * (fy - 1.0f) * g01[1];
  const float right = lower * fy * g10[1] + upper * (fy - 1.0f) * g11[1];
  const float slope_difference = right_slope - left_slope;
  const float difference = right - right_slope - left;
  return left + left_slope * fx + fade(fx) * (difference + slope_difference * fx);
}

/// The value that fill_fractal_noise must give, to the bit.
inline float reference_fractal_noise(const worldgen::noise::FractalNoise& noise, std::uint64_t key,
                                     BlockPos block) {
  float sum = 0, weight = 1;
  for (int k = 0; k < noise.octaves; ++k) sum += weight, weight *= noise.gain;
  float amplitude = 1.41418f / sum;
  float value = 0;
  for (int k = 0; k < noise.octaves; ++k, amplitude *= noise.gain) {
    const float octave = reference_octave_value(reference_octave(noise, k, key), block, amplitude);
    value = k == 0 ? octave : value + octave;
  }
  return value;
}

/// The textbook's value in doubles: four dot products with unit gradients, blended with the quintic
/// fade.
inline double textbook_fractal_noise(const worldgen::noise::FractalNoise& noise, std::uint64_t key,
                                     BlockPos block) {
  double value = 0, sum = 0, weight = 1;
  for (int k = 0; k < noise.octaves; ++k, weight *= noise.gain) {
    const ReferenceOctave o = reference_octave(noise, k, key);
    const auto [cx, rx] = reference_position(block.x, o.num, o.den, o.offset_x);
    const auto [cy, ry] = reference_position(block.y, o.num, o.den, o.offset_y);
    const double fx = (static_cast<double>(rx) + 0.5) / static_cast<double>(o.den);
    const double fy = (static_cast<double>(ry) + 0.5) / static_cast<double>(o.den);
    const auto dot = [&, cx = cx, cy = cy](int dx, int dy) {
      const auto g = exact_gradient(reference_point_hash(o.key_x, o.key_y, cx + dx, cy + dy));
      return g[0] * (fx - dx) + g[1] * (fy - dy);
    };
    const auto fade = [](double t) {
      return 6 * std::pow(t, 5) - 15 * std::pow(t, 4) + 10 * std::pow(t, 3);
    };
    value += weight * std::lerp(std::lerp(dot(0, 0), dot(1, 0), fade(fx)),
                                std::lerp(dot(0, 1), dot(1, 1), fade(fx)), fade(fy));
    sum += weight;
  }
  return value * std::sqrt(2.0) / sum;
}

/// A noise and how it changes per block.
template <typename Number>
struct NoiseAt {
  Number value = 0, slope_x = 0, slope_y = 0;
};

/// One octave at a point that lies `away` blocks from a block: what fill_displaced_octave must
/// give, to the bit. The fraction of the sample's cell and the way in cells are added in floats;
/// whole cells go to the cell's index.
inline NoiseAt<float> reference_displaced_octave(const ReferenceOctave& o, BlockPos block,
                                                 std::array<float, 2> away, float amplitude) {
  const float cells_per_block = static_cast<float>(o.num) / static_cast<float>(o.den);
  struct Axis {
    std::int64_t cell;
    float near, far, fade, fade_slope;  // distances to the lines on both sides
  };
  const auto axis = [&](std::int64_t at, std::int64_t offset, float blocks) {
    const auto [cell, remainder] = reference_position(at, o.num, o.den, offset);
    const float place = (static_cast<float>(remainder) + 0.5f) / static_cast<float>(o.den) +
                        cells_per_block * blocks;
    const float below = std::floor(place);
    const float t = place - below, hump = t * (t - 1.0f);
    const float quintic = t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
    return Axis{cell + static_cast<std::int64_t>(below), t, t - 1.0f, quintic,
                30.0f * (hump * hump)};
  };
  const Axis x = axis(block.x, o.offset_x, away[0]), y = axis(block.y, o.offset_y, away[1]);
  const auto g = [&](int dx, int dy) {
    return reference_gradient(reference_point_hash(o.key_x, o.key_y, x.cell + dx, y.cell + dy));
  };
  const auto g00 = g(0, 0), g10 = g(1, 0), g01 = g(0, 1), g11 = g(1, 1);
  const auto bilinear = [&](float a, float b, float c, float d) {
    const float first = a + x.fade * (b - a), second = c + x.fade * (d - c);
    return first + y.fade * (second - first);
  };
  const float d00 = g00[0] * x.near + g00[1] * y.near, d10 = g10[0] * x.far + g10[1] * y.near;
  const float d01 = g01[0] * x.near + g01[1] * y.far, d11 = g11[0] * x.far + g11[1] * y.far;
  const float crossed = (d11 - d01) - (d10 - d00);
  const float per_block = amplitude * cells_per_block;
  return {amplitude * bilinear(d00, d10, d01, d11),
          per_block * (bilinear(g00[0], g10[0], g01[0], g11[0]) +
                       x.fade_slope * ((d10 - d00) + y.fade * crossed)),
          per_block * (bilinear(g00[1], g10[1], g01[1], g11[1]) +
                       y.fade_slope * ((d01 - d00) + x.fade * crossed))};
}

/// The value that fill_displaced_noise must give, to the bit.
inline float reference_displaced_noise(const worldgen::noise::FractalNoise& noise,
                                       std::uint64_t key, BlockPos block,
                                       std::array<float, 2> away) {
  float sum = 0, weight = 1;
  for (int k = 0; k < noise.octaves; ++k) sum += weight, weight *= noise.gain;
  float amplitude = 1.41418f / sum;
  float value = 0;
  for (int k = 0; k < noise.octaves; ++k, amplitude *= noise.gain) {
    const float octave =
        reference_displaced_octave(reference_octave(noise, k, key), block, away, amplitude).value;
    value = k == 0 ? octave : value + octave;
  }
  return value;
}

/// The textbook's octave in doubles at a displaced point, with its exact derivatives.
inline NoiseAt<double> textbook_displaced_octave(const ReferenceOctave& o, BlockPos block,
                                                 std::array<double, 2> away) {
  struct Axis {
    std::int64_t cell;
    double t, fade, fade_slope;
  };
  const double cells_per_block = static_cast<double>(o.num) / static_cast<double>(o.den);
  const auto axis = [&](std::int64_t at, std::int64_t offset, double blocks) {
    const auto [cell, remainder] = reference_position(at, o.num, o.den, offset);
    const double place = (static_cast<double>(remainder) + 0.5) / static_cast<double>(o.den) +
                         blocks * cells_per_block;
    const double t = place - std::floor(place);
    return Axis{cell + static_cast<std::int64_t>(std::floor(place)), t,
                t * t * t * (10 + t * (6 * t - 15)), 30 * t * t * (1 - t) * (1 - t)};
  };
  const Axis x = axis(block.x, o.offset_x, away[0]), y = axis(block.y, o.offset_y, away[1]);
  NoiseAt<double> sum;
  for (int corner = 0; corner < 4; ++corner) {
    const int dx = corner % 2, dy = corner / 2;
    const auto g = exact_gradient(reference_point_hash(o.key_x, o.key_y, x.cell + dx, y.cell + dy));
    const double dot = g[0] * (x.t - dx) + g[1] * (y.t - dy);
    const double wx = dx == 1 ? x.fade : 1 - x.fade, wy = dy == 1 ? y.fade : 1 - y.fade;
    const double wx_slope = dx == 1 ? x.fade_slope : -x.fade_slope,
                 wy_slope = dy == 1 ? y.fade_slope : -y.fade_slope;
    sum.value += wx * wy * dot;
    sum.slope_x += cells_per_block * (wx_slope * wy * dot + wx * wy * g[0]);
    sum.slope_y += cells_per_block * (wx * wy_slope * dot + wx * wy * g[1]);
  }
  return sum;
}

}  // namespace terrane::testing
