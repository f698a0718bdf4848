#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <set>

#include "cli/explore/controls.h"
#include "cli/explore/land.h"
#include "cli/explore/view.h"
#include "cli/explore/walk.h"

namespace terrane::cli {
namespace {

constexpr int kSize = 16;  // samples along a chunk's edge

World tiny_world() {
  World world;
  world.name = "tiny";
  world.chunk_size = kSize;
  world.max_lod = 3;
  world.layers = {{Layer::kHeight, "height", "block", 1.0 / 16, -1600, 1600},
                  {Layer::kBiome, "biome", "biome", 1, 0, 2}};
  world.biomes = {{0, "red", 0xff0000}, {1, "green", 0x00ff00}, {2, "blue", 0x0000ff}};
  return world;
}

std::shared_ptr<const Chunk> filled(const Tile& tile, std::int32_t height_q4, std::uint8_t biome) {
  Chunk chunk;
  chunk.coord = tile.coord;
  chunk.lod = tile.lod;
  chunk.size = kSize;
  chunk.height_q4.assign(kSize * kSize, height_q4);
  chunk.biome.assign(kSize * kSize, biome);
  return std::make_shared<const Chunk>(std::move(chunk));
}

std::uint32_t pixel(const Picture& picture, int x, int y) {
  const auto at = static_cast<std::size_t>(y * picture.width + x) * 3;
  return picture.rgb[at] * 0x10000u + picture.rgb[at + 1] * 0x100u + picture.rgb[at + 2];
}

ExploreControls controls_at(BlockPos block) { return {.walker = Walker(block, 30, kSize)}; }

Key character(char c) { return {KeyCode::kCharacter, c}; }

void type(ExploreControls& controls, std::string_view text, const World& world) {
  for (const char c : text) press(controls, character(c), world);
}

double x_of(const Walker& walker) { return walker.pose().x; }

TEST(explore_walk, a_tapped_key_walks_on_until_a_repeat_would_have_come_and_then_stands) {
  Walker walker({0, 0}, 30, kSize);
  walker.head({1, 0}, false);
  for (int frame = 0; frame < 100; ++frame) walker.advance(0.03);
  EXPECT_NEAR(x_of(walker), 21, 1e-9);
  EXPECT_FALSE(walker.walks());
  EXPECT_EQ(walker.pose().velocity_x, 0);
  EXPECT_GT(walker.pose().direction_x, 0) << "and goes on looking that way";
}

TEST(explore_walk, a_held_key_walks_without_a_pause_and_stops_soon_after_it_is_let_go) {
  Walker walker({0, 0}, 30, kSize);
  walker.head({0, 1}, false);
  walker.advance(0.5);  // a keyboard waits so long before it repeats
  for (int repeat = 0; repeat < 60; ++repeat) {
    walker.head({0, 1}, false);
    EXPECT_TRUE(walker.walks());
    walker.advance(1.0 / 30);
  }
  EXPECT_NEAR(walker.pose().y, 75, 1e-6);
  walker.advance(10);
  EXPECT_LT(walker.pose().y, 84);
}

TEST(explore_walk, frames_of_any_length_lead_to_the_same_place) {
  Walker fine({0, 0}, 30, kSize), coarse({0, 0}, 30, kSize);
  for (Walker* walker : {&fine, &coarse}) walker->head({1, -1}, true);
  for (int i = 0; i < 1000; ++i) fine.advance(0.001);
  coarse.advance(1);
  EXPECT_NEAR(x_of(fine), x_of(coarse), 1e-6);
  EXPECT_NEAR(std::hypot(coarse.pose().x, coarse.pose().y), 210, 1e-6) << "diagonals are no faster";
}

TEST(explore_walk,
     running_and_flying_are_ten_and_a_hundred_times_as_fast_and_a_second_press_ends_them) {
  Walker walker({0, 0}, 30, kSize);
  walker.toggle(Gait::kRun);
  EXPECT_EQ(walker.speed(), 300);
  walker.toggle(Gait::kFly);
  EXPECT_EQ(walker.speed(), 3000);
  walker.head({1, 0}, true);
  EXPECT_EQ(walker.speed(), 30000);
  walker.stop();
  walker.toggle(Gait::kFly);
  EXPECT_EQ(walker.speed(), 30);
}

TEST(explore_walk, keeps_going_without_a_key_until_it_is_stopped) {
  Walker walker({0, 0}, 30, kSize);
  walker.head({-1, 0}, false);
  walker.keep_going();
  walker.advance(100);
  EXPECT_NEAR(x_of(walker), -3000, 1e-6);
  EXPECT_EQ(walker.block(), (BlockPos{-3000, 0}));
  walker.stop();
  walker.advance(100);
  EXPECT_NEAR(x_of(walker), -3000, 1e-6);
}

TEST(explore_walk, ends_at_the_edge_of_the_world) {
  const std::int64_t last = max_block_coord(kSize);
  Walker walker({last - 5, 0}, 30, kSize);
  walker.head({1, 0}, true);
  walker.advance(5);
  EXPECT_EQ(walker.block(), (BlockPos{last, 0}));
  EXPECT_FALSE(walker.jump({last + 1, 0}));
  EXPECT_EQ(walker.block(), (BlockPos{last, 0}));
  EXPECT_TRUE(walker.jump({0, min_block_coord(kSize)}));
}

TEST(explore_controls, letters_and_arrows_walk_and_capitals_and_shift_hurry) {
  const World world = tiny_world();
  for (const Key key : {Key{KeyCode::kLeft}, character('h'), character('a')}) {
    ExploreControls controls = controls_at({0, 0});
    press(controls, key, world);
    controls.walker.advance(0.1);
    EXPECT_NEAR(x_of(controls.walker), -3, 1e-9);
  }
  for (const Key key : {Key{KeyCode::kLeft, 0, true}, character('H'), character('A')}) {
    ExploreControls controls = controls_at({0, 0});
    press(controls, key, world);
    controls.walker.advance(0.1);
    EXPECT_NEAR(x_of(controls.walker), -30, 1e-9);
  }
}

TEST(explore_controls, a_typed_place_is_gone_to) {
  const World world = tiny_world();
  ExploreControls controls = controls_at({0, 0});
  type(controls, "t-70,12q", world);
  EXPECT_FALSE(controls.quit) << "q is a part of what is typed";
  press(controls, {KeyCode::kBackspace}, world);
  EXPECT_EQ(controls.prompt, "-70,12");
  press(controls, {KeyCode::kEnter}, world);
  EXPECT_EQ(controls.walker.block(), (BlockPos{-70, 12}));
  EXPECT_FALSE(controls.prompt);
}

TEST(explore_controls, a_place_that_is_none_is_refused_in_words_and_the_viewer_stays) {
  const World world = tiny_world();
  ExploreControls controls = controls_at({3, 4});
  for (const char* place : {"here", "1;2", "99999999999999999,0"}) {
    type(controls, std::string("t") + place, world);
    press(controls, {KeyCode::kEnter}, world);
    EXPECT_FALSE(controls.notice.empty()) << place;
    EXPECT_EQ(controls.walker.block(), (BlockPos{3, 4}));
  }
  press(controls, character(' '), world);
  EXPECT_TRUE(controls.notice.empty()) << "the next key takes the words away";
}

TEST(explore_controls, escape_closes_what_is_open_before_it_quits) {
  const World world = tiny_world();
  ExploreControls controls = controls_at({0, 0});
  const Key escape{KeyCode::kEscape};
  type(controls, "t12", world);
  press(controls, escape, world);
  EXPECT_FALSE(controls.prompt);
  type(controls, "?", world);
  EXPECT_TRUE(controls.help);
  press(controls, escape, world);
  EXPECT_FALSE(controls.help);
  EXPECT_FALSE(controls.quit);
  press(controls, escape, world);
  EXPECT_TRUE(controls.quit);
}

TEST(explore_controls, control_c_quits_even_while_a_place_is_typed) {
  const World world = tiny_world();
  ExploreControls controls = controls_at({0, 0});
  type(controls, "t1", world);
  press(controls, {KeyCode::kInterrupt}, world);
  EXPECT_TRUE(controls.quit);
}

TEST(explore_controls, levels_of_detail_end_where_the_world_s_do) {
  const World world = tiny_world();
  ExploreControls controls = controls_at({0, 0});
  type(controls, "+", world);
  EXPECT_EQ(controls.lod, 0);
  EXPECT_FALSE(controls.notice.empty());
  type(controls, "---", world);
  EXPECT_EQ(controls.lod, 3);
  EXPECT_TRUE(controls.notice.empty());
  type(controls, "-", world);
  EXPECT_EQ(controls.lod, 3);
  EXPECT_NE(controls.notice.find("3"), std::string::npos) << controls.notice;
}

TEST(explore_controls, only_layers_that_the_world_has_are_shown) {
  const World world = tiny_world();
  ExploreControls controls = controls_at({0, 0});
  std::set<MapStyle> seen;
  for (int i = 0; i < 10; ++i) {
    press(controls, {KeyCode::kTab}, world);
    seen.insert(controls.style);
  }
  EXPECT_EQ(seen, (std::set{MapStyle::kRelief, MapStyle::kBiome, MapStyle::kHeight}));
  type(controls, "3", world);
  EXPECT_EQ(controls.style, MapStyle::kHeight);
  type(controls, "7", world);
  EXPECT_EQ(controls.style, MapStyle::kHeight);
  EXPECT_NE(controls.notice.find("no layer forest"), std::string::npos) << controls.notice;
}

TEST(explore_land, shows_the_present_level_else_finer_ones_else_coarser_ones) {
  const World world = tiny_world();
  Land land(world);
  const SampleRectangle area{0, 0, 16, 16};  // at lod 1: blocks 0 to 31
  const auto at = [&](int x, int y) {
    return pixel(land.grid(area, 1, MapStyle::kBiome).draw(), x, y);
  };
  EXPECT_FALSE(land.grid(area, 1, MapStyle::kBiome).covers(0, 0));

  land.add({3, {0, 0}}, filled({3, {0, 0}}, 0, 0), {});
  EXPECT_EQ(at(0, 0), 0xff0000u);
  EXPECT_TRUE(land.grid(area, 1, MapStyle::kBiome).covers(15, 15));
  land.add({0, {0, 0}}, filled({0, {0, 0}}, 0, 1), {});
  EXPECT_EQ(at(0, 0), 0x00ff00u) << "the finer chunk covers a quarter";
  EXPECT_EQ(at(7, 7), 0x00ff00u);
  EXPECT_EQ(at(8, 7), 0xff0000u);
  land.add({1, {0, 0}}, filled({1, {0, 0}}, 0, 2), {});
  EXPECT_EQ(at(0, 0), 0x0000ffu);
}

TEST(explore_land, a_coarse_chunk_stands_in_with_slopes_and_not_with_steps) {
  const World world = tiny_world();
  Chunk ramp = *filled({2, {-1, -1}}, 0, 0);
  for (int i = 0; i < kSize * kSize; ++i)
    ramp.height_q4[static_cast<std::size_t>(i)] = 64 * (i % kSize);
  Land land(world);
  land.add({2, {-1, -1}}, std::make_shared<const Chunk>(ramp), {});
  const Picture picture = land.grid({-64, -64, 60, 60}, 0, MapStyle::kHeight).draw();
  int changes = 0;
  for (int x = 1; x < 60; ++x) changes += pixel(picture, x, 20) != pixel(picture, x - 1, 20);
  EXPECT_GT(changes, 45) << "a step every four samples would make 15";
}

TEST(explore_land, a_finer_chunk_shows_the_samples_that_the_coarser_one_would_have) {
  const World world = tiny_world();
  Chunk fine = *filled({0, {-1, 0}}, 0, 0);
  for (std::size_t i = 0; i < fine.biome.size(); ++i)
    fine.biome[i] = i % 2 == 0 && i / kSize % 2 == 0 ? 1 : 2;
  Land land(world);
  land.add({0, {-1, 0}}, std::make_shared<const Chunk>(fine), {});
  const MapGrid grid = land.grid({-9, 0, 9, 9}, 1, MapStyle::kBiome);
  for (int x = 1; x < 9; ++x) EXPECT_EQ(pixel(grid.draw(), x, 7), 0x00ff00u) << x;
  EXPECT_FALSE(grid.covers(0, 0));
  EXPECT_FALSE(grid.covers(4, 8));
}

TEST(explore_land, counts_the_chunks_of_the_window_and_which_are_there) {
  const World world = tiny_world();
  Land land(world);
  EXPECT_EQ(land.count({-1, 0, 17, 16}, 0), (Land::Count{0, 2}));
  land.add({0, {-1, 0}}, filled({0, {-1, 0}}, 0, 0), {});
  land.add({1, {0, 0}}, filled({1, {0, 0}}, 0, 0), {});
  EXPECT_EQ(land.count({-1, 0, 17, 16}, 0), (Land::Count{1, 2}));
}

TEST(explore_land, waits_for_no_chunks_outside_of_the_world) {
  const World world = tiny_world();
  const std::int64_t last = (max_chunk_coord(2) + 1) * kSize - 1;
  EXPECT_EQ(Land(world).count({last - 7, 0, 16, 16}, 2).wanted, 1u);
}

TEST(explore_land, the_ground_underfoot_is_that_of_the_finest_chunk_there) {
  const World world = tiny_world();
  Land land(world);
  EXPECT_FALSE(land.ground({-3, 5}));
  land.add({2, {-1, 0}}, filled({2, {-1, 0}}, 160, 2), {});
  EXPECT_EQ(land.ground({-3, 5})->biome, 2);
  land.add({0, {-1, 0}}, filled({0, {-1, 0}}, -8, 1), {});
  EXPECT_EQ(land.ground({-3, 5})->biome, 1);
  EXPECT_EQ(height_words(*land.ground({-3, 5}), world), "0.5 below the sea");
  EXPECT_EQ(height_words(*land.ground({-20, 5}), world), "10.0 above the sea");
}

TEST(explore_land, forgets_what_is_far_before_it_takes_too_much_memory) {
  World world = tiny_world();
  world.chunk_size = 128;
  Land land(world);
  const auto chunk = std::make_shared<const Chunk>();
  for (int x = 0; x < 2000; ++x) land.add({0, {x, 0}}, chunk, {x * 128, 0});
  const Land::Count all = land.count({0, 0, 2000 * 128, 1}, 0);
  EXPECT_LT(all.present, 1000u);
  EXPECT_EQ(land.count({1950 * 128, 0, 50 * 128, 1}, 0).present, 50u);
}

TEST(explore_land, the_view_reaches_every_chunk_that_the_window_touches) {
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
  Land land(world);
  land.add({0, {0, 0}}, filled({0, {0, 0}}, 160, 1), {});
  const SampleRectangle window{-16, 0, 32, 16};
  const MapGrid grid = land.grid(with_apron(window), 0, MapStyle::kBiome);
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
  Land land(world);
  for (int i = 0; i < 16; ++i) {
    Chunk chunk = *filled({0, {i % 4, i / 4}}, 0, 1);
    for (int s = 0; s < kSize * kSize; ++s) {
      const double x = i % 4 * kSize + s % kSize, y = i / 4 * kSize + s / kSize;  // NOLINT
      chunk.height_q4[static_cast<std::size_t>(s)] =
          static_cast<std::int32_t>(400 + 160 * std::sin(x / 5) * std::cos(y / 7));
    }
    land.add({0, {i % 4, i / 4}}, std::make_shared<const Chunk>(chunk), {});
  }
  const SampleRectangle one{20, 20, 20, 20}, two{22, 21, 20, 20};
  const Picture before = draw_window(land.grid(with_apron(one), 0, MapStyle::kRelief), one, 2, 0);
  const Picture after = draw_window(land.grid(with_apron(two), 0, MapStyle::kRelief), two, 2, 0);
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
