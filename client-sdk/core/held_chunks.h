#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "explore/view_range.h"
#include "out_of_range_chunks.h"
#include "terrane/explorer.h"

namespace terrane::client {

/// The chunks that a viewer has: those it holds, which are those the server takes it to hold, and
/// those kept out of range. Knows which of this the game has been told: a tile that left and came
/// back between two polls is no news. What a server is told of it, after a reconnect above all,
/// is in explore_hello.cpp. Threads: one at a time.
class HeldChunks {
 public:
  explicit HeldChunks(std::size_t kept) : kept_(kept) {}

  [[nodiscard]] bool holds(const Tile& tile) const { return held_.contains(tile); }
  [[nodiscard]] std::size_t held() const { return held_.size(); }
  [[nodiscard]] bool keeps(const Tile& tile) const { return kept_.find(tile) != nullptr; }

  /// Held or kept; null if neither, or if chunks are not decoded.
  [[nodiscard]] std::shared_ptr<const Chunk> find(const Tile& tile) const;

  /// From now on this one is held. @param arrived  a tile that is not
  void add(ArrivedChunk arrived);

  /// A kept tile is held again. @return false if it is not kept
  bool bring_back(const Tile& tile);

  /// Brings back all that are in view. @return which
  std::vector<Tile> bring_back(const explore::ViewRange& range);

  /// A tile is held no longer, but kept. @return false if it was not held
  bool drop(const Tile& tile);

  /// Drops all that are not in range.
  void drop_out_of_range(const explore::ViewRange& range);

  /// As if this one had never been held; a game that knows it keeps it.
  void forget(const Tile& tile);
  /// The same for all that the game has not been told of, and for what is kept: from now on nothing
  /// is.
  void forget_all_but_told();

  [[nodiscard]] std::vector<Tile> all_held() const;

  /// Chunks that the game has not been told of.
  [[nodiscard]] std::size_t waiting() const { return fresh_.size(); }
  [[nodiscard]] bool has_news() const { return !fresh_.empty() || !dropped_.empty(); }
  /// Adds them to `news`.
  void take_news(ExploreNews& news);

 private:
  struct Held {
    std::shared_ptr<const Chunk> chunk;
    std::shared_ptr<const std::string> encoded;  // until the game has it
    std::uint64_t fresh = 0;                     // its place in fresh_; 0: the game has been told
  };

  std::unordered_map<Tile, Held> held_;
  OutOfRangeChunks kept_;
  std::map<std::uint64_t, Tile> fresh_;  // held, not told, in the order of their coming
  std::uint64_t last_fresh_ = 0;
  std::set<Tile> dropped_;  // not held, but the game believes so
};

}  // namespace terrane::client
