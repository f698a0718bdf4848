#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "explore/view.h"
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
};

/// Errors: those of check_world and check_layers; kInvalidArgument (view distances, formats, no
/// Move), kOutOfRange (lods).
[[nodiscard]] Result<ExploreQuery> check(const v1::Hello& hello,
                                         const worlds::WorldCatalog& worlds);

/// Errors: kInvalidArgument (what is no number), kOutOfRange (outside of the world, too fast).
[[nodiscard]] Result<Pose> check(const v1::Move& move, const worldgen::World& world);

/// Calls `see` for the tiles of all rows.
/// @param field  what the rows are called
/// Errors: kInvalidArgument (too many), kOutOfRange (lods); `see` may have been called before.
[[nodiscard]] Result<void> for_each_tile(
    const google::protobuf::RepeatedPtrField<v1::TileRow>& rows, const char* field,
    const std::function<void(const Tile&)>& see);

/// Adds tiles as rows; those that follow each other along x become one.
void add_rows(std::vector<Tile> tiles, google::protobuf::RepeatedPtrField<v1::TileRow>& rows);

}  // namespace terrane::rpc
