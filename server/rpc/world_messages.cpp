#include "rpc/world_messages.h"

#include <algorithm>

#include "rpc/checks/access_check.h"
#include "terrane/chunk.h"
#include "terrane/coord.h"

namespace terrane::rpc {
namespace {

void add_layer(v1::World& world, v1::Layer layer, const char* name, const char* unit, double scale,
               worldgen::Interval range) {
  v1::LayerInfo& info = *world.add_layers();
  info.set_layer(layer);
  info.set_name(name);
  info.set_unit(unit);
  info.set_scale(scale);
  info.set_min_value(range.min);
  info.set_max_value(range.max);
}

worldgen::Interval up_to(std::int32_t max) { return {0, max}; }

/// How many of what stands there a chunk holds: at most one a sample.
worldgen::Interval counts(const worldgen::World& world) {
  return up_to(world.chunk_size * world.chunk_size);
}

void add_layers(v1::World& message, const worldgen::World& world) {
  constexpr double kSixteenth = 1.0 / 16;
  const worldgen::LayerRanges& ranges = world.ranges;
  const std::int32_t highest_water = std::max(ranges.height_q4.max, world.sea_level_q4);
  const auto add = [&](Layer layer, const char* name, const char* unit, double scale,
                       worldgen::Interval range) {
    if (world.layers & layer_bit(layer))
      add_layer(message, static_cast<v1::Layer>(layer), name, unit, scale, range);
  };
  add(Layer::kHeight, "height", "block", kSixteenth, ranges.height_q4);
  add(Layer::kTemperature, "temperature", "degC", 0.1, ranges.temperature_d);
  add(Layer::kHumidity, "humidity", "percent", 0.1, ranges.humidity_d);
  add(Layer::kBiome, "biome", "biome", 1,
      up_to(static_cast<std::int32_t>(world.biomes.size()) - 1));
  add(Layer::kWater, "water", "block", kSixteenth, {kNoWater, highest_water});
  add(Layer::kForest, "forest", "percent", 1, up_to(100));
  add(Layer::kRocks, "rocks", "percent", 1, up_to(100));
  add(Layer::kPlacements, "placements", "placement", 1, counts(world));
  add(Layer::kStructures, "structures", "structure", 1, counts(world));
}

v1::DoorSide to_message(Side side) {
  switch (side) {
    case Side::kMinY: return v1::DOOR_SIDE_MIN_Y;
    case Side::kMaxX: return v1::DOOR_SIDE_MAX_X;
    case Side::kMaxY: return v1::DOOR_SIDE_MAX_Y;
    case Side::kMinX: break;
  }
  return v1::DOOR_SIDE_MIN_X;
}

void add_kinds(v1::World& message, const worldgen::World& world) {
  for (std::size_t id = 0; id < world.placement_kinds.size(); ++id) {
    const PlacementKind& kind = world.placement_kinds[id];
    v1::PlacementKindInfo& info = *message.add_placement_kinds();
    info.set_id(static_cast<std::uint32_t>(id));
    info.set_name(kind.name);
    info.set_color(kind.color);
    info.set_radius(kind.radius_q4);
    info.set_height(kind.height_q4);
  }
  for (std::size_t id = 0; id < world.structure_kinds.size(); ++id) {
    const StructureKind& kind = world.structure_kinds[id];
    v1::StructureKindInfo& info = *message.add_structure_kinds();
    info.set_id(static_cast<std::uint32_t>(id));
    info.set_name(kind.name);
    info.set_color(kind.color);
    info.set_storey(kind.storey_q4);
    for (const Piece& piece : kind.pieces) {
      v1::PieceInfo& part = *info.add_pieces();
      part.set_name(piece.name);
      part.set_width(piece.width);
      part.set_depth(piece.depth);
      part.set_levels(piece.levels);
      for (const Door& door : piece.doors) {
        v1::DoorInfo& opening = *part.add_doors();
        opening.set_side(to_message(door.side));
        opening.set_at(door.at);
        opening.set_level(door.level);
      }
    }
  }
}

}  // namespace

v1::World describe(const worldgen::World& world) {
  v1::World message;
  message.set_name(world.name);
  message.set_title(world.title);
  message.set_description(world.description);
  message.set_fingerprint(world.fingerprint);
  message.set_chunk_size(static_cast<std::uint32_t>(world.chunk_size));
  message.set_max_lod(world.max_lod);
  message.set_sea_level(world.sea_level_q4);
  message.set_min_block_coordinate(min_block_coord(world.chunk_size));
  message.set_max_block_coordinate(max_block_coord(world.chunk_size));
  add_layers(message, world);
  for (std::size_t id = 0; id < world.biomes.size(); ++id) {
    v1::BiomeInfo& info = *message.add_biomes();
    info.set_id(static_cast<std::uint32_t>(id));
    info.set_name(world.biomes[id].name);
    info.set_color(world.biomes[id].color);
  }
  add_kinds(message, world);
  return message;
}

v1::GetWorldResponse describe(const worldgen::World& world, const Limits& limits) {
  v1::GetWorldResponse message;
  *message.mutable_world() = describe(world);
  *message.mutable_limits() = describe(limits);
  for (const NamedPlace& place : world.places) *message.add_places() = to_message(place);
  return message;
}

v1::NamedPlace to_message(const NamedPlace& place) {
  v1::NamedPlace message;
  message.set_name(place.name);
  *message.mutable_block() = to_message(place.block);
  message.set_spawn(place.spawn);
  return message;
}

v1::BlockPos to_message(BlockPos block) {
  v1::BlockPos message;
  message.set_x(block.x);
  message.set_y(block.y);
  return message;
}

v1::Structure to_message(const Structure& structure) {
  v1::Structure message;
  *message.mutable_anchor() = to_message(structure.anchor);
  message.set_kind(structure.kind);
  message.set_rooms(structure.rooms);
  *message.mutable_first_block() = to_message(structure.from);
  *message.mutable_last_block() = to_message(structure.to);
  return message;
}

v1::Room to_message(const Room& room) {
  v1::Room message;
  *message.mutable_corner() = to_message(room.corner);
  message.set_floor(room.floor_q4);
  message.set_index(room.index);
  message.set_piece(room.piece);
  message.set_turn(room.turn);
  message.set_open_doors(room.open_doors);
  return message;
}

v1::ListWorldsResponse describe(const worlds::WorldCatalog& worlds, const Limits& limits,
                                const access::LiveAccess* access, const access::Caller* caller) {
  v1::ListWorldsResponse message;
  for (const auto& [name, world] : worlds) {
    if (check_may_know(access, caller, name)) *message.add_worlds() = describe(*world);
  }
  *message.mutable_limits() = describe(limits);
  if (access != nullptr) {
    for (const auto& [name, realm] : *access->realms()) {
      if (caller != nullptr && !caller->grants.may_see_realm(name)) continue;
      auto& told = *message.add_realms();
      told.set_name(name);
      told.set_world(realm.world);
    }
  }
  return message;
}

v1::Limits describe(const Limits& limits) {
  v1::Limits message;
  message.set_max_chunks_per_request(static_cast<std::uint32_t>(limits.max_chunks_per_request));
  message.set_max_points_per_request(static_cast<std::uint32_t>(limits.max_points_per_request));
  message.set_max_chunk_coordinate(max_chunk_coord(0));
  message.set_max_locate_radius(limits.max_locate_radius);
  message.set_max_message_bytes(static_cast<std::uint32_t>(limits.max_message_bytes));
  message.set_max_request_bytes(static_cast<std::uint32_t>(limits.max_chunks_request_bytes));
  message.set_max_calls_per_connection(static_cast<std::uint32_t>(limits.max_calls_per_connection));
  message.set_max_metadata_bytes(static_cast<std::uint32_t>(limits.max_metadata_bytes));
  return message;
}

}  // namespace terrane::rpc
