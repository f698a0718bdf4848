#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "drawing/color.h"
#include "drawing/marks.h"
#include "drawing/relief.h"
#include "drawing/shading.h"
#include "terrane/chunk.h"
#include "terrane/objects.h"
#include "terrane/result.h"

/// Decoded chunks -> a picture, one pixel per sample, north (smaller y) at the top.
namespace terrane::drawing {

enum class MapStyle : std::uint8_t {
  kBiome,
  kHeight,
  kTemperature,
  kHumidity,
  kRelief,
  kWater,
  kForest,
  kRocks
};

inline constexpr std::string_view kStyleNames =
    "biome, height, temperature, humidity, relief, water, forest, rocks";

/// By name, one of kStyleNames. Errors: kInvalidArgument lists these.
[[nodiscard]] Result<MapStyle> parse_map_style(std::string_view name);

/// What parse_map_style calls it.
[[nodiscard]] std::string_view name_of(MapStyle style);

/// The layers that a style shows, of those that a world has; none where it has not got the layer
/// that the style is about.
[[nodiscard]] LayerMask layers_for(MapStyle style, LayerMask of_world);

/// What maps of a world need to know of it.
struct Legend {
  int chunk_size = 0;             // samples along one edge
  std::int32_t sea_level_q4 = 0;  // 1/16 block
  // what the world can hold, in blocks from sea level: at most 0, and at least 0
  double deepest = 0, highest = 0;
  std::array<Color, 256> biomes;  // by id
  // these outlive the legend
  std::span<const PlacementKind> placement_kinds;
  std::span<const StructureKind> structure_kinds;

  Legend() { biomes.fill({0.5, 0.5, 0.5}); }  // of ids that no table has
  /// @param min_q4, max_q4  of its heights, in 1/16 block
  void set_span(std::int32_t min_q4, std::int32_t max_q4);
};

/// Samples of one level of detail: sample (x, y) lies at block (x * 2^lod, y * 2^lod).
struct SampleRectangle {
  std::int64_t x = 0, y = 0;  // the first one
  int width = 0, height = 0;  // samples

  friend bool operator==(const SampleRectangle&, const SampleRectangle&) = default;
};

/// A rectangle of land, as far as its chunks have come. Threads: one at a time.
class MapGrid {
 public:
  /// @param area    small enough to be held in memory
  /// @param layers  those that the chunks will have: layers_for(style, …)
  MapGrid(const Legend& legend, const SampleRectangle& area, Lod lod, MapStyle style,
          LayerMask layers);

  /// Copies the part of a chunk that lies in the rectangle into its place. Of a finer level of
  /// detail the samples that the grid shows are taken; those of a coarser one stand for their
  /// neighbours. Chunks of another size than the world's are left out.
  void place(const Chunk& chunk);

  /// Whether a chunk has been placed there.
  [[nodiscard]] bool covers(int x, int y) const { return covered_[index(x, y)] != 0; }

  /// @param exaggeration  of slopes in relief; else what exaggeration() says
  [[nodiscard]] Picture draw(std::optional<double> exaggeration = {}) const;

  /// The same a few rows at a time, for who must not do much at once.
  class Drawing;

  /// By how much slopes want to be exaggerated so that they show; see exaggeration_for.
  [[nodiscard]] double exaggeration() const;

 private:
  [[nodiscard]] Color color_at(std::size_t i) const;
  [[nodiscard]] ReliefInput relief_input(std::optional<double> exaggeration) const;
  [[nodiscard]] HeightGrid above_sea() const;
  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(area_.width) +
           static_cast<std::size_t>(x);
  }

  const Legend legend_;
  const SampleRectangle area_;
  const Lod lod_;
  const MapStyle style_;
  std::vector<std::uint8_t> covered_;
  std::vector<std::int32_t> height_q4_;
  std::vector<std::int16_t> climate_d_;  // temperature or humidity, as the style needs
  std::vector<std::uint8_t> biome_;
  std::vector<std::int32_t> water_q4_;   // empty where the world does not say it
  std::vector<std::uint8_t> density_p_;  // of trees, or of rocks
  Objects objects_;
};

class MapGrid::Drawing {
 public:
  /// @param grid  outlives it, and gets no more chunks
  explicit Drawing(const MapGrid& grid, std::optional<double> exaggeration = {});

  /// Draws so many rows more. @return whether that was all
  bool draw_rows(int rows);

  /// Once it is all drawn.
  [[nodiscard]] Picture take() { return std::move(picture_); }

 private:
  const MapGrid& grid_;
  std::optional<Relief> relief_;  // where the style is that
  Picture picture_;
  int row_ = 0;  // the next
};

/// Every pixel as a square of `factor` x `factor`.
[[nodiscard]] Picture enlarged(const Picture& picture, int factor);

}  // namespace terrane::drawing
