#include "worldgen/biome_table.h"

#include <algorithm>
#include <optional>
#include <set>

namespace terrane::worldgen {

namespace {

// of pieces with rows: a few tenths of a second
constexpr std::size_t kMaxComparisons = std::size_t{1} << 25;

/// Number of values of `range` that `interval` spans.
std::int64_t width(Interval interval, Interval range) {
  const std::int64_t end = std::int64_t{std::min(interval.max, range.max)} + 1;
  return std::max<std::int64_t>(0, end - std::max(interval.min, range.min));
}

using Point = std::array<std::int32_t, 5>;

constexpr std::array kAxes{&Biome::height_q4, &Biome::temperature_d, &Biome::humidity_d,
                           &Biome::slope_p, &Biome::inland_p};
constexpr std::array kRanges{&LayerRanges::height_q4, &LayerRanges::temperature_d,
                             &LayerRanges::humidity_d, &LayerRanges::slope_p,
                             &LayerRanges::inland_p};

std::string describe(const Point& point, const LayerRanges& ranges) {
  std::string text = "height " + std::to_string(point[0] / 16.0) + " blocks, temperature " +
                     std::to_string(point[1] / 10.0) + " degC, humidity " +
                     std::to_string(point[2] / 10.0) + " percent";
  if (ranges.slope_p.max > 0) text += ", slope " + std::to_string(point[3]) + " percent";
  if (ranges.inland_p.max > 0) text += ", inland " + std::to_string(point[4] / 10.0) + " percent";
  return text;
}

bool fits(const Biome& row, const Point& point) {
  for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
    if (!(row.*kAxes[axis]).holds(point[axis])) return false;
  }
  return true;
}

std::int64_t volume_of(const Biome& row, const LayerRanges& ranges) {
  std::int64_t volume = 1;
  for (std::size_t axis = 0; axis < kAxes.size(); ++axis)
    volume *= width(row.*kAxes[axis], ranges.*kRanges[axis]);
  return volume;
}

const char* of_water(FreshWater water) {
  return water == FreshWater::kNone    ? ""
         : water == FreshWater::kRiver ? " for rivers"
         : water == FreshWater::kLake  ? " for lakes"
                                       : " for roads";
}

/// The row that wins at a point under `water`.
std::optional<std::size_t> best_row(std::span<const Biome> rows,
                                    std::span<const std::int64_t> volumes, FreshWater water,
                                    const Point& point) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].water != water || !fits(rows[i], point)) continue;
    const bool better = !best || rows[i].priority > rows[*best].priority ||
                        (rows[i].priority == rows[*best].priority && volumes[i] < volumes[*best]);
    if (better) best = i;
  }
  return best;
}

}  // namespace

BiomeTable::Axis BiomeTable::make_axis(std::span<const Biome> rows, FreshWater water,
                                       Interval Biome::*layer, Interval range) {
  std::set<std::int32_t> starts{range.min};
  for (const Biome& row : rows) {
    if (row.water != water) continue;
    const Interval interval = row.*layer;
    if (interval.min > range.min && interval.min <= range.max) starts.insert(interval.min);
    if (interval.max >= range.min && interval.max < range.max) starts.insert(interval.max + 1);
  }
  Axis axis;
  axis.min = range.min;
  axis.first_values.assign(starts.begin(), starts.end());
  std::uint32_t piece = 0;
  for (std::int64_t value = range.min; value <= range.max; ++value) {
    if (piece + 1 < axis.first_values.size() && value == axis.first_values[piece + 1]) ++piece;
    axis.cells.push_back(piece);
  }
  return axis;
}

