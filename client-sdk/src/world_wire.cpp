#include <limits>
#include <optional>
#include <utility>

#include "wire.h"

namespace terrane::client {
namespace {

bool valid_chunk_size(std::uint32_t size) {
  return size >= kMinChunkSize && size <= kMaxChunkSize && (size & (size - 1)) == 0;
}

tl::unexpected<Error> strange(std::string what) {
  return fail(ErrorCode::kDataLoss, "the server describes " + std::move(what) +
                                        "; is it a newer server than this client knows?");
}

std::optional<Side> to_side(v1::DoorSide side) {
  switch (side) {
    case v1::DOOR_SIDE_MIN_Y: return Side::kMinY;
    case v1::DOOR_SIDE_MAX_X: return Side::kMaxX;
    case v1::DOOR_SIDE_MAX_Y: return Side::kMaxY;
    case v1::DOOR_SIDE_MIN_X: return Side::kMinX;
    default: return std::nullopt;
  }
}

Result<Piece> to_piece(const v1::PieceInfo& message) {
  constexpr int kMostDoors = 8;
  const auto fits = [](std::uint32_t value) { return std::in_range<std::uint8_t>(value); };
  if (!fits(message.width()) || !fits(message.depth()) || !fits(message.levels()) ||
      message.doors_size() > kMostDoors) {
    return strange("piece '" + message.name() +
                   "' larger than 255 blocks or with more than 8 doors");
  }
  Piece piece{message.name(),
              static_cast<std::uint8_t>(message.width()),
              static_cast<std::uint8_t>(message.depth()),
              static_cast<std::uint8_t>(message.levels()),
              {}};
  for (const auto& door : message.doors()) {
    const std::optional<Side> side = to_side(door.side());
    if (!side || !fits(door.at()) || !fits(door.level())) {
      return strange("a door of piece '" + message.name() + "' that is on no side or out of reach");
    }
    piece.doors.push_back(
        {*side, static_cast<std::uint8_t>(door.at()), static_cast<std::uint8_t>(door.level())});
  }
  return piece;
}

Result<StructureKind> to_structure_kind(const v1::StructureKindInfo& message) {
  StructureKind kind{message.name(), message.color(), message.storey(), {}};
  for (const auto& part : message.pieces()) {
    auto piece = to_piece(part);
    if (!piece) return tl::unexpected(piece.error());
    kind.pieces.push_back(*std::move(piece));
  }
  return kind;
}

BlockPos to_block(const v1::BlockPos& message) { return {message.x(), message.y()}; }

v1::BlockPos to_message(BlockPos block) {
  v1::BlockPos message;
  message.set_x(block.x);
  message.set_y(block.y);
  return message;
}

Result<Structure> to_structure(const v1::Structure& message) {
  if (!std::in_range<std::uint8_t>(message.kind()) ||
      !std::in_range<std::uint16_t>(message.rooms())) {
    return strange("a structure of kind " + std::to_string(message.kind()) + " with " +
                   std::to_string(message.rooms()) + " rooms");
  }
  return Structure{.anchor = to_block(message.anchor()),
                   .kind = static_cast<std::uint8_t>(message.kind()),
                   .rooms = static_cast<std::uint16_t>(message.rooms()),
                   .from = to_block(message.first_block()),
                   .to = to_block(message.last_block())};
}

}  // namespace

NamedPlace to_place(const v1::NamedPlace& message) {
  return {message.name(), to_block(message.block()), message.spawn()};
}

Result<World> to_world(const v1::World& message) {
  if (!valid_chunk_size(message.chunk_size()) || message.max_lod() > kMaxLod) {
    return fail(ErrorCode::kDataLoss, "the server describes world '" + message.name() +
                                          "' with chunk size " +
                                          std::to_string(message.chunk_size()) + " and max lod " +
                                          std::to_string(message.max_lod()) +
                                          "; is it a newer server than this client knows?");
  }
  World world;
  world.name = message.name();
  world.title = message.title();
  world.description = message.description();
  world.fingerprint = message.fingerprint();
  world.chunk_size = static_cast<int>(message.chunk_size());
  world.max_lod = static_cast<Lod>(message.max_lod());
  world.sea_level_q4 = message.sea_level();
  for (const auto& layer : message.layers()) {
    world.layers.push_back({static_cast<Layer>(layer.layer()), layer.name(), layer.unit(),
                            layer.scale(), layer.min_value(), layer.max_value()});
  }
  for (const auto& biome : message.biomes())
    world.biomes.push_back({biome.id(), biome.name(), biome.color()});
  for (const auto& kind : message.placement_kinds()) {
    world.placement_kinds.push_back({kind.name(), kind.color(), kind.radius(), kind.height()});
  }
  for (const auto& message_kind : message.structure_kinds()) {
    auto kind = to_structure_kind(message_kind);
    if (!kind) return tl::unexpected(kind.error());
    world.structure_kinds.push_back(*std::move(kind));
  }
  return world;
}

Limits to_limits(const v1::Limits& message) {
  return {.max_chunks_per_request = message.max_chunks_per_request(),
          .max_points_per_request = message.max_points_per_request(),
          .max_chunk_coordinate = message.max_chunk_coordinate(),
          .max_message_bytes = message.max_message_bytes(),
          .max_locate_radius = message.max_locate_radius(),
          .max_request_bytes = message.max_request_bytes(),
          .max_calls_per_connection = message.max_calls_per_connection(),
          .max_metadata_bytes = message.max_metadata_bytes()};
}

v1::LocateRequest to_message(const LocateRequest& request) {
  v1::LocateRequest message;
  *message.mutable_world() = to_message(request.world);
  *message.mutable_origin() = to_message(request.origin);
  message.set_radius(request.radius);
  if (const auto* biome = std::get_if<BiomeNamed>(&request.target)) message.set_biome(biome->name);
  if (const auto* structure = std::get_if<StructureNamed>(&request.target))
    message.set_structure(structure->name);
  if (const auto* place = std::get_if<PlaceNamed>(&request.target)) message.set_place(place->name);
  return message;
}

Result<Located> to_located(const v1::LocateFound& message, const LocateRequest& request) {
  const bool is_biome = std::holds_alternative<BiomeNamed>(request.target);
  const bool is_place = std::holds_alternative<PlaceNamed>(request.target);
  if (message.has_biome() != is_biome || message.has_place() != is_place ||
      message.has_structure() != (!is_biome && !is_place) ||
      !std::in_range<std::uint8_t>(message.biome())) {
    return fail(ErrorCode::kDataLoss, "the server found something else than was asked for");
  }
  Located located{.block = to_block(message.block()),
                  .distance = message.distance(),
                  .biome = {},
                  .structure = {},
                  .place = {}};
  if (is_place) {
    located.place = to_place(message.place());
    return located;
  }
  if (is_biome) {
    located.biome = static_cast<std::uint8_t>(message.biome());
    return located;
  }
  auto structure = to_structure(message.structure());
  if (!structure) return tl::unexpected(structure.error());
  located.structure = *structure;
  return located;
}

Result<StructurePlan> to_plan(const v1::GetStructureResponse& message, BlockPos anchor) {
  auto structure = to_structure(message.structure());
  if (!structure) return tl::unexpected(structure.error());
  if (structure->anchor != anchor)
    return fail(ErrorCode::kDataLoss, "the server answered another structure than was asked for");
  StructurePlan plan{*structure, {}};
  for (const auto& room : message.rooms()) {
    if (!std::in_range<std::uint16_t>(room.index()) || !std::in_range<std::uint8_t>(room.piece()) ||
        room.turn() > 3 || !std::in_range<std::uint8_t>(room.open_doors())) {
      return strange("room " + std::to_string(room.index()) +
                     " with a piece, turn or door that can't be");
    }
    plan.rooms.push_back({.corner = to_block(room.corner()),
                          .floor_q4 = room.floor(),
                          .structure = anchor,
                          .index = static_cast<std::uint16_t>(room.index()),
                          .kind = structure->kind,
                          .piece = static_cast<std::uint8_t>(room.piece()),
                          .turn = static_cast<std::uint8_t>(room.turn()),
                          .open_doors = static_cast<std::uint8_t>(room.open_doors())});
  }
  return plan;
}

}  // namespace terrane::client
