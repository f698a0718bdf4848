#include <gtest/gtest.h>
#include <png.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/map/drawing.h"
#include "cli/whole_file.h"
#include "drawing/color.h"
#include "drawing/relief.h"

namespace terrane::cli {
namespace {

using namespace drawing;

World tiny_world() {
  World world;
  world.name = "tiny";
  world.chunk_size = 16;
  world.layers = {{Layer::kHeight, "height", "block", 1.0 / 16, -1600, 1600},
                  {Layer::kBiome, "biome", "biome", 1, 0, 2}};
  world.biomes = {{0, "red", 0xff0000}, {1, "green", 0x00ff00}, {2, "blue", 0x0000ff}};
  return world;
}

Chunk filled(ChunkCoord coord, std::int32_t height_q4, std::uint8_t biome) {
  Chunk chunk;
  chunk.coord = coord;
  chunk.size = 16;
  chunk.height_q4.assign(256, height_q4);
  chunk.biome.assign(256, biome);
  return chunk;
}

std::uint32_t pixel(const Picture& picture, int x, int y) {
  const auto at = static_cast<std::size_t>(y * picture.width + x) * 3;
  return picture.rgb[at] * 0x10000u + picture.rgb[at + 1] * 0x100u + picture.rgb[at + 2];
}

TEST(map, north_west_is_the_top_left_corner) {
  const World world = tiny_world();
  MapGrid grid(legend_of(world), samples_of({{-1, -1}, {0, 0}}, 16), 0, MapStyle::kBiome,
               *layers_for(MapStyle::kBiome, world));
  grid.place(filled({0, 0}, 0, 0));
  grid.place(filled({0, -1}, 0, 1));
  grid.place(filled({-1, -1}, 0, 2));
  const Picture picture = grid.draw();
  ASSERT_EQ(picture.width, 32);
  ASSERT_EQ(picture.height, 32);
  EXPECT_EQ(pixel(picture, 0, 0), 0x0000ffu);
  EXPECT_EQ(pixel(picture, 31, 0), 0x00ff00u);
  EXPECT_EQ(pixel(picture, 31, 31), 0xff0000u);
}

TEST(map, flat_land_in_relief_has_one_colour_everywhere) {
  const World world = tiny_world();
  MapGrid grid(legend_of(world), samples_of({{0, 0}, {0, 0}}, 16), 0, MapStyle::kRelief,
               *layers_for(MapStyle::kRelief, world));
  grid.place(filled({0, 0}, 160, 1));
  const Picture picture = grid.draw();
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 16; ++x)
      EXPECT_EQ(pixel(picture, x, y), to_rgb(printed(from_rgb(0x00ff00))));
  }
}

TEST(map, relief_shows_deep_water_darker_than_shallow_water) {
  const World world = tiny_world();
  MapGrid grid(legend_of(world), samples_of({{0, 0}, {3, 0}}, 16), 0, MapStyle::kRelief,
               *layers_for(MapStyle::kRelief, world));
  for (int i = 0; i < 4; ++i) grid.place(filled({i, 0}, -16 * (1 + 20 * i), 2));
  const Picture picture = grid.draw();
  for (int i = 0; i < 3; ++i) {
    EXPECT_GT(lightness(from_rgb(pixel(picture, 16 * i + 8, 0))),
              lightness(from_rgb(pixel(picture, 16 * i + 24, 0))));
  }
}

TEST(map, relief_shows_a_lake_above_the_sea_and_leaves_a_dry_hollow_below_it_dry) {
  World world = tiny_world();
  world.layers.push_back({Layer::kWater, "water", "block", 1.0 / 16, kNoWater, 1600});
  MapGrid grid(legend_of(world), samples_of({{0, 0}, {2, 0}}, 16), 0, MapStyle::kRelief,
               *layers_for(MapStyle::kRelief, world));
  for (const int i : {0, 1, 2}) {
    Chunk chunk = filled({i, 0}, i == 1 ? -80 : 800, 1);
    chunk.water_q4.assign(256, i == 0 ? 900 : kNoWater);
    grid.place(chunk);
  }
  const Picture picture = grid.draw();
  const auto is_blue = [&](int x) {
    return (pixel(picture, x, 8) & 0xff) > (pixel(picture, x, 8) >> 8 & 0xff);
  };
  EXPECT_TRUE(is_blue(4)) << "the lake";
  EXPECT_FALSE(is_blue(24)) << "the hollow";
  EXPECT_FALSE(is_blue(44)) << "the land";
}

TEST(map, structures_are_marked_and_rooms_and_placements_drawn_where_they_are) {
  World world = tiny_world();
  world.layers.push_back({Layer::kStructures, "structures", "structure", 1, 0, 256});
  world.placement_kinds = {{"oak", 0x102030, 16, 64}};
  world.structure_kinds = {{"ruin", 0xfe01fe, 48, {{"hall", 6, 3, 1, {}}}}};
  Chunk chunk = filled({0, 0}, 160, 1);
  chunk.rooms = {{.corner = {4, 2}, .structure = {4, 1}, .turn = 1}};
  chunk.placements = {{.anchor = {12, 12}}};
  MapGrid near(legend_of(world), samples_of({{0, 0}, {0, 0}}, 16), 0, MapStyle::kRelief,
               *layers_for(MapStyle::kRelief, world));
  near.place(chunk);
  const Picture rooms = near.draw();
  EXPECT_EQ(pixel(rooms, 5, 5), 0xfe01feu)
      << "within the hall, which is 3 wide and 6 deep as it is turned";
  EXPECT_NE(pixel(rooms, 8, 4), pixel(rooms, 6, 4)) << "past its wall";
  EXPECT_NE(pixel(rooms, 12, 12), pixel(rooms, 14, 12)) << "the oak";

  MapGrid far(legend_of(world), samples_of({{0, 0}, {0, 0}}, 16), 2, MapStyle::kRelief,
              *layers_for(MapStyle::kRelief, world));
  chunk = filled({0, 0}, 160, 1);
  chunk.structures.emplace_back().anchor = {32, 20};
  far.place(chunk);
  EXPECT_EQ(pixel(far.draw(), 8, 5), 0xfe01feu);
}

