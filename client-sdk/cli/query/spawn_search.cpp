#include "cli/query/spawn_search.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <tuple>

#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

constexpr std::size_t kCandidatesPerRequest = 512;
constexpr std::size_t kPointsPerFoot = 9;          // itself and 8 neighbours
constexpr std::size_t kPointsOfSurroundings = 16;  // two rings of 8
// Far away: blocks between dry spots, how far the first survey reaches, around how many spots a
// place is looked for, and how many chunks to each side of the middle one a survey takes at most.
constexpr std::int64_t kSpotSpacing = 256;
constexpr std::int64_t kFirstReach = 8192;
constexpr std::size_t kMostSpots = 256;
constexpr std::int64_t kMostChunks = 24;

/// All candidates, nearest first; ties by y, then x.
std::vector<BlockPos> candidates(const SpawnSearch& search) {
  const std::int64_t steps = search.near_radius / search.spacing;
  std::vector<BlockPos> offsets;
  for (std::int64_t y = -steps; y <= steps; ++y) {
    for (std::int64_t x = -steps; x <= steps; ++x) offsets.push_back({x, y});
  }
  std::stable_sort(offsets.begin(), offsets.end(), [](BlockPos a, BlockPos b) {
    return a.x * a.x + a.y * a.y < b.x * b.x + b.y * b.y;
  });
  for (BlockPos& offset : offsets) {
    offset = {search.near.x + offset.x * search.spacing, search.near.y + offset.y * search.spacing};
  }
  const auto outside = [&](std::int64_t block) {
    const std::int64_t reach = std::max(search.foot, search.surroundings);
    return block - reach < search.first_block || block + reach > search.last_block;
  };
  std::erase_if(offsets, [&](BlockPos block) { return outside(block.x) || outside(block.y); });
  return offsets;
}

/// The 8 neighbours of a block, `distance` away along either axis or both.
void append_ring(std::vector<BlockPos>& points, BlockPos block, std::int64_t distance) {
  for (const std::int64_t y : {-distance, std::int64_t{0}, distance}) {
    for (const std::int64_t x : {-distance, std::int64_t{0}, distance}) {
      if (x != 0 || y != 0) points.push_back({block.x + x, block.y + y});
    }
  }
}

std::int32_t water_at(const SpawnSearch& search, const PointSample& point) {
  return search.has_water ? point.water_q4 : search.sea_level_q4;
}

bool dry_and_level(const SpawnSearch& search, std::span<const PointSample> place) {
  return std::all_of(place.begin(), place.end(), [&](const PointSample& point) {
    return point.height_q4 > water_at(search, point) &&
           std::abs(point.height_q4 - place.front().height_q4) <= search.max_step_q4;
  });
}

/// Water counts as its surface: to fall into it is no fall.
/// @param rings  the nearer one first
bool away_from_cliffs(const SpawnSearch& search, const PointSample& place,
                      std::span<const PointSample> rings) {
  for (std::size_t i = 0; i < rings.size(); ++i) {
    const bool near = i < rings.size() / 2;
    const std::int32_t max_drop_q4 = near ? search.max_drop_q4 / 2 : search.max_drop_q4;
    const std::int32_t surface_q4 = std::max(rings[i].height_q4, water_at(search, rings[i]));
    if (std::abs(surface_q4 - place.height_q4) > max_drop_q4) return false;
  }
  return true;
}

/// The first of some places that is away from cliffs.
Result<std::optional<SpawnPlace>> first_safe(const SpawnSearch& search, const Sampler& sample,
                                             std::span<const SpawnPlace> places) {
  constexpr std::size_t kAtOnce = 32;
  for (; !places.empty(); places = places.subspan(std::min(kAtOnce, places.size()))) {
    const auto some = places.first(std::min(kAtOnce, places.size()));
    std::vector<BlockPos> points;
    for (const SpawnPlace& place : some) {
      append_ring(points, place.block, search.surroundings / 2);
      append_ring(points, place.block, search.surroundings);
    }
    TERRANE_ASSIGN_OR_RETURN(const auto samples, sample(points));
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto rings =
          std::span(samples).subspan(i * kPointsOfSurroundings, kPointsOfSurroundings);
      if (away_from_cliffs(search, some[i].sample, rings)) return some[i];
    }
  }
  return std::nullopt;
}

std::int64_t squared_distance(BlockPos a, BlockPos b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/// A Survey by the world's coarsest chunks, as far as kMostChunks of them reach.
Result<std::vector<BlockPos>> dry_spots(const SpawnSearch& search, const Session& session,
                                        std::int64_t reach) {
  const int size = session.world.chunk_size;
  const Lod lod = session.world.max_lod;
  const std::int64_t span = std::int64_t{size} << lod;
  reach = std::min(reach, kMostChunks * span);
  const auto chunk_at = [&](std::int64_t x, std::int64_t y) {
    return chunk_of({std::clamp(x, search.first_block, search.last_block),
                     std::clamp(y, search.first_block, search.last_block)},
                    size, lod);
  };
  const ChunkRectangle area{chunk_at(search.near.x - reach, search.near.y - reach),
                            chunk_at(search.near.x + reach, search.near.y + reach)};
  LayerMask layers = layer_bit(Layer::kHeight);
  if (search.has_water) layers |= layer_bit(Layer::kWater);
  auto stream =
      session.client.chunks({.world = session.ref, .area = area, .lod = lod, .layers = layers});
  std::vector<BlockPos> spots;
  for (;;) {
    TERRANE_ASSIGN_OR_RETURN(const auto next, stream.next());
    if (!next) return spots;
    if (!*next) return tl::unexpected(next->error().error);
    const Chunk& chunk = **next;
    const BlockPos origin = chunk_origin(chunk.coord, size, lod);
    for (std::int64_t i = 0; i < std::ssize(chunk.height_q4); ++i) {
      const BlockPos block{origin.x + (i % size << lod), origin.y + (i / size << lod)};
      if (block.x % kSpotSpacing != 0 || block.y % kSpotSpacing != 0) continue;
      const auto at = static_cast<std::size_t>(i);
      const std::int32_t water = chunk.water_q4.empty() ? search.sea_level_q4 : chunk.water_q4[at];
      if (chunk.height_q4[at] > water) spots.push_back(block);
    }
  }
}

}  // namespace

