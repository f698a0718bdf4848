#include <gtest/gtest.h>

#include "cli/map/profile.h"

namespace terrane::cli {
namespace {

World tiny_world() {
  World world;
  world.sea_level_q4 = 0;
  world.biomes = {{0, "red", 0xff0000}, {1, "green", 0x00ff00}};
  return world;
}

PointSample ground(int blocks, std::uint8_t biome = 0) {
  PointSample sample;
  sample.height_q4 = 16 * blocks;
  sample.biome = biome;
  return sample;
}

std::uint32_t pixel(const Picture& picture, int x, int y) {
  const auto at = static_cast<std::size_t>(y * picture.width + x) * 3;
  return picture.rgb[at] * 0x10000u + picture.rgb[at + 1] * 0x100u + picture.rgb[at + 2];
}

TEST(profile, blocks_are_spread_from_the_first_to_the_last) {
  EXPECT_EQ(profile_blocks(-10, 10, 7, 5),
            (std::vector<BlockPos>{{-10, 7}, {-5, 7}, {0, 7}, {5, 7}, {10, 7}}));
  EXPECT_EQ(profile_blocks(0, 10, 0, 4), (std::vector<BlockPos>{{0, 0}, {3, 0}, {6, 0}, {10, 0}}));
}

TEST(profile, a_way_shorter_than_the_plot_has_each_block_once) {
  EXPECT_EQ(profile_blocks(3, 5, -1, 100), (std::vector<BlockPos>{{3, -1}, {4, -1}, {5, -1}}));
}

TEST(profile, blocks_at_both_ends_of_the_world_do_not_overflow) {
  const std::int64_t far = max_block_coord(kMaxChunkSize);
  const auto blocks = profile_blocks(-far, far, far, 8192);
  ASSERT_EQ(blocks.size(), 8192u);
  EXPECT_EQ(blocks.front(), (BlockPos{-far, far}));
  EXPECT_EQ(blocks.back(), (BlockPos{far, far}));
  for (std::size_t k = 1; k < blocks.size(); ++k) ASSERT_GT(blocks[k].x, blocks[k - 1].x);
}

TEST(profile, text_shows_ground_water_and_air_with_heights_and_ends) {
  const std::vector<PointSample> samples{ground(16),  ground(8),  ground(0), ground(-8),
                                         ground(-16), ground(-8), ground(8)};
  EXPECT_EQ(plot_profile(tiny_world(), samples, -3, 3, 10),
            "      18\n"
            "         #\n"
            "         #\n"
            "         ##    #\n"
            "         ##    #\n"
            "       0 ###~~~#\n"
            "         ###~~~#\n"
            "         ####~##\n"
            "         ####~##\n"
            "     -18 #######\n"
            "         -3    3\n");
}

TEST(profile, a_water_layer_counts_more_than_the_sea) {
  std::vector<PointSample> samples{ground(20), ground(10), ground(20), ground(-10)};
  samples[1].water_q4 = 16 * 15;  // and the last is dry, below the sea's level
  World world = tiny_world();
  world.layers = {{Layer::kWater, "water", "block", 1.0 / 16, -1600, 1600}};
  const std::string text = plot_profile(world, samples, 0, 3, 30);
  EXPECT_NE(text.find("#~#"), std::string::npos) << text;
  EXPECT_EQ(text.find("###~"), std::string::npos) << text;
}

TEST(profile, flat_land_is_not_stretched_to_mountains) {
  const HeightSpan span = span_of(tiny_world(), {ground(5), ground(5)});
  EXPECT_GE(span.high_q4 - span.low_q4, 8 * 16);
  EXPECT_LT(span.low_q4, 5 * 16);
  EXPECT_GT(span.high_q4, 5 * 16);
}

TEST(profile, a_picture_has_sky_above_biomes_above_earth_and_water_in_hollows) {
  const Picture picture =
      draw_profile(tiny_world(), {ground(20, 0), ground(-20, 1), ground(20, 7)}, 200);
  ASSERT_EQ(picture.width, 3);
  ASSERT_EQ(picture.height, 200);
  ASSERT_EQ(picture.rgb.size(), 3u * 3 * 200);
  const auto blue = [](std::uint32_t rgb) {
    return static_cast<int>(rgb & 0xff) - static_cast<int>(rgb >> 16);
  };
  for (int x = 0; x < 3; ++x) EXPECT_GT(blue(pixel(picture, x, 0)), 0);
  // the span is 40 blocks and an eighth more at both ends
  EXPECT_EQ(pixel(picture, 0, 24), 0xff0000u);
  EXPECT_EQ(pixel(picture, 1, 184), 0x00ff00u);
  EXPECT_GT(blue(pixel(picture, 1, 120)), 60);   // water
  EXPECT_NE(pixel(picture, 0, 120), 0xff0000u);  // earth
  EXPECT_EQ(pixel(picture, 2, 24), 0x808080u);   // a biome that the world's table lacks
}

}  // namespace
}  // namespace terrane::cli