TEST(map, a_layer_that_the_world_lacks_is_refused_by_name) {
  const auto layers = layers_for(MapStyle::kForest, tiny_world());
  ASSERT_FALSE(layers);
  EXPECT_NE(layers.error().message.find("no layer forest"), std::string::npos)
      << layers.error().message;
  EXPECT_TRUE(layers_for(MapStyle::kRelief, tiny_world()));
}

TEST(map, gentle_land_is_exaggerated_more_than_rugged_land_and_both_within_limits) {
  const auto ramp = [](double rise) {
    HeightGrid grid{16, 16, 1, {}};
    for (int i = 0; i < 256; ++i) grid.blocks.push_back(static_cast<float>(1 + rise * (i % 16)));
    return exaggeration_for(grid);
  };
  EXPECT_GT(ramp(0.1), ramp(0.2));
  EXPECT_EQ(ramp(100), ramp(1000));
  EXPECT_EQ(ramp(0.001), ramp(0.0001));
  EXPECT_EQ(exaggeration_for(HeightGrid{16, 16, 1, std::vector<float>(256, -5)}), 1);
}

TEST(map, a_chunk_of_another_size_does_not_write_outside_of_the_map) {
  const World world = tiny_world();
  MapGrid grid(legend_of(world), samples_of({{0, 0}, {0, 0}}, 16), 0, MapStyle::kBiome,
               *layers_for(MapStyle::kBiome, world));
  Chunk large = filled({0, 0}, 0, 1);
  large.size = 128;
  large.biome.assign(128 * 128, 1);
  grid.place(large);
  EXPECT_EQ(pixel(grid.draw(), 0, 0), 0xff0000u);
}

TEST(map, enlarging_repeats_pixels) {
  const Picture picture = enlarged({2, 1, {1, 2, 3, 4, 5, 6}}, 2);
  EXPECT_EQ(picture.width, 4);
  EXPECT_EQ(picture.height, 2);
  EXPECT_EQ(pixel(picture, 1, 1), 0x010203u);
  EXPECT_EQ(pixel(picture, 2, 0), 0x040506u);
}

TEST(map, a_png_file_reads_back_as_the_picture) {
  const Picture picture{2, 2, {255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 8, 7}};
  const auto bytes = encode_png(picture);
  ASSERT_TRUE(bytes);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_TRUE(png_image_begin_read_from_memory(&image, bytes->data(), bytes->size()));
  image.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> read(PNG_IMAGE_SIZE(image));
  ASSERT_TRUE(png_image_finish_read(&image, nullptr, read.data(), 0, nullptr));
  EXPECT_EQ(read, picture.rgb);
}

TEST(map, a_file_is_replaced_as_a_whole_and_leaves_nothing_beside_it) {
  const auto directory =
      std::filesystem::temp_directory_path() / ("terrane-map-test-" + std::to_string(getpid()));
  std::filesystem::create_directory(directory);
  const std::string path = directory / "map.png";
  Interrupt interrupt;
  ASSERT_TRUE(write_whole_file(path, "old", interrupt));
  ASSERT_TRUE(write_whole_file(path, "new", interrupt));
  std::stringstream content;
  content << std::ifstream(path).rdbuf();
  EXPECT_EQ(content.str(), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory), {}), 1);
  std::filesystem::remove_all(directory);
}

TEST(map, behind_a_link_the_file_is_replaced_and_a_pipe_is_left_alone) {
  const auto directory =
      std::filesystem::temp_directory_path() / ("terrane-link-test-" + std::to_string(getpid()));
  std::filesystem::create_directory(directory);
  const std::string file = directory / "map.png", link = directory / "link.png",
                    pipe = directory / "pipe";
  std::ofstream(file) << "old";
  std::filesystem::create_symlink("map.png", link);
  Interrupt interrupt;
  ASSERT_TRUE(check_writable(link));
  ASSERT_TRUE(write_whole_file(link, "new", interrupt));
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  std::string now;
  std::ifstream(file) >> now;
  EXPECT_EQ(now, "new");

  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto refused = check_writable(pipe);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("a device or a pipe"), std::string::npos)
      << refused.error().message;
  std::filesystem::remove_all(directory);
}

TEST(map, a_place_that_cannot_be_written_is_told_before_the_work) {
  EXPECT_FALSE(check_writable("/nowhere/at/all/map.png"));
  EXPECT_FALSE(check_writable("/tmp"));
  EXPECT_TRUE(check_writable("map.png"));
}

}  // namespace
}  // namespace terrane::cli
