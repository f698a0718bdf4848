#include "rpc/request_check.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace terrane::rpc {
namespace {

struct Place {  // of chunks: what must be right before coordinates can be judged
  WorldPtr world;
  Lod lod = 0;
  LayerMask layers = kAllLayers;
};

std::string names_of(const worlds::WorldCatalog& worlds) {
  std::string names;
  for (const auto& [name, world] : worlds) names += (names.empty() ? "" : ", ") + name;
  return names;
}

template <typename Request>
Result<WorldPtr> check_world(const Request& request, const worlds::WorldCatalog& worlds) {
  if (!request.has_world()) return fail(ErrorCode::kInvalidArgument, "world is missing: give a world's name and a seed");
  const v1::WorldRef& ref = request.world();
  auto world = find_world(ref.world(), worlds);
  if (world && ref.has_fingerprint() && ref.fingerprint() != (*world)->fingerprint) {
    return fail(ErrorCode::kFailedPrecondition,
                fmt::format("world.fingerprint = {:#018x}: this server generates world '{}' with fingerprint {:#018x}; fetch the "
                            "world anew and drop what was kept of it",
                            ref.fingerprint(), ref.world(), (*world)->fingerprint));
  }
  return world;
}

Result<LayerMask> check_layers(const google::protobuf::RepeatedField<int>& layers) {
  LayerMask mask = 0;
  for (int i = 0; i < layers.size(); ++i) {
    const int layer = layers[i];
    if (layer <= 0 || layer > 31 || (kCoreLayers & (LayerMask{1} << layer)) == 0) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("layers[{}] = {}: the layers are HEIGHT (1), TEMPERATURE (2), HUMIDITY (3) and BIOME (4); none asks "
                      "for all of them",
                      i, layer));
    }
    mask |= LayerMask{1} << layer;
  }
  // Asking for every layer is asking for the chunk as it is stored.
  return mask == 0 || mask == kCoreLayers ? kAllLayers : mask;
}

template <typename Request>
Result<Place> check_place(const Request& request, const worlds::WorldCatalog& worlds) {
  auto world = check_world(request, worlds);
  if (!world) return tl::unexpected(world.error());
  if (request.lod() > (*world)->max_lod) {
    return fail(ErrorCode::kOutOfRange, fmt::format("lod = {}: world '{}' has levels of detail 0 to {}", request.lod(),
                                                    (*world)->name, (*world)->max_lod));
  }
  const auto layers = check_layers(request.layers());
  if (!layers) return tl::unexpected(layers.error());
  return Place{std::move(*world), static_cast<Lod>(request.lod()), *layers};
}

template <typename Field>
Result<ChunkCoord> check_coord(const v1::ChunkCoord& coord, Lod lod, const Field& field) {
  const std::int64_t limit = max_chunk_coord(lod);
  for (const auto& [axis, value] : {std::pair{'x', coord.x()}, std::pair{'y', coord.y()}}) {
    if (value < -limit || value > limit) {
      return fail(ErrorCode::kOutOfRange, fmt::format("{}.{} = {}: at lod {} chunk coordinates reach from {} to {}", field(),
                                                      axis, value, lod, -limit, limit));
    }
  }
  return ChunkCoord{coord.x(), coord.y()};
}

Result<std::vector<ChunkCoord>> check_list(const v1::ChunkList& list, Lod lod, std::size_t max_chunks) {
  std::vector<ChunkCoord> coords;
  std::unordered_set<ChunkKey, ChunkKeyHash> seen;
  for (int i = 0; i < list.coords_size(); ++i) {
    const auto coord = check_coord(list.coords(i), lod, [&] { return fmt::format("list.coords[{}]", i); });
    if (!coord) return tl::unexpected(coord.error());
    if (!seen.insert({.coord = *coord}).second) continue;
    if (coords.size() == max_chunks) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("list.coords = {} entries with more than {} different chunks: at most {} "
                              "a request; ask in parts",
                              list.coords_size(), max_chunks, max_chunks));
    }
    coords.push_back(*coord);
  }
  return coords;
}

Result<std::vector<ChunkCoord>> check_rectangle(const v1::ChunkRectangle& rectangle, Lod lod, std::size_t max_chunks) {
  if (!rectangle.has_from()) return fail(ErrorCode::kInvalidArgument, "rectangle.from is missing: give both corners");
  if (!rectangle.has_to()) return fail(ErrorCode::kInvalidArgument, "rectangle.to is missing: give both corners");
  const auto from = check_coord(rectangle.from(), lod, [] { return "rectangle.from"; });
  if (!from) return tl::unexpected(from.error());
  const auto to = check_coord(rectangle.to(), lod, [] { return "rectangle.to"; });
  if (!to) return tl::unexpected(to.error());
  if (from->x > to->x || from->y > to->y) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("rectangle.from = ({}, {}) lies beyond rectangle.to = ({}, {}): from may be at most to, on either axis",
                    from->x, from->y, to->x, to->y));
  }
  const auto width = static_cast<std::uint64_t>(to->x - from->x) + 1;  // at most 2^41 + 1 each, so their product may not fit
  const auto height = static_cast<std::uint64_t>(to->y - from->y) + 1;
  if (width > max_chunks || height > max_chunks / width) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("rectangle = {} x {} chunks: at most {} a request; ask in parts", width, height, max_chunks));
  }
  std::vector<ChunkCoord> coords;
  coords.reserve(static_cast<std::size_t>(width * height));
  for (std::int64_t y = from->y; y <= to->y; ++y) {
    for (std::int64_t x = from->x; x <= to->x; ++x) coords.push_back({x, y});
  }
  return coords;
}

