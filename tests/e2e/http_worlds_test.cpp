// Worlds over HTTP: the same bytes as over gRPC, under the same limits, for the same people, and
// told in a way that caches understand.
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "e2e/running_server.h"
#include "support/http_connection.h"
#include "support/png_picture.h"
#include "support/prometheus_text.h"
#include "support/tokens.h"

namespace terrane::e2e {
namespace {

using test::Answer;
using test::Connection;
using test::get;

constexpr const char* kForEver = "public, max-age=31536000, immutable";

std::string get_with(const std::string& path, const std::string& fields) {
  return "GET " + path + " HTTP/1.1\r\nHost: here\r\n" + fields + "\r\n";
}

/// An answer that must come.
Answer ask(Connection& connection, const std::string& request) {
  const auto answer = connection.ask(request);
  EXPECT_TRUE(answer) << request;
  return answer.value_or(Answer{});
}

/// Where a path by a world's name leads to.
std::string permanent(Connection& connection, const std::string& below) {
  const Answer answer = ask(connection, get("/v1/classic/" + std::to_string(kSeed) + below));
  EXPECT_EQ(answer.status, 307) << answer.body;
  EXPECT_EQ(answer.fields.at("cache-control"), "no-cache")
      << "a world's name may come to mean another";
  return answer.fields.at("location");
}

TEST(http_worlds, a_chunk_is_the_bytes_that_gRPC_sends_at_an_address_for_ever) {
  const TempDirectory data;
  RunningServer server(data);
  Connection connection(server.process.http_address());
  for (const std::uint32_t lod : {0u, 3u}) {
    const std::string place = "/chunks/" + std::to_string(lod) + "/3/-4";
    const std::string path = permanent(connection, place);
    const Answer answer = ask(connection, get(path));
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.body, server.client.chunk(chunk_request({3, -4}, lod)));
    EXPECT_EQ(answer.fields.at("content-type"), "application/vnd.terrane.chunk");
    EXPECT_EQ(answer.fields.at("cache-control"), kForEver);
    connection.send("HEAD " + path + " HTTP/1.1\r\nHost: here\r\n\r\n");
    EXPECT_EQ(connection.answer(false)->fields, answer.fields);
  }
  server.stop_cleanly();
}

TEST(http_worlds, who_has_it_already_is_told_so_and_nothing_is_made) {
  const TempDirectory data;
  RunningServer server(data);
  Connection connection(server.process.http_address());
  const std::string path = permanent(connection, "/chunks/0/1/1");
  const std::string etag = ask(connection, get(path)).fields.at("etag");
  const std::string other = permanent(connection, "/bundles/0/9/9");
  for (const std::string& known : {path, other}) {
    const Answer answer =
        ask(connection, get_with(known, "If-None-Match: \"x\", " + etag + "\r\n"));
    EXPECT_EQ(answer.status, 304);
    EXPECT_EQ(answer.fields.at("etag"), etag);
    EXPECT_EQ(answer.fields.at("cache-control"), kForEver);
  }
  EXPECT_EQ(ask(connection, get_with(path, "If-None-Match: \"x\"\r\n")).status, 200);
  const std::string metrics = ask(connection, get("/metrics")).body;
  EXPECT_EQ(test::value_of(metrics, "terrane_chunks_total{origin=\"generated\"}"), 1);
  server.stop_cleanly();
}

TEST(http_worlds, a_bundle_holds_the_chunks_of_a_square_and_ends_with_the_world) {
  const TempDirectory data;
  RunningServer server(data);
  Connection connection(server.process.http_address());
  const auto bundle = [&](const std::string& place) {
    const Answer answer = ask(connection, get(permanent(connection, "/bundles/0/" + place)));
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.fields.at("content-type"), "application/x-protobuf");
    v1::GetChunksResponse chunks;
    EXPECT_TRUE(chunks.ParseFromString(answer.body));
    return chunks;
  };
  const v1::GetChunksResponse chunks = bundle("-1/2");
  ASSERT_EQ(chunks.chunks_size(), 64);
  const auto expected = server.client.chunks(rectangle_request({-8, 16}, {-1, 23})).chunks();
  std::map<ChunkCoord, std::string> found;
  for (const auto& chunk : chunks.chunks())
    found[{chunk.coord().x(), chunk.coord().y()}] = chunk.encoded();
  EXPECT_EQ(found, expected);
  const std::string last = std::to_string(max_chunk_coord(0) / 8);
  EXPECT_EQ(bundle(last + "/-" + last).chunks_size(), 8) << "one column of it lies in the world";
  server.stop_cleanly();
}

