#include "cli/explore/seen_chunks.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "terrane/explore_limits.h"
#include "terrane/pose.h"

namespace terrane::cli {
namespace {

constexpr std::size_t kMemory = std::size_t{96} << 20;  // bytes of chunks, about
constexpr std::size_t kBytesPerSample = 20;             // of all layers together
constexpr int kCoarserLevels = 2;

LayerMask layers_of(MapStyle style, const World& world) {
  return layers_for(style, world).value_or(0);
}

/// The chunks of the world that a rectangle of samples touches.
ChunkRectangle chunks_of(const SampleRectangle& area, int chunk_size, Lod lod) {
  const std::int64_t last = max_chunk_coord(lod);
  return {{std::max(floor_div(area.x, chunk_size), -last),
           std::max(floor_div(area.y, chunk_size), -last)},
          {std::min(floor_div(area.x + area.width - 1, chunk_size), last),
           std::min(floor_div(area.y + area.height - 1, chunk_size), last)}};
}

/// How well a chunk fits a level of detail, more is better: finer ones have every sample, coarser
/// ones have few.
int fit(Lod chunk, Lod wanted) {
  if (chunk == wanted) return 1;
  return chunk < wanted ? chunk - wanted : -kMaxLod - (chunk - wanted);
}

}  // namespace

SeenChunks::SeenChunks(const World& world)
    : world_(world),
      max_chunks_(kMemory / (kBytesPerSample * static_cast<std::size_t>(world.chunk_size) *
                             static_cast<std::size_t>(world.chunk_size))) {}

void SeenChunks::add(const Tile& tile, std::shared_ptr<const Chunk> chunk, BlockPos viewer) {
  chunks_.insert_or_assign(tile, std::move(chunk));
  if (chunks_.size() > max_chunks_) make_room(viewer);
}

void SeenChunks::make_room(BlockPos viewer) {
  const auto distance = [&](const Tile& tile) {  // in chunks of its own level
    const ChunkCoord at = chunk_of(viewer, world_.chunk_size, tile.lod);
    return std::max(std::abs(tile.coord.x - at.x), std::abs(tile.coord.y - at.y));
  };
  std::vector<Tile> tiles;
  for (const auto& [tile, chunk] : chunks_) tiles.push_back(tile);
  // so that this is rarely to do
  const auto middle = tiles.begin() + static_cast<std::ptrdiff_t>(tiles.size() / 2);
  std::nth_element(tiles.begin(), middle, tiles.end(),
                   [&](const Tile& a, const Tile& b) { return distance(a) < distance(b); });
  for (auto tile = middle; tile != tiles.end(); ++tile) chunks_.erase(*tile);
}

MapGrid SeenChunks::grid(const SampleRectangle& area, Lod lod, MapStyle style) const {
  std::vector<const Chunk*> placed;
  const std::int64_t step = std::int64_t{1} << lod;
  const auto touches = [&](std::int64_t origin, std::int64_t span, std::int64_t first,
                           int samples) {
    return origin < (first + samples) * step && origin + span > first * step;
  };
  for (const auto& [tile, chunk] : chunks_) {
    const BlockPos origin = chunk_origin(tile.coord, world_.chunk_size, tile.lod);
    const std::int64_t span = std::int64_t{world_.chunk_size} << tile.lod;
    if (touches(origin.x, span, area.x, area.width) &&
        touches(origin.y, span, area.y, area.height)) {
      placed.push_back(chunk.get());
    }
  }
  std::stable_sort(placed.begin(), placed.end(), [lod](const Chunk* a, const Chunk* b) {
    return fit(a->lod, lod) < fit(b->lod, lod);
  });
  MapGrid grid(legend_of(world_), area, lod, style, layers_of(style, world_));
  for (const Chunk* const chunk : placed) grid.place(*chunk);
  return grid;
}

SeenChunks::Count SeenChunks::count(const SampleRectangle& area, Lod lod) const {
  Count count;
  const ChunkRectangle chunks = chunks_of(area, world_.chunk_size, lod);
  for (std::int64_t y = chunks.first.y; y <= chunks.last.y; ++y) {
    for (std::int64_t x = chunks.first.x; x <= chunks.last.x; ++x) {
      ++count.wanted;
      count.present += chunks_.count({lod, {x, y}});
    }
  }
  return count;
}

std::optional<SeenChunks::GroundSample> SeenChunks::ground(BlockPos block) const {
  for (Lod lod = 0; lod <= world_.max_lod; ++lod) {
    const ChunkCoord coord = chunk_of(block, world_.chunk_size, lod);
    const auto found = chunks_.find({lod, coord});
    if (found == chunks_.end()) continue;
    const Chunk& chunk = *found->second;
    const BlockPos origin = chunk_origin(coord, chunk.size, lod);
    const auto i = static_cast<std::size_t>(((block.y - origin.y) >> lod) * chunk.size +
                                            ((block.x - origin.x) >> lod));
    GroundSample ground;
    if (i < chunk.biome.size()) ground.biome = chunk.biome[i];
    if (i < chunk.height_q4.size()) ground.height_q4 = chunk.height_q4[i];
    if (i < chunk.water_q4.size()) ground.water_q4 = chunk.water_q4[i];
    return ground;
  }
  return std::nullopt;
}

std::vector<int> view_distances(int width, int height, Lod lod, const World& world) {
  // chunks to the window's edge
  const auto reach = [&](int samples) { return std::ceil(samples / 2.0 / world.chunk_size); };
  std::vector<int> distances(lod, 0);
  int distance = static_cast<int>(std::ceil(std::hypot(reach(width), reach(height))));
  for (int level = lod; level <= std::min<int>(lod + kCoarserLevels, world.max_lod); ++level) {
    distances.push_back(std::clamp(distance, 1, kMaxViewDistance));
    distance = distance / 2 + 2;
  }
  return distances;
}

}  // namespace terrane::cli
