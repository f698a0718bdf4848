#include "rpc/checks/request_check.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "rpc/checks/place_check.h"
#include "rpc/checks/refused_field.h"
#include "terrane/result_macros.h"

namespace terrane::rpc {
namespace {

struct Place {  // of chunks: what must be right before coordinates can be judged
  WorldPtr world;
  Lod lod = 0;
  LayerMask layers = kAllLayers;
};

Result<Lod> check_lod(std::uint32_t lod, const worldgen::World& world, std::string field) {
  if (lod <= world.max_lod) return static_cast<Lod>(lod);
  return refuse_field(
      {.code = ErrorCode::kOutOfRange,
       .reason = ErrorReason::kFieldOutOfRange,
       .field = std::move(field),
       .value = std::to_string(lod),
       .limit = std::to_string(world.max_lod)},
      fmt::format("world '{}' has levels of detail 0 to {}", world.name, world.max_lod));
}

template <typename Request>
Result<Place> check_place(const Request& request, const worlds::WorldCatalog& worlds) {
  TERRANE_ASSIGN_OR_RETURN(WorldPtr world,
                           check_world(request.has_world(), request.world(), worlds));
  TERRANE_ASSIGN_OR_RETURN(const Lod lod, check_lod(request.lod(), *world, "lod"));
  TERRANE_ASSIGN_OR_RETURN(const LayerMask layers, check_layers(request.layers(), *world, lod));
  TERRANE_RETURN_IF_ERROR(check_formats(request.formats()));
  return Place{std::move(world), lod, layers};
}

/// What lies outside of the world's range, on one axis.
tl::unexpected<Error> refuse_range(std::string field, std::int64_t value, std::int64_t low,
                                   std::int64_t high, std::string_view what) {
  return refuse_field({.code = ErrorCode::kOutOfRange,
                       .reason = ErrorReason::kFieldOutOfRange,
                       .field = std::move(field),
                       .value = std::to_string(value),
                       .limit = std::to_string(value < low ? low : high)},
                      fmt::format("{} reach from {} to {}", what, low, high));
}

template <typename Field>
Result<ChunkCoord> check_coord(const v1::ChunkCoord& coord, Lod lod, const Field& field) {
  const std::int64_t limit = max_chunk_coord(lod);
  for (const auto& [axis, value] : {std::pair{'x', coord.x()}, std::pair{'y', coord.y()}}) {
    if (value < -limit || value > limit) {
      return refuse_range(fmt::format("{}.{}", field(), axis), value, -limit, limit,
                          fmt::format("at lod {} chunk coordinates", lod));
    }
  }
  return ChunkCoord{coord.x(), coord.y()};
}

template <typename Field>
Result<BlockPos> check_block(const v1::BlockPos& block, const worldgen::World& world,
                             const Field& field) {
  const std::int64_t low = min_block_coord(world.chunk_size);
  const std::int64_t high = max_block_coord(world.chunk_size);
  for (const auto& [axis, value] : {std::pair{'x', block.x()}, std::pair{'y', block.y()}}) {
    if (value < low || value > high) {
      return refuse_range(fmt::format("{}.{}", field(), axis), value, low, high,
                          fmt::format("blocks of world '{}'", world.name));
    }
  }
  return BlockPos{block.x(), block.y()};
}

Result<std::int64_t> check_radius(const v1::LocateRequest& request, const worldgen::World& world,
                                  const Limits& limits) {
  constexpr std::uint32_t kMaxSamples = 2048;  // along a radius
  const std::uint32_t max = request.has_structure() ? limits.max_locate_radius
                                                    : std::min(limits.max_locate_radius,
                                                               kMaxSamples << locate_lod(world));
  if (request.radius() <= max) return request.radius() == 0 ? max : request.radius();
  return refuse_field(
      {.reason = ErrorReason::kTooMany,
       .field = "radius",
       .value = fmt::format("{} blocks", request.radius()),
       .limit = fmt::format("{} blocks", max)},
      fmt::format("at most {} in world '{}'; look from elsewhere", max, world.name));
}

/// Whether anything of a world has a name.
template <typename Named>
Result<void> check_name(const char* field, const std::string& name, const std::vector<Named>& all,
                        const worldgen::World& world) {
  const auto has_name = [&](const Named& one) { return one.name == name; };
  if (std::any_of(all.begin(), all.end(), has_name)) return {};
  std::vector<std::string> names;
  std::unordered_set<std::string_view> known;
  for (const Named& one : all) {
    if (known.insert(one.name).second) names.push_back(one.name);
  }
  return refuse_field(
      {.reason = ErrorReason::kNameUnknown, .field = field, .value = in_quotes(name)},
      fmt::format("world '{}' has {}", world.name, names.empty() ? "none" : listed(names)));
}

/// Marks what has the name in `query.wanted`.
template <typename Named>
Result<void> check_target(const char* field, const std::string& name, const std::vector<Named>& all,
                          LocateQuery& query) {
  TERRANE_RETURN_IF_ERROR(check_name(field, name, all, *query.world));
  for (std::size_t id = 0; id < all.size(); ++id) query.wanted[id] = all[id].name == name;
  return {};
}

Result<std::vector<ChunkCoord>> check_list(const v1::ChunkList& list, Lod lod,
                                           std::size_t max_chunks) {
  std::vector<ChunkCoord> coords;
  std::unordered_set<ChunkKey, ChunkKeyHash> seen;
  for (int i = 0; i < list.coords_size(); ++i) {
    TERRANE_ASSIGN_OR_RETURN(const ChunkCoord coord, check_coord(list.coords(i), lod, [&] {
                               return fmt::format("list.coords[{}]", i);
                             }));
    if (!seen.insert({.coord = coord}).second) continue;
    if (coords.size() == max_chunks) {
      return refuse_field({.reason = ErrorReason::kTooMany,
                           .field = "list.coords",
                           .value = fmt::format("{} entries with more than {} different chunks",
                                                list.coords_size(), max_chunks),
                           .limit = std::to_string(max_chunks)},
                          fmt::format("at most {} a request; ask in parts", max_chunks));
    }
    coords.push_back(coord);
  }
  return coords;
}

struct Corners {
  ChunkCoord first, last;
};

Result<Corners> check_corners(const v1::ChunkRectangle& rectangle, Lod lod,
                              std::uint64_t max_chunks) {
  if (!rectangle.has_first()) return refuse_missing("rectangle.first", "give both corners");
  if (!rectangle.has_last()) return refuse_missing("rectangle.last", "give both corners");
  TERRANE_ASSIGN_OR_RETURN(const ChunkCoord first,
                           check_coord(rectangle.first(), lod, [] { return "rectangle.first"; }));
  TERRANE_ASSIGN_OR_RETURN(const ChunkCoord last,
                           check_coord(rectangle.last(), lod, [] { return "rectangle.last"; }));
  if (first.x > last.x || first.y > last.y) {
    return refuse_field(
        {.field = "rectangle.first",
         .value = fmt::format("({}, {})", first.x, first.y),
         .limit = fmt::format("({}, {})", last.x, last.y)},
        fmt::format(
            "it lies beyond rectangle.last = ({}, {}); first may be at most last, on either "
            "axis",
            last.x, last.y));
  }
  // at most 2^41 + 1 each, so their product may not fit
  const auto width = static_cast<std::uint64_t>(last.x - first.x) + 1;
  const auto height = static_cast<std::uint64_t>(last.y - first.y) + 1;
  if (width > max_chunks || height > max_chunks / width) {
    return refuse_field({.reason = ErrorReason::kTooMany,
                         .field = "rectangle",
                         .value = fmt::format("{} x {} chunks", width, height),
                         .limit = fmt::format("{} chunks", max_chunks)},
                        fmt::format("at most {} a request; ask in parts", max_chunks));
  }
  return Corners{first, last};
}

Result<std::vector<ChunkCoord>> check_rectangle(const v1::ChunkRectangle& rectangle, Lod lod,
                                                std::size_t max_chunks) {
  TERRANE_ASSIGN_OR_RETURN(const auto corners, check_corners(rectangle, lod, max_chunks));
  const auto [first, last] = corners;
  std::vector<ChunkCoord> coords;
  for (std::int64_t y = first.y; y <= last.y; ++y) {
    for (std::int64_t x = first.x; x <= last.x; ++x) coords.push_back({x, y});
  }
  return coords;
}

Result<std::vector<ChunkCoord>> check_area(const v1::GetChunksRequest& request, Lod lod,
                                           std::size_t max_chunks) {
  switch (request.area_case()) {
    case v1::GetChunksRequest::kList: return check_list(request.list(), lod, max_chunks);
    case v1::GetChunksRequest::kRectangle:
      return check_rectangle(request.rectangle(), lod, max_chunks);
    case v1::GetChunksRequest::AREA_NOT_SET: break;
  }
  return refuse_missing("area", "give a list or a rectangle of chunks");
}

/// The chunk that matters most to who gives none: the first of a list, the middle of a rectangle.
ChunkCoord implied_focus(const v1::GetChunksRequest& request,
                         const std::vector<ChunkCoord>& coords) {
  if (coords.empty() || request.has_list()) return coords.empty() ? ChunkCoord{} : coords.front();
  const ChunkCoord from = coords.front();
  const ChunkCoord to = coords.back();
  return {from.x + (to.x - from.x) / 2, from.y + (to.y - from.y) / 2};
}

constexpr std::int64_t kNear = std::int64_t{1} << 15;  // chunks

std::int64_t distance2(ChunkCoord c, ChunkCoord focus) {
  const std::int64_t dx = c.x - focus.x, dy = c.y - focus.y;
  return dx * dx + dy * dy;
}

/// The same for what is less than kNear from the focus on either axis, in a third of the time: what
/// they are sorted by, and they themselves, fit one number.
void sort_near(std::vector<ChunkCoord>& coords, ChunkCoord focus) {
  std::vector<std::uint64_t> keys;
  keys.reserve(coords.size());
  for (const ChunkCoord c : coords) {
    keys.push_back(static_cast<std::uint64_t>(distance2(c, focus)) << 32 |
                   static_cast<std::uint64_t>(c.y - focus.y + kNear) << 16 |
                   static_cast<std::uint64_t>(c.x - focus.x + kNear));
  }
  std::sort(keys.begin(), keys.end());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    coords[i] = {focus.x + static_cast<std::int64_t>(keys[i] & 0xffff) - kNear,
                 focus.y + static_cast<std::int64_t>(keys[i] >> 16 & 0xffff) - kNear};
  }
}

/// The same for what has its order of y and x, in a fifth of that: those of each distance are
/// counted, and put where they begin.
/// @param farthest2  square of the largest distance to the focus
void distribute(std::vector<ChunkCoord>& coords, ChunkCoord focus, std::int64_t farthest2) {
  std::vector<std::uint32_t> next(static_cast<std::size_t>(farthest2) + 2);
  for (const ChunkCoord c : coords) ++next[static_cast<std::size_t>(distance2(c, focus)) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<ChunkCoord> sorted(coords.size());
  for (const ChunkCoord c : coords)
    sorted[next[static_cast<std::size_t>(distance2(c, focus))]++] = c;
  coords = std::move(sorted);
}

/// Those as far away by y, then by x.
void sort_nearest_first(std::vector<ChunkCoord>& coords, ChunkCoord focus) {
  const auto is_near = [focus](ChunkCoord c) {
    return std::abs(c.x - focus.x) < kNear && std::abs(c.y - focus.y) < kNear;
  };
  if (std::all_of(coords.begin(), coords.end(), is_near)) {
    std::int64_t farthest2 = 0;
    for (const ChunkCoord c : coords) farthest2 = std::max(farthest2, distance2(c, focus));
    const auto by_row = [](ChunkCoord a, ChunkCoord b) {
      return std::tie(a.y, a.x) < std::tie(b.y, b.x);
    };
    if (farthest2 <= 4 * static_cast<std::int64_t>(coords.size()) &&
        std::is_sorted(coords.begin(), coords.end(), by_row))
      return distribute(coords, focus, farthest2);
    return sort_near(coords, focus);
  }
  const auto rank = [focus](ChunkCoord c) {
    // Squares of 2^41 need 83 bits. A double keeps the order of all neighbours that are close
    // enough for it to matter.
    const auto dx = static_cast<double>(c.x - focus.x);
    const auto dy = static_cast<double>(c.y - focus.y);
    return std::tuple{dx * dx + dy * dy, c.y, c.x};
  };
  std::sort(coords.begin(), coords.end(),
            [&](ChunkCoord a, ChunkCoord b) { return rank(a) < rank(b); });
}

}  // namespace

Result<void> check_tile(const worldgen::World& world, std::uint32_t lod, ChunkCoord coord) {
  TERRANE_ASSIGN_OR_RETURN(const Lod checked, check_lod(lod, world, "lod"));
  v1::ChunkCoord message;
  message.set_x(coord.x);
  message.set_y(coord.y);
  return check_coord(message, checked, [] { return "coord"; }).map([](ChunkCoord) {});
}

Result<ChunkQuery> check(const v1::GetChunkRequest& request, const worlds::WorldCatalog& worlds) {
  TERRANE_ASSIGN_OR_RETURN(Place place, check_place(request, worlds));
  if (!request.has_coord()) return refuse_missing("coord", "say which chunk");
  TERRANE_ASSIGN_OR_RETURN(const ChunkCoord coord,
                           check_coord(request.coord(), place.lod, [] { return "coord"; }));
  return ChunkQuery{std::move(place.world), request.world().seed(), coord, place.lod, place.layers};
}

Result<AreaQuery> check(const v1::GetChunksRequest& request, const worlds::WorldCatalog& worlds,
                        const Limits& limits) {
  TERRANE_ASSIGN_OR_RETURN(Place place, check_place(request, worlds));
  TERRANE_ASSIGN_OR_RETURN(std::vector<ChunkCoord> coords,
                           check_area(request, place.lod, limits.max_chunks_per_request));
  ChunkCoord focus = implied_focus(request, coords);
  if (request.has_focus()) {
    TERRANE_ASSIGN_OR_RETURN(focus,
                             check_coord(request.focus(), place.lod, [] { return "focus"; }));
  }
  sort_nearest_first(coords, focus);
  return AreaQuery{std::move(place.world), request.world().seed(), place.lod, place.layers,
                   std::move(coords)};
}

Result<PointQuery> check(const v1::SamplePointsRequest& request, const worlds::WorldCatalog& worlds,
                         const Limits& limits) {
  TERRANE_ASSIGN_OR_RETURN(WorldPtr world,
                           check_world(request.has_world(), request.world(), worlds));
  const auto count = static_cast<std::size_t>(request.points_size());
  if (count > limits.max_points_per_request) {
    return refuse_field(
        {.reason = ErrorReason::kTooMany,
         .field = "points",
         .value = fmt::format("{} points", count),
         .limit = fmt::format("{} points", limits.max_points_per_request)},
        fmt::format("at most {} a request; ask in parts", limits.max_points_per_request));
  }
  PointQuery query{std::move(world), request.world().seed(), {}};
  query.points.reserve(count);
  for (const v1::BlockPos& point : request.points()) {
    TERRANE_ASSIGN_OR_RETURN(const BlockPos block, check_block(point, *query.world, [&] {
                               return fmt::format("points[{}]", query.points.size());
                             }));
    query.points.push_back(block);
  }
  return query;
}

Result<LocateQuery> check(const v1::LocateRequest& request, const worlds::WorldCatalog& worlds,
                          const Limits& limits) {
  TERRANE_ASSIGN_OR_RETURN(WorldPtr world,
                           check_world(request.has_world(), request.world(), worlds));
  if (!request.has_origin()) return refuse_missing("origin", "say where to look");
  TERRANE_ASSIGN_OR_RETURN(const BlockPos origin,
                           check_block(request.origin(), *world, [] { return "origin"; }));
  LocateQuery query{
      .world = std::move(world), .seed = request.world().seed(), .origin = origin, .wanted = {}};
  if (request.has_place()) {
    TERRANE_RETURN_IF_ERROR(
        check_name("place", request.place(), query.world->places, *query.world));
    query.place = request.place();
    query.radius = request.radius();
    return query;
  }
  query.for_structures = request.has_structure();
  TERRANE_ASSIGN_OR_RETURN(query.radius, check_radius(request, *query.world, limits));
  if (query.for_structures) {
    TERRANE_RETURN_IF_ERROR(
        check_target("structure", request.structure(), query.world->structure_kinds, query));
  } else if (request.has_biome()) {
    TERRANE_RETURN_IF_ERROR(check_target("biome", request.biome(), query.world->biomes, query));
  } else {
    return refuse_missing("target", "give a biome, a structure or a place");
  }
  return query;
}

Result<StructureQuery> check(const v1::GetStructureRequest& request,
                             const worlds::WorldCatalog& worlds) {
  TERRANE_ASSIGN_OR_RETURN(WorldPtr world,
                           check_world(request.has_world(), request.world(), worlds));
  if (!request.has_anchor()) return refuse_missing("anchor", "say which structure");
  TERRANE_ASSIGN_OR_RETURN(const BlockPos anchor,
                           check_block(request.anchor(), *world, [] { return "anchor"; }));
  return StructureQuery{std::move(world), request.world().seed(), anchor};
}

Result<PregenerateQuery> check(const v1::PregenerateRequest& request,
                               const worlds::WorldCatalog& worlds) {
  constexpr std::uint64_t kMostChunks = std::uint64_t{1} << 40;
  PregenerateQuery query;
  query.seed = request.world().seed();
  query.cursor = request.cursor();
  TERRANE_ASSIGN_OR_RETURN(query.world, check_world(request.has_world(), request.world(), worlds));
  if (!request.has_rectangle()) return refuse_missing("rectangle", "say which chunks");
  TERRANE_ASSIGN_OR_RETURN(const auto corners, check_corners(request.rectangle(), 0, kMostChunks));
  query.first = corners.first;
  query.last = corners.last;
  for (const std::uint32_t asked : request.lods()) {
    TERRANE_ASSIGN_OR_RETURN(const Lod lod, check_lod(asked, *query.world, "lods"));
    if (std::find(query.lods.begin(), query.lods.end(), lod) != query.lods.end()) {
      return refuse_field({.field = "lods", .value = std::to_string(lod)},
                          "it is there twice: name each level of detail once");
    }
    query.lods.push_back(lod);
  }
  if (query.lods.empty()) query.lods.push_back(0);
  query.max_rate = request.max_rate();
  if (!(query.max_rate >= 0)) {
    return refuse_field({.field = "max_rate", .value = fmt::format("{}", query.max_rate)},
                        "chunks a second: 0 for any, or more");
  }
  return query;
}

}  // namespace terrane::rpc
