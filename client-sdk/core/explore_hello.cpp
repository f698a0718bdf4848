// What a client tells the server that it has: everything in the Hello of each stream, so also after
// a reconnect; what has come back into range in the next Move.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "codec/container.h"
#include "explore_client.h"
#include "region_at.h"

namespace terrane::client {

std::string ExploreClient::hello() {
  said_hello_ = true;
  move_due_ = false;
  untold_.clear();
  for (const Tile& tile : chunks_.all_held()) untold_.insert(tile);
  const auto have = take_untold();
  return write_hello(options_, {.format = codec::kFormatVersion,
                                .move = {move_number_, range_.pose(), have},
                                .token = token_,
                                .makes_chunks = makes_chunks_});
}

std::string ExploreClient::region() const {
  const auto block = [](double at) {
    constexpr double kFar = 0x1p62;
    return static_cast<std::int64_t>(std::clamp(std::floor(at), -kFar, kFar));
  };
  return region_at(options_.world, {block(range_.pose().x), block(range_.pose().y)});
}

/// What the viewer has and the server does not know of. What has left range before that could be
/// said would count for nothing: the server would never take it back.
std::vector<explore::TileBlock> ExploreClient::take_untold() {
  std::vector<Tile> tiles;
  tiles.reserve(untold_.size());
  for (const Tile& tile : std::exchange(untold_, {})) {
    if (!was_welcomed() || range_.is_in_range(tile)) {
      tiles.push_back(tile);
    } else {
      chunks_.drop(tile);
    }
  }
  return explore::to_blocks(tiles);
}

}  // namespace terrane::client