Result<std::vector<ChunkCoord>> check_area(const v1::GetChunksRequest& request, Lod lod, std::size_t max_chunks) {
  switch (request.area_case()) {
    case v1::GetChunksRequest::kList: return check_list(request.list(), lod, max_chunks);
    case v1::GetChunksRequest::kRectangle: return check_rectangle(request.rectangle(), lod, max_chunks);
    case v1::GetChunksRequest::AREA_NOT_SET: break;
  }
  return fail(ErrorCode::kInvalidArgument, "area is missing: give a list or a rectangle of chunks");
}

/// The chunk that matters most to who gives none: the first of a list, the middle of a rectangle.
ChunkCoord implied_focus(const v1::GetChunksRequest& request, const std::vector<ChunkCoord>& coords) {
  if (coords.empty() || request.has_list()) return coords.empty() ? ChunkCoord{} : coords.front();
  const ChunkCoord from = coords.front();
  const ChunkCoord to = coords.back();
  return {from.x + (to.x - from.x) / 2, from.y + (to.y - from.y) / 2};
}

void sort_nearest_first(std::vector<ChunkCoord>& coords, ChunkCoord focus) {
  const auto rank = [focus](ChunkCoord c) {
    // Squares of 2^41 need 83 bits. A double keeps the order of all neighbours that are close enough for it to matter.
    const auto dx = static_cast<double>(c.x - focus.x);
    const auto dy = static_cast<double>(c.y - focus.y);
    return std::tuple{dx * dx + dy * dy, c.y, c.x};
  };
  std::sort(coords.begin(), coords.end(), [&](ChunkCoord a, ChunkCoord b) { return rank(a) < rank(b); });
}

}  // namespace

Result<WorldPtr> find_world(const std::string& name, const worlds::WorldCatalog& worlds) {
  if (name.empty()) return fail(ErrorCode::kInvalidArgument, "world is empty: name one of " + names_of(worlds));
  if (const auto found = worlds.find(name); found != worlds.end()) return found->second;
  constexpr std::size_t kMaxEcho = 64;
  return fail(ErrorCode::kNotFound,
              fmt::format("world = '{}': this server offers {}", std::string_view(name).substr(0, kMaxEcho), names_of(worlds)));
}

Result<ChunkQuery> check(const v1::GetChunkRequest& request, const worlds::WorldCatalog& worlds) {
  auto place = check_place(request, worlds);
  if (!place) return tl::unexpected(place.error());
  if (!request.has_coord()) return fail(ErrorCode::kInvalidArgument, "coord is missing: say which chunk");
  const auto coord = check_coord(request.coord(), place->lod, [] { return "coord"; });
  if (!coord) return tl::unexpected(coord.error());
  return ChunkQuery{std::move(place->world), request.world().seed(), *coord, place->lod, place->layers};
}

Result<AreaQuery> check(const v1::GetChunksRequest& request, const worlds::WorldCatalog& worlds, const Limits& limits) {
  auto place = check_place(request, worlds);
  if (!place) return tl::unexpected(place.error());
  auto coords = check_area(request, place->lod, limits.max_chunks_per_request);
  if (!coords) return tl::unexpected(coords.error());
  ChunkCoord focus = implied_focus(request, *coords);
  if (request.has_focus()) {
    const auto given = check_coord(request.focus(), place->lod, [] { return "focus"; });
    if (!given) return tl::unexpected(given.error());
    focus = *given;
  }
  sort_nearest_first(*coords, focus);
  return AreaQuery{std::move(place->world), request.world().seed(), place->lod, place->layers, std::move(*coords)};
}

Result<PointQuery> check(const v1::SamplePointsRequest& request, const worlds::WorldCatalog& worlds, const Limits& limits) {
  auto world = check_world(request, worlds);
  if (!world) return tl::unexpected(world.error());
  const auto count = static_cast<std::size_t>(request.points_size());
  if (count > limits.max_points_per_request) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("points = {} points: at most {} a request; ask in parts", count, limits.max_points_per_request));
  }
  const std::int64_t low = min_block_coord((*world)->chunk_size);
  const std::int64_t high = max_block_coord((*world)->chunk_size);
  PointQuery query{std::move(*world), request.world().seed(), {}};
  query.points.reserve(count);
  for (const v1::BlockPos& point : request.points()) {
    for (const auto& [axis, value] : {std::pair{'x', point.x()}, std::pair{'y', point.y()}}) {
      if (value < low || value > high) {
        return fail(ErrorCode::kOutOfRange, fmt::format("points[{}].{} = {}: blocks of world '{}' reach from {} to {}",
                                                        query.points.size(), axis, value, query.world->name, low, high));
      }
    }
    query.points.push_back({point.x(), point.y()});
  }
  return query;
}

}  // namespace terrane::rpc
