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

/// Whether a square of a look is land to nine tenths.
bool is_land(const Window& look, int i, int j, int cells) {
  int sea = 0;
  for (int y = j; y < j + cells; ++y)
    for (int x = i; x < i + cells; ++x) sea += !look.is_land(look.at(x, y));
  return sea <= 0.1 * cells * cells;
}

Kind kind_of(double relief) {
  if (relief > 300) return Kind::kMountains;
  return relief < 100 ? Kind::kPlains : Kind::kHills;
}

bool is_full(const std::vector<Place>& places, int planned) {
  return static_cast<int>(places.size()) >= planned;
}

void keep(std::vector<Place>& places, int planned, Place place) {
  if (!is_full(places, planned)) places.push_back(place);
}

/// Keeps what a look at 8 km shows: its quarters as hills or plains, and itself.
void sort_in(const Window& look, Place place, const Plan& plan, Places& places) {
  constexpr int kHalf = kLookSize / 2;
  bool mountains = true;
  for (int quarter = 0; quarter < 4; ++quarter) {
    const int i = quarter % 2 * kHalf, j = quarter / 2 * kHalf;
    const Kind kind = kind_of(relief_of(look, i, j, kHalf));
    mountains = mountains && kind == Kind::kMountains;
    if (kind == Kind::kMountains || !is_land(look, i, j, kHalf)) continue;
    const Place here{place.x + (i << kLookLod), place.y + (j << kLookLod)};
    if (kind == Kind::kHills) keep(places.hills, plan.hills, here);
    if (kind == Kind::kPlains) keep(places.plains, plan.plains, here);
  }
  if (!is_land(look, 0, 0, kLookSize)) return;
  keep(places.land, plan.waters, place);
  if (mountains) keep(places.mountains, plan.mountains, place);
}

}  // namespace

Places find_places(const Source& source, const Plan& plan, int looks) {
  Places places;
  for (int index = 0; index < looks; ++index) {
    if (is_full(places.mountains, plan.mountains) && is_full(places.hills, plan.hills) &&
        is_full(places.plains, plan.plains) && is_full(places.land, plan.waters))
      break;
    const Place place = place_at(source.seed, index);
    sort_in(make_window(source, place.x, place.y, kLookLod, kLookSize), place, plan, places);
  }
  return places;
}

}  // namespace terrane::land
