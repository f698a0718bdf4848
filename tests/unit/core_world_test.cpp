// Worlds of terrane_core: from what servers send, and from any bytes.
#include <random>

#include "unit/core_worlds.h"

namespace terrane {
namespace {

using test::sized;

TEST(core_world, says_what_the_server_said) {
  const auto world = test::open_builtin("continents");
  ASSERT_TRUE(world);
  auto info = sized<terrane_world_info>();
  terrane_world_get_info(world.get(), &info);
  const worldgen::World& built = test::builtin("continents");
  EXPECT_STREQ(info.name, "continents");
  EXPECT_EQ(info.title, built.title);
  EXPECT_EQ(info.fingerprint, built.fingerprint);
  EXPECT_EQ(info.chunk_size, static_cast<std::uint32_t>(built.chunk_size));
  EXPECT_EQ(info.max_lod, built.max_lod);
  EXPECT_EQ(info.layers, built.layers);
  ASSERT_EQ(info.biomes, built.biomes.size());
  auto kind = sized<terrane_kind_info>();
  for (std::uint32_t id = 0; id < info.biomes; ++id) {
    ASSERT_EQ(terrane_world_biome(world.get(), id, &kind), TERRANE_OK);
    EXPECT_EQ(kind.name, built.biomes[id].name);
    EXPECT_EQ(kind.color, built.biomes[id].color);
  }
  EXPECT_EQ(terrane_world_biome(world.get(), info.biomes, &kind), TERRANE_OUT_OF_RANGE);
  ASSERT_EQ(info.placement_kinds, built.placement_kinds.size());
  ASSERT_EQ(terrane_world_placement_kind(world.get(), 0, &kind), TERRANE_OK);
  EXPECT_EQ(kind.height_q4, built.placement_kinds[0].height_q4);
  ASSERT_EQ(info.structure_kinds, built.structure_kinds.size());
  ASSERT_EQ(terrane_world_structure_kind(world.get(), 0, &kind), TERRANE_OK);
  ASSERT_EQ(kind.pieces, built.structure_kinds[0].pieces.size());
  auto piece = sized<terrane_piece_info>();
  ASSERT_EQ(terrane_world_piece(world.get(), 0, 0, &piece), TERRANE_OK);
  const Piece& first = built.structure_kinds[0].pieces[0];
  EXPECT_EQ(piece.name, first.name);
  EXPECT_EQ(piece.width, first.width);
  ASSERT_EQ(piece.door_count, first.doors.size());
  for (std::size_t i = 0; i < first.doors.size(); ++i) {
    EXPECT_EQ(piece.doors[i].side, static_cast<int>(first.doors[i].side));
    EXPECT_EQ(piece.doors[i].at, first.doors[i].at);
  }
  EXPECT_EQ(terrane_world_piece(world.get(), 999, 0, &piece), TERRANE_OUT_OF_RANGE);
  ASSERT_EQ(info.places, 1u);
  auto place = sized<terrane_place_info>();
  ASSERT_EQ(terrane_world_place(world.get(), 0, &place), TERRANE_OK);
  EXPECT_STREQ(place.name, "Old Harbour");
  EXPECT_EQ(place.block.x, -5);
  EXPECT_EQ(place.block.y, 1L << 40);
  EXPECT_EQ(place.spawn, 1u);
}

TEST(core_world, a_compiled_world_alone_has_its_land_and_no_names) {
  const auto [world, error] = test::open_world(test::compiled("perlin"));
  ASSERT_TRUE(world) << error.message;
  auto info = sized<terrane_world_info>();
  terrane_world_get_info(world.get(), &info);
  EXPECT_STREQ(info.name, "");
  EXPECT_EQ(info.fingerprint, test::builtin("perlin").fingerprint);
  EXPECT_EQ(info.biomes, 0u);
}

TEST(core_world, another_abi_is_refused_and_says_so) {
  auto error = sized<terrane_error>();
  const std::string bytes = test::compiled("perlin");
  terrane_world* world = nullptr;
  EXPECT_EQ(terrane_world_open(TERRANE_ABI_VERSION + 1, bytes.data(), bytes.size(), &world, &error),
            TERRANE_INVALID_ARGUMENT);
  EXPECT_EQ(world, nullptr);
  EXPECT_NE(std::string(error.message).find("ABI version 2"), std::string::npos) << error.message;
  EXPECT_EQ(
      terrane_world_open(TERRANE_ABI_VERSION + 1, bytes.data(), bytes.size(), &world, nullptr),
      TERRANE_INVALID_ARGUMENT)
      << "nobody needs to be told";
}

TEST(core_world, what_is_no_world_is_refused_with_a_reason) {
  const auto refused = [](const std::string& bytes, const char* why) {
    const auto [world, error] = test::open_world(bytes);
    EXPECT_FALSE(world) << why;
    EXPECT_NE(std::string(error.message).find(why), std::string::npos) << error.message;
  };
  refused("", "without a compiled world");
  refused("hello", "neither a compiled world nor a GetWorldResponse");
  v1::GetWorldResponse response = test::described("perlin");
  response.mutable_world()->add_biomes()->set_id(77);
  refused(response.SerializeAsString(), "biomes");
  response = test::described("perlin");
  response.mutable_world()->mutable_biomes(0)->set_id(1);
  refused(response.SerializeAsString(), "by their ids");
  response = test::described("continents");
  response.mutable_world()->mutable_structure_kinds(0)->mutable_pieces(0)->set_width(3);
  refused(response.SerializeAsString(), "pieces of structure kind 0");
  response = test::described("continents");
  response.mutable_world()->mutable_placement_kinds()->RemoveLast();
  refused(response.SerializeAsString(), "kinds of placements");
  response = test::described("perlin");
  response.mutable_world()->set_fingerprint(1);
  refused(response.SerializeAsString(), "fingerprint");
  response = test::described("perlin");
  response.clear_compiled_world();
  refused(response.SerializeAsString(), "without a compiled world");
  std::string bytes = response.SerializeAsString();
  bytes.replace(bytes.find("perlin"), 1, "\xff");
  refused(bytes, "no UTF-8");
  for (int i = 0; i < 4097; ++i) response.add_places();
  refused(response.SerializeAsString(), "4,097 places");
}

TEST(core_world, damaged_bytes_do_no_harm) {
  const std::string whole = test::described("continents").SerializeAsString();
  std::minstd_rand random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = whole.substr(0, random() % 8 == 0 ? random() % whole.size() : whole.size());
    for (std::uint32_t n = random() % 4; n > 0 && !bytes.empty(); --n)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    (void)test::open_world(bytes);  // a sanitizer sees more than an expectation could
  }
}

TEST(core_world, a_shorter_structure_of_an_older_header_is_filled_as_far_as_it_goes) {
  const auto world = test::open_builtin("perlin");
  auto info = sized<terrane_world_info>();
  info.struct_size = offsetof(terrane_world_info, fingerprint);
  info.fingerprint = 99;
  terrane_world_get_info(world.get(), &info);
  EXPECT_EQ(info.chunk_size, 64u);
  EXPECT_EQ(info.fingerprint, 99u) << "past what the caller knows";
  info.struct_size = 0;
  terrane_world_get_info(world.get(), &info);
  terrane_error tiny{};
  tiny.struct_size = offsetof(terrane_error, message) + 4;
  EXPECT_EQ(terrane_world_open(TERRANE_ABI_VERSION, "x", 1, nullptr, &tiny),
            TERRANE_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(tiny.message).size(), 3u) << "cut off where it ends";
}

}  // namespace
}  // namespace terrane
