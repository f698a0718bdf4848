#include "tile_rows.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace terrane::client {
namespace {

constexpr std::uint32_t kLongestRow = 4096;  // explore.proto

bool in_world(const v1::TileRow& row, std::uint32_t count) {
  if (row.lod() > kMaxLod) return false;
  const std::int64_t most = max_chunk_coord(static_cast<Lod>(row.lod()));
  return row.x() >= -most && row.x() <= most - (std::int64_t{count} - 1) && row.y() >= -most &&
         row.y() <= most;
}

}  // namespace

void add_rows(std::vector<Tile> tiles, TileRows* rows) {
  const auto place = [](const Tile& tile) {
    return std::tuple(tile.lod, tile.coord.y, tile.coord.x);
  };
  std::sort(tiles.begin(), tiles.end(),
            [&](const Tile& a, const Tile& b) { return place(a) < place(b); });
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
  v1::TileRow* row = nullptr;
  for (const Tile& tile : tiles) {
    if (row && row->lod() == tile.lod && row->y() == tile.coord.y &&
        row->x() + row->count() == tile.coord.x && row->count() < kLongestRow) {
      row->set_count(row->count() + 1);
      continue;
    }
    row = rows->Add();
    row->set_lod(tile.lod);
    row->set_x(tile.coord.x);
    row->set_y(tile.coord.y);
    row->set_count(1);
  }
}

Result<std::vector<Tile>> to_tiles(const TileRows& rows, std::size_t most) {
  std::vector<Tile> tiles;
  for (const v1::TileRow& row : rows) {
    const std::uint32_t count = std::max(1u, row.count());
    if (count > kLongestRow || !in_world(row, count)) {
      return fail(ErrorCode::kDataLoss,
                  "the server sent a row of " + std::to_string(count) + " tiles from (" +
                      std::to_string(row.x()) + ", " + std::to_string(row.y()) + ") at lod " +
                      std::to_string(row.lod()) + ": too long, or outside of the world");
    }
    if (tiles.size() + count > most) {
      return fail(ErrorCode::kDataLoss, "the server named more than the " + std::to_string(most) +
                                            " tiles that can be in sight");
    }
    for (std::uint32_t i = 0; i < count; ++i)
      tiles.push_back({static_cast<Lod>(row.lod()), {row.x() + i, row.y()}});
  }
  return tiles;
}

}  // namespace terrane::client
