// Authored land and named places, from a world file to clients.
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/wait.h>
#include <terrane/client.h>

#include <fstream>
#include <string>

#include "e2e/running_server.h"
#include "support/http_connection.h"

namespace terrane::e2e {
namespace {

using test::Connection;
using test::get;

constexpr const char* kAuthored = R"(,
  "stamps": [
    { "note": "the market", "at": { "x": 100, "y": -50 }, "radius": 20, "falloff": 24,
      "flatten": 70, "biome": "Savanna", "clear": true },
    { "note": "its pond", "at": { "x": 100, "y": -50 }, "radius": 2, "falloff": 8, "raise": -4,
      "water": 69 }
  ],
  "places": [
    { "name": "Market", "at": { "x": 100, "y": -40 }, "spawn": true },
    { "name": "World's End", "at": { "x": -1000000000000, "y": 999999999999 } },
    { "name": "Inn", "at": { "x": -300, "y": 0 } },
    { "name": "Inn", "at": { "x": 200, "y": 0 } }
  ]
})";

/// Standard output and errors of a program.
std::string output_of(const std::string& command) {
  std::string text;
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return text;
  char part[4096];
  while (const std::size_t count = fread(part, 1, sizeof part, pipe)) text.append(part, count);
  pclose(pipe);
  return text;
}

class authored : public ::testing::Test {
 protected:
  static std::vector<std::string> with_world(const TempDirectory& directory) {
    std::string json = output_of(std::string(TERRANED_PATH) + " --print-world continents");
    const std::string name = "\"name\": \"continents\"";
    const std::size_t at = json.find(name), end = json.find_last_of('}');
    EXPECT_NE(at, std::string::npos) << json;
    EXPECT_NE(end, std::string::npos) << json;
    if (at == std::string::npos || end == std::string::npos) return {};
    json.replace(end, std::string::npos, kAuthored);
    json.replace(at, name.size(), "\"name\": \"mine\"");
    std::ofstream(directory.path() / "mine.json") << json;
    return {"--world-dir", directory.path()};
  }

  [[nodiscard]] std::string terrane_says(const std::string& arguments) const {
    return output_of(std::string(TERRANE_PATH) + " --server " + server_.process.address() +
                     " --world mine " + arguments);
  }

  const TempDirectory worlds_, data_;
  RunningServer server_{data_, with_world(worlds_)};
  const terrane::Client client_ = *terrane::Client::connect({.address = server_.process.address()});
  const WorldRef mine_{"mine", 5, {}};
};

TEST_F(authored, land_is_as_the_file_says_in_every_seed) {
  for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{77}}) {
    const WorldRef world{"mine", seed, {}};
    const std::vector<BlockPos> points{{100, -38}, {100, -50}};
    const auto samples = client_.sample(world, points);
    ASSERT_TRUE(samples) << samples.error().message;
    EXPECT_EQ(samples->at(0).height_q4, 70 * 16);
    EXPECT_EQ(samples->at(0).water_q4, kNoWater);
    EXPECT_EQ(samples->at(0).forest_p, 0);
    EXPECT_EQ(samples->at(1).height_q4, 66 * 16);
    EXPECT_EQ(samples->at(1).water_q4, 69 * 16);
    const auto chunk = client_.chunk(world, chunk_of(points[0], 64, 0));
    ASSERT_TRUE(chunk);
    EXPECT_EQ(chunk->height_q4[(64 - 38) * 64 + 36], 70 * 16);
  }
  server_.stop_cleanly();
}

TEST_F(authored, places_are_told_to_who_asks_for_the_world) {
  const auto world = client_.world("mine");
  ASSERT_TRUE(world) << world.error().message;
  ASSERT_EQ(world->places.size(), 4u);
  EXPECT_EQ(world->places[0], (NamedPlace{"Market", {100, -40}, true}));
  EXPECT_EQ(world->places[1], (NamedPlace{"World's End", {-1000000000000, 999999999999}, false}));
  const auto listed = client_.worlds();
  ASSERT_TRUE(listed);
  for (const World& one : *listed) EXPECT_TRUE(one.places.empty()) << one.name;
  EXPECT_TRUE(client_.world("continents")->places.empty());
  const std::string text = terrane_says("worlds mine");
  EXPECT_NE(text.find("\nPLACE\n  100,-40  Market, where players begin\n"), std::string::npos)
      << text;
  EXPECT_NE(terrane_says("worlds mine --json")
                .find("{\"name\":\"Inn\",\"x\":200,\"y\":0,\"spawn\":false}]}"),
            std::string::npos);
  server_.stop_cleanly();
}