TEST(http_worlds, worlds_are_told_as_json) {
  const TempDirectory data;
  RunningServer server(data);
  Connection connection(server.process.http_address());
  const Answer all = ask(connection, get("/v1/worlds"));
  EXPECT_EQ(all.fields.at("content-type"), "application/json");
  for (const char* const text :
       {R"("name":"classic")", R"("name":"continents")", R"("maxChunksPerRequest":1024)"})
    EXPECT_NE(all.body.find(text), std::string::npos) << text;
  const Answer one = ask(connection, get("/v1/worlds/classic"));
  EXPECT_NE(one.body.find(R"("chunkSize":64)"), std::string::npos) << one.body;
  EXPECT_EQ(one.body.find("continents"), std::string::npos) << one.body;
  server.stop_cleanly();
}

TEST(http_worlds, a_world_comes_as_a_file_that_games_make_its_land_from) {
  const TempDirectory data;
  RunningServer server(data);
  Connection connection(server.process.http_address());
  const Answer file = ask(connection, get("/v1/worlds/continents/file"));
  ASSERT_EQ(file.status, 200);
  EXPECT_EQ(file.fields.at("content-type"), "application/x-protobuf");
  v1::GetWorldRequest request;
  request.set_name("continents");
  request.set_with_compiled_world(true);
  v1::GetWorldResponse said;
  ASSERT_TRUE(server.client.stub().GetWorld(bounded().get(), request, &said).ok());
  said.clear_limits();
  EXPECT_EQ(file.body, said.SerializeAsString());
  EXPECT_NE(said.compiled_world(), "");
  const std::string etag = "If-None-Match: " + file.fields.at("etag") + "\r\n";
  EXPECT_EQ(ask(connection, get_with("/v1/worlds/continents/file", etag)).status, 304);
  EXPECT_EQ(ask(connection, get("/v1/worlds/atlantis/file")).status, 404);
  server.stop_cleanly();
}

TEST(http_worlds, errors_say_what_was_wrong_and_what_would_be_right) {
  const TempDirectory data;
  RunningServer server(data);
  Connection connection(server.process.http_address());
  const std::string path = permanent(connection, "/chunks/0/0/0");
  const std::string world = path.substr(0, path.find("/chunks"));
  const std::string fingerprint = path.substr(6, 16);
  const auto expect = [&](const std::string& at, int status, const std::string& field) {
    const Answer answer = ask(connection, get(at));
    EXPECT_EQ(answer.status, status) << at << answer.body;
    EXPECT_NE(answer.body.find("\"field\":\"" + field + "\""), std::string::npos)
        << at << answer.body;
    EXPECT_EQ(answer.fields.at("cache-control"), "no-store") << at;
    EXPECT_EQ(answer.fields.at("content-type"), "application/json") << at;
  };
  expect("/v1/atlantis/1/chunks/0/0/0", 404, "world.name");
  expect("/v1/worlds/atlantis", 404, "name");
  expect("/v1/realms/mine/chunks/0/0/0", 404, "world.realm");
  expect("/v1/classic/18446744073709551616/chunks/0/0/0", 400, "seed");
  expect("/v1/classic/-1/chunks/0/0/0", 400, "seed");
  expect("/v1/classic/1/chunks/9/0/0", 400, "lod");
  expect(world + "/chunks/9/0/0", 400, "lod");
  expect(world + "/chunks/00/0/0", 400, "lod");
  expect(world + "/chunks/0/+1/0", 400, "x");
  expect(world + "/chunks/0/0/-0", 400, "y");
  expect("/v1/f/0123456789abcdef/1/2/chunks/0/0/%30", 400, "path");
  expect(world + "/chunks/0/1099511627777/0", 400, "coord.x");
  expect(world + "/bundles/0/0/-9223372036854775808", 400, "coord.y");
  expect(world + "/bundles/0/0/9223372036854775808", 400, "y");
  expect("/v1/f/0123456789abcdef/1/2/chunks/0/0/0", 404, "fingerprint");
  expect("/v1/f/0x23456789abcdef/1/2/chunks/0/0/0", 400, "fingerprint");
  expect("/v1/f/" + fingerprint + "/1/99/chunks/0/0/0", 404, "format");
  expect(world + "/chunks/0/0/0?again", 400, "query");
  for (const char* const nothing : {"/v1", "/v1/f", "/v1/classic/1", "/v1/classic/1/moons/0/0/0"})
    expect(nothing, 404, "path");
  expect(path + "/0", 404, "path");
  EXPECT_EQ(ask(connection, get("/v1//worlds")).status, 404);
  EXPECT_EQ(ask(connection, get("/v1/worlds/%zz")).status, 404);
  server.stop_cleanly();
}

