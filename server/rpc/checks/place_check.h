#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "access/caller.h"
#include "access/live_access.h"
#include "terrane/coord.h"
#include "terrane/result.h"
#include "worlds/world_catalog.h"

/// What a URL says of where something is. Pure functions, as for the fields of requests.
namespace terrane::rpc {

/// Which variant of which world: a name or a fingerprint, and a seed; or a realm.
struct NamedVariant {
  std::string world = {};
  std::optional<WorldFingerprint> fingerprint = {};  // in the place of the name
  std::uint64_t seed = 0;
  std::string realm = {};  // in the place of all of these
};

struct FoundVariant {
  worlds::WorldPtr world;
  std::uint64_t seed = 0;
};

/// @param access, caller  as in access_check.h
/// Errors: those of resolve() and find_world(); kNotFound for a fingerprint of no world that the
///   caller may see.
[[nodiscard]] Result<FoundVariant> find_variant(const NamedVariant& named,
                                                const access::LiveAccess* access,
                                                const access::Caller* caller,
                                                const worlds::WorldCatalog& worlds);

/// Errors: kOutOfRange, of the fields "lod" and "coord".
[[nodiscard]] Result<void> check_tile(const worldgen::World& world, std::uint32_t lod,
                                      ChunkCoord coord);

}  // namespace terrane::rpc
