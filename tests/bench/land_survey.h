#pragma once

#include <cstdint>
#include <vector>

#include "bench/land_measures.h"
#include "bench/land_window.h"

/// Which windows of a world are measured, and with what.
namespace terrane::land {

/// Kinds of land of 4 km by its relief: mountains have more than 300 blocks, plains less than 100.
enum class Kind : std::uint8_t { kMountains, kHills, kPlains };

struct Place {
  std::int64_t x = 0, y = 0;  // blocks: the first sample
};

/// How many windows of each sort are measured for a seed.
struct Plan {
  int mountains = 6, hills = 4, plains = 4;
  int waters = 12;  // any land
};

struct Places {
  std::vector<Place> mountains;      // 8 km, mountains in each quarter
  std::vector<Place> land;           // 8 km
  std::vector<Place> hills, plains;  // 4 km
};

/// Places that are land to nine tenths, strewn over 4,000 km by the seed; fewer than planned where
/// the world has not as many among the first `looks`.
[[nodiscard]] Places find_places(const Source& source, const Plan& plan, int looks = 6000);

/// Everything there is to measure of one seed: sums are settled. Deterministic, whatever `threads`.
[[nodiscard]] Findings survey(const Source& source, const Plan& plan, int threads);

}  // namespace terrane::land
