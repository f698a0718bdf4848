#include "bench/land_spectrum.h"

#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>

namespace terrane::land {

void transform(std::vector<std::complex<double>>& values) {
  const std::size_t count = values.size();
  for (std::size_t k = 1, mirrored = 0; k < count; ++k) {
    std::size_t bit = count / 2;
    for (; (mirrored & bit) != 0; bit /= 2) mirrored ^= bit;
    mirrored ^= bit;
    if (k < mirrored) std::swap(values[k], values[mirrored]);
  }
  for (std::size_t span = 2; span <= count; span *= 2) {
    const std::complex<double> turn =
        std::polar(1.0, -2 * std::numbers::pi / static_cast<double>(span));
    for (std::size_t from = 0; from < count; from += span) {
      std::complex<double> factor = 1;
      for (std::size_t k = from; k < from + span / 2; ++k) {
        const std::complex<double> odd = factor * values[k + span / 2];
        values[k + span / 2] = values[k] - odd;
        values[k] += odd;
        factor *= turn;
      }
    }
  }
}

Line profile_spectrum(const std::vector<std::vector<double>>& profiles, double spacing,
                      double shortest, double longest) {
  if (profiles.empty()) return {};
  const std::size_t count = profiles.front().size();
  std::vector<double> power(count / 2 + 1, 0);
  for (const std::vector<double>& profile : profiles) {
    const auto n = static_cast<double>(count);
    const double mean = std::accumulate(profile.begin(), profile.end(), 0.0) / n;
    std::vector<std::complex<double>> values(count);
    for (std::size_t k = 0; k < count; ++k) {
      const double hann = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(k) / n);
      values[k] = (profile[k] - mean) * hann;
    }
    transform(values);
    for (std::size_t k = 0; k < power.size(); ++k) power[k] += std::norm(values[k]);
  }
  // means of log-wide bins, so that the many short waves don't outweigh the long ones
  std::map<int, std::pair<std::vector<double>, double>> bins;
  for (std::size_t k = 1; k < power.size(); ++k) {
    const double waves = static_cast<double>(k) / (static_cast<double>(count) * spacing);
    if (waves * longest < 1 || waves * shortest > 1) continue;
    auto& [wavenumbers, sum] = bins[static_cast<int>(std::floor(std::log10(waves) * 6))];
    wavenumbers.push_back(waves);
    sum += power[k];
  }
  std::vector<double> x, y;
  for (const auto& [number, bin] : bins) {
    double logs = 0;
    for (const double waves : bin.first) logs += std::log10(waves);
    x.push_back(std::pow(10.0, logs / static_cast<double>(bin.first.size())));
    y.push_back(bin.second / static_cast<double>(bin.first.size()));
  }
  return fit_power(x, y);
}

}  // namespace terrane::land
