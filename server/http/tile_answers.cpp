#include "http/tile_answers.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <utility>

#include "http/tile_work.h"
#include "rpc/checks/refused_field.h"
#include "terrane/result_macros.h"

namespace terrane::http {
namespace {

using drawing::MapStyle, drawing::SampleRectangle;

/// Samples around a relief's tile that its light, its colours and what stands there reach.
constexpr int kReliefApron = 16;

Result<TilePlace> tile_at(const worldgen::World& world, Lod lod, std::int64_t x, std::int64_t y,
                          std::int64_t least, std::int64_t most) {
  for (const auto& [field, value] : {std::pair{"x", x}, std::pair{"y", y}}) {
    if (value >= least && value <= most) continue;
    return rpc::refuse_field(
        {.code = ErrorCode::kOutOfRange,
         .reason = ErrorReason::kFieldOutOfRange,
         .field = field,
         .value = std::to_string(value),
         .limit = std::to_string(value < least ? least : most)},
        fmt::format("tiles of world '{}' reach from {} to {} there", world.name, least, most));
  }
  return TilePlace{x * kTilePixels, y * kTilePixels, lod};
}

tl::unexpected<Error> refuse_zoom(const worldgen::World& world, std::uint32_t z,
                                  std::uint32_t least, std::uint32_t most) {
  return rpc::refuse_field(
      {.code = ErrorCode::kOutOfRange,
       .reason = ErrorReason::kFieldOutOfRange,
       .field = "z",
       .value = std::to_string(z),
       .limit = std::to_string(z < least ? least : most)},
      fmt::format("tiles of world '{}' have z from {} to {}", world.name, least, most));
}

/// The chunks that samples lie in, as far as the world reaches.
std::vector<ChunkCoord> chunks_of(const SampleRectangle& samples, int chunk_size, Lod lod) {
  const std::int64_t most = max_chunk_coord(lod);
  const auto first = [&](std::int64_t at) { return std::max(floor_div(at, chunk_size), -most); };
  const auto last = [&](std::int64_t at, int count) {
    return std::min(floor_div(at + count - 1, chunk_size), most);
  };
  std::vector<ChunkCoord> coords;
  for (std::int64_t y = first(samples.y); y <= last(samples.y, samples.height); ++y) {
    for (std::int64_t x = first(samples.x); x <= last(samples.x, samples.width); ++x)
      coords.push_back({x, y});
  }
  return coords;
}

}  // namespace

Result<TileLayer> find_layer(std::string_view name, const worldgen::World& world) {
  const auto refuse = [&](std::string_view why) {
    return rpc::refuse_field({.code = ErrorCode::kNotFound,
                              .reason = ErrorReason::kLayerNotInWorld,
                              .field = "layer",
                              .value = rpc::in_quotes(name)},
                             why);
  };
  if (name == "terrarium") return TileLayer{MapStyle::kHeight, true, layer_bit(Layer::kHeight)};
  const auto style = drawing::parse_map_style(name);
  if (!style) return refuse("tiles show " + std::string(drawing::kStyleNames) + " and terrarium");
  const LayerMask layers = drawing::layers_for(*style, world.layers);
  if (layers == 0) return refuse("world '" + world.name + "' has no such layer");
  return TileLayer{*style, false, layers};
}

Result<TilePlace> find_tile(const worldgen::World& world, std::uint32_t z, std::int64_t x,
                            std::int64_t y) {
  if (z > world.max_lod) return refuse_zoom(world, z, 0, world.max_lod);
  const auto lod = static_cast<Lod>(world.max_lod - z);
  const std::int64_t most = max_chunk_coord(lod) * world.chunk_size / kTilePixels;
  return tile_at(world, lod, x, y, -most, most);
}

Result<TilePlace> find_mercator_tile(const worldgen::World& world, std::uint32_t z, std::int64_t x,
                                     std::int64_t y) {
  const std::uint32_t least = kMercatorZoom - std::min<std::uint32_t>(world.max_lod, kMercatorZoom);
  if (z < least || z > kMercatorZoom) return refuse_zoom(world, z, least, kMercatorZoom);
  const std::int64_t tiles = std::int64_t{1} << z;
  TERRANE_ASSIGN_OR_RETURN(TilePlace place,
                           tile_at(world, static_cast<Lod>(kMercatorZoom - z), x, y, 0, tiles - 1));
  place.x -= tiles * kTilePixels / 2;
  place.y -= tiles * kTilePixels / 2;
  return place;
}

std::string tile_json(const worldgen::World& world, const TileLayer& layer,
                      const std::string& tiles) {
  constexpr std::uint32_t kOverview = 3;  // zooms above the nearest, to begin with
  const std::uint32_t least = kMercatorZoom - std::min<std::uint32_t>(world.max_lod, kMercatorZoom);
  return fmt::format(
      R"({{"tilejson":"3.0.0","scheme":"xyz","tiles":["{}"],"minzoom":{},"maxzoom":{},)"
      R"("center":[0,0,{}]{}}})",
      tiles, least, kMercatorZoom, std::max(kMercatorZoom - kOverview, least),
      layer.is_terrarium ? R"(,"encoding":"terrarium")" : "");
}

void answer_tile(pipeline::ChunkPipeline& pipeline, schedule::WorkerPool& workers,
                 const pipeline::ChunkRequest& request, const TileLayer& layer, TilePlace place,
                 std::stop_token gone, Heading heading, Reply reply) {
  const bool has_relief = layer.style == MapStyle::kRelief && !layer.is_terrarium;
  const int apron = has_relief ? kReliefApron : 0;
  const SampleRectangle area{place.x - apron, place.y - apron, kTilePixels + 2 * apron,
                             kTilePixels + 2 * apron};
  auto task = std::make_shared<TileTask>(
      TileTask{.world = request.world,
               .layer = layer,
               .area = area,
               .apron = apron,
               .lod = place.lod,
               .coords = chunks_of(area, request.world->chunk_size, place.lod),
               .source = request.source,
               .gone = gone,
               .heading = std::move(heading),
               .reply = std::move(reply)});
  const auto draw = [task, &workers](Result<Chunks> chunks) {
    if (!chunks) return task->reply(error_page(chunks.error()));
    draw_tile(workers, std::move(*task), *std::move(chunks));
  };
  gather(pipeline, request, task->coords, std::move(gone), draw);
}

}  // namespace terrane::http
