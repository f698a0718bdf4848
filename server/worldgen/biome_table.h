#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "terrane/result.h"

namespace terrane::worldgen {

/// Closed interval of stored integers; the default is open at both ends.
struct Interval {
  std::int32_t min = std::numeric_limits<std::int32_t>::min();
  std::int32_t max = std::numeric_limits<std::int32_t>::max();

  [[nodiscard]] constexpr bool holds(std::int32_t value) const {
    return min <= value && value <= max;
  }
};

/// Water on land, and roads. A biome table has rows of its own for each. Rows for kPainted are in
/// no table: stamps and villages paint them.
enum class FreshWater : std::uint8_t { kNone = 0, kRiver = 1, kLake = 2, kPainted = 3, kRoad = 4 };

/// One row of the biome table: fits where everything lies within its ranges.
struct Biome {
  std::string name;
  std::uint32_t color = 0;               // 0xRRGGBB
  int priority = 0;                      // rows of a higher one are looked at first
  FreshWater water = FreshWater::kNone;  // the row is for what is under this; for all else, if none
  Interval height_q4, temperature_d, humidity_d;
  Interval slope_p;  // percent: 100 is as steep as 45 degrees
  // per mille of the way from the coast to the heart of the land; negative at sea
  Interval inland_p;
};

/// The values that a world's layers can take, and what else its biomes may depend on; a world
/// without the latter has zeros there.
struct LayerRanges {
  Interval height_q4, temperature_d, humidity_d;
  Interval slope_p{0, 0}, inland_p{0, 0};
};

/// What chooses the biome of each sample of a grid. Height, temperature and humidity are the layers
/// themselves, unless a terrain perturbs them so that borders look natural.
struct SiteLayers {
  std::span<const std::int32_t> height_q4;
  std::span<const std::int16_t> temperature_d, humidity_d;
  // percent; empty, together with inland_p: 0 everywhere
  std::span<const std::int16_t> slope_p;
  std::span<const std::int16_t> inland_p;  // per mille of the way from the coast inland
  std::span<const std::uint8_t> fresh;     // a FreshWater; empty: kNone everywhere

  /// Those of one sample, which has slope and inland.
  [[nodiscard]] SiteLayers sample(std::size_t i) const {
    return {height_q4.subspan(i, 1), temperature_d.subspan(i, 1), humidity_d.subspan(i, 1),
            slope_p.subspan(i, 1),   inland_p.subspan(i, 1),      {}};
  }
};

/// Chooses the biome of (height, temperature, humidity, slope, inland): of the rows that fit, those
/// of the highest priority; of these the one with the smallest product of range widths, an open end
/// counting as the layer's limit; then the first. The choice is tabulated over the rows' limits, so
/// it takes a few look-ups. Immutable; share freely.
class BiomeTable {
 public:
  /// The table of the rows for `water`; without any, a table that is empty().
  /// @param sizes  within which rows are narrow or wide; `ranges` holds them
  /// Errors:
  /// kInvalidArgument when there are more than 256 rows, or none for kNone, or when some point fits
  /// none of those for `water` (which one is said).
  static Result<BiomeTable> build(std::span<const Biome> rows, const LayerRanges& ranges,
                                  const LayerRanges& sizes, FreshWater water);
  static Result<BiomeTable> build(std::span<const Biome> rows, const LayerRanges& ranges) {
    return build(rows, ranges, ranges, FreshWater::kNone);
  }

  BiomeTable() = default;

  [[nodiscard]] bool empty() const { return choice_.empty(); }

  /// Rows of points within the ranges that the table was built for, whatever water they are under;
  /// all spans are as long as `out`.
  void choose(const SiteLayers& site, std::span<std::uint8_t> out) const;

 private:
  /// An axis's cells by value, without the vector around them: the loops that look up write bytes,
  /// which might be anything.
  struct Cells {
    const std::uint32_t* cells;
    std::int32_t min;
    std::uint32_t operator[](std::int32_t value) const {
      return cells[static_cast<std::size_t>(std::int64_t{value} - min)];
    }
  };

  /// One layer's values, cut where some row begins or ends; cell() is the piece's index times the
  /// piece's stride in choice_.
  struct Axis {
    std::int32_t min = 0;
    std::vector<std::uint32_t> cells;
    std::vector<std::int32_t> first_values;  // of each piece
    [[nodiscard]] Cells view() const { return {cells.data(), min}; }
  };

  void choose_by_climate(const SiteLayers& site, std::span<std::uint8_t> out) const;
  void choose_by_all(const SiteLayers& site, std::span<std::uint8_t> out) const;
  static Axis make_axis(std::span<const Biome> rows, FreshWater water, Interval Biome::*layer,
                        Interval range);

  std::array<Axis, 5> axes_;
  std::vector<std::uint8_t> choice_;
};

}  // namespace terrane::worldgen
