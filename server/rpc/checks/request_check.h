#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rpc/limits.h"
#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "terrane/result.h"
#include "terrane/v1/world_service.pb.h"
#include "worlds/world_catalog.h"

/// Request messages -> checked queries. Pure functions; nothing is allocated by a size that was not
/// checked. Every error names the field, its value and the limit.
namespace terrane::rpc {

using worlds::WorldPtr;

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
  BlockPos near;
  std::int64_t radius = 0;         // blocks, at least 1
  bool for_structures = false;     // else for biomes
  std::array<bool, 256> wanted{};  // by id, of biomes or of kinds of structures
};

struct StructureQuery {
  WorldPtr world;
  std::uint64_t seed = 0;
  BlockPos anchor;
};

/// The level of detail at whose samples a world's biomes are looked for.
[[nodiscard]] inline Lod locate_lod(const worldgen::World& world) {
  return std::min<Lod>(5, world.max_lod);
}

/// Errors: kInvalidArgument (empty name), kNotFound listing the worlds.
[[nodiscard]] Result<WorldPtr> find_world(const std::string& name,
                                          const worlds::WorldCatalog& worlds);

/// Errors: those of find_world; kInvalidArgument (`given` is false: the request names none),
/// kFailedPrecondition (pinned fingerprint).
[[nodiscard]] Result<WorldPtr> check_world(bool given, const v1::WorldRef& ref,
                                           const worlds::WorldCatalog& worlds);

/// kAllLayers for all of them, however they are asked for. Errors: kInvalidArgument for one that
/// the world does not have.
[[nodiscard]] Result<LayerMask> check_layers(const google::protobuf::RepeatedField<int>& layers,
                                             const worldgen::World& world);

/// Errors: those of find_world; kFailedPrecondition (pinned fingerprint), kOutOfRange (lod,
/// coordinates), kInvalidArgument (missing fields, layers, biomes or structures that the world does
/// not have, reversed or too large areas, too many points).
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

}  // namespace terrane::rpc
