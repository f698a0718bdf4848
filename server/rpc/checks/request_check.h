#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rpc/checks/world_check.h"
#include "rpc/limits.h"
#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "terrane/result.h"
#include "terrane/v1/admin.pb.h"
#include "terrane/v1/world_service.pb.h"
#include "worlds/world_catalog.h"

/// Request messages -> checked queries. Pure functions; nothing is allocated by a size that was not
/// checked. Every error names the field, its value and the limit.
namespace terrane::rpc {

struct ChunkQuery {
  WorldPtr world;
  std::uint64_t seed = 0;
  ChunkCoord coord;
  Lod lod = 0;
  LayerMask layers = kAllLayers;  // kAllLayers: the chunk as it is stored
};

struct AreaQuery {
  WorldPtr world;
  std::uint64_t seed = 0;
  Lod lod = 0;
  LayerMask layers = kAllLayers;
  std::vector<ChunkCoord> coords;  // without repeats, nearest to the focus first
};

struct PointQuery {
  WorldPtr world;
  std::uint64_t seed = 0;
  std::vector<BlockPos> points;
};

struct LocateQuery {
  WorldPtr world;
  std::uint64_t seed = 0;
  BlockPos origin;
  std::int64_t radius = 0;         // blocks, at least 1; 0: any, of places alone
  bool for_structures = false;     // else for biomes
  std::array<bool, 256> wanted{};  // by id, of biomes or of kinds of structures
  std::string place = {};          // for the places of this name, and nothing else
};

struct StructureQuery {
  WorldPtr world;
  std::uint64_t seed = 0;
  BlockPos anchor;
};

/// Chunks to be made for the cache.
struct PregenerateQuery {
  WorldPtr world;
  std::uint64_t seed = 0;
  ChunkCoord first, last;  // at level of detail 0
  std::vector<Lod> lods;   // at least one, each once
  double max_rate = 0;     // chunks a second; 0: any
  std::uint64_t cursor = 0;
};

/// The level of detail at whose samples a world's biomes are looked for.
[[nodiscard]] inline Lod locate_lod(const worldgen::World& world) {
  return std::min<Lod>(5, world.max_lod);
}

/// Errors: those of check_world, check_layers and check_formats; kOutOfRange (lod, coordinates),
/// kInvalidArgument (missing fields, biomes or structures that the world does not have, reversed or
/// too large areas, too many points).
[[nodiscard]] Result<ChunkQuery> check(const v1::GetChunkRequest& request,
                                       const worlds::WorldCatalog& worlds);
[[nodiscard]] Result<AreaQuery> check(const v1::GetChunksRequest& request,
                                      const worlds::WorldCatalog& worlds, const Limits& limits);
[[nodiscard]] Result<PointQuery> check(const v1::SamplePointsRequest& request,
                                       const worlds::WorldCatalog& worlds, const Limits& limits);
[[nodiscard]] Result<LocateQuery> check(const v1::LocateRequest& request,
                                        const worlds::WorldCatalog& worlds, const Limits& limits);
[[nodiscard]] Result<StructureQuery> check(const v1::GetStructureRequest& request,
                                           const worlds::WorldCatalog& worlds);
[[nodiscard]] Result<PregenerateQuery> check(const v1::PregenerateRequest& request,
                                             const worlds::WorldCatalog& worlds);

}  // namespace terrane::rpc
