// Where windows lie: land_survey.h.
#include <algorithm>

#include "bench/land_relief.h"
#include "bench/land_survey.h"
#include "worldgen/noise/hash.h"

namespace terrane::land {
namespace {

constexpr Lod kLookLod = 6;     // a look at a place has a sample each 64 blocks
constexpr int kLookSize = 128;  // samples: 8,192 blocks

Place place_at(std::uint64_t seed, int index) {
  const std::uint64_t h =
      worldgen::noise::mix64(worldgen::noise::mix64(seed) + static_cast<std::uint64_t>(index));
  const auto cell = [](std::uint64_t bits) {
    return (static_cast<std::int64_t>(bits & 511) - 256) * 8192;
  };
  return {cell(h), cell(h >> 32)};
}

bool is_land(const Window& look) {
  const auto sea = std::count(look.cover.begin(), look.cover.end(), Cover::kSea);
  return static_cast<double>(sea) <= 0.1 * static_cast<double>(look.cover.size());
}

Kind kind_of(const Window& look) {
  const int half = look.size / 2;
  double least = kAny, most = 0;
  for (int quarter = 0; quarter < 4; ++quarter) {
    const double relief = relief_of(look, quarter % 2 * half, quarter / 2 * half, half);
    least = std::min(least, relief);
    most = std::max(most, relief);
  }
  if (least > 300) return Kind::kMountains;
  if (most < 100) return Kind::kPlains;
  return most <= 300 ? Kind::kHills : Kind::kMixed;
}

bool is_full(const std::vector<Place>& places, int planned) {
  return static_cast<int>(places.size()) >= planned;
}

void keep(std::vector<Place>& places, int planned, Place place) {
  if (!is_full(places, planned)) places.push_back(place);
}

}  // namespace

Places find_places(const Source& source, const Plan& plan, int looks) {
  Places places;
  for (int index = 0; index < looks; ++index) {
    if (is_full(places.mountains, plan.mountains) && is_full(places.hills, plan.hills) &&
        is_full(places.plains, plan.plains) && is_full(places.land, plan.waters))
      break;
    const Place place = place_at(source.seed, index);
    const Window look = make_window(source, place.x, place.y, kLookLod, kLookSize);
    if (!is_land(look)) continue;
    keep(places.land, plan.waters, place);
    switch (kind_of(look)) {
      case Kind::kMountains: keep(places.mountains, plan.mountains, place); break;
      case Kind::kHills: keep(places.hills, plan.hills, place); break;
      case Kind::kPlains: keep(places.plains, plan.plains, place); break;
      case Kind::kMixed: break;
    }
  }
  return places;
}

}  // namespace terrane::land
