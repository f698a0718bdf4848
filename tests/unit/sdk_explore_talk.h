#pragma once

#include <gtest/gtest.h>

#include "explore_client.h"
#include "sdk_explore_script.h"

/// An Explorer's machine alone: no connection, and time that passes when told.
namespace terrane::testing {

using client::ExploreClient;

inline ExploreOptions two_levels() {
  ExploreOptions options;
  options.world = {"classic", 1, {}};
  options.view_distances = {4, 4};
  return options;
}

inline std::optional<v1::ExploreRequest> next_message(ExploreClient& client,
                                                      ExploreClient::TimePoint now) {
  const auto bytes = client.next_message(now);
  if (!bytes) return std::nullopt;
  v1::ExploreRequest message;
  EXPECT_TRUE(message.ParseFromString(*bytes));
  EXPECT_EQ(message.SerializeAsString(), *bytes) << "as protobuf writes it";
  return message;
}

/// An ExploreClient and the server that it talks to.
class Talk {
 public:
  explicit Talk(const ExploreOptions& wanted = two_levels()) : client(wanted) {}

  void go(std::int64_t x, std::int64_t y) { ASSERT_TRUE(client.move(in_chunk(x, y), now)); }

  /// Starts a stream, and takes what it says first.
  v1::Hello open() {
    client.open_stream();
    const auto message = next();
    EXPECT_TRUE(message && message->has_hello());
    EXPECT_TRUE(send(welcome()));
    return message->hello();
  }

  std::optional<v1::ExploreRequest> next() { return next_message(client, now); }

  Result<void> send(const v1::ExploreResponse& response) {
    const std::string bytes = response.SerializeAsString();
    const auto chunks = client.receive(bytes, now);
    if (!chunks) return tl::unexpected(chunks.error());
    for (const auto& [tile, encoded, size] : *chunks) {
      client.arrive(
          {tile, std::make_shared<const Chunk>(example_chunk(tile.coord, tile.lod)), nullptr}, took,
          now);
    }
    client.finish_message();
    return {};
  }

  Result<void> send_chunks(const std::vector<Tile>& tiles) { return send(batch(++batches, tiles)); }

  /// What the next Move says that the viewer has.
  std::vector<Tile> claimed() {
    while (const auto message = next()) {
      if (message->has_move()) return tiles_of(message->move().have());
    }
    return {};
  }

  ExploreNews poll() { return client.take_news(); }

  ExploreClient client;
  ExploreClient::TimePoint now{std::chrono::hours(1)};
  std::chrono::nanoseconds took{1000};
  std::uint64_t batches = 0;
};

inline std::vector<Tile> tiles(const std::vector<ArrivedChunk>& arrived) {
  std::vector<Tile> tiles;
  for (const ArrivedChunk& chunk : arrived) tiles.push_back(chunk.tile);
  return tiles;
}

inline const Tile kHere{0, {0, 0}};
inline const Tile kBeside{0, {1, 0}};
inline const Tile kBelow{1, {0, 0}};

}  // namespace terrane::testing
