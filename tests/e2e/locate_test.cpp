#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <stop_token>

#include "e2e/running_server.h"
#include "terrane/client.h"

namespace terrane::e2e {
namespace {

constexpr std::int64_t kStride = 32;  // between the blocks on which biomes are looked for: lod 5
constexpr Lod kLod = 5;

/// Standard output and errors of a program, and its exit status; -1 if it could not be run.
std::pair<int, std::string> run(const std::string& command) {
  std::FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return {-1, ""};
  std::string text;
  std::array<char, 4096> part;
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe))
    text.append(part.data(), count);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text};
}

/// Flags of a server that also has a world with a biome that is nowhere: in `classic` it is never
/// so hot so high up.
std::vector<std::string> with_vain_world(const TempDirectory& directory) {
  std::string json = run(std::string(TERRANED_PATH) + " --print-world classic").second;
  const auto replace = [&json](const std::string& what, const std::string& by) {
    const std::size_t at = json.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    if (at != std::string::npos) json.replace(at, what.size(), by);
  };
  replace("\"name\": \"classic\"", "\"name\": \"vain\"");
  replace("{ \"name\": \"None\"",
          "{ \"name\": \"Nowhere\", \"color\": \"000000\", \"height\": { \"min\": 250 }, "
          "\"temperature\": { \"min\": 50 } },\n   "
          " { \"name\": \"None\"");
  std::ofstream(directory.path() / "vain.json") << json;
  return {"--world-dir", directory.path()};
}

class locate : public ::testing::Test {
 protected:
  [[nodiscard]] terrane::Client connect(
      std::chrono::milliseconds deadline = std::chrono::seconds(60)) const {
    return *terrane::Client::connect({.address = server_.process.address(), .deadline = deadline});
  }

  [[nodiscard]] std::pair<int, std::string> terrane_says(const std::string& arguments) const {
    return run(std::string(TERRANE_PATH) + " --server " + server_.process.address() + " " +
               arguments);
  }

  const TempDirectory worlds_, data_;
  RunningServer server_{data_, with_vain_world(worlds_)};
  const WorldRef vain_{"vain", 1, {}};
};

