#include "http/tile_answers.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "codec/chunk_codec.h"
#include "drawing/png.h"
#include "rpc/checks/refused_field.h"
#include "schedule/refusal.h"
#include "terrane/result_macros.h"

namespace terrane::http {
namespace {

using drawing::MapStyle, drawing::Picture, drawing::SampleRectangle;

/// Samples around a relief's tile that its light, its colours and what stands there reach.
constexpr int kReliefApron = 16;

/// How much slopes are exaggerated: the same for all of a level, or tiles would not fit. Land is
/// the gentler the farther one looks: figures from the built-in worlds.
double exaggeration_at(Lod lod) {
  constexpr double kNear = 1.2, kGrowth = 1.35, kMost = 10;
  return std::min(kNear * std::pow(kGrowth, lod), kMost);
}

drawing::Legend legend_of(const worldgen::World& world) {
  drawing::Legend legend;
  legend.chunk_size = world.chunk_size;
  legend.sea_level_q4 = world.sea_level_q4;
  legend.set_span(world.ranges.height_q4.min, world.ranges.height_q4.max);
  for (std::size_t id = 0; id < std::min(world.biomes.size(), legend.biomes.size()); ++id)
    legend.biomes[id] = drawing::from_rgb(world.biomes[id].color);
  legend.placement_kinds = world.placement_kinds;
  legend.structure_kinds = world.structure_kinds;
  return legend;
}

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

/// The middle of a picture.
Picture without_apron(const Picture& picture, int apron) {
  if (apron == 0) return picture;
  Picture out{picture.width - 2 * apron, picture.height - 2 * apron, {}};
  out.rgb.reserve(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height) * 3);
  for (int y = apron; y < picture.height - apron; ++y) {
    const std::ptrdiff_t at = (std::ptrdiff_t{y} * picture.width + apron) * 3;
    const auto row = picture.rgb.begin() + at;
    out.rgb.insert(out.rgb.end(), row, row + std::ptrdiff_t{out.width} * 3);
  }
  return out;
}

/// Heights above sea level in blocks as red * 256 + green + blue / 256 - 32768.
void place_heights(const Chunk& chunk, const SampleRectangle& area, std::int32_t sea_level_q4,
                   Picture& picture) {
  constexpr std::int64_t kZero_q4 = 32768 * 16;
  const auto size = std::int64_t{chunk.size};
  for (std::int64_t y = 0; y < size; ++y) {
    const std::int64_t row = chunk.coord.y * size + y - area.y;
    for (std::int64_t x = 0; x < size; ++x) {
      const std::int64_t column = chunk.coord.x * size + x - area.x;
      if (row < 0 || row >= area.height || column < 0 || column >= area.width) continue;
      const std::int64_t height =
          kZero_q4 + chunk.height_q4[static_cast<std::size_t>(y * size + x)] - sea_level_q4;
      std::uint8_t* const at = picture.rgb.data() + (row * area.width + column) * 3;
      at[0] = static_cast<std::uint8_t>(height >> 12);
      at[1] = static_cast<std::uint8_t>(height >> 4 & 255);
      at[2] = static_cast<std::uint8_t>((height & 15) << 4);
    }
  }
}

/// A tile on its way: what its job needs.
struct Drawing {
  std::shared_ptr<const worldgen::World> world;
  TileLayer layer;
  SampleRectangle area;
  int apron = 0;
  Lod lod = 0;
  std::vector<ChunkCoord> coords;
  std::stop_token gone;
  Heading heading;
  Reply reply;

  /// Errors: kDataLoss for a damaged chunk, kInternal of libpng.
  [[nodiscard]] Result<std::string> draw(const Chunks& chunks) const;
};

Result<std::string> Drawing::draw(const Chunks& chunks) const {
  const auto each = [&](const auto& place) -> Result<void> {
    for (std::size_t i = 0; i < coords.size(); ++i) {
      TERRANE_ASSIGN_OR_RETURN(const Chunk chunk,
                               codec::decode(*chunks[i], coords[i], layer.layers));
      place(chunk);
    }
    return {};
  };
  if (layer.is_terrarium) {
    Picture picture{area.width, area.height, {}};
    picture.rgb.resize(static_cast<std::size_t>(area.width) *
                       static_cast<std::size_t>(area.height) * 3);
    TERRANE_RETURN_IF_ERROR(each(
        [&](const Chunk& chunk) { place_heights(chunk, area, world->sea_level_q4, picture); }));
    return drawing::encode_png(picture);
  }
  drawing::MapGrid grid(legend_of(*world), area, lod, layer.style, layer.layers);
  TERRANE_RETURN_IF_ERROR(each([&](const Chunk& chunk) { grid.place(chunk); }));
  return drawing::encode_png(without_apron(grid.draw(exaggeration_at(lod)), apron));
}

Page page_of(const Drawing& tile, const Chunks& chunks) {
  auto png = tile.draw(chunks);
  if (!png) return error_page(png.error());
  return {.content_type = "image/png",
          .body = std::make_shared<const std::string>(*std::move(png)),
          .cache_control = tile.heading.cache_control,
          .fields = {{"ETag", tile.heading.etag}},
          .held = tile.heading.held};
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
  const auto tile =
      std::make_shared<const Drawing>(Drawing{request.world, layer, area, apron, place.lod,
                                              chunks_of(area, request.world->chunk_size, place.lod),
                                              gone, std::move(heading), std::move(reply)});
  const auto draw = [tile, &workers, source = request.source](Result<Chunks> chunks) {
    if (!chunks) return tile->reply(error_page(chunks.error()));
    const auto job = [tile, chunks = *std::move(chunks)] {
      if (!tile->gone.stop_requested()) tile->reply(page_of(*tile, chunks));
    };
    const auto refuse = [tile](const schedule::Refused& refused) {
      tile->reply(error_page(schedule::to_error(refused)));
    };
    const auto queued = workers.submit(schedule::Priority::kView, {job, refuse}, source);
    if (!queued) refuse(queued.error());
  };
  gather(pipeline, request, tile->coords, std::move(gone), draw);
}

}  // namespace terrane::http
