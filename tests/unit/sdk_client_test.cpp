#include <gtest/gtest.h>

#include <latch>
#include <set>
#include <thread>

#include "codec/container.h"
#include "sdk_scripted_client.h"

namespace terrane {
namespace {

using testing::connect_to;
using testing::example_chunk;
using testing::fill;
using testing::kWorld;
using testing::ScriptedServer;

TEST(client, a_chunk_comes_back_as_the_server_encoded_it) {
  ScriptedServer server;
  v1::GetChunkRequest seen;
  server.get_chunk = [&](grpc::ServerContext&, const v1::GetChunkRequest& request,
                         v1::GetChunkResponse& response) {
    seen = request;
    fill(*response.mutable_chunk(), {-3, 4}, 2);
    return grpc::Status::OK;
  };
  const auto chunk = connect_to(server).chunk(kWorld, {-3, 4}, 2,
                                              layer_bit(Layer::kHeight) | layer_bit(Layer::kBiome));
  ASSERT_TRUE(chunk) << chunk.error().message;
  EXPECT_EQ(chunk->height_q4, example_chunk({-3, 4}, 2).height_q4);
  EXPECT_EQ(chunk->coord, (ChunkCoord{-3, 4}));
  EXPECT_TRUE(chunk->temperature_d.empty());
  EXPECT_EQ(seen.world().name(), "classic");
  EXPECT_EQ(seen.world().seed(), 42u);
  EXPECT_EQ(seen.world().fingerprint(), 7u);
  EXPECT_EQ(seen.lod(), 2u);
  EXPECT_EQ(seen.layers_size(), 2);
  ASSERT_EQ(seen.formats_size(), 1);
  EXPECT_EQ(seen.formats(0), codec::kFormatVersion)
      << "the server must not send what can't be read";
}

TEST(client, calls_name_the_land_that_they_are_about_to_what_stands_between) {
  ScriptedServer server;
  std::vector<std::string> regions;
  const auto note = [&](const grpc::ServerContext& context) {
    const auto found = context.client_metadata().find("terrane-region");
    regions.emplace_back(found == context.client_metadata().end()
                             ? std::string("none")
                             : std::string(found->second.data(), found->second.size()));
    return grpc::Status(grpc::StatusCode::NOT_FOUND, "no");
  };
  server.get_chunk = [&](auto& context, auto&, auto&) { return note(context); };
  server.get_chunks = [&](auto& context, auto&, auto&) { return note(context); };
  server.sample_points = [&](auto& context, auto&, auto&) { return note(context); };
  server.locate = [&](auto& context, auto&, auto&) { return note(context); };
  const Client client = connect_to(server);
  EXPECT_FALSE(client.chunk(kWorld, {63, -1}));
  EXPECT_FALSE(client.chunk(kWorld, {64, -65}));
  EXPECT_FALSE(client.chunk(kWorld, {3, -3}, 5)) << "the same land at any level";
  ChunkStream chunks =
      client.chunks({.world = {.realm = "pvp"}, .area = std::vector<ChunkCoord>{{130, 0}, {0, 0}}});
  EXPECT_FALSE(chunks.next());
  EXPECT_FALSE(client.sample(kWorld, std::vector<BlockPos>{{4096, 8191}}));
  EXPECT_FALSE(client.locate({.world = kWorld, .target = BiomeNamed{"sea"}, .origin = {-1, 0}}));
  EXPECT_FALSE(client.chunk({.name = "a\nb"}, {0, 0})) << "which no header can hold";
  EXPECT_EQ(regions, (std::vector<std::string>{"classic/42/0,-1", "classic/42/1,-2",
                                               "classic/42/1,-2", "realms/pvp/2,0",
                                               "classic/42/1,1", "classic/42/-1,0", "none"}));
}

TEST(client, worlds_are_sorted_by_name) {
  ScriptedServer server;
  const auto worlds = connect_to(server).worlds();
  ASSERT_TRUE(worlds);
  ASSERT_EQ(worlds->size(), 2u);
  EXPECT_EQ(worlds->front().name, "classic");
}

TEST(client, limits_are_what_the_server_says) {
  ScriptedServer server;
  const auto limits = connect_to(server).limits();
  ASSERT_TRUE(limits);
  EXPECT_EQ(limits->max_chunks_per_request, 1024u);
  EXPECT_EQ(limits->max_points_per_request, 65536u);
  EXPECT_EQ(limits->max_chunk_coordinate, 1 << 20);
  EXPECT_EQ(limits->max_message_bytes, 3000000u);
  EXPECT_EQ(limits->max_locate_radius, 5000u);
  EXPECT_EQ(limits->max_request_bytes, 200000u);
  EXPECT_EQ(limits->max_calls_per_connection, 100u);
  EXPECT_EQ(limits->max_metadata_bytes, 16000u);
}

TEST(client, a_chunk_answered_for_another_coordinate_is_an_error) {
  ScriptedServer server;
  server.get_chunk = [](grpc::ServerContext&, const v1::GetChunkRequest&,
                        v1::GetChunkResponse& response) {
    fill(*response.mutable_chunk(), {1, 1});
    return grpc::Status::OK;
  };
  const auto chunk = connect_to(server).chunk(kWorld, {1, 2});
  ASSERT_FALSE(chunk);
  EXPECT_EQ(chunk.error().code, ErrorCode::kDataLoss);
}

TEST(client, damaged_bytes_and_another_lod_are_data_loss) {
  ScriptedServer server;
  server.get_chunk = [](grpc::ServerContext&, const v1::GetChunkRequest& request,
                        v1::GetChunkResponse& response) {
    fill(*response.mutable_chunk(), {0, 0}, 0);
    if (request.lod() == 0) response.mutable_chunk()->mutable_encoded()->back() ^= 1;
    return grpc::Status::OK;
  };
  const Client client = connect_to(server);
  const auto damaged = client.chunk(kWorld, {0, 0}, 0);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::kDataLoss);
  const auto other_lod = client.chunk(kWorld, {0, 0}, 1);
  ASSERT_FALSE(other_lod);
  EXPECT_EQ(other_lod.error().code, ErrorCode::kDataLoss);
}

TEST(client, an_unavailable_server_is_asked_again) {
  ScriptedServer server;
  int calls = 0;
  server.get_chunk = [&](grpc::ServerContext&, const v1::GetChunkRequest&,
                         v1::GetChunkResponse& response) {
    fill(*response.mutable_chunk(), {0, 0});
    return ++calls < 3 ? grpc::Status(grpc::StatusCode::UNAVAILABLE, "draining") : grpc::Status::OK;
  };
  EXPECT_TRUE(connect_to(server).chunk(kWorld, {0, 0}));
  EXPECT_EQ(calls, 3);
}

TEST(client, a_cancellation_nobody_here_asked_for_counts_as_unavailable) {
  ScriptedServer server;
  int calls = 0;
  server.get_chunk = [&](grpc::ServerContext&, const v1::GetChunkRequest&,
                         v1::GetChunkResponse& response) {
    fill(*response.mutable_chunk(), {0, 0});
    return ++calls < 2 ? grpc::Status(grpc::StatusCode::CANCELLED, "cut off") : grpc::Status::OK;
  };
  EXPECT_TRUE(connect_to(server).chunk(kWorld, {0, 0}));
}

TEST(client, an_overloaded_server_is_asked_again_when_it_said) {
  ScriptedServer server;
  std::vector<std::chrono::steady_clock::time_point> calls;
  server.get_chunk = [&](grpc::ServerContext& context, const v1::GetChunkRequest&,
                         v1::GetChunkResponse& response) {
    calls.push_back(std::chrono::steady_clock::now());
    if (calls.size() > 1) {
      fill(*response.mutable_chunk(), {0, 0});
      return grpc::Status::OK;
    }
    context.AddTrailingMetadata("grpc-retry-pushback-ms", "400");
    return grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "queue full");
  };
  ASSERT_TRUE(connect_to(server).chunk(kWorld, {0, 0}));
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_GE(calls[1] - calls[0], std::chrono::milliseconds(400));
}

