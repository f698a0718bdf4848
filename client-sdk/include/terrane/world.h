#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "terrane/objects.h"

/// What a server says about its worlds. Plain values.
namespace terrane {

/// What a layer can hold in one world: `value = stored * scale`, in `unit`.
struct LayerInfo {
  Layer layer = Layer::kHeight;
  std::string name;  // "height"
  std::string unit;  // "block", "degC", "percent", "biome", "placement" or "structure"
  double scale = 1;  // what one step of the stored integer is worth
  // smallest stored integer that this world can hold; of a list, the least number of entries
  std::int32_t min_value = 0;
  std::int32_t max_value = 0;  // largest
};

/// One row of a world's biome table; samples of the biome layer hold the id.
struct BiomeInfo {
  std::uint32_t id = 0;
  std::string name;
  std::uint32_t color = 0;  // 0xRRGGBB
};

struct World {
  std::string name;                  // what requests call it
  std::string title;                 // for people
  std::string description;           // for people
  WorldFingerprint fingerprint = 0;  // identifies what is generated
  int chunk_size = 0;                // samples along one edge
  Lod max_lod = 0;                   // largest level of detail served
  std::int32_t sea_level_q4 = 0;     // 1/16 block
  std::vector<LayerInfo> layers;     // what its chunks hold
  std::vector<BiomeInfo> biomes;
  std::vector<PlacementKind> placement_kinds;  // placements hold the index
  std::vector<StructureKind> structure_kinds;  // structures and rooms hold the index
  // named by the world's designer, in that order; of Client::world alone: lists have none
  std::vector<NamedPlace> places;
};

/// The server's limits; a request past one of them is refused.
struct Limits {
  std::uint32_t max_chunks_per_request = 0;
  std::uint32_t max_points_per_request = 0;  // Client::sample splits by itself
  std::int64_t max_chunk_coordinate = 0;     // at lod 0, either sign; halves with every lod
  std::uint32_t max_message_bytes = 0;       // of any message, either way
  std::uint32_t max_locate_radius = 0;       // blocks
  std::uint32_t max_request_bytes = 0;       // of a request for chunks
  // further ones wait in the client
  std::uint32_t max_calls_per_connection = 0;
  std::uint32_t max_metadata_bytes = 0;  // of a call, names and values together
};

/// A world with a seed that clients are not told.
struct Realm {
  std::string name;
  std::string world;  // the name of the world that it is a variant of
};

/// Which world, and which of its 2^64 variants: by name and seed, or by a realm, which stands for
/// both. Chunks of equal (fingerprint, seed) are equal wherever they come from.
struct WorldRef {
  std::string name = {};
  std::uint64_t seed = 1;
  /// When set, calls fail with kFailedPrecondition unless the server generates exactly this world.
  std::optional<WorldFingerprint> fingerprint = {};
  /// When set, name and seed count for nothing.
  std::string realm = {};
};

}  // namespace terrane
