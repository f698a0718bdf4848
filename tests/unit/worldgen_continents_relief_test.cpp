// The forms of `continents`' land: few pits, and valleys of a size of their own. Every check prints
// its figures.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <optional>
#include <vector>

#include "unit/worldgen_continents_survey.h"
#include "worldgen/noise/field.h"

namespace terrane::testing {
namespace {

using worldgen::noise::FractalNoise;

/// Root mean square of the rise over two blocks, on land.
double roughness(const Map& map, const std::vector<float>& height) {
  double sum = 0;
  std::size_t count = 0;
  for (int j = 0; j < map.size; ++j) {
    for (int i = 2; i < map.size; ++i) {
      const std::size_t a = map.at(i - 2, j), b = map.at(i, j), c = map.at(j, i - 2),
                        d = map.at(j, i);
      if (map.is_land(a) && map.is_land(b))
        sum += (height[b] - height[a]) * (height[b] - height[a]), ++count;
      if (map.is_land(c) && map.is_land(d))
        sum += (height[d] - height[c]) * (height[d] - height[c]), ++count;
    }
  }
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(count, 1)));
}

/// Places lower than all around them: one sample or several of one height that touch, all on land,
/// none at the map's edge.
std::size_t count_pits(const Map& map, const std::vector<float>& height) {
  std::vector<char> seen(height.size());
  std::vector<std::size_t> level;
  std::size_t pits = 0;
  for (std::size_t start = 0; start < height.size(); ++start) {
    if (seen[start]) continue;
    bool pit = true;
    level.assign(1, start);
    seen[start] = 1;
    for (std::size_t next = 0; next < level.size(); ++next) {
      const std::size_t here = level[next];
      const int x = static_cast<int>(here) % map.size, y = static_cast<int>(here) / map.size;
      if (x == 0 || y == 0 || x + 1 == map.size || y + 1 == map.size || !map.is_land(here)) {
        pit = false;
        continue;
      }
      for (int k = 0; k < 9; ++k) {
        const std::size_t other = map.at(x + k % 3 - 1, y + k / 3 - 1);
        if (height[other] < height[here]) pit = false;
        if (height[other] == height[here] && !seen[other]) seen[other] = 1, level.push_back(other);
      }
    }
    pits += pit;
  }
  return pits;
}

/// Plain fractal noise as rough as the map's land: its finest octave is that of the land, each
/// coarser one twice as wide and as high, up to some kilometres; scaled to the same roughness, and
/// rounded as heights are.
/// @param stride  blocks between the map's samples
std::vector<float> plain_noise_like(const Map& map, std::uint64_t index, std::int64_t stride) {
  const FractalNoise& finest = continents_terrain().ground.roughness;
  FractalNoise plain{finest.frequency, 8, 0.5f};
  plain.frequency.blocks <<= static_cast<unsigned>(plain.octaves - finest.octaves);
  std::vector<float> height(map.height.size());
  worldgen::noise::Field field;
  for (int y = 0; y < map.size; y += 128) {
    for (int x = 0; x < map.size; x += 128) {
      field.fill(plain, index, {{x * stride, y * stride}, stride, 128, 128},
                 worldgen::noise::supported_targets().back());
      for (int k = 0; k < 128 * 128; ++k)
        height[map.at(x + k % 128, y + k / 128)] = field[static_cast<std::size_t>(k)];
    }
  }
  const auto scale = static_cast<float>(16 * roughness(map, map.height) / roughness(map, height));
  for (float& h : height) h = std::floor(h * scale + 0.5f) / 16.0f;
  return height;
}

TEST(continents_relief, has_far_fewer_pits_than_noise_as_rough) {
  const worldgen::World world = continents();
  std::size_t land = 0, pits = 0, plain_pits = 0;
  for (std::uint64_t k = 0; k < 120; ++k) {
    const Map map = survey_map(world, k, 4, 0);
    std::size_t here = 0;
    for (std::size_t i = 0; i < map.height.size(); ++i) here += map.is_land(i);
    if (10 * here < map.height.size()) continue;
    land += here;
    pits += count_pits(map, map.height);
    plain_pits += count_pits(map, plain_noise_like(map, k, 1));
  }
  const double square_km = static_cast<double>(land) / 1e6;
  std::printf(
      "check pits: %.0f in a square km of land, plain noise as rough %.0f: %.1f times as many "
      "(%.1f square km)\n",
      static_cast<double>(pits) / square_km, static_cast<double>(plain_pits) / square_km,
      static_cast<double>(plain_pits) / static_cast<double>(pits), square_km);
  EXPECT_GE(plain_pits, 5 * pits);
}

using Complex = std::complex<double>;

