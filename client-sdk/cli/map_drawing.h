#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "map_marks.h"
#include "terrane/chunk.h"
#include "terrane/chunk_stream.h"
#include "terrane/result.h"
#include "terrane/world.h"

/// Decoded chunks -> a picture, one pixel per sample, north (smaller y) at the top.
namespace terrane::cli {

enum class MapStyle : std::uint8_t { kBiome, kHeight, kTemperature, kHumidity, kRelief, kWater, kForest, kRocks };

/// By name: "biome", "height", "temperature", "humidity", "relief", "water", "forest" or "rocks". Errors: kInvalidArgument lists
/// these.
[[nodiscard]] Result<MapStyle> parse_map_style(std::string_view name);

/// The layers that a style shows, of those that a world has.
/// Errors: kInvalidArgument when the world has not got the layer that the style is about.
[[nodiscard]] Result<LayerMask> layers_for(MapStyle style, const World& world);

/// The samples of a rectangle of chunks side by side. Threads: one at a time.
class MapGrid {
 public:
  /// @param area    with world.chunk_size samples per chunk, small enough to be held in memory
  /// @param layers  those that the chunks will have: layers_for(style, world)
  MapGrid(const World& world, const ChunkRectangle& area, Lod lod, MapStyle style, LayerMask layers);

  /// Copies a chunk of the rectangle into its place; chunks of another size than the world's are left out.
  void place(const Chunk& chunk);

  [[nodiscard]] Picture draw() const;

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }

 private:
  [[nodiscard]] Picture draw_relief() const;

  const World& world_;
  const ChunkRectangle area_;
  const Lod lod_;
  const MapStyle style_;
  const int width_, height_;  // samples
  std::vector<std::int32_t> height_q4_;
  std::vector<std::int16_t> climate_d_;  // temperature or humidity, as the style needs
  std::vector<std::uint8_t> biome_;
  std::vector<std::int32_t> water_q4_;   // empty where the world does not say it
  std::vector<std::uint8_t> density_p_;  // of trees, or of rocks
  Objects objects_;
};

/// Every pixel as a square of `factor` x `factor`.
[[nodiscard]] Picture enlarged(const Picture& picture, int factor);

}  // namespace terrane::cli
