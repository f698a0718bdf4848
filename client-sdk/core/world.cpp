// Worlds of terrane.h: what servers say of them, and what generates them.
#include <algorithm>
#include <cstring>

#include "boundary.h"
#include "terrane/result_macros.h"
#include "world_handle.h"
#include "world_messages.h"
#include "worldgen/compiled_world.h"

namespace terrane::core {
namespace {

constexpr std::string_view kCompiledMagic = "TRCW";

bool is_compiled(std::span<const std::byte> bytes) {
  return bytes.size() >= kCompiledMagic.size() &&
         std::memcmp(bytes.data(), kCompiledMagic.data(), kCompiledMagic.size()) == 0;
}

/// But for names.
bool is_same_piece(const Piece& a, const Piece& b) {
  const auto is_same_door = [](const Door& one, const Door& other) {
    return one.side == other.side && one.at == other.at && one.level == other.level;
  };
  return a.width == b.width && a.depth == b.depth && a.levels == b.levels &&
         std::ranges::equal(a.doors, b.doors, is_same_door);
}

Result<void> check_description(const World& described, const worldgen::World& generated) {
  const auto differs = [](const char* what, std::size_t said, std::size_t is) {
    return fail(ErrorCode::kInvalidArgument, "the world is described with " + std::to_string(said) +
                                                 " " + what + ", but compiled with " +
                                                 std::to_string(is));
  };
  if (described.biomes.size() != generated.biomes.size())
    return differs("biomes", described.biomes.size(), generated.biomes.size());
  if (described.structure_kinds.size() != generated.structure_kinds.size()) {
    return differs("kinds of structures", described.structure_kinds.size(),
                   generated.structure_kinds.size());
  }
  if (generated.placements &&
      described.placement_kinds.size() != generated.placements->scales.size()) {
    return differs("kinds of placements", described.placement_kinds.size(),
                   generated.placements->scales.size());
  }
  for (std::size_t kind = 0; kind < generated.structure_kinds.size(); ++kind) {
    if (!std::ranges::equal(described.structure_kinds[kind].pieces,
                            generated.structure_kinds[kind].pieces, is_same_piece)) {
      return fail(ErrorCode::kInvalidArgument,
                  "the pieces of structure kind " + std::to_string(kind) +
                      " are described otherwise than they are compiled");
    }
  }
  if (described.fingerprint != 0 && described.fingerprint != generated.fingerprint) {
    return fail(ErrorCode::kInvalidArgument, "the world is described with the fingerprint " +
                                                 std::to_string(described.fingerprint) +
                                                 ", but its compiled world has " +
                                                 std::to_string(generated.fingerprint));
  }
  for (std::size_t id = 0; id < described.biomes.size(); ++id) {
    if (described.biomes[id].id != id)
      return fail(ErrorCode::kInvalidArgument, "the world's biomes are not described by their ids");
  }
  return {};
}

Result<terrane_world> open(std::span<const std::byte> bytes) {
  terrane_world world;
  auto compiled = bytes;
  if (!is_compiled(bytes)) {
    TERRANE_ASSIGN_OR_RETURN(auto message, read_world(bytes));
    if (message.compiled.empty()) {
      return fail(ErrorCode::kInvalidArgument,
                  std::to_string(bytes.size()) +
                      " bytes without a compiled world: ask GetWorld for it (compiled = true)");
    }
    compiled = message.compiled;
    world.described = std::move(message.world);
  }
  TERRANE_ASSIGN_OR_RETURN(auto generated, worldgen::load_compiled_world(compiled));
  if (!is_compiled(bytes)) TERRANE_RETURN_IF_ERROR(check_description(world.described, generated));
  world.generated = std::make_shared<const worldgen::World>(std::move(generated));
  world.solids = solids_of(*world.generated, world.described.placement_kinds);
  return world;
}

/// Fills `info`, if there is an item `index` of `list`.
template <typename List, typename Info, typename Convert>
terrane_code tell_item(const List& list, std::uint32_t index, Info* info, Convert convert) {
  if (info == nullptr) return TERRANE_INVALID_ARGUMENT;
  if (index >= list.size()) return TERRANE_OUT_OF_RANGE;
  give(convert(list[index]), info);
  return TERRANE_OK;
}

/// Counts of what has names; a compiled world alone has none of them.
std::uint32_t count(const auto& list) { return static_cast<std::uint32_t>(list.size()); }

}  // namespace
}  // namespace terrane::core

