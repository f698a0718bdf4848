#include "rpc/checks/explore_check.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rpc/checks/refused_field.h"
#include "rpc/checks/world_check.h"
#include "terrane/explore_limits.h"
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
      return refuse_field(
          {.code = ErrorCode::kOutOfRange,
           .reason = ErrorReason::kFieldOutOfRange,
           .field = fmt::format("hello.view_distances[{}]", lod),
           .value = fmt::format("lod {}", lod),
           .limit = fmt::format("lod {}", world.max_lod)},
          fmt::format("world '{}' has levels of detail 0 to {}", world.name, world.max_lod));
    }
    if (distance > static_cast<std::uint32_t>(kMaxViewDistance)) {
      return refuse_field({.reason = ErrorReason::kTooMany,
                           .field = fmt::format("hello.view_distances[{}]", lod),
                           .value = fmt::format("{} tiles", distance),
                           .limit = fmt::format("{} tiles", kMaxViewDistance)},
                          fmt::format("at most {}", kMaxViewDistance));
    }
    distances[static_cast<std::size_t>(lod)] = static_cast<std::uint8_t>(distance);
    any = true;
  }
  if (any) return distances;
  return tl::unexpected(Error{
      .code = ErrorCode::kInvalidArgument,
      .message = fmt::format("hello.view_distances has no distance: give one of 1 to {} tiles for "
                             "some level of detail",
                             kMaxViewDistance),
      .reason = ErrorReason::kFieldMissing,
      .field = "hello.view_distances"});
}

struct Number {
  const char* field;
  double value;
};

std::string path(const char* field) { return std::string("move.") + field; }

}  // namespace

Result<ExploreQuery> check(const v1::Hello& hello, const worlds::WorldCatalog& worlds) {
  TERRANE_ASSIGN_OR_RETURN(WorldPtr world,
                           check_world(hello.has_world(), hello.world(), worlds, "hello.world"));
  TERRANE_ASSIGN_OR_RETURN(const LayerMask layers,
                           check_layers(hello.layers(), *world, std::nullopt, "hello.layers"));
  TERRANE_ASSIGN_OR_RETURN(const explore::ViewDistances distances, check_distances(hello, *world));
  TERRANE_RETURN_IF_ERROR(check_formats(hello.formats(), "hello.formats"));
  if (!hello.has_move()) return refuse_missing("hello.move", "say where the viewer is");
  return ExploreQuery{std::move(world), hello.world().seed(), layers, distances,
                      hello.makes_chunks()};
}

Result<void> check_maker(const v1::Hello& hello) {
  if (!hello.makes_chunks()) return {};
  if (!hello.world().realm().empty()) {
    return refuse_field({.field = "hello.makes_chunks", .value = "true"},
                        "the seed of a realm is nobody's to make chunks from; have them sent");
  }
  if (hello.world().has_fingerprint()) return {};
  return refuse_missing("hello.world.fingerprint", "say which world the chunks are made from");
}

Result<MadeChunk> check(const v1::Made& made, const worldgen::World& world) {
  const auto refuse = [](const char* field, std::string value, std::string limit,
                         std::string_view text) {
    return refuse_field({.code = ErrorCode::kOutOfRange,
                         .reason = ErrorReason::kFieldOutOfRange,
                         .field = field,
                         .value = std::move(value),
                         .limit = std::move(limit)},
                        text);
  };
  if (made.lod() > world.max_lod) {
    return refuse(
        "made.lod", std::to_string(made.lod()), std::to_string(world.max_lod),
        fmt::format("world '{}' has levels of detail 0 to {}", world.name, world.max_lod));
  }
  const auto lod = static_cast<Lod>(made.lod());
  const std::int64_t most = max_chunk_coord(lod);
  for (const auto& [field, value] : {std::pair{"made.x", made.x()}, {"made.y", made.y()}}) {
    if (value >= -most && value <= most) continue;
    return refuse(field, std::to_string(value), std::to_string(value < 0 ? -most : most),
                  fmt::format("chunk coordinates of lod {} reach from {} to {}", lod, -most, most));
  }
  return MadeChunk{{lod, {made.x(), made.y()}}, made.hash()};
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
      return refuse_field({.field = path(field), .value = fmt::format("{}", value)},
                          "give a finite number");
  }
  const auto low = static_cast<double>(min_block_coord(world.chunk_size)),
             high = static_cast<double>(max_block_coord(world.chunk_size)) + 1;
  for (const auto& [field, value] : {numbers[0], numbers[1]}) {
    if (value < low || value >= high) {
      return refuse_field(
          {.code = ErrorCode::kOutOfRange,
           .reason = ErrorReason::kFieldOutOfRange,
           .field = path(field),
           .value = fmt::format("{}", value),
           .limit = fmt::format("{}", value < low ? low : high - 1)},
          fmt::format("blocks of world '{}' reach from {} to {}", world.name, low, high - 1));
    }
  }
  for (const auto& [field, value] : {numbers[2], numbers[3]}) {
    if (std::abs(value) > kMaxVelocity) {
      return refuse_field({.code = ErrorCode::kOutOfRange,
                           .reason = ErrorReason::kFieldOutOfRange,
                           .field = path(field),
                           .value = fmt::format("{} blocks a second", value),
                           .limit = fmt::format("{} blocks a second", kMaxVelocity)},
                          fmt::format("at most {} either way", kMaxVelocity));
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

explore::TileBlock to_block(const v1::TileBlock& block) {
  return {block.lod(), block.x(), block.y(), block.width(), block.height(), block.bits()};
}

Result<std::vector<explore::TileBlock>> check(const TileBlocks& blocks, std::string_view field) {
  std::vector<explore::TileBlock> checked;
  checked.reserve(static_cast<std::size_t>(blocks.size()));
  for (const v1::TileBlock& block : blocks) {
    checked.push_back(to_block(block));
  }
  TERRANE_RETURN_IF_ERROR(explore::check_blocks(checked, field));
  return checked;
}

void add_blocks(const std::vector<Tile>& tiles, TileBlocks& blocks) {
  add_blocks(explore::to_blocks(tiles), blocks);
}

void add_blocks(std::vector<explore::TileBlock> list, TileBlocks& blocks) {
  for (explore::TileBlock& from : list) {
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
