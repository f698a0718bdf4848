#include "worldgen/terrains/resource_isles/island.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "worldgen/noise/field.h"
#include "worldgen/noise/hash.h"

namespace terrane::worldgen {

namespace {

/// How much a tile is land: the land of one level contains that of the next. At level 0 it is what
/// noise and paraboloid say.
struct LandLevels {
  int size = 0;
  std::vector<std::int32_t> level;       // per tile, row after row; kNever outside of the ellipse
  std::vector<std::int32_t> paraboloid;  // per tile

  static constexpr std::int32_t kNever = -4 * kTileOne;

  [[nodiscard]] LandMask land(const std::vector<std::int32_t>& values, std::int32_t from) const {
    LandMask mask;
    mask.size = size;
    for (int y = 0; y < size; ++y) {
      mask.rows[static_cast<std::size_t>(y)] = at_least(from, values.data() + y * size);
    }
    return mask;
  }

 private:
  /// Bit x: whether values[x] is at least `from`.
  [[nodiscard]] LandMask::Row at_least(std::int32_t from, const std::int32_t* values) const {
    constexpr int kWord = 16;  // bits that are gathered by a loop of its own, which becomes vectors
    LandMask::Row row;
    for (int x = 0; x < size; x += kWord) {
      const int count = std::min(kWord, size - x);
      std::uint32_t word = 0;
      for (int k = 0; k < count; ++k) word |= (values[x + k] >= from ? 1u : 0u) << k;
      row |= LandMask::Row{word} << x;
    }
    return row;
  }
};

LandLevels levels_of(const ResourceIslesTerrain& terrain, const Island& island,
                     const noise::Field& field) {
  LandLevels levels;
  const auto size = static_cast<int>(terrain.cell);
  const auto tiles = static_cast<std::size_t>(size) * static_cast<std::size_t>(size);
  levels.size = size;
  levels.level.resize(tiles);
  levels.paraboloid.resize(tiles);
  const int pitch = noise::row_pitch(size);
  // locals, and rows that nothing else points to: the loop becomes vectors
  const IslandShape shape = island.shape;
  const std::int32_t water_below = terrain.water_below;
  for (int y = 0; y < size; ++y) {
    const float* __restrict noise = field.values + y * pitch;
    std::int32_t* __restrict level = levels.level.data() + y * size;
    std::int32_t* __restrict paraboloid = levels.paraboloid.data() + y * size;
    for (int x = 0; x < size; ++x) {
      const std::int32_t n = to_tile_noise(noise[x]),
                         p = shape.paraboloid(static_cast<float>(x), static_cast<float>(y));
      const std::int32_t lower = n - water_below - 1, above = n - p;
      paraboloid[x] = -p;
      level[x] = p > kTileOne ? LandLevels::kNever : (above < lower ? above : lower);
    }
  }
  return levels;
}

/// Looks for a level whose land fits between two numbers of tiles, by halving; the last one tried
/// if none does.
/// @param first  tried first
/// @param land_at  level to land; higher levels have less
template <typename LandAt>
LandMask find_level(const ResourceIslesTerrain& terrain, std::int32_t first,
                    const LandAt& land_at) {
  std::int32_t low = LandLevels::kNever + 1, high = 2 * kTileOne, level = first;
  while (true) {
    LandMask land = land_at(level);
    const int count = land.count();
    if (count > terrain.land_max) {
      low = level + 1;
    } else if (count < terrain.land_min) {
      high = level - 1;
    } else {
      return land;
    }
    if (low > high) return land;
    level = low + (high - low) / 2;
  }
}

}  // namespace

IslandCells::IslandCells(const ResourceIslesTerrain& terrain, std::uint64_t seed,
                         noise::SimdTarget target)
    : terrain_(terrain),
      key_(noise::stream_key(seed, "resource_isles.cells")),
      height_key_(noise::stream_key(seed, kLandStream)),
      target_(target) {
  shift_y_ = static_cast<std::int64_t>(noise::stream_key(seed, "resource_isles.shift") %
                                       static_cast<std::uint64_t>(terrain.cell));
}

std::int64_t IslandCells::shift_of(std::int64_t row) const {
  return static_cast<std::int64_t>(noise::line_hash(key_, row) %
                                   static_cast<std::uint64_t>(terrain_.cell));
}

Island IslandCells::island(std::int64_t row, std::int64_t column) const {
  const std::uint64_t h =
      noise::combine(noise::line_hash(key_, row), static_cast<std::uint64_t>(column));
  const auto pick = [](std::uint64_t bits, std::int64_t low, std::int64_t high) {  // from 16 bits
    return low + static_cast<std::int64_t>(
                     ((bits & 0xffff) * static_cast<std::uint64_t>(high - low + 1)) >> 16);
  };
  const std::int64_t a = pick(h, terrain_.smallest_extent, terrain_.largest_extent);
  const std::int64_t b = pick(h >> 16, terrain_.smallest_extent, terrain_.largest_extent);
  Island island;
  island.corner = {column * terrain_.cell - shift_of(row), row * terrain_.cell - shift_y_};
  // So that the tiles at the border lie outside of the ellipse.
  island.shape.centre_x = static_cast<float>(pick(h >> 32, a + 1, terrain_.cell - 2 - a));
  island.shape.centre_y = static_cast<float>(pick(h >> 48, b + 1, terrain_.cell - 2 - b));
  island.shape.inverse_a2 = 1.0f / static_cast<float>(a * a);
  island.shape.inverse_b2 = 1.0f / static_cast<float>(b * b);
  if (terrain_.tidy) make_land(island);
  return island;
}

/// The land that noise and paraboloid give, with its corners joined and its lakes filled. If that
/// is too much or too little, a higher or lower coast; if no coast will do, an ellipse, which is
/// tidy by itself.
void IslandCells::make_land(Island& island) const {
  const auto field = std::make_unique<noise::Field>();
  const auto size = static_cast<int>(terrain_.cell);
  field->fill(terrain_.height, height_key_, {island.corner, 1, size, size}, target_);
  const LandLevels levels = levels_of(terrain_, island, *field);
  island.land = find_level(terrain_, 0, [&](std::int32_t level) {
    LandMask land = levels.land(levels.level, level);
    join_corners(land);
    fill_lakes(land);
    return land;
  });
  if (const int count = island.land->count();
      count >= terrain_.land_min && count <= terrain_.land_max)
    return;
  island.land = find_level(terrain_, -kTileOne / 2, [&](std::int32_t level) {
    return levels.land(levels.paraboloid, level);
  });
}

std::int32_t rocks_limit_on_mountain(const noise::FractalNoise& rocks, std::int32_t below,
                                     double times) {
  constexpr std::int64_t kGrids = 16;
  constexpr int kSize = 64;
  std::vector<std::int32_t> values;
  const auto field = std::make_unique<noise::Field>();
  for (std::int64_t g = 0; g < kGrids; ++g) {
    field->fill(rocks, noise::stream_key(0, "resource_isles.ranking"),
                {{g << 20, 0}, 1, kSize, kSize}, noise::SimdTarget::kScalar);
    for (std::size_t i = 0; i < std::size_t{kSize} * kSize; ++i)
      values.push_back(to_tile_noise((*field)[i]));
  }
  std::sort(values.begin(), values.end());
  const auto rank = std::lower_bound(values.begin(), values.end(), below) - values.begin();
  const double wanted = static_cast<double>(rank) * times;
  if (wanted >= static_cast<double>(values.size())) return kTileOne + 1;
  return values[static_cast<std::size_t>(wanted)];
}

bool can_be_tidy(const ResourceIslesTerrain& terrain) {
  const double smallest =
      3.1 * static_cast<double>(terrain.smallest_extent * terrain.smallest_extent);
  // Tiles may enter an ellipse a few at a time, because it is symmetric.
  return terrain.land_min <= smallest && terrain.land_max - terrain.land_min >= 48;
}

}  // namespace terrane::worldgen
