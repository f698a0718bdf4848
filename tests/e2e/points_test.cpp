#include <algorithm>
#include <random>

#include "e2e/running_server.h"

namespace terrane::e2e {
namespace {

PointSample sample_of(const v1::SamplePointsResponse& response, int index) {
  return {response.height(index), static_cast<std::int16_t>(response.temperature(index)),
          static_cast<std::int16_t>(response.humidity(index)),
          static_cast<std::uint8_t>(response.biome(index))};
}

TEST(points, they_are_what_the_chunk_holds_on_either_side_of_zero_and_at_the_limits) {
  const TempDirectory data;
  RunningServer server(data);
  constexpr int kSize = 64;
  const std::int64_t edge = max_chunk_coord(0);
  std::minstd_rand random(1);
  std::uniform_int_distribution<int> offset(0, kSize - 1);
  v1::SamplePointsRequest request;
  *request.mutable_world() = world_ref();
  std::vector<PointSample> expected;
  for (const ChunkCoord coord : {ChunkCoord{0, 0},
                                 {-1, -1},
                                 {5, -8},
                                 {edge, edge},
                                 {-edge, -edge},
                                 {edge, -edge},
                                 {-edge, 77}}) {
    const Chunk chunk = decoded(server.client.chunk(chunk_request(coord)), coord);
    ASSERT_EQ(chunk.size, kSize);
    for (int k = 0; k < 100; ++k) {
      const int i = k == 0 ? 0 : k == 1 ? kSize - 1 : offset(random);
      const int j = k == 0 ? 0 : k == 1 ? kSize - 1 : offset(random);
      v1::BlockPos& point = *request.add_points();
      point.set_x(coord.x * kSize + i);
      point.set_y(coord.y * kSize + j);
      const auto at = static_cast<std::size_t>(j * kSize + i);
      expected.push_back({.height_q4 = chunk.height_q4[at],
                          .temperature_d = chunk.temperature_d[at],
                          .humidity_d = chunk.humidity_d[at],
                          .biome = chunk.biome[at]});
    }
  }
  v1::SamplePointsResponse response;
  ASSERT_TRUE(server.client.stub().SamplePoints(bounded().get(), request, &response).ok());
  ASSERT_EQ(response.height_size(), request.points_size());
  ASSERT_EQ(response.biome_size(), request.points_size());
  for (int i = 0; i < request.points_size(); ++i) {
    EXPECT_EQ(sample_of(response, i), expected[static_cast<std::size_t>(i)])
        << request.points(i).ShortDebugString();
  }
  server.stop_cleanly();
}

TEST(points, of_a_world_with_more_layers_they_have_these_and_of_others_not) {
  const TempDirectory data;
  RunningServer server(data);
  v1::SamplePointsRequest request;
  *request.mutable_world() = world_ref("continents");
  const ChunkCoord coord{7, 12};
  v1::GetChunkRequest chunk_of_them = chunk_request(coord);
  *chunk_of_them.mutable_world() = world_ref("continents");
  const Chunk chunk = decoded(server.client.chunk(chunk_of_them), coord);
  for (int i = 0; i < chunk.size * chunk.size; ++i) {
    v1::BlockPos& point = *request.add_points();
    point.set_x(coord.x * chunk.size + i % chunk.size);
    point.set_y(coord.y * chunk.size + i / chunk.size);
  }
  v1::SamplePointsResponse response;
  ASSERT_TRUE(server.client.stub().SamplePoints(bounded().get(), request, &response).ok());
  EXPECT_TRUE(std::equal(response.water().begin(), response.water().end(), chunk.water_q4.begin(),
                         chunk.water_q4.end()));
  EXPECT_TRUE(std::equal(response.forest().begin(), response.forest().end(), chunk.forest_p.begin(),
                         chunk.forest_p.end()));
  EXPECT_TRUE(std::equal(response.rocks().begin(), response.rocks().end(), chunk.rocks_p.begin(),
                         chunk.rocks_p.end()));
  EXPECT_EQ(response.water_size(), request.points_size()) << "continents has water";

  *request.mutable_world() = world_ref("perlin");
  ASSERT_TRUE(server.client.stub().SamplePoints(bounded().get(), request, &response).ok());
  EXPECT_EQ(response.height_size(), request.points_size());
  EXPECT_EQ(response.water_size(), 0);
  server.stop_cleanly();
}

TEST(points, none_is_an_empty_answer_and_the_most_allowed_are_all_answered) {
  const TempDirectory data;
  RunningServer server(data);
  v1::SamplePointsRequest request;
  *request.mutable_world() = world_ref();
  v1::SamplePointsResponse response;
  ASSERT_TRUE(server.client.stub().SamplePoints(bounded().get(), request, &response).ok());
  EXPECT_EQ(response.height_size(), 0);

  for (int i = 0; i < 65536; ++i) request.add_points()->set_x(-i * std::int64_t{1000});
  ASSERT_TRUE(server.client.stub().SamplePoints(bounded().get(), request, &response).ok());
  EXPECT_EQ(response.humidity_size(), 65536);
  server.stop_cleanly();
}

}  // namespace
}  // namespace terrane::e2e
