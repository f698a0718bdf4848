#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "terrane/terrane.h"
#include "terrane/v1/world_service.pb.h"
#include "worlds/world_catalog.h"

/// Worlds and chunks for tests of terrane_core.
namespace terrane::test {

struct CloseWorld {
  void operator()(terrane_world* world) const { terrane_world_close(world); }
  void operator()(terrane_chunk* chunk) const { terrane_chunk_release(chunk); }
  void operator()(terrane_explorer* explorer) const { terrane_explorer_destroy(explorer); }
};
using CoreWorld = std::unique_ptr<terrane_world, CloseWorld>;
using CoreChunk = std::unique_ptr<terrane_chunk, CloseWorld>;
using CoreExplorer = std::unique_ptr<terrane_explorer, CloseWorld>;

/// A structure with its size, and 0 besides.
template <typename Struct>
Struct sized() {
  Struct value{};
  value.struct_size = sizeof value;
  return value;
}

inline const worldgen::World& builtin(const std::string& name) {
  static const worlds::WorldCatalog kCatalog = worlds::builtin_worlds().value();
  return *kCatalog.at(name);
}

inline std::string compiled(const std::string& name) {
  const auto& bytes = builtin(name).compiled;
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// As a server answers GetWorld, with a place besides.
inline v1::GetWorldResponse described(const std::string& name) {
  const worldgen::World& world = builtin(name);
  v1::GetWorldResponse response;
  v1::World& said = *response.mutable_world();
  said.set_name(world.name);
  said.set_title(world.title);
  said.set_fingerprint(world.fingerprint);
  said.set_sea_level(world.sea_level_q4);
  for (std::size_t id = 0; id < world.biomes.size(); ++id) {
    v1::BiomeInfo& biome = *said.add_biomes();
    biome.set_id(static_cast<std::uint32_t>(id));
    biome.set_name(world.biomes[id].name);
    biome.set_color(world.biomes[id].color);
  }
  for (const PlacementKind& kind : world.placement_kinds) {
    v1::PlacementKindInfo& info = *said.add_placement_kinds();
    info.set_name(kind.name);
    info.set_height(kind.height_q4);
  }
  for (const StructureKind& kind : world.structure_kinds) {
    v1::StructureKindInfo& info = *said.add_structure_kinds();
    info.set_name(kind.name);
    info.set_storey(kind.storey_q4);
    for (const Piece& piece : kind.pieces) {
      v1::PieceInfo& part = *info.add_pieces();
      part.set_name(piece.name);
      part.set_width(piece.width);
      part.set_depth(piece.depth);
      part.set_levels(piece.levels);
      for (const Door& door : piece.doors) {
        v1::DoorInfo& hole = *part.add_doors();
        hole.set_side(static_cast<v1::DoorSide>(static_cast<int>(door.side) + 1));
        hole.set_at(door.at);
        hole.set_level(door.level);
      }
    }
  }
  response.set_compiled_world(compiled(name));
  v1::NamedPlace& place = *response.add_places();
  place.set_name("Old Harbour");
  place.mutable_block()->set_x(-5);
  place.mutable_block()->set_y(1L << 40);
  place.set_spawn(true);
  return response;
}

/// @return what was opened; null, and why, where it was not
inline std::pair<CoreWorld, terrane_error> open_world(const std::string& bytes) {
  auto error = sized<terrane_error>();
  terrane_world* world = nullptr;
  const auto code =
      terrane_world_open(TERRANE_ABI_VERSION, bytes.data(), bytes.size(), &world, &error);
  EXPECT_EQ(code == TERRANE_OK, world != nullptr);
  EXPECT_EQ(code, error.code);
  return {CoreWorld(world), error};
}

inline CoreWorld open_builtin(const std::string& name) {
  return open_world(described(name).SerializeAsString()).first;
}

}  // namespace terrane::test
