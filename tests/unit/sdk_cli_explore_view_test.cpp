#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <set>

#include "cli/explore/seen_chunks.h"
#include "cli/explore/view.h"
#include "unit/sdk_cli_explore_rig.h"

namespace terrane::cli {
namespace {
std::uint32_t pixel(const Picture& picture, int x, int y) {
  const auto at = static_cast<std::size_t>(y * picture.width + x) * 3;
  return picture.rgb[at] * 0x10000u + picture.rgb[at + 1] * 0x100u + picture.rgb[at + 2];
}

TEST(explore_seen_chunks, shows_the_present_level_else_finer_ones_else_coarser_ones) {
  const World world = tiny_world();
  SeenChunks seen(world);
  const SampleRectangle area{0, 0, 16, 16};  // at lod 1: blocks 0 to 31
  const auto at = [&](int x, int y) {
    return pixel(seen.grid(area, 1, MapStyle::kBiome).draw(), x, y);
  };
  EXPECT_FALSE(seen.grid(area, 1, MapStyle::kBiome).covers(0, 0));

  seen.add({3, {0, 0}}, filled({3, {0, 0}}, 0, 0), {});
  EXPECT_EQ(at(0, 0), 0xff0000u);
  EXPECT_TRUE(seen.grid(area, 1, MapStyle::kBiome).covers(15, 15));
  seen.add({0, {0, 0}}, filled({0, {0, 0}}, 0, 1), {});
  EXPECT_EQ(at(0, 0), 0x00ff00u) << "the finer chunk covers a quarter";
  EXPECT_EQ(at(7, 7), 0x00ff00u);
  EXPECT_EQ(at(8, 7), 0xff0000u);
  seen.add({1, {0, 0}}, filled({1, {0, 0}}, 0, 2), {});
  EXPECT_EQ(at(0, 0), 0x0000ffu);
}

TEST(explore_seen_chunks, a_coarse_chunk_stands_in_with_slopes_and_not_with_steps) {
  const World world = tiny_world();
  Chunk ramp = *filled({2, {-1, -1}}, 0, 0);
  for (int i = 0; i < kSize * kSize; ++i)
    ramp.height_q4[static_cast<std::size_t>(i)] = 64 * (i % kSize);
  SeenChunks seen(world);
  seen.add({2, {-1, -1}}, std::make_shared<const Chunk>(ramp), {});
  const Picture picture = seen.grid({-64, -64, 60, 60}, 0, MapStyle::kHeight).draw();
  int changes = 0;
  for (int x = 1; x < 60; ++x) changes += pixel(picture, x, 20) != pixel(picture, x - 1, 20);
  EXPECT_GT(changes, 45) << "a step every four samples would make 15";
}

TEST(explore_seen_chunks, a_finer_chunk_shows_the_samples_that_the_coarser_one_would_have) {
  const World world = tiny_world();
  Chunk fine = *filled({0, {-1, 0}}, 0, 0);
  for (std::size_t i = 0; i < fine.biome.size(); ++i)
    fine.biome[i] = i % 2 == 0 && i / kSize % 2 == 0 ? 1 : 2;
  SeenChunks seen(world);
  seen.add({0, {-1, 0}}, std::make_shared<const Chunk>(fine), {});
  const MapGrid grid = seen.grid({-9, 0, 9, 9}, 1, MapStyle::kBiome);
  for (int x = 1; x < 9; ++x) EXPECT_EQ(pixel(grid.draw(), x, 7), 0x00ff00u) << x;
  EXPECT_FALSE(grid.covers(0, 0));
  EXPECT_FALSE(grid.covers(4, 8));
}

TEST(explore_seen_chunks, counts_the_chunks_of_the_window_and_which_are_there) {
  const World world = tiny_world();
  SeenChunks seen(world);
  EXPECT_EQ(seen.count({-1, 0, 17, 16}, 0), (SeenChunks::Count{0, 2}));
  seen.add({0, {-1, 0}}, filled({0, {-1, 0}}, 0, 0), {});
  seen.add({1, {0, 0}}, filled({1, {0, 0}}, 0, 0), {});
  EXPECT_EQ(seen.count({-1, 0, 17, 16}, 0), (SeenChunks::Count{1, 2}));
}

TEST(explore_seen_chunks, waits_for_no_chunks_outside_of_the_world) {
  const World world = tiny_world();
  const std::int64_t last = (max_chunk_coord(2) + 1) * kSize - 1;
  EXPECT_EQ(SeenChunks(world).count({last - 7, 0, 16, 16}, 2).wanted, 1u);
}

TEST(explore_seen_chunks, the_ground_underfoot_is_that_of_the_finest_chunk_there) {
  const World world = tiny_world();
  SeenChunks seen(world);
  EXPECT_FALSE(seen.ground({-3, 5}));
  seen.add({2, {-1, 0}}, filled({2, {-1, 0}}, 160, 2), {});
  EXPECT_EQ(seen.ground({-3, 5})->biome, 2);
  seen.add({0, {-1, 0}}, filled({0, {-1, 0}}, -8, 1), {});
  EXPECT_EQ(seen.ground({-3, 5})->biome, 1);
  EXPECT_EQ(height_words(*seen.ground({-3, 5}), world), "0.5 below the sea");
  EXPECT_EQ(height_words(*seen.ground({-20, 5}), world), "10.0 above the sea");
}

TEST(explore_seen_chunks, forgets_what_is_far_before_it_takes_too_much_memory) {
  World world = tiny_world();
  world.chunk_size = 128;
  SeenChunks seen(world);
  const auto chunk = std::make_shared<const Chunk>();
  for (int x = 0; x < 2000; ++x) seen.add({0, {x, 0}}, chunk, {x * 128, 0});
  const SeenChunks::Count all = seen.count({0, 0, 2000 * 128, 1}, 0);
  EXPECT_LT(all.present, 1000u);
  EXPECT_EQ(seen.count({1950 * 128, 0, 50 * 128, 1}, 0).present, 50u);
}

TEST(explore_seen_chunks, the_view_reaches_every_chunk_that_the_window_touches) {
  for (const int size : {16, 64, 128}) {
    World world = tiny_world();
    world.chunk_size = size;
    for (const auto& [columns, rows] : {std::pair{20, 5}, {80, 24}, {160, 48}, {400, 120}}) {
      for (const std::int64_t at : {0, 1, 15, 63, 64, 127, -1}) {
        const SampleRectangle seen =
            with_apron(window_samples(columns, rows, {at * 2, -at * 2}, 1));
        const auto distances = view_distances(seen.width, seen.height, 1, world);
        ASSERT_EQ(distances.size(), 4u);
        EXPECT_EQ(distances[0], 0) << "finer levels are not wanted";
        const ChunkCoord here = chunk_of({at * 2, -at * 2}, size, 1);
        for (const std::int64_t x : {seen.x, seen.x + seen.width - 1}) {
          for (const std::int64_t y : {seen.y, seen.y + seen.height - 1}) {
            const double across = static_cast<double>(floor_div(x, size) - here.x);
            const double down = static_cast<double>(floor_div(y, size) - here.y);
            EXPECT_LE(std::hypot(across, down), distances[1])
                << columns << " x " << rows << " at " << at;
          }
        }
        EXPECT_GT(2 * distances[2], distances[1]) << "a ring of coarser ones";
        EXPECT_GT(2 * distances[3], distances[2]) << "and another";
      }
    }
  }
}

TEST(explore_view, the_viewer_s_block_is_in_the_upper_half_of_the_cell_in_the_middle) {
  for (const BlockPos block : {BlockPos{0, 0}, BlockPos{-7, 1001}}) {
    const SampleRectangle window = window_samples(81, 24, block, 2);
    EXPECT_EQ(window.x + 40, block.x >> 2);
    EXPECT_EQ(window.y + 22, block.y >> 2);
    EXPECT_EQ(window.width, 81);
    EXPECT_EQ(window.height, 2 * (24 - status_rows(24)));
  }
}

TEST(explore_view, land_that_has_not_come_is_hatched_and_borders_show_when_asked_for) {
  const World world = tiny_world();
  SeenChunks seen(world);
  seen.add({0, {0, 0}}, filled({0, {0, 0}}, 160, 1), {});
  const SampleRectangle window{-16, 0, 32, 16};
  const MapGrid grid = seen.grid(with_apron(window), 0, MapStyle::kBiome);
  const Picture plain = draw_window(grid, window, 1, 0);
  EXPECT_EQ(pixel(plain, 16, 3), 0x00ff00u);
  std::set<std::uint32_t> missing;
  for (int x = 0; x < 16; ++x) missing.insert(pixel(plain, x, 3));
  EXPECT_EQ(missing.size(), 2u) << "lines on a ground";
  EXPECT_FALSE(missing.count(0x00ff00u));

  const Picture bordered = draw_window(grid, window, 1, kSize);
  EXPECT_NE(pixel(bordered, 16, 3), pixel(plain, 16, 3));
  EXPECT_EQ(pixel(bordered, 17, 3), pixel(plain, 17, 3));
}

TEST(explore_view, land_keeps_its_colours_while_the_window_moves_over_it) {
  const World world = tiny_world();
  SeenChunks seen(world);
  for (int i = 0; i < 16; ++i) {
    Chunk chunk = *filled({0, {i % 4, i / 4}}, 0, 1);
    for (int s = 0; s < kSize * kSize; ++s) {
      const double x = i % 4 * kSize + s % kSize, y = i / 4 * kSize + s / kSize;  // NOLINT
      chunk.height_q4[static_cast<std::size_t>(s)] =
          static_cast<std::int32_t>(400 + 160 * std::sin(x / 5) * std::cos(y / 7));
    }
    seen.add({0, {i % 4, i / 4}}, std::make_shared<const Chunk>(chunk), {});
  }
  const SampleRectangle one{20, 20, 20, 20}, two{22, 21, 20, 20};
  const Picture before = draw_window(seen.grid(with_apron(one), 0, MapStyle::kRelief), one, 2, 0);
  const Picture after = draw_window(seen.grid(with_apron(two), 0, MapStyle::kRelief), two, 2, 0);
  for (int y = 0; y < 19; ++y) {
    for (int x = 0; x < 18; ++x) {
      for (const int shift : {16, 8, 0}) {
        EXPECT_NEAR(static_cast<int>(pixel(before, x + 2, y + 1) >> shift & 255),
                    static_cast<int>(pixel(after, x, y) >> shift & 255), 1);
      }
    }
  }
}

std::string row_text(const Screen& screen, int row) {
  std::string text;
  for (int column = 0; column < screen.columns; ++column) {
    const char32_t glyph = screen.at(column, row).glyph;
    text += glyph < 0x80 ? static_cast<char>(glyph) : '#';
  }
  return text;
}

Screen drawn(int columns, int rows, const ExploreControls& controls) {
  const SampleRectangle window = window_samples(columns, rows, controls.walker.block(), 0);
  Picture map{window.width, window.height, {}};
  for (int i = 0; i < map.width * map.height; ++i)
    map.rgb.insert(map.rgb.end(), {1, static_cast<std::uint8_t>(i), 3});
  ExploreStatus status;
  status.block = controls.walker.block();
  status.biome = "Taiga";
  status.height = "12.5 above the sea";
  status.pace = "standing";
  status.style = "relief";
  status.chunks = {3, 8};
  status.connection = "connecting";
  return draw_screen(columns, rows, map, controls, status);
}

TEST(explore_view, every_size_of_window_shows_the_viewer_and_where_it_is) {
  for (const auto& [columns, rows] :
       {std::pair{20, 5}, {40, 8}, {80, 24}, {160, 48}, {400, 120}, {5, 2}, {1, 1}}) {
    for (const bool help : {false, true}) {
      ExploreControls controls = controls_at({-12, 7});
      controls.help = help;
      const Screen screen = drawn(columns, rows, controls);
      ASSERT_EQ(screen.cells.size(), static_cast<std::size_t>(columns * rows));
      if (columns < 20 || help) continue;
      const int map_rows = rows - status_rows(rows);
      EXPECT_EQ(screen.at(columns / 2, map_rows / 2).glyph, U'▲') << columns << " x " << rows;
      EXPECT_EQ(row_text(screen, map_rows).substr(1, 5), "-12,7");
      EXPECT_NE(row_text(screen, map_rows).find("Taiga"), std::string::npos);
    }
  }
}

TEST(explore_view, a_cell_shows_two_samples_one_above_the_other) {
  const Screen screen = drawn(80, 24, controls_at({0, 0}));
  EXPECT_EQ(screen.at(5, 0), (Cell{U'▀', 0x010503, 0x015503}));
}

TEST(explore_view, the_status_says_what_is_missing_and_that_there_is_no_connection) {
  const Screen screen = drawn(100, 24, controls_at({0, 0}));
  const std::string last = row_text(screen, 23);
  EXPECT_NE(last.find("connecting"), std::string::npos) << last;
  EXPECT_NE(last.find("3/8 chunks"), std::string::npos) << last;
  EXPECT_NE(last.find("relief at lod 0"), std::string::npos) << last;
}

TEST(explore_view, help_names_every_key) {
  ExploreControls controls = controls_at({0, 0});
  controls.help = true;
  const Screen screen = drawn(80, 24, controls);
  std::string all;
  for (int row = 0; row < 24; ++row) all += row_text(screen, row) + '\n';
  for (const char* words :
       {"teleport", "keep walking", "stop", "level of detail", "layer", "borders", "quit"}) {
    EXPECT_NE(all.find(words), std::string::npos) << words;
  }
}

TEST(explore_view, light_follows_the_land_slowly_and_at_once_in_another_place) {
  Exposure exposure;
  EXPECT_EQ(exposure.follow(4, true), 4);
  double before = 4;
  for (int frame = 0; frame < 200; ++frame) {
    const double now = exposure.follow(8, false);
    EXPECT_GT(now, before);
    EXPECT_LT(now, before * 1.05);
    before = now;
  }
  EXPECT_NEAR(before, 8, 0.1);
}

}  // namespace
}  // namespace terrane::cli
