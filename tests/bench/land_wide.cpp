#include "bench/land_wide.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "bench/land_regions.h"
#include "bench/land_spectrum.h"

namespace terrane::land {
namespace {

/// The deviation of the share of land between squares of 49 cells: 50,176 blocks.
double land_share_deviation(const Window& window) {
  constexpr int kCells = 49;
  std::vector<double> shares;
  for (int j = 0; j + kCells <= window.size; j += kCells) {
    for (int i = 0; i + kCells <= window.size; i += kCells) {
      int land = 0;
      for (int y = j; y < j + kCells; ++y)
        for (int x = i; x < i + kCells; ++x) land += window.is_land(window.at(x, y));
      shares.push_back(static_cast<double>(land) / (kCells * kCells));
    }
  }
  const auto n = static_cast<double>(shares.size());
  const double mean = std::accumulate(shares.begin(), shares.end(), 0.0) / n;
  double squares = 0;
  for (const double share : shares) squares += (share - mean) * (share - mean);
  return std::sqrt(squares / n);
}

/// Blocks².
double largest_landmass(const Window& window) {
  Mask land(window.cover.size());
  for (std::size_t k = 0; k < land.size(); ++k) land[k] = window.is_land(k);
  std::size_t most = 0;
  for (const auto& mass : regions_of(window, land, Through::kSides))
    most = std::max(most, mass.size());
  return static_cast<double>(most) * window.cell_area();
}

}  // namespace

Findings whole_world(const Source& source) {
  Findings out;
  const Window window = make_window(source, -2048 * 1024, -2048 * 1024, 10, 4096);
  out.add("land_share", land_share_deviation(window));
  out.add("landmass", largest_landmass(window) / 1e6);
  for (const std::int64_t y : {-1024, 0}) {
    for (const std::int64_t x : {-1024, 0}) {
      const Window part = make_window(source, x * 1024, y * 1024, 10, 1024);
      out.add("landmass_share", largest_landmass(part) / (part.cell_area() * 1024.0 * 1024.0));
    }
  }
  return out;
}

Findings spectrum(const Source& source) {
  Findings out;
  std::vector<std::vector<double>> profiles;
  for (std::int64_t n = 0; n < 64; ++n)
    profiles.push_back(make_profile(source, -524288, (n - 32) * 16384, 7, 8192));
  const Line line = profile_spectrum(profiles, 128, 3e4, 3e5);
  if (line.points >= 3) out.add("spectrum", -line.slope);
  return out;
}

Findings ranges(const Source& source) {
  Findings out;
  const Window window = make_window(source, -1280 * 128, -1280 * 128, 7, 2560);
  Mask high(window.z.size());
  for (std::size_t k = 0; k < high.size(); ++k) high[k] = window.z[k] > 200;
  double longest = 0;
  for (const auto& range : regions_of(window, high, Through::kCorners))
    longest = std::max(longest, extent_of(window, range));
  out.add("range", longest / 1000);
  return out;
}

}  // namespace terrane::land
