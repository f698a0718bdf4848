#pragma once

#include <functional>
#include <optional>
#include <stop_token>

#include "pipeline/chunk_pipeline.h"
#include "rpc/terrain_queries.h"
#include "worldgen/noise/simd_target.h"

/// The generator as the rooms that must not see it are given it.
namespace terrane {

/// For calls that need no chunk.
[[nodiscard]] rpc::TerrainQueries terrain_queries(worldgen::noise::SimdTarget target);

/// For the pipeline: stops between two stages, and is then empty.
[[nodiscard]] std::function<std::optional<Chunk>(const pipeline::ChunkRequest&,
                                                 const std::stop_token&)>
generate_for(worldgen::noise::SimdTarget target);

}  // namespace terrane
