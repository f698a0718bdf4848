#include "cli/find/portrait.h"

#include <algorithm>

#include "cli/map/drawing.h"
#include "terrane/result_macros.h"
#include "worldgen/generate.h"

namespace terrane::cli {
namespace {

constexpr std::int64_t kHalfEdge = 160;  // pixels, of a sample each

}  // namespace

Result<std::string> portrait_of(const worldgen::World& world, const World& described,
                                std::uint64_t seed, BlockPos place, std::int64_t radius) {
  Lod lod = 0;
  while (lod < described.max_lod && kHalfEdge << lod < radius) ++lod;
  const auto sample_of = [&](std::int64_t block) {
    return floor_div(block, std::int64_t{1} << lod);
  };
  const SampleRectangle area{sample_of(place.x) - kHalfEdge, sample_of(place.y) - kHalfEdge,
                             2 * kHalfEdge, 2 * kHalfEdge};
  TERRANE_ASSIGN_OR_RETURN(const LayerMask layers, layers_for(MapStyle::kRelief, described));
  MapGrid grid(legend_of(described), area, lod, MapStyle::kRelief, layers);
  const auto chunk_at = [&](std::int64_t x, std::int64_t y) {
    return chunk_of({x << lod, y << lod}, described.chunk_size, lod);
  };
  const ChunkCoord first = chunk_at(area.x, area.y);
  const ChunkCoord last = chunk_at(area.x + area.width - 1, area.y + area.height - 1);
  const auto target = worldgen::noise::supported_targets().back();
  for (std::int64_t y = first.y; y <= last.y; ++y)
    for (std::int64_t x = first.x; x <= last.x; ++x)
      grid.place(worldgen::generate(world, seed, {x, y}, lod, target));
  return encode_png(grid.draw());
}

}  // namespace terrane::cli
