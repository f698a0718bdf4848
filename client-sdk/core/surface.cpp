#include "surface.h"

#include <algorithm>

namespace terrane::core {
namespace {

int local(std::int64_t block, std::int64_t origin, Lod lod) {
  return static_cast<int>((block - origin) >> lod);
}

}  // namespace

const Spot& Surface::spot(BlockPos block) {
  for (std::size_t k = 0; k < known_; ++k) {
    if (spots_[k].holds(block, land_->size_log2())) return spots_[k];
  }
  Spot& spot = spots_[next_];
  spot = land_->spot(block);
  next_ = (next_ + 1) % spots_.size();
  known_ = std::min(known_ + 1, spots_.size());
  return spot;
}

Point Surface::edge_vertex(const LandNode& of, int i, int j) {
  const int size = land_->size();
  const bool west = i == 0, east = i == size, north = j == 0, south = j == size;
  // An edge, but no corner, and the neighbour is at hand: nothing coarser is there.
  if ((west || east) != (north || south)) {
    const unsigned k = west ? 0 : east ? 1 : north ? 2 : 3;
    if ((of.beside >> k & 1u) != 0 && (west || north)) return own(of, size, i, j);
  }
  return vertex_by_all_around(of, i, j);
}

Point Surface::vertex_by_all_around(const LandNode& of, int i, int j) {
  const int size = land_->size();
  const Lod lod = of.tile.lod;
  const BlockPos origin = chunk_origin(of.tile.coord, size, lod);
  const BlockPos block{origin.x + (std::int64_t{i} << lod), origin.y + (std::int64_t{j} << lod)};
  // south-west, north-east, north-west, south-east
  const std::array<const LandNode*, 4> around{i > 0 && j < size ? &of : at({block.x - 1, block.y}),
                                              i < size && j > 0 ? &of : at({block.x, block.y - 1}),
                                              i > 0 && j > 0 ? &of : at({block.x - 1, block.y - 1}),
                                              i < size && j < size ? &of : at(block)};
  const LandNode* coarsest = nullptr;
  for (const LandNode* const each : around) {
    if (each != nullptr && (coarsest == nullptr || each->tile.lod > coarsest->tile.lod))
      coarsest = each;
  }
  const Lod coarse = coarsest->tile.lod;
  const std::int64_t between = (std::int64_t{1} << coarse) - 1;
  if (coarse > lod && ((block.x | block.y) & between) != 0) return on_ground_of(*coarsest, block);
  const LandNode& source = around[3] != nullptr ? *around[3] : *coarsest;
  const BlockPos from = chunk_origin(source.tile.coord, size, source.tile.lod);
  return own(source, size, std::min(local(block.x, from.x, source.tile.lod), size - 1),
             std::min(local(block.y, from.y, source.tile.lod), size - 1));
}

Point Surface::on_ground_of(const LandNode& of, BlockPos block) {
  const int size = land_->size();
  const Lod lod = of.tile.lod;
  const BlockPos origin = chunk_origin(of.tile.coord, size, lod);
  const int i = std::min(local(block.x, origin.x, lod), size - 1);
  const int j = std::min(local(block.y, origin.y, lod), size - 1);
  const double spacing = static_cast<double>(std::int64_t{1} << lod);
  const Shares near =
      shares(static_cast<double>(block.x - origin.x - (std::int64_t{i} << lod)) / spacing,
             static_cast<double>(block.y - origin.y - (std::int64_t{j} << lod)) / spacing);
  std::array<Point, 3> corners;
  double water = kNoWater;
  Point point;
  for (std::size_t k = 0; k < 3; ++k) {
    if (near.share[k] == 0) continue;
    corners[k] = vertex(of, i + near.i[k], j + near.j[k]);
    point.height_q4 += near.share[k] * corners[k].height_q4;
    if (water == kNoWater && corners[k].is_wet()) water = corners[k].water_q4;
  }
  if (water == kNoWater) return point;
  point.water_q4 = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    if (near.share[k] == 0) continue;
    point.water_q4 += near.share[k] * (corners[k].is_wet() ? corners[k].water_q4
                                                           : std::min(water, corners[k].height_q4));
  }
  return point;
}

Point Surface::shore(const LandNode& of, int i, int j) {
  Point point = vertex(of, i, j);
  if (point.water_q4 != kNoWater) return point;
  const int size = land_->size();
  const Lod lod = of.tile.lod;
  const BlockPos origin = chunk_origin(of.tile.coord, size, lod);
  // The nearest first, and the same from every tile; as the water's mesh has it.
  for (const ChunkCoord& to : kBeside) {
    const std::int64_t x = i + to.x, y = j + to.y;
    Point near;
    if (x >= 0 && x <= size && y >= 0 && y <= size) {
      near = vertex(of, static_cast<int>(x), static_cast<int>(y));
    } else if (const std::int64_t spacing = std::int64_t{1} << lod;
               !beyond({origin.x + x * spacing, origin.y + y * spacing}, lod, near)) {
      continue;
    }
    if (!near.is_wet()) continue;
    point.water_q4 = std::min(near.water_q4, point.height_q4);
    return point;
  }
  return point;
}

const LandNode* Surface::at_large(BlockPos block, Lod lod) {
  const LandNode* const finest = at(block);
  const int least = least_that_reaches(lod, land_->size_log2());
  if (finest == nullptr || finest->tile.lod >= least) return finest;
  return land_->at_least(block, static_cast<Lod>(least));
}

bool Surface::beyond(BlockPos block, Lod for_lod, Point& point) {
  const LandNode* const there = at_large(block, for_lod);
  if (there == nullptr) return false;
  const int size = land_->size();
  const Lod lod = there->tile.lod;
  const BlockPos origin = chunk_origin(there->tile.coord, size, lod);
  const int i = local(block.x, origin.x, lod), j = local(block.y, origin.y, lod);
  const std::int64_t between = (std::int64_t{1} << lod) - 1;
  if (((block.x | block.y) & between) == 0) {
    point = own(*there, size, i, j);
    return true;
  }
  const double spacing = static_cast<double>(between + 1);
  const Shares near = shares(static_cast<double>(block.x & between) / spacing,
                             static_cast<double>(block.y & between) / spacing);
  point = {};
  for (std::size_t k = 0; k < 3; ++k) {
    const int x = std::min(i + near.i[k], size - 1), y = std::min(j + near.j[k], size - 1);
    point.height_q4 += near.share[k] * own(*there, size, x, y).height_q4;
  }
  return true;
}

bool Surface::biome(BlockPos block, Lod for_lod, std::uint8_t& biome) {
  const LandNode* const there = at_large(block, for_lod);
  if (there == nullptr) return false;
  biome = 0;
  if (there->biomes == nullptr) return true;
  const int size = land_->size();
  const Lod lod = there->tile.lod;
  const BlockPos origin = chunk_origin(there->tile.coord, size, lod);
  const std::int64_t half = (std::int64_t{1} << lod) / 2;
  const int i = std::min(local(block.x + half, origin.x, lod), size - 1);
  const int j = std::min(local(block.y + half, origin.y, lod), size - 1);
  biome = there->biomes[std::ptrdiff_t{j} * size + i];
  return true;
}

}  // namespace terrane::core