TEST(http_worlds, bytes_that_are_no_text_are_refused_and_do_not_fill_the_log) {
  const TempDirectory data;
  RunningServer server(data);
  Connection connection(server.process.http_address());
  for (const std::string path : {"/v1/%ff/7/chunks/0/0/0", "/v1/worlds/%c3(",
                                 "/v1/perlin/7/%80/0/0/0", "/v1/perlin/7/locate/biome/%ff/0/0/9"}) {
    EXPECT_EQ(ask(connection, get(path)).status, 404) << path;
  }
  const Answer query = ask(connection, get("/v1/worlds?\xff\xfe"));
  EXPECT_EQ(query.status, 400) << query.body;
  EXPECT_EQ(ask(connection, get("?nothing")).status, 404);
  EXPECT_EQ(ask(connection, get("/v1/worlds")).status, 200);
  server.stop_cleanly();
  EXPECT_EQ(server.process.log().find("UTF-8"), std::string::npos) << server.process.log();
}

TEST(http_worlds, worlds_that_have_not_changed_are_not_sent_again) {
  const TempDirectory data;
  RunningServer server(data);
  Connection connection(server.process.http_address());
  for (const char* const path : {"/v1/worlds", "/v1/worlds/classic"}) {
    const std::string etag = ask(connection, get(path)).fields.at("etag");
    EXPECT_EQ(ask(connection, get_with(path, "If-None-Match: " + etag + "\r\n")).status, 304);
    EXPECT_EQ(ask(connection, get_with(path, "If-None-Match: \"x\"\r\n")).status, 200);
  }
  server.stop_cleanly();
}

TEST(http_worlds, whatever_is_asked_is_answered_in_order_and_to_who_has_ended_what_it_says) {
  const TempDirectory data;
  RunningServer server(data);
  constexpr int kRounds = 30;  // past the looks at health that wait for no turn
  std::string requests;
  for (int i = 0; i < kRounds; ++i)
    requests += get("/healthz") + get("/nowhere") + get("/v1/worlds/nowhere") + get("/v1/worlds");
  Connection connection(server.process.http_address());
  connection.send(requests);
  connection.finish();
  for (int i = 0; i < kRounds; ++i) {
    for (const unsigned status : {200u, 404u, 404u, 200u}) {
      const auto answer = connection.answer();
      ASSERT_TRUE(answer) << "round " << i;
      EXPECT_EQ(answer->status, status) << "round " << i;
    }
  }
  EXPECT_TRUE(connection.is_closed());
  server.stop_cleanly();
}

TEST(http_worlds, who_knocks_in_vain_has_to_connect_anew) {
  const TempDirectory data;
  RunningServer server(data);
  for (const char* fields :
       {"Connection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n",
        "Content-Length: 1\r\n"}) {
    Connection connection(server.process.http_address());
    EXPECT_GE(ask(connection, get_with("/nowhere", fields)).status, 400u) << fields;
    EXPECT_TRUE(connection.is_closed()) << fields;
  }
  server.stop_cleanly();
}

