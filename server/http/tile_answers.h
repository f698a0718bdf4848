#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "http/chunk_answers.h"
#include "http/page.h"
#include "http/tile_layer.h"
#include "pipeline/chunk_pipeline.h"
#include "schedule/worker_pool.h"
#include "terrane/result.h"
#include "worldgen/world.h"

namespace terrane::http {

/// Pixels along one edge of a tile: a sample each.
inline constexpr int kTilePixels = 256;

/// @param name  "relief" and whatever else drawing::parse_map_style() takes; or "terrarium"
/// Errors: kNotFound, of the field "layer", also where the world has nothing to show there.
[[nodiscard]] Result<TileLayer> find_layer(std::string_view name, const worldgen::World& world);

/// Where a tile lies: its first sample, of a level of detail.
struct TilePlace {
  std::int64_t x = 0, y = 0;  // samples
  Lod lod = 0;
};

/// Of the scheme in which tile (0, 0) begins at block (0, 0), and z counts from the coarsest level.
/// Errors: kOutOfRange, of the fields "z", "x" and "y".
[[nodiscard]] Result<TilePlace> find_tile(const worldgen::World& world, std::uint32_t z,
                                          std::int64_t x, std::int64_t y);

/// The zoom of Web Mercator at which a pixel is a block: then a block is 1.19 m at the equator.
inline constexpr std::uint32_t kMercatorZoom = 17;

/// Of the square of 2^25 blocks whose middle is block (0, 0), as if it were the whole earth in Web
/// Mercator. Errors: the same.
[[nodiscard]] Result<TilePlace> find_mercator_tile(const worldgen::World& world, std::uint32_t z,
                                                   std::int64_t x, std::int64_t y);

/// A TileJSON 3.0 of that square.
/// @param tiles  the URL of its tiles, with {z}, {x} and {y}
[[nodiscard]] std::string tile_json(const worldgen::World& world, const TileLayer& layer,
                                    const std::string& tiles);

/// Draws a tile from chunks that the pipeline has or makes.
/// @param request  of any chunk: its world, seed, level of detail, and who asks
void answer_tile(pipeline::ChunkPipeline& pipeline, schedule::WorkerPool& workers,
                 const pipeline::ChunkRequest& request, const TileLayer& layer, TilePlace place,
                 std::stop_token gone, Heading heading, Reply reply);

}  // namespace terrane::http
