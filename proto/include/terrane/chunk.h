#pragma once

#include <cstdint>
#include <vector>

#include "terrane/coord.h"
#include "terrane/objects.h"

namespace terrane {

/// What a chunk can hold. The number is the section's id in an encoded chunk and the value of
/// terrane.v1.Layer.
enum class Layer : std::uint8_t {
  kHeight = 1,       // ground height, 1/16 block
  kTemperature = 2,  // 1/10 degree Celsius
  kHumidity = 3,     // 1/10 percent
  kBiome = 4,        // index into the world's biome table
  kWater = 5,        // height of the water's surface, 1/16 block; kNoWater where there is none
  kForest = 6,       // density of trees, percent
  kRocks = 7,        // density of boulders, percent
  kPlacements = 8,   // what stands there; at lod 0
  kStructures = 9,   // structures, up to lod 4, and their rooms, at lod 0
};

/// A set of layers: bit 1 << id for each.
using LayerMask = std::uint32_t;

constexpr LayerMask layer_bit(Layer layer) { return LayerMask{1} << static_cast<unsigned>(layer); }

inline constexpr LayerMask kCoreLayers = layer_bit(Layer::kHeight) |
                                         layer_bit(Layer::kTemperature) |
                                         layer_bit(Layer::kHumidity) | layer_bit(Layer::kBiome);
inline constexpr LayerMask kAllLayers = ~LayerMask{0};

/// The water layer where no water stands: lower than any ground, so that water stands wherever it
/// is above the ground.
inline constexpr std::int32_t kNoWater = -(1 << 19);

/// The coarsest level of detail whose chunks hold structures.
inline constexpr Lod kMaxStructureLod = 4;

/// A decoded chunk. Each layer has size * size samples, rows of growing x, first row at the
/// smallest y: sample (i, j) is at [j * size + i]. A layer that was not asked for is empty. A value
/// type: copy, move and share as you like.
struct Chunk {
  ChunkCoord coord;
  Lod lod = 0;
  int size = 0;                             // samples along one edge
  std::vector<std::int32_t> height_q4;      // 1/16 block
  std::vector<std::int16_t> temperature_d;  // 1/10 degree Celsius
  std::vector<std::int16_t> humidity_d;     // 1/10 percent
  std::vector<std::uint8_t> biome;          // index into the world's biome table
  std::vector<std::int32_t> water_q4;       // 1/16 block, or kNoWater
  std::vector<std::uint8_t> forest_p;       // percent
  std::vector<std::uint8_t> rocks_p;        // percent
  std::vector<Placement> placements;        // whose anchors lie in this chunk, by y, then x
  std::vector<Structure> structures;        // whose anchors lie in this chunk, by y, then x
  // whose corners lie in this chunk, by structure (y, then x), then index
  std::vector<Room> rooms;

  friend bool operator==(const Chunk&, const Chunk&) = default;
};

/// The layers at one block; units as in Chunk. A layer that the world does not have is 0, or
/// kNoWater.
struct PointSample {
  std::int32_t height_q4 = 0;
  std::int16_t temperature_d = 0;
  std::int16_t humidity_d = 0;
  std::uint8_t biome = 0;
  std::int32_t water_q4 = kNoWater;
  std::uint8_t forest_p = 0;
  std::uint8_t rocks_p = 0;

  friend bool operator==(const PointSample&, const PointSample&) = default;
};

}  // namespace terrane
