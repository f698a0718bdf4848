#include "e2e/running_server.h"

namespace terrane::e2e {
namespace {

constexpr ChunkCoord kFrom{-4, -5};
constexpr ChunkCoord kTo{4, 3};
constexpr std::size_t kChunks = 81;

std::map<ChunkCoord, Chunk> all_decoded(const Streamed& streamed) {
  EXPECT_TRUE(streamed.status.ok()) << streamed.status.error_message();
  std::map<ChunkCoord, Chunk> result;
  for (const auto& [coord, encoded] : streamed.chunks()) result[coord] = decoded(encoded, coord);
  return result;
}

TEST(chunks, cold_cached_and_after_a_restart_they_are_the_same) {
  const TempDirectory data;
  std::map<ChunkCoord, Chunk> cold;
  {
    RunningServer server(data);
    cold = all_decoded(server.client.chunks(rectangle_request(kFrom, kTo)));
    EXPECT_EQ(cold.size(), kChunks);
    EXPECT_EQ(all_decoded(server.client.chunks(rectangle_request(kFrom, kTo))), cold);
    for (const ChunkCoord coord : {kFrom, kTo})
      EXPECT_EQ(decoded(server.client.chunk(chunk_request(coord)), coord), cold[coord]);
    server.stop_cleanly();
    EXPECT_EQ(server.process.total("pipeline", "generated"), kChunks);
    EXPECT_EQ(server.process.total("store", "puts"), kChunks);
  }
  RunningServer again(data);
  EXPECT_EQ(all_decoded(again.client.chunks(rectangle_request(kFrom, kTo))), cold);
  again.stop_cleanly();
  EXPECT_EQ(again.process.total("pipeline", "generated"), 0u);
  EXPECT_EQ(again.process.total("pipeline", "hits"), kChunks);
}

TEST(chunks, without_a_cache_they_are_the_same_too) {
  const TempDirectory data;
  RunningServer cached(data);
  RunningServer uncached(data, {"--no-cache", "--simd", "scalar"});
  EXPECT_NE(uncached.process.ready_line().find("cache off"), std::string::npos);
  EXPECT_EQ(all_decoded(uncached.client.chunks(rectangle_request(kFrom, kTo))),
            all_decoded(cached.client.chunks(rectangle_request(kFrom, kTo))));
  cached.stop_cleanly();
  uncached.stop_cleanly();
}

TEST(chunks, a_subset_of_the_layers_holds_those_and_no_others) {
  const TempDirectory data;
  RunningServer server(data);
  constexpr ChunkCoord kPlace{-3, 2};
  const Chunk whole = decoded(server.client.chunk(chunk_request(kPlace)), kPlace);

  v1::GetChunkRequest one = chunk_request(kPlace);
  one.add_layers(v1::LAYER_BIOME);
  one.add_layers(v1::LAYER_HEIGHT);
  v1::GetChunksRequest many = rectangle_request(kPlace, kPlace);
  *many.mutable_layers() = one.layers();
  const auto streamed = server.client.chunks(many).chunks();
  ASSERT_EQ(streamed.size(), 1u);
  for (const std::string& encoded : {server.client.chunk(one), streamed.at(kPlace)}) {
    const Chunk part = decoded(encoded, kPlace);
    EXPECT_EQ(part.height_q4, whole.height_q4);
    EXPECT_EQ(part.biome, whole.biome);
    EXPECT_TRUE(part.temperature_d.empty());
    EXPECT_TRUE(part.humidity_d.empty());
  }
  server.stop_cleanly();
}

TEST(chunks, every_batch_of_a_rectangle_is_sorted_from_the_focus_and_within_its_bounds) {
  const TempDirectory data;
  RunningServer server(data);
  v1::GetChunksRequest request = rectangle_request({-16, -16}, {15, 15});
  constexpr ChunkCoord kFocus{11, -9};
  *request.mutable_focus() = message(kFocus);
  for (const char* temperature : {"cold", "cached"}) {
    SCOPED_TRACE(temperature);
    const Streamed streamed = server.client.chunks(request);
    EXPECT_EQ(all_decoded(streamed).size(), 1024u);
    for (const auto& batch : streamed.batches) {
      EXPECT_LE(batch.chunks_size(), 32);
      std::int64_t last = 0;
      for (const auto& chunk : batch.chunks()) {
        const std::int64_t dx = chunk.coord().x() - kFocus.x;
        const std::int64_t dy = chunk.coord().y() - kFocus.y;
        EXPECT_GE(dx * dx + dy * dy, last);
        last = dx * dx + dy * dy;
      }
    }
  }
  server.stop_cleanly();
}

TEST(chunks, with_one_worker_the_chunk_underfoot_comes_first) {
  const TempDirectory data;
  RunningServer server(data, {"--workers", "1"});
  v1::GetChunksRequest request = rectangle_request({0, 0}, {31, 31});
  *request.mutable_focus() = message({30, 1});
  const Streamed streamed = server.client.chunks(request);
  ASSERT_TRUE(streamed.status.ok());
  ASSERT_FALSE(streamed.batches.empty());
  EXPECT_EQ(streamed.batches[0].chunks(0).coord().ShortDebugString(),
            request.focus().ShortDebugString());
  server.stop_cleanly();
}

TEST(chunks, a_list_is_answered_once_for_each_place_however_often_it_names_it) {
  const TempDirectory data;
  RunningServer server(data);
  v1::GetChunksRequest request;
  *request.mutable_world() = world_ref();
  const std::int64_t edge = max_chunk_coord(0);
  for (int repeat = 0; repeat < 3; ++repeat) {
    for (const ChunkCoord coord :
         {ChunkCoord{edge, -edge}, ChunkCoord{-edge, edge}, ChunkCoord{0, 0}}) {
      *request.mutable_list()->add_coords() = message(coord);
    }
  }
  EXPECT_EQ(all_decoded(server.client.chunks(request)).size(), 3u);
  request.mutable_list()->clear_coords();
  const Streamed nothing = server.client.chunks(request);
  EXPECT_TRUE(nothing.status.ok());
  EXPECT_TRUE(nothing.batches.empty());
  server.stop_cleanly();
}

TEST(chunks, a_coarse_sample_equals_the_fine_sample_at_the_same_block) {
  const TempDirectory data;
  RunningServer server(data);
  const Chunk coarse = decoded(server.client.chunk(chunk_request({-1, -1}, 1)), {-1, -1});
  const Chunk fine = decoded(server.client.chunk(chunk_request({-2, -2}, 0)), {-2, -2});
  const auto size = static_cast<std::size_t>(fine.size);
  for (std::size_t j = 0; j < size / 2; ++j) {
    for (std::size_t i = 0; i < size / 2; ++i) {
      ASSERT_EQ(coarse.height_q4[j * size + i], fine.height_q4[2 * j * size + 2 * i]);
      ASSERT_EQ(coarse.biome[j * size + i], fine.biome[2 * j * size + 2 * i]);
    }
  }
  server.stop_cleanly();
}

}  // namespace
}  // namespace terrane::e2e
