#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "rpc_explore_rig.h"

namespace terrane::rpc {
namespace {

void expect_refused(const v1::Hello& hello, ErrorCode code, const std::vector<std::string>& words) {
  const auto query = check(hello, builtin());
  ASSERT_FALSE(query);
  EXPECT_EQ(query.error().code, code) << query.error().message;
  for (const std::string& word : words)
    EXPECT_NE(query.error().message.find(word), std::string::npos) << query.error().message;
}

TEST(explore_check, a_hello_says_world_layers_and_distances) {
  v1::Hello hello = right_hello();
  hello.add_layers(v1::LAYER_HEIGHT);
  hello.add_view_distances(0);
  hello.add_view_distances(64);
  const auto query = check(hello, builtin());
  ASSERT_TRUE(query) << query.error().message;
  EXPECT_EQ(query->world->name, "perlin");
  EXPECT_EQ(query->seed, 7u);
  EXPECT_EQ(query->layers, layer_bit(Layer::kHeight));
  EXPECT_EQ(query->distances[0], 4);
  EXPECT_EQ(query->distances[1], 0);
  EXPECT_EQ(query->distances[2], 64);
}

TEST(explore_check, a_wrong_hello_is_told_the_field_the_value_and_the_limit) {
  v1::Hello hello = right_hello();
  hello.clear_move();
  expect_refused(hello, ErrorCode::kInvalidArgument, {"hello.move"});
  hello = right_hello(65);
  expect_refused(hello, ErrorCode::kInvalidArgument, {"hello.view_distances[0]", "65", "64"});
  hello = right_hello(0);
  expect_refused(hello, ErrorCode::kInvalidArgument, {"hello.view_distances"});
  hello = right_hello();
  while (hello.view_distances_size() < 17) hello.add_view_distances(0);
  hello.set_view_distances(16, 1);
  expect_refused(hello, ErrorCode::kOutOfRange, {"hello.view_distances[16]", "perlin"});
  hello = right_hello();
  hello.mutable_formats()->Clear();
  hello.add_formats(1);
  hello.add_formats(9);
  expect_refused(hello, ErrorCode::kFailedPrecondition, {"hello.formats", "1, 9", "format 2"});
  hello = right_hello();
  hello.add_layers(v1::LAYER_WATER);
  expect_refused(hello, ErrorCode::kInvalidArgument, {"layers[0]", "perlin"});
  hello = right_hello();
  hello.mutable_world()->set_name("nowhere");
  expect_refused(hello, ErrorCode::kNotFound, {"nowhere", "ListWorlds"});
  hello = right_hello();
  hello.mutable_world()->set_fingerprint(1);
  expect_refused(hello, ErrorCode::kFailedPrecondition, {"fingerprint"});
}

TEST(explore_check, a_pose_is_finite_inside_of_the_world_and_not_too_fast) {
  const worldgen::World& world = *builtin().at("perlin");
  const auto code = [&](void (v1::Move::*set)(double), double value) {
    v1::Move move;
    (move.*set)(value);
    const auto pose = check(move, world);
    return pose ? ErrorCode{} : pose.error().code;
  };
  const double edge = static_cast<double>(max_block_coord(world.chunk_size)),
               inf = std::numeric_limits<double>::infinity();
  for (const auto set : {&v1::Move::set_x, &v1::Move::set_y}) {
    EXPECT_EQ(code(set, edge), ErrorCode{});
    EXPECT_EQ(code(set, edge + 1), ErrorCode::kOutOfRange);
    EXPECT_EQ(code(set, -edge - world.chunk_size), ErrorCode::kOutOfRange);
  }
  for (const auto set : {&v1::Move::set_velocity_x, &v1::Move::set_velocity_y}) {
    EXPECT_EQ(code(set, -1e6), ErrorCode{});
    EXPECT_EQ(code(set, 1.1e6), ErrorCode::kOutOfRange);
  }
  for (const auto set :
       {&v1::Move::set_x, &v1::Move::set_y, &v1::Move::set_velocity_x, &v1::Move::set_velocity_y,
        &v1::Move::set_direction_x, &v1::Move::set_direction_y}) {
    EXPECT_EQ(code(set, inf), ErrorCode::kInvalidArgument);
    EXPECT_EQ(code(set, std::nan("")), ErrorCode::kInvalidArgument);
  }
}

TEST(explore_check, directions_of_any_length_are_directions) {
  v1::Move move;
  move.set_direction_x(-std::numeric_limits<double>::max());
  move.set_direction_y(std::numeric_limits<double>::denorm_min());
  const auto pose = check(move, *builtin().at("perlin"));
  ASSERT_TRUE(pose);
  EXPECT_EQ(pose->direction_x, -1);
  EXPECT_TRUE(std::isfinite(pose->direction_y));
}

TEST(explore_check, blocks_give_back_the_tiles_that_they_were_made_of) {
  const std::vector<Tile> tiles{{0, {0, 5}}, {0, {1, 5}}, {0, {3, 5}}, {0, {0, 6}}, {2, {1, 6}}};
  TileBlocks blocks;
  add_blocks(std::vector<Tile>(tiles.rbegin(), tiles.rend()), blocks);
  EXPECT_EQ(blocks.size(), 2);
  EXPECT_EQ(blocks[1].width(), 0u) << "one tile is not worth the bytes to say so";
  std::vector<Tile> seen;
  const auto checked = check(blocks, "blocks");
  ASSERT_TRUE(checked);
  explore::for_each_tile(*checked, [&](const Tile& tile) { seen.push_back(tile); });
  EXPECT_EQ(seen, tiles);
}

TEST(explore_check, blocks_that_are_too_wide_are_refused_by_the_name_of_their_field) {
  TileBlocks blocks;
  blocks.Add()->set_width(65);
  const auto checked = check(blocks, "move.have");
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().message.find("move.have[0].width = 65"), std::string::npos);
}

TEST(explore_check, who_makes_chunks_pins_the_world_and_knows_its_seed) {
  v1::Hello hello = right_hello();
  EXPECT_TRUE(check_maker(hello)) << "one that does not";
  hello.set_makes_chunks(true);
  const auto unpinned = check_maker(hello);
  ASSERT_FALSE(unpinned);
  EXPECT_EQ(unpinned.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(unpinned.error().field, "hello.world.fingerprint");
  hello.mutable_world()->set_fingerprint(builtin().at("perlin")->fingerprint);
  EXPECT_TRUE(check_maker(hello));
  const auto query = check(hello, builtin());
  ASSERT_TRUE(query);
  EXPECT_TRUE(query->judges);
  hello.mutable_world()->set_realm("secret");
  const auto realm = check_maker(hello);
  ASSERT_FALSE(realm);
  EXPECT_EQ(realm.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(realm.error().field, "hello.makes_chunks");
}

TEST(explore_check, what_a_client_has_made_lies_in_the_world) {
  const worldgen::World& world = *builtin().at("perlin");
  v1::Made made;
  made.set_lod(1);
  made.set_x(-max_chunk_coord(1));
  made.set_hash(5);
  const auto right = check(made, world);
  ASSERT_TRUE(right);
  EXPECT_EQ(right->tile, (Tile{1, {-max_chunk_coord(1), 0}}));
  EXPECT_EQ(right->hash, 5u);
  made.set_x(-max_chunk_coord(1) - 1);
  const auto beyond = check(made, world);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().code, ErrorCode::kOutOfRange);
  EXPECT_EQ(beyond.error().field, "made.x");
  made.set_x(0);
  made.set_lod(1u + world.max_lod);
  ASSERT_FALSE(check(made, world));
  EXPECT_EQ(check(made, world).error().field, "made.lod");
}

}  // namespace
}  // namespace terrane::rpc