TEST_F(authored, places_are_found_the_nearest_first_however_far) {
  const auto find = [&](const std::string& name, BlockPos near, std::uint32_t radius = 0) {
    return client_.locate(
        {.world = mine_, .target = PlaceNamed{name}, .origin = near, .radius = radius});
  };
  const auto inn = find("Inn", {-40, 10});
  ASSERT_TRUE(inn && *inn) << (inn ? "nothing" : inn.error().message);
  EXPECT_EQ((*inn)->block, (BlockPos{200, 0}));
  EXPECT_EQ((*inn)->place, (NamedPlace{"Inn", {200, 0}, false}));
  EXPECT_FALSE((*inn)->biome || (*inn)->structure);
  EXPECT_EQ((*find("Inn", {-60, 0}))->block, (BlockPos{-300, 0}));
  EXPECT_EQ((*find("Inn", {-50, 0}))->block, (BlockPos{-300, 0})) << "ties: y, then x";
  EXPECT_FALSE(*find("Inn", {-50, 0}, 249));
  EXPECT_TRUE(*find("Inn", {-50, 0}, 250));
  EXPECT_TRUE(*find("Inn", {-50, 0}, 4000000000u));
  const auto far = find("World's End", {(std::int64_t{1} << 46) - 1, -(std::int64_t{1} << 46)});
  ASSERT_TRUE(far && *far);
  EXPECT_NEAR((*far)->distance, 1.00930645945587e14, 1e3);
  const auto unknown = find("Outn", {0, 0});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(unknown.error().message.find("Market, World's End, Inn"), std::string::npos)
      << unknown.error().message;
  EXPECT_EQ(terrane_says("locate inn"), "200,0  Inn, 200 blocks east\n");
  EXPECT_EQ(terrane_says("locate market --json"),
            "{\"x\":100,\"y\":-40,\"distance\":107.703296,\"place\":\"Market\",\"spawn\":true}\n");
  const std::string spawn = terrane_says("--seed 3 spawn");
  EXPECT_EQ(spawn.substr(0, spawn.find(' ')), "100,-40") << spawn;
  EXPECT_EQ(terrane_says("--seed 3 spawn --near 5000,5000 --radius 2000").find("100,-40"),
            std::string::npos)
      << "too far off: the land decides";
  server_.stop_cleanly();
}

TEST_F(authored, http_tells_the_same) {
  Connection connection(server_.process.http_address());
  const auto body_of = [&](const std::string& path) {
    const auto answer = connection.ask(get(path));
    EXPECT_TRUE(answer && answer->status == 200) << path;
    return answer ? answer->body : std::string();
  };
  const std::string world = body_of("/v1/worlds/mine");
  EXPECT_NE(world.find("\"places\":[{\"name\":\"Market\",\"block\":{\"x\":\"100\",\"y\":\"-40\"},"
                       "\"spawn\":true}"),
            std::string::npos)
      << world.substr(world.find("\"places\""));
  EXPECT_EQ(body_of("/v1/worlds").find("\"Market\""), std::string::npos);
  const std::string inn = body_of("/v1/mine/5/locate/place/Inn/-40/10");
  EXPECT_NE(inn.find("\"place\":{\"name\":\"Inn\",\"block\":{\"x\":\"200\",\"y\":\"0\"}"),
            std::string::npos)
      << inn;
  EXPECT_NE(body_of("/v1/mine/5/locate/place/World's%20End/0/0").find("999999999999"),
            std::string::npos);
  server_.stop_cleanly();
}

}  // namespace
}  // namespace terrane::e2e
