#include "rpc/checks/explore_check.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "codec/container.h"

namespace terrane::rpc {
namespace {

constexpr std::uint32_t kMostInRow = 4096;
// of one message: a view of 64 tiles' radius in nine levels
constexpr std::uint64_t kMostTiles = 131072;

Result<explore::ViewDistances> check_distances(const v1::Hello& hello,
                                               const worldgen::World& world) {
  explore::ViewDistances distances{};
  bool any = false;
  for (int lod = 0; lod < hello.view_distances_size(); ++lod) {
    const std::uint32_t distance = hello.view_distances(lod);
    if (distance == 0) continue;
    if (lod > world.max_lod) {
      return fail(
          ErrorCode::kOutOfRange,
          fmt::format("hello.view_distances[{}] = {}: world '{}' has levels of detail 0 to {}", lod,
                      distance, world.name, world.max_lod));
    }
    if (distance > static_cast<std::uint32_t>(kMaxViewDistance)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("hello.view_distances[{}] = {} tiles: at most {}", lod, distance,
                              kMaxViewDistance));
    }
    distances[static_cast<std::size_t>(lod)] = static_cast<std::uint8_t>(distance);
    any = true;
  }
  if (any) return distances;
  return fail(
      ErrorCode::kInvalidArgument,
      "hello.view_distances has no distance: give one of 1 to 64 tiles for some level of detail");
}

Result<void> check_formats(const v1::Hello& hello) {
  const auto& formats = hello.formats();
  if (std::find(formats.begin(), formats.end(), codec::kFormatVersion) != formats.end()) return {};
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format(
          "hello.formats = [{}]: this server sends chunks in format {}; use a client that reads it",
          fmt::join(formats.begin(), formats.begin() + std::min(formats.size(), 16), ", "),
          codec::kFormatVersion));
}

struct Number {
  const char* field;
  double value;
};

}  // namespace

Result<ExploreQuery> check(const v1::Hello& hello, const worlds::WorldCatalog& worlds) {
  auto world = check_world(hello.has_world(), hello.world(), worlds);
  if (!world) return tl::unexpected(world.error());
  const auto layers = check_layers(hello.layers(), **world);
  if (!layers) return tl::unexpected(layers.error());
  const auto distances = check_distances(hello, **world);
  if (!distances) return tl::unexpected(distances.error());
  if (const auto formats = check_formats(hello); !formats) return tl::unexpected(formats.error());
  if (!hello.has_move())
    return fail(ErrorCode::kInvalidArgument, "hello.move is missing: say where the viewer is");
  return ExploreQuery{*std::move(world), hello.world().seed(), *layers, *distances};
}

Result<Pose> check(const v1::Move& move, const worldgen::World& world) {
  const Number numbers[]{{"x", move.x()},
                         {"y", move.y()},
                         {"velocity_x", move.velocity_x()},
                         {"velocity_y", move.velocity_y()},
                         {"direction_x", move.direction_x()},
                         {"direction_y", move.direction_y()}};
  for (const auto& [field, value] : numbers) {
    if (!std::isfinite(value))
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("move.{} = {}: give a finite number", field, value));
  }
  const auto low = static_cast<double>(min_block_coord(world.chunk_size)),
             high = static_cast<double>(max_block_coord(world.chunk_size)) + 1;
  for (const auto& [field, value] : {numbers[0], numbers[1]}) {
    if (value < low || value >= high) {
      return fail(ErrorCode::kOutOfRange,
                  fmt::format("move.{} = {}: blocks of world '{}' reach from {} to {}", field,
                              value, world.name, low, high - 1));
    }
  }
  for (const auto& [field, value] : {numbers[2], numbers[3]}) {
    if (std::abs(value) > kMaxSpeed) {
      return fail(ErrorCode::kOutOfRange,
                  fmt::format("move.{} = {} blocks a second: at most {} either way", field, value,
                              kMaxSpeed));
    }
  }
  // lengths do not matter
  const double look =
      std::max({std::abs(move.direction_x()), std::abs(move.direction_y()), 1e-300});
  return Pose{move.x(),
              move.y(),
              move.velocity_x(),
              move.velocity_y(),
              move.direction_x() / look,
              move.direction_y() / look};
}

Result<void> for_each_tile(const google::protobuf::RepeatedPtrField<v1::TileRow>& rows,
                           const char* field, const std::function<void(const Tile&)>& see) {
  std::uint64_t tiles = 0;
  for (int i = 0; i < rows.size(); ++i) {
    const v1::TileRow& row = rows[i];
    if (row.lod() > kMaxLod) {
      return fail(ErrorCode::kOutOfRange,
                  fmt::format("{}[{}].lod = {}: levels of detail reach from 0 to {}", field, i,
                              row.lod(), kMaxLod));
    }
    const auto lod = static_cast<Lod>(row.lod());
    const std::uint32_t count = std::max<std::uint32_t>(row.count(), 1);
    const std::int64_t limit = max_chunk_coord(lod);
    if (count > kMostInRow || (tiles += count) > kMostTiles) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}[{}].count = {}: at most {} in a row, and {} tiles in a message",
                              field, i, count, kMostInRow, kMostTiles));
    }
    if (row.x() < -limit || row.x() > limit || row.y() < -limit || row.y() > limit) {
      return fail(ErrorCode::kOutOfRange,
                  fmt::format("{}[{}] = ({}, {}): at lod {} chunk coordinates reach from {} to {}",
                              field, i, row.x(), row.y(), lod, -limit, limit));
    }
    for (std::uint32_t k = 0; k < count; ++k) see({lod, {row.x() + k, row.y()}});
  }
  return {};
}

void add_rows(std::vector<Tile> tiles, google::protobuf::RepeatedPtrField<v1::TileRow>& rows) {
  std::sort(tiles.begin(), tiles.end(), [](const Tile& a, const Tile& b) {
    return std::tuple(a.lod, a.coord.y, a.coord.x) < std::tuple(b.lod, b.coord.y, b.coord.x);
  });
  v1::TileRow* row = nullptr;
  for (const Tile& tile : tiles) {
    const bool follows = row != nullptr && row->lod() == tile.lod && row->y() == tile.coord.y &&
                         row->x() + row->count() == tile.coord.x && row->count() < kMostInRow;
    if (!follows) {
      row = rows.Add();
      row->set_lod(tile.lod);
      row->set_x(tile.coord.x);
      row->set_y(tile.coord.y);
    }
    row->set_count(row->count() + 1);
  }
}

}  // namespace terrane::rpc
