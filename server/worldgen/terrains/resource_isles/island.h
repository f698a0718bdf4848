#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "terrane/coord.h"
#include "worldgen/noise/fractal_noise.h"
#include "worldgen/terrains/resource_isles/land_mask.h"
#include "worldgen/terrains/resource_isles/resource_isles.h"

namespace terrane::worldgen {

/// The paraboloid that is subtracted around an island: 0 at its centre, 1 at the edge of its
/// ellipse.
struct IslandShape {
  float centre_x = 0, centre_y = 0;      // in tiles from the cell's corner: integers
  float inverse_a2 = 0, inverse_b2 = 0;  // of the half extents' squares

  /// At a tile of the cell, in kTileOne; less than 2^13 times that.
  [[nodiscard]] std::int32_t paraboloid(float x, float y) const {
    const float dx = x - centre_x, dy = y - centre_y;
    return static_cast<std::int32_t>((dx * dx * inverse_a2 + dy * dy * inverse_b2) *
                                     static_cast<float>(kTileOne));
  }
};

/// The island of one cell.
struct Island {
  BlockPos corner;  // the cell's tile of smallest x and y
  IslandShape shape;
  std::optional<LandMask> land;  // only when tidy
};

/// The cells of a world: rows of them, each shifted by a hashed way.
class IslandCells {
 public:
  IslandCells(const ResourceIslesTerrain& terrain, std::uint64_t seed, noise::SimdTarget target);

  /// The row of cells that holds a block, and what is to be added to its x before columns are
  /// counted.
  [[nodiscard]] std::int64_t row_of(std::int64_t y) const {
    return floor_div(y + shift_y_, terrain_.cell);
  }
  [[nodiscard]] std::int64_t shift_of(std::int64_t row) const;

  /// The island of a cell; with its land if the world is tidy (some microseconds).
  [[nodiscard]] Island island(std::int64_t row, std::int64_t column) const;

 private:
  void make_land(Island& island) const;

  const ResourceIslesTerrain& terrain_;
  std::uint64_t key_, height_key_;
  noise::SimdTarget target_;
  std::int64_t shift_y_ = 0;
};

/// A noise from [-1, 1] to 0 ... kTileOne.
[[nodiscard]] inline std::int32_t to_tile_noise(float noise) {
  return static_cast<std::int32_t>((0.5f + 0.5f * noise) * static_cast<float>(kTileOne) + 0.5f);
}

/// Stream of the noise of the land.
inline constexpr std::string_view kLandStream = "resource_isles.height";

}  // namespace terrane::worldgen
