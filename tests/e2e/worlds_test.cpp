#include "e2e/running_server.h"

namespace terrane::e2e {
namespace {

TEST(worlds, every_world_is_listed_with_what_a_client_needs_to_draw_it) {
  const TempDirectory data;
  RunningServer server(data);
  v1::ListWorldsResponse listed;
  ASSERT_TRUE(server.client.stub().ListWorlds(bounded().get(), {}, &listed).ok());
  ASSERT_GE(listed.worlds_size(), 2);
  EXPECT_NE(server.process.ready_line().find(std::to_string(listed.worlds_size()) + " worlds"),
            std::string::npos);
  for (const v1::World& world : listed.worlds()) {
    EXPECT_NE(world.fingerprint(), 0u);
    EXPECT_GE(world.chunk_size(), 16u);
    EXPECT_EQ(world.min_block_coordinate(), min_block_coord(static_cast<int>(world.chunk_size())));
    EXPECT_EQ(world.max_block_coordinate(), max_block_coord(static_cast<int>(world.chunk_size())));
    EXPECT_GT(world.biomes_size(), 0);
    ASSERT_GE(world.layers_size(), 4);
    for (const v1::LayerInfo& layer : world.layers())
      EXPECT_LE(layer.min_value(), layer.max_value()) << layer.ShortDebugString();
    EXPECT_EQ(world.layers(3).max_value(), world.biomes_size() - 1);
  }
  EXPECT_EQ(listed.limits().max_chunks_per_request(), 1024u);
  EXPECT_EQ(listed.limits().max_points_per_request(), 65536u);
  EXPECT_EQ(listed.limits().max_chunk_coordinate(), std::int64_t{1} << 40);
  EXPECT_EQ(listed.limits().max_message_bytes(), 4u << 20);
  EXPECT_EQ(listed.limits().max_locate_radius(), 65536u);
  EXPECT_EQ(listed.limits().max_request_bytes(), 262144u);
  EXPECT_EQ(listed.limits().max_calls_per_connection(), 1024u);
  EXPECT_EQ(listed.limits().max_metadata_bytes(), 16384u);

  for (const v1::World& world : listed.worlds()) {
    v1::GetWorldRequest request;
    request.set_name(world.name());
    v1::GetWorldResponse one;
    ASSERT_TRUE(server.client.stub().GetWorld(bounded().get(), request, &one).ok());
    EXPECT_EQ(one.world().SerializeAsString(), world.SerializeAsString());
  }
  server.stop_cleanly();
}

TEST(worlds, samples_stay_within_the_ranges_that_the_world_declares) {
  const TempDirectory data;
  RunningServer server(data);
  v1::ListWorldsResponse listed;
  ASSERT_TRUE(server.client.stub().ListWorlds(bounded().get(), {}, &listed).ok());
  for (const v1::World& world : listed.worlds()) {
    v1::GetChunkRequest request = chunk_request({-7, 3}, world.max_lod());
    *request.mutable_world() = world_ref(world.name());
    const Chunk chunk = decoded(server.client.chunk(request), {-7, 3});
    EXPECT_EQ(chunk.size, static_cast<int>(world.chunk_size()));
    const auto expect_within = [&](const auto& samples, const v1::LayerInfo& layer) {
      EXPECT_EQ(samples.size(), world.chunk_size() * world.chunk_size());
      for (const auto sample : samples) {
        ASSERT_GE(sample, layer.min_value()) << layer.name();
        ASSERT_LE(sample, layer.max_value()) << layer.name();
      }
    };
    expect_within(chunk.height_q4, world.layers(0));
    expect_within(chunk.temperature_d, world.layers(1));
    expect_within(chunk.humidity_d, world.layers(2));
    expect_within(chunk.biome, world.layers(3));
    for (const v1::LayerInfo& layer : world.layers()) {
      if (layer.layer() == v1::LAYER_WATER) expect_within(chunk.water_q4, layer);
      if (layer.layer() == v1::LAYER_FOREST) expect_within(chunk.forest_p, layer);
      if (layer.layer() == v1::LAYER_ROCKS) expect_within(chunk.rocks_p, layer);
    }
  }
  server.stop_cleanly();
}

}  // namespace
}  // namespace terrane::e2e
