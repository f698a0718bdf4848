#include "worldgen/biome_table.h"

#include <algorithm>
#include <optional>
#include <set>

namespace terrane::worldgen {

namespace {

constexpr std::size_t kMaxComparisons = std::size_t{1} << 25;  // of pieces with rows: a few tenths of a second

bool contains(Interval interval, std::int32_t value) { return interval.min <= value && value <= interval.max; }

/// Number of values of `range` that `interval` spans.
std::int64_t width(Interval interval, Interval range) {
  return std::int64_t{std::min(interval.max, range.max)} - std::max(interval.min, range.min) + 1;
}

std::string describe(std::array<std::int32_t, 3> point) {
  return "height " + std::to_string(point[0] / 16.0) + " blocks, temperature " + std::to_string(point[1] / 10.0) +
         " degC, humidity " + std::to_string(point[2] / 10.0) + " percent";
}

/// The row that wins at a point.
std::optional<std::size_t> choose(std::span<const Biome> rows, const LayerRanges& ranges, std::array<std::int32_t, 3> point) {
  std::optional<std::size_t> best;
  std::int64_t best_volume = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Biome& row = rows[i];
    if (!contains(row.height_q4, point[0]) || !contains(row.temperature_d, point[1]) || !contains(row.humidity_d, point[2])) {
      continue;
    }
    const std::int64_t volume = width(row.height_q4, ranges.height_q4) * width(row.temperature_d, ranges.temperature_d) *
                                width(row.humidity_d, ranges.humidity_d);
    if (!best || volume < best_volume) {
      best = i;
      best_volume = volume;
    }
  }
  return best;
}

}  // namespace

BiomeTable::Axis BiomeTable::make_axis(std::span<const Biome> rows, Interval Biome::*layer, Interval range) {
  std::set<std::int32_t> starts{range.min};
  for (const Biome& row : rows) {
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

Result<BiomeTable> BiomeTable::build(std::span<const Biome> rows, const LayerRanges& ranges) {
  if (rows.empty() || rows.size() > 256) {
    return fail(ErrorCode::kInvalidArgument, "biomes: " + std::to_string(rows.size()) + " rows; 1 to 256 are allowed");
  }
  BiomeTable table;
  table.axes_ = {make_axis(rows, &Biome::height_q4, ranges.height_q4),
                 make_axis(rows, &Biome::temperature_d, ranges.temperature_d),
                 make_axis(rows, &Biome::humidity_d, ranges.humidity_d)};
  std::size_t pieces = 1;
  for (const Axis& axis : table.axes_) pieces *= axis.first_values.size();
  if (pieces * rows.size() > kMaxComparisons) {
    return fail(ErrorCode::kInvalidArgument,
                "biomes: the ranges of " + std::to_string(rows.size()) + " rows cut the layers into " + std::to_string(pieces) +
                    " pieces, which is too many to tell apart; use fewer rows, or fewer different ends");
  }
  for (const std::int32_t height : table.axes_[0].first_values) {
    for (const std::int32_t temperature : table.axes_[1].first_values) {
      for (const std::int32_t humidity : table.axes_[2].first_values) {
        const auto row = choose(rows, ranges, {height, temperature, humidity});
        if (!row) {
          return fail(ErrorCode::kInvalidArgument, "biomes: no row fits " + describe({height, temperature, humidity}) +
                                                       "; add a row without ranges for what is left over");
        }
        table.choice_.push_back(static_cast<std::uint8_t>(*row));
      }
    }
  }
  const auto temperatures = static_cast<std::uint32_t>(table.axes_[1].first_values.size());
  const auto humidities = static_cast<std::uint32_t>(table.axes_[2].first_values.size());
  for (std::uint32_t& cell : table.axes_[0].cells) cell *= temperatures * humidities;
  for (std::uint32_t& cell : table.axes_[1].cells) cell *= humidities;
  return table;
}

}  // namespace terrane::worldgen
