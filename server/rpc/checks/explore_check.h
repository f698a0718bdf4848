#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "explore/tile_blocks.h"
#include "explore/view_range.h"
#include "rpc/checks/request_check.h"
#include "terrane/pose.h"
#include "terrane/v1/explore.pb.h"

/// Explore's messages -> checked values. Pure functions; nothing is allocated or counted up by a
/// size that was not checked. Every error names the field, its value and the limit.
namespace terrane::rpc {

struct ExploreQuery {
  WorldPtr world;
  std::uint64_t seed = 0;
  LayerMask layers = kAllLayers;  // kAllLayers: chunks as they are stored
  explore::ViewDistances distances{};
  bool judges = false;  // the client makes the chunks
};

/// A chunk that the client has made.
struct MadeChunk {
  Tile tile;
  std::uint32_t hash = 0;  // the low bits of codec::hash_chunk
};

/// Errors: those of check_world and check_layers; kInvalidArgument (view distances, formats, no
/// Move), kOutOfRange (lods).
[[nodiscard]] Result<ExploreQuery> check(const v1::Hello& hello,
                                         const worlds::WorldCatalog& worlds);

/// Errors: kInvalidArgument where a client cannot make the chunks itself: of a realm, or of a world
/// that it does not pin. Before the realm's world is filled in.
[[nodiscard]] Result<void> check_maker(const v1::Hello& hello);

/// Errors: kOutOfRange (outside of the world).
[[nodiscard]] Result<MadeChunk> check(const v1::Made& made, const worldgen::World& world);

/// Errors: kInvalidArgument (what is no number), kOutOfRange (outside of the world, too fast).
[[nodiscard]] Result<Pose> check(const v1::Move& move, const worldgen::World& world);

using TileBlocks = google::protobuf::RepeatedPtrField<v1::TileBlock>;

/// A block as it comes: nothing is checked.
[[nodiscard]] explore::TileBlock to_block(const v1::TileBlock& block);

/// The blocks of a message, ready for explore::for_each_tile. @param field  what they are called
/// Errors: those of explore::check_blocks.
[[nodiscard]] Result<std::vector<explore::TileBlock>> check(const TileBlocks& blocks,
                                                            std::string_view field);

/// Adds blocks to a message.
void add_blocks(std::vector<explore::TileBlock> list, TileBlocks& blocks);

/// Adds `tiles`, in any order, as blocks.
void add_blocks(const std::vector<Tile>& tiles, TileBlocks& blocks);

}  // namespace terrane::rpc
