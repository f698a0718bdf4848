#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>

#include "codec/container.h"
#include "rpc/checks/request_check.h"

namespace terrane::rpc {
namespace {

constexpr std::int64_t kEdge = max_chunk_coord(0);
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

worlds::WorldCatalog two_worlds() {
  worlds::WorldCatalog worlds;
  for (const char* name : {"flat", "hilly"}) {
    worldgen::World world;
    world.name = name;
    world.fingerprint = 0xabcd;
    world.max_lod = 8;
    worlds[name] = std::make_shared<const worldgen::World>(world);
  }
  return worlds;
}

const Limits kLimits;

template <typename Request>
Request to_hilly() {
  Request request;
  request.mutable_world()->set_name("hilly");
  request.mutable_world()->set_seed(7);
  return request;
}

v1::ChunkCoord at(std::int64_t x, std::int64_t y) {
  v1::ChunkCoord coord;
  coord.set_x(x);
  coord.set_y(y);
  return coord;
}

v1::GetChunksRequest rectangle(v1::ChunkCoord from, v1::ChunkCoord to) {
  auto request = to_hilly<v1::GetChunksRequest>();
  *request.mutable_rectangle()->mutable_first() = from;
  *request.mutable_rectangle()->mutable_last() = to;
  return request;
}

/// Expects a refusal with this code whose message holds all of the words: the field, the value, the
/// limit.
template <typename T>
void expect_refused(const Result<T>& result, ErrorCode code,
                    std::initializer_list<const char*> words) {
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(to_string(result.error().code), to_string(code)) << result.error().message;
  for (const char* word : words)
    EXPECT_NE(result.error().message.find(word), std::string::npos) << result.error().message;
}

TEST(request_check, a_good_request_passes_with_every_part_of_it) {
  auto request = to_hilly<v1::GetChunkRequest>();
  *request.mutable_coord() = at(-kEdge, kEdge);
  request.add_layers(v1::LAYER_BIOME);
  request.mutable_world()->set_fingerprint(0xabcd);
  const auto query = check(request, two_worlds());
  ASSERT_TRUE(query.has_value()) << query.error().message;
  EXPECT_EQ(query->world->name, "hilly");
  EXPECT_EQ(query->seed, 7u);
  EXPECT_EQ(query->coord, (ChunkCoord{-kEdge, kEdge}));
  EXPECT_EQ(query->layers, layer_bit(Layer::kBiome));
}

TEST(request_check, no_layers_or_all_layers_mean_the_chunk_as_it_is_stored) {
  auto request = to_hilly<v1::GetChunkRequest>();
  request.mutable_coord();
  EXPECT_EQ(check(request, two_worlds())->layers, kAllLayers);
  for (const int layer : {4, 3, 2, 1, 1}) request.add_layers(static_cast<v1::Layer>(layer));
  EXPECT_EQ(check(request, two_worlds())->layers, kAllLayers);
}

TEST(request_check, unknown_worlds_are_told_where_to_look) {
  auto request = to_hilly<v1::GetChunkRequest>();
  request.mutable_world()->set_name("moon");
  expect_refused(check(request, two_worlds()), ErrorCode::kNotFound,
                 {"world", "moon", "ListWorlds"});
  request.mutable_world()->clear_name();
  expect_refused(check(request, two_worlds()), ErrorCode::kInvalidArgument,
                 {"world", "ListWorlds"});
  request.clear_world();
  expect_refused(check(request, two_worlds()), ErrorCode::kInvalidArgument, {"world is missing"});
}

TEST(request_check, another_fingerprint_is_refused_with_both) {
  auto request = to_hilly<v1::SamplePointsRequest>();
  request.mutable_world()->set_fingerprint(0x1234);
  expect_refused(check(request, two_worlds(), kLimits), ErrorCode::kFailedPrecondition,
                 {"fingerprint", "0x0000000000001234", "0x000000000000abcd"});
}

TEST(request_check, levels_of_detail_past_the_worlds_are_out_of_range) {
  auto request = to_hilly<v1::GetChunkRequest>();
  request.mutable_coord();
  for (const std::uint32_t lod : {9u, 17u, 256u, 0xffffffffu}) {
    request.set_lod(lod);
    expect_refused(check(request, two_worlds()), ErrorCode::kOutOfRange,
                   {"lod", std::to_string(lod).c_str(), "0 to 8"});
  }
}

TEST(request_check, coordinates_end_sooner_at_every_coarser_level) {
  auto request = to_hilly<v1::GetChunkRequest>();
  for (std::uint32_t lod = 0; lod <= 8; ++lod) {
    const std::int64_t limit = max_chunk_coord(static_cast<Lod>(lod));
    request.set_lod(lod);
    *request.mutable_coord() = at(limit, -limit);
    EXPECT_TRUE(check(request, two_worlds()).has_value());
    for (const std::int64_t past : {limit + 1, -limit - 1, kMin, kMax}) {
      *request.mutable_coord() = at(0, past);
      expect_refused(check(request, two_worlds()), ErrorCode::kOutOfRange,
                     {"coord.y", std::to_string(past).c_str(), std::to_string(limit).c_str()});
    }
  }
}

TEST(request_check, unknown_layers_and_missing_fields_are_named) {
  auto request = to_hilly<v1::GetChunkRequest>();
  expect_refused(check(request, two_worlds()), ErrorCode::kInvalidArgument, {"coord is missing"});
  for (const int layer : {0, 5, 32, 99, -1, std::numeric_limits<int>::min()}) {
    request.clear_layers();
    request.add_layers(v1::LAYER_HEIGHT);
    request.add_layers(static_cast<v1::Layer>(layer));
    expect_refused(check(request, two_worlds()), ErrorCode::kInvalidArgument,
                   {"layers[1]", std::to_string(layer).c_str(), "BIOME (4)"});
  }
  expect_refused(check(to_hilly<v1::GetChunksRequest>(), two_worlds(), kLimits),
                 ErrorCode::kInvalidArgument, {"area is missing"});
  auto corner = to_hilly<v1::GetChunksRequest>();
  corner.mutable_rectangle()->mutable_last();
  expect_refused(check(corner, two_worlds(), kLimits), ErrorCode::kInvalidArgument,
                 {"rectangle.first is missing"});
}

TEST(request_check, a_rectangle_is_sorted_from_its_middle_or_from_the_focus) {
  auto request = rectangle(at(-2, -2), at(2, 2));
  auto query = check(request, two_worlds(), kLimits);
  ASSERT_TRUE(query.has_value());
  ASSERT_EQ(query->coords.size(), 25u);
  EXPECT_EQ(query->coords.front(), (ChunkCoord{0, 0}));
  EXPECT_EQ(query->coords.back(), (ChunkCoord{2, 2}));

  *request.mutable_focus() = at(2, -2);
  query = check(request, two_worlds(), kLimits);
  EXPECT_EQ(query->coords.front(), (ChunkCoord{2, -2}));
  EXPECT_EQ(query->coords.back(), (ChunkCoord{-2, 2}));
}

TEST(request_check, the_order_is_the_same_however_far_the_focus) {
  for (const std::int64_t away : {0, 3, 32'755, 32'760, 32'767, 32'768, 5'000'000}) {
    const ChunkCoord focus{1'000 + away, -7 - away / 2};
    auto request = rectangle(at(1'000, -20), at(1'024, 9));
    *request.mutable_focus() = at(focus.x, focus.y);
    const auto query = check(request, two_worlds(), kLimits);
    ASSERT_TRUE(query);
    ASSERT_EQ(query->coords.size(), 25u * 30);
    const auto rank = [focus](ChunkCoord c) {
      const std::int64_t dx = c.x - focus.x, dy = c.y - focus.y;
      return std::tuple{dx * dx + dy * dy, c.y, c.x};
    };
    for (std::size_t i = 1; i < query->coords.size(); ++i)
      ASSERT_LT(rank(query->coords[i - 1]), rank(query->coords[i])) << away << " at " << i;
  }
}

TEST(request_check, the_order_is_right_at_the_edge_of_the_world) {
  auto request = rectangle(at(kEdge - 3, -kEdge), at(kEdge, -kEdge));
  *request.mutable_focus() = at(-kEdge, kEdge);
  const auto query = check(request, two_worlds(), kLimits);
  ASSERT_TRUE(query.has_value());
  EXPECT_EQ(query->coords.front(), (ChunkCoord{kEdge - 3, -kEdge}));
  EXPECT_EQ(query->coords.back(), (ChunkCoord{kEdge, -kEdge}));
}

TEST(request_check, rectangles_are_refused_by_arithmetic_whatever_their_size) {
  EXPECT_EQ(check(rectangle(at(0, 0), at(31, 31)), two_worlds(), kLimits)->coords.size(), 1024u);
  expect_refused(check(rectangle(at(0, 0), at(1024, 0)), two_worlds(), kLimits),
                 ErrorCode::kInvalidArgument, {"rectangle", "1025 x 1", "1024"});
  expect_refused(check(rectangle(at(0, 0), at(31, 32)), two_worlds(), kLimits),
                 ErrorCode::kInvalidArgument, {"32 x 33", "1024"});
  expect_refused(check(rectangle(at(-kEdge, -kEdge), at(kEdge, kEdge)), two_worlds(), kLimits),
                 ErrorCode::kInvalidArgument, {"2199023255553 x 2199023255553"});
  expect_refused(check(rectangle(at(kMin, kMin), at(kMax, kMax)), two_worlds(), kLimits),
                 ErrorCode::kOutOfRange, {"rectangle.first.x"});
  expect_refused(check(rectangle(at(0, 1), at(0, 0)), two_worlds(), kLimits),
                 ErrorCode::kInvalidArgument, {"rectangle.first", "(0, 1)", "(0, 0)"});
}

TEST(request_check, repeats_in_a_list_count_once) {
  auto request = to_hilly<v1::GetChunksRequest>();
  for (int i = 0; i < 3000; ++i) *request.mutable_list()->add_coords() = at(i % 1024, 0);
  EXPECT_EQ(check(request, two_worlds(), kLimits)->coords.size(), 1024u);
  *request.mutable_list()->add_coords() = at(5000, 0);
  expect_refused(check(request, two_worlds(), kLimits), ErrorCode::kInvalidArgument,
                 {"list.coords", "3001", "1024"});
}

TEST(request_check, a_list_is_sorted_from_its_first_chunk) {
  auto request = to_hilly<v1::GetChunksRequest>();
  for (const std::int64_t x : {10, 0, 9, 12}) *request.mutable_list()->add_coords() = at(x, 0);
  const auto query = check(request, two_worlds(), kLimits);
  EXPECT_EQ(query->coords, (std::vector<ChunkCoord>{{10, 0}, {9, 0}, {12, 0}, {0, 0}}));
}

TEST(request_check, a_bad_entry_of_a_list_and_a_bad_focus_are_named) {
  auto request = to_hilly<v1::GetChunksRequest>();
  *request.mutable_list()->add_coords() = at(0, 0);
  *request.mutable_focus() = at(0, kMin);
  expect_refused(check(request, two_worlds(), kLimits), ErrorCode::kOutOfRange,
                 {"focus.y", "-9223372036854775808"});
  *request.mutable_list()->add_coords() = at(kEdge + 1, 0);
  expect_refused(check(request, two_worlds(), kLimits), ErrorCode::kOutOfRange,
                 {"list.coords[1].x", "1099511627777"});
}

TEST(request_check, points_reach_to_the_last_block_and_no_further) {
  auto request = to_hilly<v1::SamplePointsRequest>();
  const auto add = [&](std::int64_t x, std::int64_t y) {
    request.add_points()->set_x(x);
    request.mutable_points()->rbegin()->set_y(y);
  };
  add(min_block_coord(64), max_block_coord(64));
  ASSERT_TRUE(check(request, two_worlds(), kLimits).has_value());
  add(0, max_block_coord(64) + 1);
  expect_refused(check(request, two_worlds(), kLimits), ErrorCode::kOutOfRange,
                 {"points[1].y", "70368744177728", "70368744177727", "-70368744177664"});
}

TEST(request_check, too_many_points_are_refused_with_the_limit) {
  auto request = to_hilly<v1::SamplePointsRequest>();
  for (int i = 0; i < 65536; ++i) request.add_points();
  EXPECT_EQ(check(request, two_worlds(), kLimits)->points.size(), 65536u);
  request.add_points();
  expect_refused(check(request, two_worlds(), kLimits), ErrorCode::kInvalidArgument,
                 {"points", "65537", "65536"});
}

TEST(request_check, only_chunks_in_a_format_that_the_client_reads_are_sent) {
  auto request = to_hilly<v1::GetChunksRequest>();
  *request.mutable_list()->add_coords() = at(0, 0);
  for (std::uint32_t format = 90; format < 120; ++format) request.add_formats(format);
  const auto refused = check(request, two_worlds(), kLimits);
  expect_refused(refused, ErrorCode::kFailedPrecondition, {"formats = [90, 91", "105, …]"});
  EXPECT_EQ(refused.error().reason, ErrorReason::kFormatNotServed);
  request.add_formats(codec::kFormatVersion);
  EXPECT_TRUE(check(request, two_worlds(), kLimits));
}

worlds::WorldCatalog wet_world() {
  worldgen::World world;
  world.name = "hilly";
  world.max_lod = 3;
  world.layers = kCoreLayers | layer_bit(Layer::kWater);
  for (const char* name : {"Sea", "Land", "Sea"}) world.biomes.emplace_back().name = name;
  world.structure_kinds.emplace_back().name = "ruin";
  return {{"hilly", std::make_shared<const worldgen::World>(world)}};
}

TEST(request_check, layers_are_those_of_the_world) {
  auto request = to_hilly<v1::GetChunkRequest>();
  request.mutable_coord();
  for (const int layer : {1, 2, 3, 4}) request.add_layers(static_cast<v1::Layer>(layer));
  EXPECT_EQ(check(request, wet_world())->layers, kCoreLayers)
      << "a cut: the world has water as well";
  request.add_layers(v1::LAYER_WATER);
  EXPECT_EQ(check(request, wet_world())->layers, kAllLayers);
  expect_refused(check(request, two_worlds()), ErrorCode::kInvalidArgument,
                 {"layers[4] = 5", "LAYER_WATER", "hilly", "BIOME (4)"});
  request.add_layers(v1::LAYER_STRUCTURES);
  expect_refused(check(request, wet_world()), ErrorCode::kInvalidArgument,
                 {"layers[5] = 9", "STRUCTURES", "WATER (5)"});
}

TEST(request_check, layers_that_a_level_of_detail_lacks_are_said_so_wherever_they_are_asked_for) {
  worldgen::World world;
  world.name = "hilly";
  world.max_lod = 8;
  world.layers = kCoreLayers | layer_bit(Layer::kPlacements) | layer_bit(Layer::kStructures);
  const worlds::WorldCatalog worlds{{"hilly", std::make_shared<const worldgen::World>(world)}};
  auto request = to_hilly<v1::GetChunkRequest>();
  request.mutable_coord();
  request.set_lod(5);
  EXPECT_EQ(check(request, worlds)->layers, kAllLayers) << "none: whatever there is";
  for (const auto& [layer, coarsest] :
       {std::pair{v1::LAYER_PLACEMENTS, 0u}, std::pair{v1::LAYER_STRUCTURES, 4u}}) {
    request.clear_layers();
    request.add_layers(layer);
    request.set_lod(coarsest);
    EXPECT_TRUE(check(request, worlds));
    request.set_lod(coarsest + 1);
    const auto refused = check(request, worlds);
    expect_refused(refused, ErrorCode::kInvalidArgument, {"layers[0]", "level of detail"});
    EXPECT_EQ(refused.error().reason, ErrorReason::kLayerNotAtLod);
  }
  EXPECT_TRUE(check_layers(request.layers(), world)) << "a view has several levels";
}

TEST(request_check, a_search_knows_all_rows_of_a_name_and_how_far_it_may_go) {
  auto request = to_hilly<v1::LocateRequest>();
  request.mutable_origin();
  request.set_biome("Sea");
  auto query = check(request, wet_world(), kLimits);
  ASSERT_TRUE(query) << query.error().message;
  EXPECT_TRUE(query->wanted[0] && query->wanted[2] && !query->wanted[1] && !query->for_structures);
  EXPECT_EQ(query->radius, 2048 * 8) << "the world's levels of detail end at 3";
  request.set_radius(16385);
  expect_refused(check(request, wet_world(), kLimits), ErrorCode::kInvalidArgument,
                 {"radius", "16385", "16384"});
  request.set_structure("ruin");
  query = check(request, wet_world(), kLimits);
  ASSERT_TRUE(query) << query.error().message;
  EXPECT_TRUE(query->wanted[0] && query->for_structures);
  EXPECT_EQ(query->radius, 16385);
  request.set_radius(65537);
  expect_refused(check(request, wet_world(), kLimits), ErrorCode::kInvalidArgument,
                 {"radius", "65537", "65536"});
}

TEST(request_check, a_search_for_what_the_world_lacks_is_told_what_it_has) {
  auto request = to_hilly<v1::LocateRequest>();
  expect_refused(check(request, wet_world(), kLimits), ErrorCode::kInvalidArgument,
                 {"origin is missing"});
  request.mutable_origin();
  expect_refused(check(request, wet_world(), kLimits), ErrorCode::kInvalidArgument,
                 {"target is missing"});
  request.set_biome("Moon");
  expect_refused(check(request, wet_world(), kLimits), ErrorCode::kInvalidArgument,
                 {"biome = 'Moon'", "hilly", "Sea, Land"});
  request.set_structure("castle");
  expect_refused(check(request, wet_world(), kLimits), ErrorCode::kInvalidArgument,
                 {"structure = 'castle'", "ruin"});
  expect_refused(check(request, two_worlds(), kLimits), ErrorCode::kInvalidArgument,
                 {"structure = 'castle'", "none"});
  request.mutable_origin()->set_x(kMax);
  expect_refused(check(request, wet_world(), kLimits), ErrorCode::kOutOfRange,
                 {"origin.x", std::to_string(kMax).c_str()});
}

TEST(request_check, a_structure_is_asked_for_by_a_block_of_the_world) {
  auto request = to_hilly<v1::GetStructureRequest>();
  expect_refused(check(request, wet_world()), ErrorCode::kInvalidArgument, {"anchor is missing"});
  request.mutable_anchor()->set_y(kMin);
  expect_refused(check(request, wet_world()), ErrorCode::kOutOfRange,
                 {"anchor.y", std::to_string(kMin).c_str()});
  request.mutable_anchor()->set_y(-9);
  EXPECT_EQ(check(request, wet_world())->anchor, (BlockPos{0, -9}));
}

}  // namespace
}  // namespace terrane::rpc