TEST(http_worlds, points_searches_and_structures_are_answered_as_over_gRPC) {
  const TempDirectory data;
  RunningServer server(data);
  Connection connection(server.process.http_address());
  const auto json_of = [&](const std::string& below) {
    const Answer answer = ask(connection, get("/v1/continents/7/" + below));
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.fields.at("content-type"), "application/json");
    EXPECT_EQ(answer.fields.at("cache-control"), "no-cache");
    return answer.body;
  };
  const auto read = [](const std::string& json, auto& message) {
    EXPECT_TRUE(google::protobuf::util::JsonStringToMessage(json, &message).ok()) << json;
  };
  v1::SamplePointsRequest asked;
  *asked.mutable_world() = world_ref("continents", 7);
  for (const auto& [x, y] : {std::pair{0, 0}, {-120, 35}, {1'000'000'007, -5}}) {
    asked.add_points()->set_x(x);
    asked.mutable_points()->rbegin()->set_y(y);
  }
  v1::SamplePointsResponse expected, points;
  ASSERT_TRUE(server.client.stub().SamplePoints(bounded().get(), asked, &expected).ok());
  read(json_of("points/0,0;-120,35;1000000007,-5"), points);
  EXPECT_EQ(points.SerializeAsString(), expected.SerializeAsString());

  v1::LocateResponse biome, ruin;
  read(json_of("locate/biome/Tundra/0/0"), biome);
  EXPECT_TRUE(biome.has_found());
  read(json_of("locate/biome/Tundra/0/0/32"), biome);
  EXPECT_EQ(biome.nothing().radius(), 32u);
  read(json_of("locate/structure/ruin/0/0/65536"), ruin);
  const v1::BlockPos anchor = ruin.found().block();
  v1::GetStructureResponse structure;
  read(json_of("structures/" + std::to_string(anchor.x()) + "/" + std::to_string(anchor.y())),
       structure);
  EXPECT_EQ(structure.structure().SerializeAsString(),
            ruin.found().structure().SerializeAsString());
  EXPECT_EQ(static_cast<std::uint32_t>(structure.rooms_size()), structure.structure().rooms());
  const auto status_of = [&](const std::string& below) {
    return ask(connection, get("/v1/continents/7/" + below)).status;
  };
  for (const char* const wrong :
       {"points/0", "points/0,0;", "points/0,0,0", "points/99999999999999999999,0",
        "points/9000000000000000000,0", "locate/biome/Moon/0/0", "locate/biome/Tundra/0/0/-1",
        "locate/biome/Tundra/0/0/4000000000", "structures/x/0"})
    EXPECT_EQ(status_of(wrong), 400) << wrong;
  const Answer large = ask(connection, get("/v1/continents/7/points/9223372036854775808,0"));
  EXPECT_EQ(large.status, 400);
  EXPECT_NE(large.body.find("numbers here go from -9223372036854775808 to 9223372036854775807"),
            std::string::npos)
      << large.body;
  const Answer far = ask(connection, get("/v1/continents/7/chunks/0/9223372036854775807/0"));
  EXPECT_NE(far.body.find("\"9223372036854775807\""), std::string::npos) << far.body;
  for (const char* const target : {"/v1/", "/v1/worlds/", "/v1//worlds", "/v1/worlds/%zz"}) {
    const Answer answer = ask(connection, get(target));
    EXPECT_EQ(answer.status, 404) << target;
    EXPECT_EQ(answer.body.front(), '{') << target << ": " << answer.body;
  }
  for (const char* const nothing : {"points", "locate/biome/Desert/0", "locate/animal/Cow/0/0",
                                    "structures/0/0", "structures/0/0/0"})
    EXPECT_EQ(status_of(nothing), 404) << nothing;
  server.stop_cleanly();
}

TEST(http_worlds, who_hangs_up_on_a_search_stops_it) {
  const TempDirectory data;
  RunningServer server(data);
  {
    Connection impatient(server.process.http_address());
    impatient.send(get("/v1/continents/7/locate/biome/Frozen%20Lake/1000000000/0"));
    Connection other(server.process.http_address());
    const auto open = [&] {
      return test::value_of(ask(other, get("/metrics")).body, "terrane_open_calls{rpc=\"Locate\"}");
    };
    while (open() != 1 && !server.process.log().empty()) std::this_thread::yield();
  }
  Connection other(server.process.http_address());
  const auto cancelled = [&] {
    return test::value_of(ask(other, get("/metrics")).body,
                          "terrane_requests_total{rpc=\"Locate\",code=\"CANCELLED\"}");
  };
  while (cancelled() != 1) std::this_thread::yield();
  server.stop_cleanly();
}

TEST(http_worlds, the_viewer_is_there_or_says_that_it_is_not) {
  const TempDirectory data;
  RunningServer server(data);
  Connection connection(server.process.http_address());
  const Answer plain = ask(connection, get("/"));
  if (plain.status == 404) {
    EXPECT_NE(plain.body.find("without its viewer"), std::string::npos);
    return;
  }
  EXPECT_NE(plain.body.find("<title>Terrane"), std::string::npos);
  EXPECT_EQ(plain.fields.at("cache-control"), "no-cache");
  EXPECT_NE(plain.fields.at("content-security-policy").find("default-src 'self'"),
            std::string::npos);
  const std::string gzip = "Accept-Encoding: br, gzip\r\n";
  std::size_t scripts = 0;
  for (std::size_t at = 0; (at = plain.body.find(".js\"", at)) != std::string::npos; ++at) {
    const std::size_t begin = plain.body.rfind('"', at) + 1;
    const Answer script =
        ask(connection, get_with("/" + plain.body.substr(begin, at + 3 - begin), gzip));
    EXPECT_EQ(script.status, 200);
    EXPECT_EQ(script.fields.at("content-encoding"), "gzip");
    EXPECT_EQ(script.fields.at("cache-control"), kForEver);
    ++scripts;
  }
  EXPECT_GT(scripts, 0u);
  const std::string etag = "If-None-Match: " + plain.fields.at("etag") + "\r\n";
  EXPECT_EQ(ask(connection, get_with("/", etag)).status, 304);
  server.stop_cleanly();
}

TEST(http_worlds, tiles_show_what_chunks_hold) {
  const TempDirectory data;
  RunningServer server(data);
  Connection connection(server.process.http_address());
  const auto tile = [&](const std::string& place) {
    const Answer answer = ask(connection, get(permanent(connection, place)));
    EXPECT_EQ(answer.status, 200) << answer.body;
    EXPECT_EQ(answer.fields.at("content-type"), "image/png");
    EXPECT_EQ(answer.fields.at("cache-control"), kForEver);
    drawing::Picture picture = test::read_png(answer.body);
    EXPECT_EQ(picture.width, 256);
    EXPECT_EQ(picture.height, 256);
    return picture;
  };
  v1::GetWorldRequest name;
  name.set_name(kWorld);
  v1::GetWorldResponse world;
  ASSERT_TRUE(server.client.stub().GetWorld(bounded().get(), name, &world).ok());
  // The second level, two tiles west and one south of the origin.
  const auto biomes = tile("/tiles/biome/7/-2/1.png"),
             heights = tile("/tiles/terrarium/7/-2/1.png");
  for (const ChunkCoord at : {ChunkCoord{-8, 4}, ChunkCoord{-5, 7}, ChunkCoord{-6, 5}}) {
    const Chunk chunk = decoded(server.client.chunk(chunk_request(at, 1)), at);
    for (std::size_t i = 0; i < chunk.biome.size(); ++i) {
      const auto x = static_cast<std::size_t>((at.x + 8) * 64) + i % 64;
      const auto y = static_cast<std::size_t>((at.y - 4) * 64) + i / 64;
      const std::size_t pixel = (y * 256 + x) * 3;
      const auto byte = [&](const drawing::Picture& picture, std::size_t k) {
        return std::uint32_t{picture.rgb[pixel + k]};
      };
      ASSERT_EQ(byte(biomes, 0) << 16 | byte(biomes, 1) << 8 | byte(biomes, 2),
                world.world().biomes(chunk.biome[i]).color());
      const double height =
          byte(heights, 0) * 256 + byte(heights, 1) + byte(heights, 2) / 256.0 - 32768;
      ASSERT_EQ(height, (chunk.height_q4[i] - world.world().sea_level()) / 16.0);
    }
  }
  for (const char* const layer : {"relief", "height", "temperature", "humidity"}) {
    const auto picture = tile("/tiles/" + std::string(layer) + "/8/0/0.png");
    EXPECT_NE(picture.rgb, std::vector<std::uint8_t>(picture.rgb.size(), picture.rgb[0])) << layer;
  }
  server.stop_cleanly();
}

TEST(http_worlds, programs_for_maps_find_tiles_where_they_look_for_them) {
  const TempDirectory data;
  RunningServer server(data);
  Connection connection(server.process.http_address());
  const std::string world = "/v1/classic/" + std::to_string(kSeed);
  const Answer json = ask(connection, get(world + "/mercator/terrarium.json"));
  EXPECT_EQ(json.body, "{\"tilejson\":\"3.0.0\",\"scheme\":\"xyz\",\"tiles\":[\"http://here" +
                           world +
                           "/mercator/terrarium/{z}/{x}/{y}.png\"],\"minzoom\":9,\"maxzoom\":17,"
                           "\"center\":[0,0,14],\"encoding\":\"terrarium\"}");
  const auto tile = [&](const std::string& place) {
    return ask(connection, get(permanent(connection, place))).body;
  };
  EXPECT_EQ(tile("/mercator/biome/17/65535/65536.png"), tile("/tiles/biome/8/-1/0.png"));
  EXPECT_EQ(tile("/mercator/biome/10/512/513.png"), tile("/tiles/biome/1/0/1.png"));
  EXPECT_FALSE(tile("/mercator/biome/9/0/511.png").empty()) << "the corner of the square";
  const auto field = [&](const std::string& place) {
    const Answer answer = ask(connection, get(world + place));
    EXPECT_EQ(answer.status, 400) << place;
    return answer.body.substr(answer.body.find("\"field\""), 11);
  };
  EXPECT_EQ(field("/mercator/biome/8/0/0.png"), "\"field\":\"z\"");
  EXPECT_EQ(field("/mercator/biome/18/0/0.png"), "\"field\":\"z\"");
  EXPECT_EQ(field("/mercator/biome/10/1024/0.png"), "\"field\":\"x\"");
  EXPECT_EQ(field("/mercator/biome/10/0/-1.png"), "\"field\":\"y\"");
  EXPECT_EQ(field("/tiles/biome/9/0/0.png"), "\"field\":\"z\"");
  EXPECT_EQ(field("/tiles/biome/8/0/1000000000000.png"), "\"field\":\"y\"");
  EXPECT_EQ(ask(connection, get(world + "/tiles/moon/8/0/0.png")).status, 404);
  EXPECT_EQ(ask(connection, get(world + "/tiles/forest/8/0/0.png")).status, 404)
      << "classic has none";
  EXPECT_EQ(ask(connection, get(world + "/tiles/biome/8/0/0.jpg")).status, 404);
  server.stop_cleanly();
}

/// A server that asks for tokens and has a realm.
struct Guarded {
  Guarded()
      : server(data,
               {"--access-file",
                file("access", R"({"tokens":[{"name":"all","sha256":")" + test::sha256_hex("all") +
                                   R"("},{"name":"some","worlds":["perlin"],"sha256":")" +
                                   test::sha256_hex("some") +
                                   R"("},{"name":"op","roles":["admin"],"sha256":")" +
                                   test::sha256_hex("op") + R"("}]})"),
                "--realms",
                file("realms", R"({"realms":[{"name":"survival","world":"classic","seed":")" +
                                   std::to_string(kSeed) + R"("}]})")}),
        connection(server.process.http_address()) {}

  std::string file(const std::string& name, const std::string& text) const {
    const auto path = data.path() / name;
    std::ofstream(path) << text;
    return path;
  }
  Answer get_as(const std::string& token, const std::string& path) {
    return ask(connection, get_with(path, "Authorization: Bearer " + token + "\r\n"));
  }

  const TempDirectory data;
  RunningServer server;
  Connection connection;
};