Result<std::optional<SpawnPlace>> find_spawn_near(const SpawnSearch& search,
                                                  const Sampler& sample) {
  for (const std::int64_t value : {search.near.x, search.near.y}) {
    if (value >= search.first_block && value <= search.last_block) continue;
    return fail(ErrorCode::kOutOfRange, "block " + std::to_string(value) +
                                            " is outside of the world, which reaches from " +
                                            std::to_string(search.first_block) + " to " +
                                            std::to_string(search.last_block));
  }
  const auto all = candidates(search);
  for (std::size_t first = 0; first < all.size(); first += kCandidatesPerRequest) {
    const auto some =
        std::span(all).subspan(first, std::min(kCandidatesPerRequest, all.size() - first));
    std::vector<BlockPos> points;
    for (const BlockPos block : some) {
      points.push_back(block);
      append_ring(points, block, search.foot);
    }
    TERRANE_ASSIGN_OR_RETURN(const auto samples, sample(points));
    std::vector<SpawnPlace> level;
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto place = std::span(samples).subspan(i * kPointsPerFoot, kPointsPerFoot);
      if (dry_and_level(search, place)) level.push_back({some[i], place.front()});
    }
    auto found = first_safe(search, sample, level);
    if (!found || *found) return found;
  }
  return std::nullopt;
}

Result<std::optional<SpawnPlace>> find_spawn_afar(const SpawnSearch& search, const Sampler& sample,
                                                  const Survey& survey) {
  std::int64_t looked_at = search.near_radius;
  std::size_t tried = 0;
  while (looked_at < search.radius) {
    const std::int64_t reach = std::min(std::max(looked_at * 2, kFirstReach), search.radius);
    TERRANE_ASSIGN_OR_RETURN(auto spots, survey(reach));
    std::erase_if(spots, [&](BlockPos spot) {
      return squared_distance(search.near, spot) <= looked_at * looked_at ||
             (reach < search.radius && squared_distance(search.near, spot) > reach * reach);
    });
    std::sort(spots.begin(), spots.end(), [&](BlockPos a, BlockPos b) {
      return std::tuple(squared_distance(search.near, a), a.y, a.x) <
             std::tuple(squared_distance(search.near, b), b.y, b.x);
    });
    for (const BlockPos spot : spots) {
      if (++tried > kMostSpots) return std::nullopt;
      SpawnSearch around = search;
      around.near = spot;
      around.near_radius = kSpotSpacing / 2;
      auto found = find_spawn_near(around, sample);
      if (!found || *found) return found;
    }
    looked_at = reach;
  }
  return std::nullopt;
}

namespace {

/// Of the places where a world's designer has players begin, the nearest within the radius.
std::optional<BlockPos> named_spawn(const SpawnSearch& search, const World& world) {
  const auto x_of = [&](const NamedPlace& place) { return place.block.x - search.near.x; };
  const auto y_of = [&](const NamedPlace& place) { return place.block.y - search.near.y; };
  const auto distance2 = [&](const NamedPlace& place) {
    return x_of(place) * x_of(place) + y_of(place) * y_of(place);
  };
  std::optional<NamedPlace> nearest;
  for (const NamedPlace& place : world.places) {
    const bool is_far =
        std::abs(x_of(place)) > search.radius || std::abs(y_of(place)) > search.radius;
    if (!place.spawn || is_far) continue;
    if (!nearest || distance2(place) < distance2(*nearest)) nearest = place;
  }
  return nearest ? std::optional(nearest->block) : std::nullopt;
}

}  // namespace

Result<std::optional<SpawnPlace>> find_spawn(SpawnSearch search, const Session& session) {
  search.has_water = session.has(Layer::kWater);
  search.sea_level_q4 = session.world.sea_level_q4;
  search.first_block = min_block_coord(session.world.chunk_size);
  search.last_block = max_block_coord(session.world.chunk_size);
  const Sampler sample = [&](std::span<const BlockPos> points) {
    return session.client.sample(session.ref, points);
  };
  TERRANE_ASSIGN_OR_RETURN(const World world, session.client.world(session.world.name));
  if (const auto named = named_spawn(search, world)) {
    TERRANE_ASSIGN_OR_RETURN(const auto samples, sample({&*named, 1}));
    return SpawnPlace{*named, samples.front()};
  }
  search.near_radius = std::min(search.near_radius, search.radius);
  auto found = find_spawn_near(search, sample);
  if (!found || *found) return found;
  return find_spawn_afar(search, sample,
                         [&](std::int64_t reach) { return dry_spots(search, session, reach); });
}

}  // namespace terrane::cli
