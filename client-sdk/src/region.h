#pragma once

#include <string>

#include "terrane/client.h"
#include "terrane/v1/world_service.pb.h"

/// Which land a call is about, for balancers: those that hash the metadata `terrane-region` send
/// calls about the same land to the same server, which has it in memory. Servers ignore it.
namespace terrane::client {

inline constexpr const char* kRegionKey = "terrane-region";

/// A square of 4,096 x 4,096 blocks: "WORLD/SEED/X,Y", or "realms/REALM/X,Y". Empty where the
/// world's name can't stand in a header: such a call is refused anyway.
[[nodiscard]] std::string region_at(const WorldRef& world, BlockPos block);

/// Of chunks the one's that matters most, as if each had 64 x 64 blocks at lod 0.
[[nodiscard]] std::string region_of(const v1::GetChunkRequest& request);
[[nodiscard]] std::string region_of(const v1::GetChunksRequest& request);
[[nodiscard]] std::string region_of(const v1::SamplePointsRequest& request);
[[nodiscard]] std::string region_of(const v1::LocateRequest& request);
[[nodiscard]] std::string region_of(const v1::GetStructureRequest& request);

/// Of a request about no place: empty.
template <typename Request>
[[nodiscard]] std::string region_of(const Request&) {
  return {};
}

}  // namespace terrane::client