TEST(http_worlds, tokens_permit_what_they_permit_over_gRPC) {
  Guarded guarded;
  const Answer nobody = ask(guarded.connection, get("/v1/worlds"));
  EXPECT_EQ(nobody.status, 401);
  EXPECT_EQ(nobody.fields.at("www-authenticate"), "Bearer");
  EXPECT_EQ(guarded.get_as("wrong", "/v1/worlds").status, 401);
  EXPECT_EQ(guarded.get_as("op", "/v1/worlds").status, 403);
  EXPECT_EQ(guarded.get_as("some", "/v1/worlds").body.find("classic"), std::string::npos);
  EXPECT_EQ(guarded.get_as("some", "/v1/classic/1/chunks/0/0/0").status, 403);
  const std::string path =
      guarded.get_as("all", "/v1/classic/1/chunks/0/0/0").fields.at("location");
  EXPECT_EQ(guarded.get_as("all", path).status, 200);
  EXPECT_EQ(guarded.get_as("all", path).fields.at("cache-control"),
            "private, max-age=31536000, immutable");
  const Answer hidden = guarded.get_as("some", path);
  EXPECT_EQ(hidden.status, 404);
  EXPECT_EQ(hidden.body.find("classic"), std::string::npos) << hidden.body;
  EXPECT_EQ(ask(guarded.connection, get("/metrics")).status, 200) << "as ever";
}