TEST(client, a_wrong_request_is_not_repeated) {
  ScriptedServer server;
  int calls = 0;
  server.get_chunk = [&](grpc::ServerContext&, const v1::GetChunkRequest&, v1::GetChunkResponse&) {
    ++calls;
    return grpc::Status(grpc::StatusCode::OUT_OF_RANGE, "lod: 9 exceeds 8");
  };
  const auto chunk = connect_to(server).chunk(kWorld, {0, 0}, 9);
  ASSERT_FALSE(chunk);
  EXPECT_EQ(chunk.error(), (Error{ErrorCode::kOutOfRange, "lod: 9 exceeds 8"}));
  EXPECT_EQ(calls, 1);
}

TEST(client, a_server_that_is_not_there_is_named) {
  const auto client = Client::connect(
      {.address = "127.0.0.1:1", .deadline = std::chrono::seconds(5), .max_attempts = 2});
  const auto worlds = client->worlds();
  ASSERT_FALSE(worlds);
  EXPECT_EQ(worlds.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(worlds.error().message.find("127.0.0.1:1"), std::string::npos);
}

TEST(client, a_server_that_comes_back_is_found_again) {
  const auto answer = [](grpc::ServerContext&, const v1::GetChunkRequest&,
                         v1::GetChunkResponse& response) {
    fill(*response.mutable_chunk(), {0, 0});
    return grpc::Status::OK;
  };
  auto server = std::make_unique<ScriptedServer>();
  server->get_chunk = answer;
  const std::string address = server->address();
  const Client client = connect_to(*server);
  ASSERT_TRUE(client.chunk(kWorld, {0, 0}));

  server.reset();
  EXPECT_EQ(client.chunk(kWorld, {0, 0}).error().code, ErrorCode::kUnavailable);

  server = std::make_unique<ScriptedServer>(address);
  server->get_chunk = answer;
  const auto chunk = client.chunk(kWorld, {0, 0});
  EXPECT_TRUE(chunk) << chunk.error().message;
}

TEST(client, options_that_cannot_work_are_refused_by_name) {
  for (const auto& options : {ClientOptions{.address = "localhost"}, ClientOptions{.address = ""},
                              ClientOptions{.deadline = std::chrono::milliseconds(0)},
                              ClientOptions{.max_attempts = 0}}) {
    const auto client = Client::connect(options);
    ASSERT_FALSE(client);
    EXPECT_EQ(client.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(client, many_points_go_in_requests_that_the_server_takes) {
  ScriptedServer server;
  server.max_points = 300;
  std::vector<int> sizes;
  server.sample_points = [&](grpc::ServerContext&, const v1::SamplePointsRequest& request,
                             v1::SamplePointsResponse& response) {
    sizes.push_back(request.points_size());
    for (const auto& point : request.points()) {
      response.add_height(static_cast<int>(point.x()));
      response.add_temperature(1);
      response.add_humidity(2);
      response.add_biome(3);
    }
    return grpc::Status::OK;
  };
  std::vector<BlockPos> points;
  for (int i = 0; i < 700; ++i) points.push_back({i, 0});
  const auto samples = connect_to(server).sample(kWorld, points);
  ASSERT_TRUE(samples) << samples.error().message;
  EXPECT_EQ(sizes, (std::vector{300, 300, 100}));
  ASSERT_EQ(samples->size(), 700u);
  for (int i = 0; i < 700; ++i) EXPECT_EQ((*samples)[static_cast<std::size_t>(i)].height_q4, i);
}

TEST(client, an_answer_with_too_few_samples_is_data_loss) {
  ScriptedServer server;
  server.sample_points = [](grpc::ServerContext&, const v1::SamplePointsRequest&,
                            v1::SamplePointsResponse& response) {
    response.add_height(1);
    return grpc::Status::OK;
  };
  const std::vector<BlockPos> points{{0, 0}};
  const auto samples = connect_to(server).sample(kWorld, points);
  ASSERT_FALSE(samples);
  EXPECT_EQ(samples.error().code, ErrorCode::kDataLoss);
}

TEST(client, threads_share_one_client) {
  ScriptedServer server;
  server.get_chunk = [](grpc::ServerContext&, const v1::GetChunkRequest& request,
                        v1::GetChunkResponse& response) {
    fill(*response.mutable_chunk(), {request.coord().x(), request.coord().y()});
    return grpc::Status::OK;
  };
  const Client client = connect_to(server);
  std::vector<std::jthread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        const auto chunk = client.chunk(kWorld, {t, i});
        if (chunk && *chunk == example_chunk({t, i})) ++right;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(right, 80);
}

}  // namespace
}  // namespace terrane
