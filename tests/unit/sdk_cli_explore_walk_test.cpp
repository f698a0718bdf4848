#include <gtest/gtest.h>

#include "unit/sdk_cli_explore_rig.h"

namespace terrane::cli {
namespace {
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

}  // namespace
}  // namespace terrane::cli
