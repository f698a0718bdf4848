#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "terrane/coord.h"
#include "terrane/objects.h"
#include "terrane/world.h"

/// Finding places in a world, and what stands there. Plain values.
namespace terrane {

/// A biome by name, as in World::biomes; every row of that name counts.
struct BiomeNamed {
  std::string name;
};

/// A kind of structure by name, as in World::structure_kinds.
struct StructureNamed {
  std::string name;
};

/// A place by the name that the world's designer gave it, as in World::places.
struct PlaceNamed {
  std::string name;
};

/// What to look for, and where. The nearest is by straight distance, then smallest y, then smallest
/// x. A structure is where its anchor is. Biomes are looked for on the blocks whose coordinates are
/// both multiples of 32 (of 2^max_lod if that is less), and then between these: a patch that none
/// of them hits is not found.
struct LocateRequest {
  WorldRef world = {};
  std::variant<BiomeNamed, StructureNamed, PlaceNamed> target = {};
  BlockPos origin = {};  // where to look from
  // blocks; 0: as far as the server looks, see Limits::max_locate_radius, and of places any way
  std::uint32_t radius = 0;
};

/// The nearest place of what was asked for.
struct Located {
  BlockPos block;
  double distance = 0;                 // blocks
  std::optional<std::uint8_t> biome;   // its id, when a biome was asked for
  std::optional<Structure> structure;  // when a structure was asked for
  std::optional<NamedPlace> place;     // when a place was asked for
};

/// Told how far the search has come, in blocks: what is looked for is no nearer, or has been found
/// and the rest is being ruled out. Told the radius last when there is nothing within it.
using LocateProgress = std::function<void(std::uint32_t searched)>;

/// A structure with all its rooms.
struct StructurePlan {
  Structure structure;
  std::vector<Room> rooms;  // by index; 0 is the entrance
};

}  // namespace terrane
