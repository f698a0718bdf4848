#include "bench/land_measures.h"

#include <algorithm>
#include <cmath>

#include "bench/land_fit.h"

namespace terrane::land {
namespace {

constexpr std::string_view kRelief = "mountains 8 km, 8 m cells";
constexpr std::string_view kWater = "land 8 km, 2 m cells; a seed's windows together";

std::vector<Measure> table() {
  return {
      {"concavity", "slope-area: theta", 0.3, 0.6,
       "mountains 8 km, 8 m cells, 1e5-1e7 m², fall over 64 m; Hack 1957, Flint 1974"},
      {"concavity_r2", "slope-area: R²", 0.9, kAny, "the same"},
      {"hack", "Hack's exponent", 0.5, 0.6, "mountains 8 km, 8 m cells, 1e5-1e7 m²; Hack 1957"},
      {"hack_land", "Hack's exponent, all land", 0.5, 0.6, "land 8 km, 8 m cells; the same"},
      {"exceedance", "exponent of P(area > a)", 0.4, 0.5,
       "mountains 8 km, 8 m cells, 1e4-1e6 m²; Rodriguez-Iturbe 1992"},
      {"exceedance_land", "exponent of P(area > a), all land", 0.4, 0.5,
       "land 8 km, 8 m cells; the same"},
      {"hypsometry", "hypsometric integral of basins", 0.3, 0.55,
       "mountains 8 km, 8 m cells, basins of 1-10 km²; Strahler 1952, Pike and Wilson 1971"},
      {"hypsometry_land", "hypsometric integral of land", 0.3, 0.55,
       "land 8 km, 8 m cells, all land of a window; the same"},
      {"hypsometry_hills", "hypsometric integral of hills", -kAny, kAny, "hills 4 km; the same"},
      {"hypsometry_plains", "hypsometric integral of plains", -kAny, kAny, "plains 4 km; the same"},
      {"gentle", "share of slopes 5-20 degrees", 0.5, kAny,
       "mountains 8 km, means of 64 m cells; slope by Horn 1981"},
      {"steep", "share of slopes above 35 degrees", -kAny, 0.03, "the same"},
      {"gentle_hills", "slopes 5-20 degrees, hills", -kAny, kAny, "hills 4 km; the same"},
      {"gentle_plains", "slopes 5-20 degrees, plains", -kAny, kAny, "plains 4 km; the same"},
      {"roughness", "roughness p90/p10", -kAny, 6,
       "mountains 8 km, 8 m cells, deviation from the plane in 256 m squares"},
      {"slope_p90", "slope p90, degrees", -kAny, 43, kRelief},
      {"slope_p99", "slope p99, degrees", -kAny, 57, kRelief},
      {"hollows", "dry hollows deeper than 3 m per km²", -kAny, 0.1,
       "land 8 km, 4 m cells; Barnes 2014; a seed's windows together"},
      {"junctions", "junctions of four arms and more", -kAny, 0.03, kWater},
      {"chords_axes", "512 m chords: axes", 0.29, 0.37, kWater},
      {"chords_diagonals", "512 m chords: diagonals", 0.29, 0.37, kWater},
      {"chords_others", "512 m chords: others", 0.29, 0.37, kWater},
      {"sinuosity", "sinuosity of reaches", 1.25, kAny,
       "land 8 km, 2 m cells, reaches of 256 m and more; each window's median"},
      {"width", "width = c area^b: b", 0.35, 0.5,
       "reaches of 64 m and more, 2 m cells; areas from 0.1 km² on, 4 m cells; Leopold and "
       "Maddock 1953"},
      {"width_r2", "width = c area^b: R²", -kAny, kAny, "the same; no bound is asked"},
      {"shore", "shoreline index of lakes", 1.4, kAny,
       "land 8 km, 2 m cells, lakes of 1 ha and more; Hutchinson 1957; each window's median"},
      {"straight_shore", "share of straight shore", -kAny, 0.03,
       "the same lakes, 64 m pieces within 1 m of their chord; a seed's windows together"},
      {"side_valleys", "side valleys per 10 km²", 7, kAny,
       "mountains 8 km, 8 m cells, 0.1-0.3 km² where they join, 2 m deep 48 m aside"},
      {"side_valleys_land", "side valleys per 10 km², all land", 7, kAny,
       "land 8 km, 8 m cells; the same"},
      {"land_share", "deviation of land share, 50 km squares", 0.1, kAny, "4194 km, 1 km cells"},
      {"landmass_share", "largest landmass, share of the window", 0.08, kAny,
       "1049 km, 1 km cells, through sides; four such windows"},
      {"landmass", "largest landmass, 1e6 blocks²", -kAny, kAny, "4194 km, 1 km cells"},
      {"spectrum", "spectrum of heights 30-300 km: beta", 1, kAny,
       "64 profiles of 1049 km, 128 m cells, along x; of two dimensions: one more"},
      {"range", "longest range above 200 m, km", 60, kAny,
       "328 km, 128 m cells, through corners; greatest distance in it"},
  };
}

/// How far a value is from what is asked; negative inside.
double miss(const Measure& measure, double value) {
  return std::max(measure.low - value, value - measure.high);
}

}  // namespace

const std::vector<Measure>& measures() {
  static const std::vector<Measure> kMeasures = table();
  return kMeasures;
}

void Findings::add(std::string_view key, double value) {
  if (std::isfinite(value)) values[std::string(key)].push_back(value);
}

void Findings::add_part(std::string_view key, double part, double whole) {
  Parts& sum = parts[std::string(key)];
  sum.part += part;
  sum.whole += whole;
}

void Findings::add(const Findings& other) {
  for (const auto& [key, list] : other.values)
    for (const double value : list) add(key, value);
  for (const auto& [key, sum] : other.parts) add_part(key, sum.part, sum.whole);
  river_area.insert(river_area.end(), other.river_area.begin(), other.river_area.end());
  river_width.insert(river_width.end(), other.river_width.begin(), other.river_width.end());
}

void settle(Findings& seed) {
  for (const auto& [key, sum] : seed.parts)
    if (sum.whole > 0) seed.add(key, sum.part / sum.whole);
  seed.parts.clear();
  const Line width = fit_power(seed.river_area, seed.river_width);
  if (width.points >= 10) {
    seed.add("width", width.slope);
    seed.add("width_r2", width.r2);
  }
  seed.river_area.clear();
  seed.river_width.clear();
}

std::vector<Found> sum_up(const Findings& findings) {
  std::vector<Found> rows;
  for (const Measure& measure : measures()) {
    Found found{&measure};
    const auto list = findings.values.find(measure.key);
    if (list != findings.values.end()) {
      const std::vector<double>& all = list->second;
      found.windows = all.size();
      found.median = quantile(all, 0.5);
      const bool told = measure.low == -kAny && measure.high == kAny;
      found.worst = *std::max_element(all.begin(), all.end(), [&](double a, double b) {
        if (told) return std::abs(a - found.median) < std::abs(b - found.median);
        return miss(measure, a) < miss(measure, b);
      });
      found.holds = found.windows > 0 && miss(measure, found.median) <= 0;
    }
    rows.push_back(found);
  }
  return rows;
}

}  // namespace terrane::land
