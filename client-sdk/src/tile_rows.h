#pragma once

#include <cstddef>
#include <vector>

#include "terrane/coord.h"
#include "terrane/result.h"
#include "terrane/v1/explore.pb.h"

/// Sets of tiles as messages carry them. Pure functions; threads: any; they block on nothing.
namespace terrane::client {

using TileRows = google::protobuf::RepeatedPtrField<v1::TileRow>;

/// Adds `tiles`, without repeats, as few rows.
void add_rows(std::vector<Tile> tiles, TileRows* rows);

/// Errors: kDataLoss when a row is longer than any server sends or leaves the world, or all hold
/// more than `most` tiles.
[[nodiscard]] Result<std::vector<Tile>> to_tiles(const TileRows& rows, std::size_t most);

}  // namespace terrane::client