std::int64_t squared(BlockPos a, BlockPos b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/// The nearest block of each biome on the grid of multiples of kStride, from the chunks around.
std::map<std::uint8_t, BlockPos> nearest_by_chunks(const terrane::Client& client,
                                                   const WorldRef& world, BlockPos near) {
  std::map<std::uint8_t, BlockPos> nearest;
  const ChunkCoord middle = chunk_of(near, 64, kLod);
  auto stream = client.chunks(
      {.world = world,
       .area = ChunkRectangle{{middle.x - 2, middle.y - 2}, {middle.x + 2, middle.y + 2}},
       .lod = kLod,
       .layers = layer_bit(Layer::kBiome)});
  for (;;) {
    const auto chunk = stream.next();
    if (!chunk || !*chunk || !**chunk) return nearest;
    const BlockPos origin = chunk_origin((**chunk)->coord, 64, kLod);
    for (std::size_t i = 0; i < (**chunk)->biome.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      const BlockPos block{origin.x + at % 64 * kStride, origin.y + at / 64 * kStride};
      const auto [known, fresh] = nearest.emplace((**chunk)->biome[i], block);
      if (!fresh && squared(near, block) < squared(near, known->second)) known->second = block;
    }
  }
}

TEST_F(locate, every_biome_around_is_found_where_the_chunks_have_it) {
  const terrane::Client client = connect();
  for (const char* name : {"classic", "continents"}) {
    const World world = *client.world(name);
    const WorldRef ref{name, kSeed, world.fingerprint};
    const BlockPos near{-12345, 6789};
    for (const auto& [id, expected] : nearest_by_chunks(client, ref, near)) {
      // a nearer one may lie outside of the chunks fetched
      if (squared(near, expected) > 4096 * 4096) continue;
      const auto place = client.locate({.world = ref,
                                        .target = BiomeNamed{world.biomes[id].name},
                                        .origin = near,
                                        .radius = 4200});
      ASSERT_TRUE(place && *place) << name << ": " << world.biomes[id].name;
      EXPECT_LE(squared(near, (*place)->block), squared(near, expected));
      EXPECT_LT(std::abs((*place)->block.x - expected.x), 64) << world.biomes[id].name;
      const std::vector<BlockPos> points{(*place)->block};
      EXPECT_EQ(world.biomes[client.sample(ref, points)->front().biome].name,
                world.biomes[id].name);
      EXPECT_EQ((*place)->biome, client.sample(ref, points)->front().biome);
    }
  }
  server_.stop_cleanly();
}

TEST_F(locate, the_same_question_has_the_same_answer_and_progress_grows) {
  const terrane::Client client = connect();
  const WorldRef world{"continents", 3, {}};
  const LocateRequest request{
      .world = world, .target = BiomeNamed{"Lake"}, .origin = {70000, -4000}};
  std::set<BlockPos> places;
  for (int round = 0; round < 3; ++round) {
    std::uint32_t last = 0;
    const auto place = client.locate(request, [&](std::uint32_t searched) {
      EXPECT_GT(searched, last);
      last = searched;
    });
    ASSERT_TRUE(place) << place.error().message;
    places.insert(*place ? (*place)->block : BlockPos{});
  }
  EXPECT_EQ(places.size(), 1u);
  server_.stop_cleanly();
}

TEST_F(locate, what_is_nowhere_is_not_found_as_far_as_the_server_looks) {
  std::vector<std::uint32_t> told;
  const auto place = connect().locate({.world = vain_, .target = BiomeNamed{"Nowhere"}},
                                      [&](std::uint32_t searched) { told.push_back(searched); });
  ASSERT_TRUE(place) << place.error().message;
  EXPECT_FALSE(*place);
  EXPECT_GT(told.size(), 1u) << "it has told of its progress";
  EXPECT_EQ(told.back(), 65536u) << "and of how far it has looked";
  const auto [status, text] = terrane_says("--world vain locate nowhere");
  EXPECT_EQ(status, 1);
  EXPECT_NE(text.find("no nowhere within 65536 blocks of 0,0: look elsewhere"), std::string::npos)
      << text;
  server_.stop_cleanly();
}

TEST_F(locate, a_stopped_search_ends_and_the_server_forgets_it) {
  const terrane::Client client = connect();
  std::stop_source stop;
  const auto stop_now = [&](std::uint32_t) { stop.request_stop(); };
  const auto place =
      client.locate({.world = vain_, .target = BiomeNamed{"Nowhere"}}, stop_now, stop.get_token());
  ASSERT_FALSE(place);
  EXPECT_EQ(place.error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(client.chunk(vain_, {0, 0})) << "others are served";
  server_.stop_cleanly();  // which waits for calls in progress
}

TEST_F(locate, a_search_past_its_deadline_ends_on_both_sides) {
  // four thousand coarse chunks take longer on any machine
  constexpr std::chrono::milliseconds kShort{10};
  const auto place = connect(kShort).locate({.world = vain_, .target = BiomeNamed{"Nowhere"}});
  ASSERT_FALSE(place);
  EXPECT_TRUE(place.error().code == ErrorCode::kDeadlineExceeded ||
              place.error().code == ErrorCode::kUnavailable)
      << place.error().message;
  EXPECT_TRUE(connect().chunk(vain_, {0, 0}));
  server_.stop_cleanly();
}

/// As soon as a world has structures; until then it must say so.
TEST_F(locate, structures_are_found_and_are_what_their_chunk_holds) {
  const terrane::Client client = connect();
  const World world = *client.world("continents");
  const WorldRef ref{world.name, 1, world.fingerprint};
  for (const StructureKind& kind : world.structure_kinds) {
    const auto place =
        client.locate({.world = ref, .target = StructureNamed{kind.name}, .origin = {0, 0}});
    ASSERT_TRUE(place && *place && (*place)->structure) << kind.name;
    const Structure& structure = *(*place)->structure;
    EXPECT_EQ(structure.anchor, (*place)->block);
    const auto plan = client.structure(ref, structure.anchor);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->structure, structure);
    EXPECT_EQ(plan->rooms.size(), structure.rooms);
    for (const Room& room : plan->rooms) {
      EXPECT_LT(room.piece, kind.pieces.size());
      const auto holder = client.chunk(ref, chunk_of(room.corner, world.chunk_size, 0));
      ASSERT_TRUE(holder);
      EXPECT_NE(std::find(holder->rooms.begin(), holder->rooms.end(), room), holder->rooms.end())
          << room.index;
    }
    const auto chunk = client.chunk(ref, chunk_of(structure.anchor, world.chunk_size, 0));
    ASSERT_TRUE(chunk);
    EXPECT_NE(std::find(chunk->structures.begin(), chunk->structures.end(), structure),
              chunk->structures.end());
    const auto [status, text] =
        terrane_says("--world continents structure -- " + std::to_string(structure.anchor.x) + "," +
                     std::to_string(structure.anchor.y));
    EXPECT_EQ(status, 0) << text;
    EXPECT_NE(text.find("\nlevel 0\n"), std::string::npos) << text;
  }
  const auto none = client.structure(ref, {1, 1});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
  const auto castle = client.locate({.world = ref, .target = StructureNamed{"castle"}});
  ASSERT_FALSE(castle);
  EXPECT_EQ(castle.error().code, ErrorCode::kInvalidArgument);
  server_.stop_cleanly();
}

TEST_F(locate, the_program_prints_the_place_as_text_and_as_json_and_helps_with_names) {
  const auto [status, text] = terrane_says("--world continents locate ocean --near 6000,60000");
  EXPECT_EQ(status, 0) << text;
  EXPECT_EQ(text, "6000,60000  Ocean, here\n");
  const auto [json_status, json] =
      terrane_says("--world continents locate OCEAN --near 6000,60000 --json");
  EXPECT_EQ(json, "{\"x\":6000,\"y\":60000,\"distance\":0,\"biome\":\"Ocean\"}\n");
  const auto [wrong_status, wrong] = terrane_says("--world continents locate dessert");
  EXPECT_EQ(wrong_status, 1);
  EXPECT_NE(wrong.find("close to it: Desert"), std::string::npos) << wrong;
  const auto [far_status, far] =
      terrane_says("--world continents locate abyss --near 0,0 --radius 1");
  EXPECT_EQ(far_status, 1);
  EXPECT_NE(far.find("no abyss within 1 blocks"), std::string::npos) << far;
  server_.stop_cleanly();
}

TEST_F(locate, a_spawn_point_is_dry) {
  for (const char* seed : {"1", "3"}) {
    const auto [status, place] =
        terrane_says(std::string("--world continents --seed ") + seed + " spawn");
    ASSERT_EQ(status, 0) << place;
    const std::string block = place.substr(0, place.find(' '));
    const auto [sampled, sample] =
        terrane_says(std::string("--world continents --seed ") + seed + " sample -- " + block);
    ASSERT_EQ(sampled, 0) << sample;
    EXPECT_NE(sample.find("water         -"), std::string::npos) << sample;
  }
  server_.stop_cleanly();
}

}  // namespace
}  // namespace terrane::e2e