TEST(http_worlds, a_realm_is_served_and_its_seed_is_not_told) {
  Guarded guarded;
  EXPECT_NE(guarded.get_as("all", "/v1/worlds").body.find("\"survival\""), std::string::npos);
  const Answer chunk = guarded.get_as("all", "/v1/realms/survival/chunks/0/5/6");
  const std::string path =
      guarded.get_as("all", "/v1/classic/" + std::to_string(kSeed) + "/chunks/0/5/6")
          .fields.at("location");
  EXPECT_EQ(chunk.body, guarded.get_as("all", path).body);
  EXPECT_EQ(chunk.fields.at("cache-control"), "private, no-cache")
      << "a realm may come to mean another seed";
  for (const auto& [name, value] : chunk.fields)
    EXPECT_EQ(value.find(std::to_string(kSeed)), std::string::npos) << name;
  EXPECT_EQ(guarded.get_as("some", "/v1/realms/survival/chunks/0/5/6").status, 403);
  const Answer wrong = guarded.get_as("all", "/v1/realms/survival/chunks/99/5/6");
  EXPECT_EQ(wrong.status, 400);
  EXPECT_EQ(wrong.body.find(std::to_string(kSeed)), std::string::npos) << wrong.body;
}

TEST(http_worlds, what_is_made_is_charged_to_who_asked) {
  Guarded guarded;
  const std::string path =
      guarded.get_as("all", "/v1/classic/1/bundles/0/0/0").fields.at("location");
  EXPECT_EQ(guarded.get_as("all", path).status, 200);
  const std::string metrics = ask(guarded.connection, get("/metrics")).body;
  EXPECT_GT(test::value_of(metrics, "terrane_client_processors{client=\"all\"}"), 0) << metrics;
}

