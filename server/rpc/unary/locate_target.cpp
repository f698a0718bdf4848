#include "rpc/unary/locate_target.h"

#include <algorithm>
#include <utility>

namespace terrane::rpc {
namespace {

// blocks: four millions of them, as structures are best asked for
constexpr std::int64_t kStructureSquare = 2048;

}  // namespace

NearestSearch::Area LocateTarget::area() const {
  const int size = query_.world->chunk_size;
  return {.origin = query_.origin,
          .radius = query_.radius,
          .edge = query_.for_structures ? kStructureSquare
                                        : std::int64_t{size} << locate_lod(*query_.world),
          .first_block = min_block_coord(size),
          .last_block = max_block_coord(size)};
}

std::optional<Hit> LocateTarget::look(const SearchSquare& square,
                                      const worldgen::Abandon& abandon) const {
  if (query_.for_structures) return nearest_structure(square, abandon);
  const Lod lod = locate_lod(*query_.world);
  return nearest_biome(chunk_of(square.first, query_.world->chunk_size, lod), lod, abandon);
}

Hit LocateTarget::refined(const Hit& hit, const worldgen::Abandon& abandon) const {
  const std::int64_t reach = (std::int64_t{1} << locate_lod(*query_.world)) - 1;
  if (query_.for_structures || reach == 0) return hit;
  const int size = query_.world->chunk_size;
  const auto inside = [&](std::int64_t block) {
    return std::clamp(block, min_block_coord(size), max_block_coord(size));
  };
  const ChunkCoord from =
      chunk_of({inside(hit.block.x - reach), inside(hit.block.y - reach)}, size, 0);
  const ChunkCoord to =
      chunk_of({inside(hit.block.x + reach), inside(hit.block.y + reach)}, size, 0);
  std::optional<Hit> best = hit;
  for (std::int64_t y = from.y; y <= to.y; ++y) {
    for (std::int64_t x = from.x; x <= to.x; ++x) {
      const std::vector<std::uint8_t> biomes =
          terrain_.biomes(*query_.world, query_.seed, {x, y}, 0, abandon);
      const BlockPos origin = chunk_origin({x, y}, size, 0);
      for (std::size_t i = 0; i < biomes.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        const BlockPos block{origin.x + at % size, origin.y + at / size};
        const bool reached =
            std::abs(block.x - hit.block.x) <= reach && std::abs(block.y - hit.block.y) <= reach;
        if (reached && query_.wanted[biomes[i]])
          take_if_nearer(best, {.block = block, .biome = biomes[i], .structure = {}});
      }
    }
  }
  return *best;
}

std::optional<Hit> LocateTarget::nearest_biome(ChunkCoord chunk, Lod lod,
                                               const worldgen::Abandon& abandon) const {
  const worldgen::World& world = *query_.world;
  const std::vector<std::uint8_t> biomes = terrain_.biomes(world, query_.seed, chunk, lod, abandon);
  const BlockPos origin = chunk_origin(chunk, world.chunk_size, lod);
  // which a coarse chunk may reach beyond
  const std::int64_t last_block = max_block_coord(world.chunk_size);
  std::optional<Hit> best;
  for (std::size_t i = 0; i < biomes.size(); ++i) {
    if (!query_.wanted[biomes[i]]) continue;
    const auto at = static_cast<std::int64_t>(i);
    const BlockPos block{origin.x + (at % world.chunk_size << lod),
                         origin.y + (at / world.chunk_size << lod)};
    if (block.x <= last_block && block.y <= last_block)
      take_if_nearer(best, {.block = block, .biome = biomes[i], .structure = {}});
  }
  return best;
}

std::optional<Hit> LocateTarget::nearest_structure(const SearchSquare& square,
                                                   const worldgen::Abandon& abandon) const {
  std::optional<Hit> best;
  for (const Structure& structure :
       terrain_.structures(*query_.world, query_.seed, square.first, square.last, abandon)) {
    if (query_.wanted[structure.kind])
      take_if_nearer(best, {.block = structure.anchor, .structure = structure});
  }
  return best;
}

void LocateTarget::take_if_nearer(std::optional<Hit>& best, const Hit& hit) const {
  if (squared_distance(query_.origin, hit.block) > query_.radius * query_.radius) return;
  if (!best || is_nearer(query_.origin, hit.block, best->block)) best = hit;
}

}  // namespace terrane::rpc