Result<BiomeTable> BiomeTable::build(std::span<const Biome> rows, const LayerRanges& ranges,
                                     const LayerRanges& sizes, FreshWater water) {
  if (rows.empty() || rows.size() > 256) {
    return fail(ErrorCode::kInvalidArgument,
                "biomes: " + std::to_string(rows.size()) + " rows; 1 to 256 are allowed");
  }
  for (const auto range : kRanges) {
    const Interval values = ranges.*range;
    if (values.min > values.max) {
      return fail(ErrorCode::kInternal, "biomes: the terrain says that a layer goes from " +
                                            std::to_string(values.min) + " to " +
                                            std::to_string(values.max) + ": a bug");
    }
  }
  BiomeTable table;
  const bool has_rows =
      std::any_of(rows.begin(), rows.end(), [&](const Biome& row) { return row.water == water; });
  if (!has_rows && water != FreshWater::kNone) return table;
  std::size_t pieces = 1;
  for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
    table.axes_[axis] = make_axis(rows, water, kAxes[axis], ranges.*kRanges[axis]);
    pieces *= table.axes_[axis].first_values.size();
  }
  if (pieces * rows.size() > kMaxComparisons) {
    return fail(
        ErrorCode::kInvalidArgument,
        "biomes: the ranges of " + std::to_string(rows.size()) + " rows cut the layers into " +
            std::to_string(pieces) +
            " pieces, which is too many to tell apart; use fewer rows, or fewer different ends");
  }
  std::vector<std::int64_t> volumes;
  for (const Biome& row : rows) volumes.push_back(volume_of(row, sizes));
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    Point point;
    std::size_t rest = piece;
    for (std::size_t axis = kAxes.size(); axis-- > 0;) {
      const auto& values = table.axes_[axis].first_values;
      point[axis] = values[rest % values.size()];
      rest /= values.size();
    }
    const auto row = best_row(rows, volumes, water, point);
    if (!row) {
      return fail(ErrorCode::kInvalidArgument,
                  "biomes: no row" + std::string(of_water(water)) + " fits " +
                      describe(point, ranges) + "; add a row without ranges for what is left over");
    }
    table.choice_.push_back(static_cast<std::uint8_t>(*row));
  }
  std::uint32_t stride = 1;
  for (std::size_t axis = kAxes.size(); axis-- > 0;) {
    for (std::uint32_t& cell : table.axes_[axis].cells) cell *= stride;
    stride *= static_cast<std::uint32_t>(table.axes_[axis].first_values.size());
  }
  return table;
}

void BiomeTable::choose(const SiteLayers& site, std::span<std::uint8_t> out) const {
  if (site.slope_p.empty()) {
    choose_by_climate(site, out);
  } else {
    choose_by_all(site, out);
  }
}

/// Where slope and inland are 0 everywhere.
void BiomeTable::choose_by_climate(const SiteLayers& site, std::span<std::uint8_t> out) const {
  const Cells heights = axes_[0].view(), temperatures = axes_[1].view(),
              humidities = axes_[2].view();
  const std::uint32_t elsewhere = axes_[3].view()[0] + axes_[4].view()[0];
  const std::uint8_t* rows = choice_.data() + elsewhere;
  const std::int32_t* height_q4 = site.height_q4.data();
  const std::int16_t *temperature_d = site.temperature_d.data(),
                     *humidity_d = site.humidity_d.data();
  std::uint8_t* __restrict to = out.data();
  for (std::size_t i = 0; i < out.size(); ++i) {
    to[i] =
        rows[heights[height_q4[i]] + temperatures[temperature_d[i]] + humidities[humidity_d[i]]];
  }
}

void BiomeTable::choose_by_all(const SiteLayers& site, std::span<std::uint8_t> out) const {
  const Cells heights = axes_[0].view(), temperatures = axes_[1].view(),
              humidities = axes_[2].view(), slopes = axes_[3].view(), inlands = axes_[4].view();
  const std::uint8_t* rows = choice_.data();
  const std::int32_t* height_q4 = site.height_q4.data();
  const std::int16_t *temperature_d = site.temperature_d.data(),
                     *humidity_d = site.humidity_d.data(), *slope_p = site.slope_p.data(),
                     *inland_p = site.inland_p.data();
  std::uint8_t* __restrict to = out.data();
  for (std::size_t i = 0; i < out.size(); ++i) {
    to[i] = rows[heights[height_q4[i]] + temperatures[temperature_d[i]] +
                 humidities[humidity_d[i]] + slopes[slope_p[i]] + inlands[inland_p[i]]];
  }
}

}  // namespace terrane::worldgen
