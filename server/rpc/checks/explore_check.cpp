#include "rpc/checks/explore_check.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "codec/container.h"
#include "terrane/result_macros.h"

namespace terrane::rpc {
namespace {

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
      fmt::format("hello.view_distances has no distance: give one of 1 to {} tiles for some level "
                  "of detail",
                  kMaxViewDistance));
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
  TERRANE_ASSIGN_OR_RETURN(WorldPtr world, check_world(hello.has_world(), hello.world(), worlds));
  TERRANE_ASSIGN_OR_RETURN(const LayerMask layers, check_layers(hello.layers(), *world));
  TERRANE_ASSIGN_OR_RETURN(const explore::ViewDistances distances, check_distances(hello, *world));
  TERRANE_RETURN_IF_ERROR(check_formats(hello));
  if (!hello.has_move())
    return fail(ErrorCode::kInvalidArgument, "hello.move is missing: say where the viewer is");
  return ExploreQuery{std::move(world), hello.world().seed(), layers, distances};
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

Result<std::vector<explore::TileBlock>> check(const TileBlocks& blocks, std::string_view field) {
  std::vector<explore::TileBlock> checked;
  checked.reserve(static_cast<std::size_t>(blocks.size()));
  for (const v1::TileBlock& block : blocks) {
    checked.push_back(
        {block.lod(), block.x(), block.y(), block.width(), block.height(), block.bits()});
  }
  TERRANE_RETURN_IF_ERROR(explore::check_blocks(checked, field));
  return checked;
}

void add_blocks(const std::vector<Tile>& tiles, TileBlocks& blocks) {
  for (explore::TileBlock& from : explore::to_blocks(tiles)) {
    v1::TileBlock& block = *blocks.Add();
    block.set_lod(from.lod);
    block.set_x(from.x);
    block.set_y(from.y);
    if (from.width > 1) block.set_width(from.width);
    if (from.height > 1) block.set_height(from.height);
    block.set_bits(std::move(from.bits));
  }
}

}  // namespace terrane::rpc
