#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "drawing/map_grid.h"
#include "drawing/png.h"
#include "support/png_picture.h"

namespace terrane::drawing {
namespace {

constexpr int kSize = 64;

/// Land and sea with hills, forests and a river: whatever a relief looks at.
Chunk some_land(ChunkCoord coord) {
  Chunk chunk;
  chunk.coord = coord;
  chunk.size = kSize;
  for (int y = 0; y < kSize; ++y) {
    for (int x = 0; x < kSize; ++x) {
      const double east = static_cast<double>(coord.x * kSize + x);
      const double south = static_cast<double>(coord.y * kSize + y);
      const double wave =
          std::sin(east / 37) + std::cos(south / 53) + std::sin((east + south) / 9) / 4;
      chunk.height_q4.push_back(static_cast<std::int32_t>(400 * wave));
      const bool is_river = std::abs(east - 1.5 * south) < 6;
      chunk.water_q4.push_back(is_river ? chunk.height_q4.back() + 20 : wave < 0 ? 0 : kNoWater);
      chunk.biome.push_back(static_cast<std::uint8_t>(static_cast<int>(std::abs(east)) / 50 % 3));
      chunk.forest_p.push_back(static_cast<std::uint8_t>(std::fmod(std::abs(east * south), 100)));
    }
  }
  chunk.placements.push_back(
      {.anchor = {coord.x * kSize + 1, coord.y * kSize + 1}, .kind = 0, .scale = 100});
  return chunk;
}

struct Land {
  Land() {
    legend.chunk_size = kSize;
    legend.set_span(-1000, 1000);
    legend.biomes[0] = from_rgb(0x4f8f4f);
    legend.biomes[1] = from_rgb(0xbfae6f);
    legend.biomes[2] = from_rgb(0xffffff);
    legend.placement_kinds = kinds;
  }

  [[nodiscard]] Picture draw(const SampleRectangle& area, MapStyle style) const {
    MapGrid grid(legend, area, 0, style, layers_for(style, layers));
    for (std::int64_t y = floor_div(area.y, kSize); y * kSize < area.y + area.height; ++y) {
      for (std::int64_t x = floor_div(area.x, kSize); x * kSize < area.x + area.width; ++x)
        grid.place(some_land({x, y}));
    }
    return grid.draw(2.0);
  }

  const std::vector<PlacementKind> kinds{
      {.name = "oak", .color = 0x205010, .radius_q4 = 64, .height_q4 = 160}};
  const LayerMask layers = layer_bit(Layer::kHeight) | layer_bit(Layer::kBiome) |
                           layer_bit(Layer::kWater) | layer_bit(Layer::kForest) |
                           layer_bit(Layer::kPlacements);
  Legend legend;
};

/// The farthest that a part of a picture is from the same part of another, of 255.
int difference(const Picture& a, int ax, int ay, const Picture& b, int bx, int by, int size) {
  int most = 0;
  for (int y = 0; y < size; ++y) {
    for (int i = 0; i < 3 * size; ++i) {
      const auto at = [&](const Picture& picture, int px, int py) {
        return int{picture.rgb[static_cast<std::size_t>(((py + y) * picture.width + px) * 3 + i)]};
      };
      most = std::max(most, std::abs(at(a, ax, ay) - at(b, bx, by)));
    }
  }
  return most;
}

TEST(map_grid, a_part_of_a_map_looks_as_it_does_in_the_whole) {
  constexpr int kApron = 16, kPart = 96;
  const Land land;
  for (const MapStyle style :
       {MapStyle::kRelief, MapStyle::kBiome, MapStyle::kHeight, MapStyle::kWater}) {
    const Picture whole = land.draw({-200, -200, 400, 400}, style);
    for (const int at : {-150, -64, 0, 70}) {
      const Picture part =
          land.draw({at - kApron, at - kApron, kPart + 2 * kApron, kPart + 2 * kApron}, style);
      EXPECT_LE(difference(whole, at + 200, at + 200, part, kApron, kApron, kPart), 1)
          << name_of(style) << at;
    }
  }
}

TEST(map_grid, a_world_without_what_a_style_is_about_shows_nothing) {
  EXPECT_EQ(layers_for(MapStyle::kForest, layer_bit(Layer::kHeight)), 0u);
  EXPECT_EQ(layers_for(MapStyle::kHeight, kAllLayers), layer_bit(Layer::kHeight));
}

TEST(png, holds_the_picture_as_it_is) {
  const Picture picture = Land().draw({-20, -20, 77, 53}, MapStyle::kRelief);
  const auto png = encode_png(picture);
  ASSERT_TRUE(png);
  const Picture read = test::read_png(*png);
  EXPECT_EQ(read.width, 77);
  EXPECT_EQ(read.height, 53);
  EXPECT_EQ(read.rgb, picture.rgb);
}

TEST(png, refuses_a_picture_that_none_can_hold) {
  const auto png = encode_png({});
  ASSERT_FALSE(png);
  EXPECT_NE(png.error().message.find("libpng: "), std::string::npos) << png.error().message;
}

}  // namespace
}  // namespace terrane::drawing