/// Discrete Fourier transform in place, of 2^n values `step` apart.
void transform(Complex* values, std::size_t count, std::size_t step) {
  for (std::size_t i = 1, j = 0; i < count; ++i) {
    std::size_t bit = count / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(values[i * step], values[j * step]);
  }
  for (std::size_t span = 2; span <= count; span *= 2) {
    const Complex turn = std::polar(1.0, -2 * 3.14159265358979323846 / static_cast<double>(span));
    for (std::size_t first = 0; first < count; first += span) {
      Complex factor = 1;
      for (std::size_t k = first; k < first + span / 2; ++k, factor *= turn) {
        const Complex a = values[k * step], b = values[(k + span / 2) * step] * factor;
        values[k * step] = a + b, values[(k + span / 2) * step] = a - b;
      }
    }
  }
}

constexpr int kBands = 14;  // half octaves: band b has waves of 2^(-b/2) times the map's size

/// Adds a map's power to bands of wavelengths, as a mean over the waves of each.
void add_spectrum(const Map& map, const std::vector<float>& height,
                  std::array<double, kBands>& power) {
  const auto size = static_cast<std::size_t>(map.size);
  double mean = 0;
  for (const float h : height) mean += h / static_cast<double>(height.size());
  std::vector<Complex> waves(height.size());
  const auto window = [&](std::size_t i) {
    return 0.5 -
           0.5 * std::cos(2 * 3.14159265358979323846 * (static_cast<double>(i) + 0.5) / map.size);
  };
  for (std::size_t k = 0; k < waves.size(); ++k)
    waves[k] = (height[k] - mean) * window(k % size) * window(k / size);
  for (std::size_t j = 0; j < size; ++j) transform(&waves[j * size], size, 1);
  for (std::size_t i = 0; i < size; ++i) transform(&waves[i], size, size);
  std::array<double, kBands> sum{};
  std::array<std::size_t, kBands> count{};
  for (std::size_t k = 1; k < waves.size(); ++k) {
    const auto cycles = [&](std::size_t i) { return static_cast<double>(std::min(i, size - i)); };
    const auto band = static_cast<int>(
        std::floor(2 * std::log2(std::hypot(cycles(k % size), cycles(k / size))) + 0.5));
    if (band < 0 || band >= kBands) continue;
    sum[static_cast<std::size_t>(band)] += std::norm(waves[k]);
    ++count[static_cast<std::size_t>(band)];
  }
  for (std::size_t b = 0; b < kBands; ++b)
    power[b] += sum[b] / static_cast<double>(std::max<std::size_t>(count[b], 1));
}

/// Decibels by which each band stands above the straight line, in logarithms, that fits bands 2 and
/// up best.
std::array<double, kBands> above_power_law(const std::array<double, kBands>& power,
                                           double& exponent) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  std::array<double, kBands> level;
  for (int b = 0; b < kBands; ++b) {
    level[static_cast<std::size_t>(b)] = 10 * std::log10(power[static_cast<std::size_t>(b)]);
    if (b < 2) continue;
    n += 1, x += b, y += level[static_cast<std::size_t>(b)], xx += b * b,
        xy += b * level[static_cast<std::size_t>(b)];
  }
  const double slope = (n * xy - x * y) / (n * xx - x * x), start = (y - slope * x) / n;
  exponent = slope / (10 * std::log10(std::sqrt(2.0)));
  for (int b = 0; b < kBands; ++b) level[static_cast<std::size_t>(b)] -= start + slope * b;
  return level;
}

TEST(continents_relief, has_ridges_and_valleys_of_a_size_of_their_own) {
  constexpr Lod kLod = 4;
  const worldgen::World world = continents();
  std::array<double, kBands> power{}, plain{};
  int maps = 0;
  for (std::uint64_t k = 0; maps < 24; ++k) {
    if (!is_mostly_land(world, k, 4, kLod)) continue;
    ++maps;
    const Map map = survey_map(world, k, 4, kLod);
    add_spectrum(map, map.height, power);
    add_spectrum(map, plain_noise_like(map, k, std::int64_t{1} << kLod), plain);
  }
  double exponent = 0, plain_exponent = 0;
  const auto level = above_power_law(power, exponent),
             plain_level = above_power_law(plain, plain_exponent);
  std::printf(
      "check spectrum: %d maps of land; power falls as wavelength^%.2f (plain noise: %.2f)\n", maps,
      -exponent, -plain_exponent);
  for (int b = 0; b < kBands; ++b) {
    std::printf(
        "check spectrum: waves of %6.0f blocks: %+5.1f dB from a power law (plain noise: %+5.1f)\n",
        256 * 16 * std::pow(2.0, -b / 2.0), level[static_cast<std::size_t>(b)],
        plain_level[static_cast<std::size_t>(b)]);
  }
  double bump = 0, plain_bump = 0;  // of waves of 512 to 1,448 blocks
  for (std::size_t b = 3; b <= 6; ++b)
    bump = std::max(bump, level[b]), plain_bump = std::max(plain_bump, plain_level[b]);
  EXPECT_GE(bump, 2.5);
  EXPECT_LE(plain_bump, 1.5) << "plain noise must not have what the land is told apart by";
}

}  // namespace
}  // namespace terrane::testing