TEST(http_worlds, pages_of_other_origins_read_it_where_the_operator_says_so) {
  const auto allowed = [](const Answer& answer) {
    const auto found = answer.fields.find("access-control-allow-origin");
    return found == answer.fields.end() ? std::string() : found->second;
  };
  const auto preflight = [](const std::string& origin) {
    return "OPTIONS /v1/worlds HTTP/1.1\r\nHost: here\r\nOrigin: " + origin +
           "\r\nAccess-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: "
           "authorization\r\n\r\n";
  };
  const std::string ours = "https://maps.example", theirs = "https://evil.example";
  const auto from = [](const std::string& origin) {
    return get_with("/v1/worlds", "Origin: " + origin + "\r\n");
  };
  {
    const TempDirectory data;
    RunningServer server(data);
    Connection connection(server.process.http_address());
    EXPECT_EQ(allowed(ask(connection, from(ours))), "");
    EXPECT_EQ(ask(connection, preflight(ours)).status, 405);
    server.stop_cleanly();
  }
  {
    const TempDirectory data;
    RunningServer server(data, {"--http-cors", "http://localhost:8080," + ours});
    Connection connection(server.process.http_address());
    EXPECT_EQ(allowed(ask(connection, from(ours))), ours);
    EXPECT_EQ(allowed(ask(connection, from(theirs))), "");
    EXPECT_EQ(ask(connection, from(theirs)).fields.at("vary"), "Origin")
        << "else a cache would give the one what is meant for the other";
    EXPECT_EQ(allowed(ask(connection, preflight(theirs))), "");
    const Answer yes = ask(connection, preflight(ours));
    EXPECT_EQ(yes.status, 204);
    EXPECT_EQ(yes.fields.count("content-length"), 0u);
    EXPECT_EQ(allowed(yes), ours);
    EXPECT_NE(yes.fields.at("access-control-allow-headers").find("Authorization"),
              std::string::npos);
    const Answer missing =
        ask(connection, get_with("/v1/nowhere/1/chunks/0/0/0", "Origin: " + ours + "\r\n"));
    EXPECT_EQ(missing.status, 404);
    EXPECT_EQ(allowed(missing), ours) << "a page must be able to say what is wrong";
    EXPECT_EQ(allowed(ask(connection, get_with("/metrics", "Origin: " + ours + "\r\n"))), "");
    server.stop_cleanly();
  }
  {
    const TempDirectory data;
    RunningServer server(data, {"--http-cors", "*"});
    Connection connection(server.process.http_address());
    EXPECT_EQ(allowed(ask(connection, get("/v1/worlds"))), "*")
        << "whoever asked, as a cache may give it to others";
    server.stop_cleanly();
  }
  for (const char* const wrong : {"maps.example", "https://maps.example/", "https://A.example"}) {
    const TempDirectory data;
    ServerProcess server({"--data", data.path() / "cache", "--http-cors", wrong});
    EXPECT_EQ(server.wait(), 2);
    EXPECT_NE(server.log().find("--http-cors"), std::string::npos) << server.log();
    EXPECT_NE(server.log().find(wrong), std::string::npos) << server.log();
  }
}