using namespace terrane;

terrane_code terrane_world_open(uint32_t abi_version, const void* bytes, size_t size,
                                terrane_world** world, terrane_error* error) {
  return core::guarded(error, [&]() -> Result<void> {
    TERRANE_RETURN_IF_ERROR(core::check_abi(abi_version));
    if (bytes == nullptr || world == nullptr)
      return fail(ErrorCode::kInvalidArgument, "bytes or world is NULL");
    TERRANE_ASSIGN_OR_RETURN(auto opened, core::open({static_cast<const std::byte*>(bytes), size}));
    *world = new terrane_world(std::move(opened));
    return {};
  });
}

void terrane_world_close(terrane_world* world) { delete world; }

void terrane_world_get_info(const terrane_world* world, terrane_world_info* info) {
  const worldgen::World& generated = *world->generated;
  const World& described = world->described;
  core::give({.struct_size = 0,
              .chunk_size = static_cast<std::uint32_t>(generated.chunk_size),
              .fingerprint = generated.fingerprint,
              .name = described.name.c_str(),
              .title = described.title.c_str(),
              .description = described.description.c_str(),
              .max_lod = generated.max_lod,
              .sea_level_q4 = described.sea_level_q4,
              .layers = generated.layers,
              .biomes = core::count(described.biomes),
              .placement_kinds = core::count(described.placement_kinds),
              .structure_kinds = core::count(described.structure_kinds),
              .places = core::count(described.places)},
             info);
}

terrane_code terrane_world_biome(const terrane_world* world, uint32_t index,
                                 terrane_kind_info* info) {
  return core::tell_item(world->described.biomes, index, info, [](const BiomeInfo& biome) {
    return terrane_kind_info{0, biome.color, biome.name.c_str(), 0, 0, 0, 0, 0};
  });
}

terrane_code terrane_world_placement_kind(const terrane_world* world, uint32_t index,
                                          terrane_kind_info* info) {
  return core::tell_item(
      world->described.placement_kinds, index, info, [&](const PlacementKind& kind) {
        const core::Solid& solid = world->solids.kinds[index & 0xff];
        return terrane_kind_info{0, kind.color, kind.name.c_str(), kind.radius_q4, kind.height_q4,
                                 0, solid.part, 100 * solid.radius};
      });
}

terrane_code terrane_world_structure_kind(const terrane_world* world, uint32_t index,
                                          terrane_kind_info* info) {
  return core::tell_item(
      world->described.structure_kinds, index, info, [](const StructureKind& kind) {
        return terrane_kind_info{
            0, kind.color, kind.name.c_str(), 0, kind.storey_q4, core::count(kind.pieces), 0, 0};
      });
}

terrane_code terrane_world_piece(const terrane_world* world, uint32_t structure_kind,
                                 uint32_t index, terrane_piece_info* info) {
  const auto& kinds = world->described.structure_kinds;
  if (structure_kind >= kinds.size()) return TERRANE_OUT_OF_RANGE;
  return core::tell_item(kinds[structure_kind].pieces, index, info, [](const Piece& piece) {
    terrane_piece_info told{0, piece.width, piece.depth, piece.levels, 0, piece.name.c_str(), {}};
    for (const Door& door : piece.doors) {
      told.doors[told.door_count++] = {static_cast<std::uint8_t>(door.side), door.at, door.level,
                                       0};
    }
    return told;
  });
}

terrane_code terrane_world_place(const terrane_world* world, uint32_t index,
                                 terrane_place_info* info) {
  return core::tell_item(world->described.places, index, info, [](const NamedPlace& place) {
    return terrane_place_info{
        0, place.spawn ? 1u : 0u, place.name.c_str(), {place.block.x, place.block.y}};
  });
}
