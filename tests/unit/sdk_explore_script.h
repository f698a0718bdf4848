#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "explore/tile_blocks.h"
#include "sdk_scripted_server.h"
#include "terrane/client.h"

/// What a scripted Explore says and hears.
namespace terrane::testing {

using Stream = ScriptedServer::ExploreStream;

constexpr std::uint32_t kLongHeartbeatMs = 100'000;
constexpr std::chrono::seconds kLong{60};  // for what happens at once unless something is wrong

inline v1::ExploreResponse welcome(WorldFingerprint fingerprint = 7,
                                   std::uint32_t heartbeat_ms = kLongHeartbeatMs) {
  v1::ExploreResponse response;
  response.mutable_welcome()->set_fingerprint(fingerprint);
  response.mutable_welcome()->set_chunk_size(16);
  response.mutable_welcome()->set_format(2);
  response.mutable_welcome()->set_heartbeat_ms(heartbeat_ms);
  return response;
}

inline v1::ExploreResponse batch(std::uint64_t id, const std::vector<Tile>& tiles) {
  v1::ExploreResponse response;
  response.set_batch(id);
  for (const Tile& tile : tiles) fill(*response.add_chunks(), tile.coord, tile.lod);
  return response;
}

inline v1::TileBlock block(const Tile& first, std::uint32_t width = 1, std::uint32_t height = 1) {
  v1::TileBlock block;
  block.set_lod(first.lod);
  block.set_x(first.coord.x);
  block.set_y(first.coord.y);
  block.set_width(width);
  block.set_height(height);
  return block;
}

inline v1::ExploreResponse out_of_range(const std::vector<Tile>& tiles) {
  v1::ExploreResponse response;
  for (const Tile& tile : tiles) *response.add_out_of_range() = block(tile);
  return response;
}

inline std::vector<Tile> tiles_of(const google::protobuf::RepeatedPtrField<v1::TileBlock>& blocks) {
  std::vector<explore::TileBlock> parsed;
  for (const v1::TileBlock& block : blocks)
    parsed.push_back(
        {block.lod(), block.x(), block.y(), block.width(), block.height(), block.bits()});
  EXPECT_TRUE(explore::check_blocks(parsed, "blocks"));
  std::vector<Tile> tiles;
  explore::for_each_tile(parsed, [&](const Tile& tile) { tiles.push_back(tile); });
  return tiles;
}

/// Reads until a Hello, a Move, an Ack … comes; nullopt when the stream has ended.
inline std::optional<v1::ExploreRequest> read(Stream& stream, v1::ExploreRequest::EventCase kind) {
  v1::ExploreRequest request;
  while (stream.Read(&request)) {
    if (request.event_case() == kind) return request;
  }
  return std::nullopt;
}

/// Reads until the client is gone.
inline grpc::Status listen(Stream& stream) {
  (void)read(stream, v1::ExploreRequest::EVENT_NOT_SET);
  return grpc::Status::OK;
}

/// Where the viewer stands in the middle of a chunk of 16 samples.
inline Pose in_chunk(std::int64_t x, std::int64_t y) {
  return {.x = 16.0 * static_cast<double>(x) + 8, .y = 16.0 * static_cast<double>(y) + 8};
}

/// A viewer who sees four chunks far.
inline ExploreOptions four_chunks() {
  ExploreOptions options;
  options.world = {"classic", 1, {}};
  options.view_distances = {4};
  return options;
}

inline Explorer open_explorer(const ScriptedServer& server,
                              const ExploreOptions& options = four_chunks()) {
  auto explorer = Client::connect({.address = server.address()})->explore(options);
  return *std::move(explorer);
}

/// Polls until `done` says so of all the news so far, or too long.
template <typename Done>
ExploreNews poll_until(Explorer& explorer, Done&& done) {
  ExploreNews all;
  const auto end = std::chrono::steady_clock::now() + kLong;
  while (std::chrono::steady_clock::now() < end) {
    ExploreNews news = explorer.poll();
    for (ArrivedChunk& arrived : news.arrived) all.arrived.push_back(std::move(arrived));
    for (FailedChunk& failed : news.failed) all.failed.push_back(std::move(failed));
    all.out_of_range.insert(all.out_of_range.end(), news.out_of_range.begin(),
                            news.out_of_range.end());
    all.state = news.state;
    all.error = news.error;
    all.world_changed = all.world_changed || news.world_changed;
    if (done(all)) break;
    explorer.wait(std::chrono::seconds(1));
  }
  return all;
}

inline ExploreNews poll_chunks(Explorer& explorer, std::size_t chunks) {
  return poll_until(explorer,
                    [chunks](const ExploreNews& news) { return news.arrived.size() >= chunks; });
}

inline ExploreNews poll_end(Explorer& explorer) {
  return poll_until(explorer,
                    [](const ExploreNews& news) { return news.state == ExploreState::kEnded; });
}

}  // namespace terrane::testing
