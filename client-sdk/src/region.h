#pragma once

#include <string>

#include "region_at.h"
#include "terrane/v1/world_service.pb.h"

/// Which land a call is about, for balancers: those that hash the metadata `terrane-region` send
/// calls about the same land to the same server, which has it in memory. Servers ignore it.
namespace terrane::client {

inline constexpr const char* kRegionKey = "terrane-region";

/// region_at() of what a request is about; of chunks that of the one that matters most, as if each
/// had 64 x 64 blocks at lod 0.
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
