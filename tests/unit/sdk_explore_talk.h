#pragma once

#include <gtest/gtest.h>

#include "explore_book.h"
#include "sdk_explore_script.h"

/// An Explorer's bookkeeping alone: no connection, and time that passes when told.
namespace terrane::testing {

using client::ExploreBook;

inline ExploreOptions two_levels() {
  ExploreOptions options;
  options.world = {"classic", 1, {}};
  options.view_distances = {4, 4};
  return options;
}

/// A book and the server that it talks to.
class Talk {
 public:
  explicit Talk(const ExploreOptions& wanted = two_levels()) : book(wanted) {}

  void go(std::int64_t x, std::int64_t y) { ASSERT_TRUE(book.move(in_chunk(x, y), now)); }

  /// Starts a stream, and takes what it says first.
  v1::Hello open() {
    book.begin_stream();
    auto message = book.next_message();
    EXPECT_TRUE(message && message->has_hello());
    EXPECT_TRUE(book.receive(welcome()));
    return message->hello();
  }

  Result<void> send(const v1::ExploreResponse& response) {
    if (auto received = book.receive(response); !received) return received;
    for (const v1::Chunk& message : response.chunks()) {
      const auto tile = book.expect(message);
      if (!tile) return tl::unexpected(tile.error());
      if (*tile)
        book.arrive(
            {**tile, std::make_shared<const Chunk>(example_chunk((*tile)->coord, (*tile)->lod)),
             nullptr},
            took, now);
    }
    if (response.chunks_size() > 0) book.finish_batch(response.batch());
    return {};
  }

  Result<void> send_chunks(const std::vector<Tile>& tiles) { return send(batch(++batches, tiles)); }

  /// What the next Move says that the viewer has.
  std::vector<Tile> claimed() {
    while (const auto message = book.next_message()) {
      if (message->has_move()) return tiles_of(message->move().have());
    }
    return {};
  }

  ExploreNews poll() {
    ExploreNews news;
    book.tell(news);
    return news;
  }

  ExploreBook book;
  ExploreBook::TimePoint now{std::chrono::hours(1)};
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