TEST(http_worlds, what_nobody_waits_for_any_more_is_not_made) {
  const TempDirectory data;
  RunningServer server(data, {"--workers", "1"});
  Connection patient(server.process.http_address());
  const std::string path = permanent(patient, "/bundles/8/0/0");
  const std::string prefix = path.substr(0, path.size() - 3);
  // wherever they are found to have left: before the cache is asked, in the queue, at work
  const auto cancelled = [&] {
    return test::sum_of(ask(patient, get("/metrics")).body, "terrane_cancelled_total{");
  };
  const auto generated = [&] {
    return test::value_of(ask(patient, get("/metrics")).body,
                          "terrane_chunks_total{origin=\"generated\"}");
  };
  constexpr int kLeaving = 50;
  int asked = 0, row = 0;
  for (const std::string& next : {std::string(), get("/healthz")}) {  // that they send as well
    const double before = cancelled();
    for (; cancelled() < before + 64; ++row) {
      std::vector<Connection> leaving;
      for (int i = 0; i < kLeaving; ++i, asked += 64) {
        leaving.emplace_back(server.process.http_address());
        leaving.back().send(get(prefix + std::to_string(i) + "/" + std::to_string(row)) + next);
      }
    }
  }
  EXPECT_LT(generated(), asked);
  server.process.terminate();
  EXPECT_EQ(server.process.wait(), 0);
}

TEST(http_worlds, a_server_that_stops_leaves_nobody_waiting) {
  const TempDirectory data;
  RunningServer server(data, {"--workers", "1", "--log-level", "error"});
  Connection first(server.process.http_address());
  const std::string path = permanent(first, "/bundles/8/0/0");
  std::vector<Connection> waiting;
  for (int i = 0; i < 30; ++i) {
    waiting.emplace_back(server.process.http_address());
    waiting.back().send(get(path.substr(0, path.size() - 3) + std::to_string(i) + "/2"));
  }
  server.process.terminate();
  EXPECT_EQ(server.process.wait(), 0) << server.process.log();
  for (Connection& connection : waiting) connection.rest();  // which ends
}

}  // namespace
}  // namespace terrane::e2e
