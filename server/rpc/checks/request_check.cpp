#include "rpc/checks/request_check.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace terrane::rpc {
namespace {

constexpr std::size_t kMaxEcho = 64;  // of a name that is not known

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

std::string layers_of(const worldgen::World& world) {
  std::string names;
  for (int layer = 1; layer < 32; ++layer) {
    if ((world.layers & (LayerMask{1} << layer)) == 0 || !v1::Layer_IsValid(layer)) continue;
    const std::string name =
        v1::Layer_Name(static_cast<v1::Layer>(layer)).substr(std::string_view("LAYER_").size());
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", name, layer);
  }
  return names;
}

template <typename Request>
Result<Place> check_place(const Request& request, const worlds::WorldCatalog& worlds) {
  auto world = check_world(request.has_world(), request.world(), worlds);
  if (!world) return tl::unexpected(world.error());
  if (request.lod() > (*world)->max_lod) {
    return fail(ErrorCode::kOutOfRange,
                fmt::format("lod = {}: world '{}' has levels of detail 0 to {}", request.lod(),
                            (*world)->name, (*world)->max_lod));
  }
  const auto layers = check_layers(request.layers(), **world);
  if (!layers) return tl::unexpected(layers.error());
  return Place{std::move(*world), static_cast<Lod>(request.lod()), *layers};
}

template <typename Field>
Result<ChunkCoord> check_coord(const v1::ChunkCoord& coord, Lod lod, const Field& field) {
  const std::int64_t limit = max_chunk_coord(lod);
  for (const auto& [axis, value] : {std::pair{'x', coord.x()}, std::pair{'y', coord.y()}}) {
    if (value < -limit || value > limit) {
      return fail(ErrorCode::kOutOfRange,
                  fmt::format("{}.{} = {}: at lod {} chunk coordinates reach from {} to {}",
                              field(), axis, value, lod, -limit, limit));
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
      return fail(ErrorCode::kOutOfRange,
                  fmt::format("{}.{} = {}: blocks of world '{}' reach from {} to {}", field(), axis,
                              value, world.name, low, high));
    }
  }
  return BlockPos{block.x(), block.y()};
}

Result<std::int64_t> check_radius(const v1::LocateRequest& request, const worldgen::World& world,
                                  const Limits& limits) {
  constexpr std::uint32_t kMaxSamples = 2048;  // along a radius
  const std::uint32_t most = request.has_structure() ? limits.max_locate_radius
                                                     : std::min(limits.max_locate_radius,
                                                                kMaxSamples << locate_lod(world));
  if (request.radius() <= most) return request.radius() == 0 ? most : request.radius();
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("radius = {} blocks: at most {} in world '{}'; look from elsewhere",
                          request.radius(), most, world.name));
}

/// Marks what has the name in `query.wanted`.
template <typename Named>
Result<void> check_target(const char* field, const std::string& name, const std::vector<Named>& all,
                          LocateQuery& query) {
  std::string names;
  bool found = false;
  for (std::size_t id = 0; id < all.size(); ++id) {
    const bool again = std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(id),
                                   [&](const Named& other) { return other.name == all[id].name; });
    if (!again) names += (names.empty() ? "" : ", ") + all[id].name;
    if (all[id].name != name) continue;
    query.wanted[id] = true;
    found = true;
  }
  if (found) return {};
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("{} = '{}': world '{}' has {}", field, std::string_view(name).substr(0, kMaxEcho),
                  query.world->name, names.empty() ? "none" : names));
}

Result<std::vector<ChunkCoord>> check_list(const v1::ChunkList& list, Lod lod,
                                           std::size_t max_chunks) {
  std::vector<ChunkCoord> coords;
  std::unordered_set<ChunkKey, ChunkKeyHash> seen;
  for (int i = 0; i < list.coords_size(); ++i) {
    const auto coord =
        check_coord(list.coords(i), lod, [&] { return fmt::format("list.coords[{}]", i); });
    if (!coord) return tl::unexpected(coord.error());
    if (!seen.insert({.coord = *coord}).second) continue;
    if (coords.size() == max_chunks) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("list.coords = {} entries with more than {} different chunks: at most {} "
                      "a request; ask in parts",
                      list.coords_size(), max_chunks, max_chunks));
    }
    coords.push_back(*coord);
  }
  return coords;
}

Result<std::vector<ChunkCoord>> check_rectangle(const v1::ChunkRectangle& rectangle, Lod lod,
                                                std::size_t max_chunks) {
  if (!rectangle.has_first())
    return fail(ErrorCode::kInvalidArgument, "rectangle.first is missing: give both corners");
  if (!rectangle.has_last())
    return fail(ErrorCode::kInvalidArgument, "rectangle.last is missing: give both corners");
  const auto first = check_coord(rectangle.first(), lod, [] { return "rectangle.first"; });
  if (!first) return tl::unexpected(first.error());
  const auto last = check_coord(rectangle.last(), lod, [] { return "rectangle.last"; });
  if (!last) return tl::unexpected(last.error());
  if (first->x > last->x || first->y > last->y) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("rectangle.first = ({}, {}) lies beyond rectangle.last = ({}, {}): first "
                    "may be at most last, on either axis",
                    first->x, first->y, last->x, last->y));
  }
  // at most 2^41 + 1 each, so their product may not fit
  const auto width = static_cast<std::uint64_t>(last->x - first->x) + 1;
  const auto height = static_cast<std::uint64_t>(last->y - first->y) + 1;
  if (width > max_chunks || height > max_chunks / width) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("rectangle = {} x {} chunks: at most {} a request; ask in parts", width,
                            height, max_chunks));
  }
  std::vector<ChunkCoord> coords;
  coords.reserve(static_cast<std::size_t>(width * height));
  for (std::int64_t y = first->y; y <= last->y; ++y) {
    for (std::int64_t x = first->x; x <= last->x; ++x) coords.push_back({x, y});
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
  return fail(ErrorCode::kInvalidArgument, "area is missing: give a list or a rectangle of chunks");
}

/// The chunk that matters most to who gives none: the first of a list, the middle of a rectangle.
ChunkCoord implied_focus(const v1::GetChunksRequest& request,
                         const std::vector<ChunkCoord>& coords) {
  if (coords.empty() || request.has_list()) return coords.empty() ? ChunkCoord{} : coords.front();
  const ChunkCoord from = coords.front();
  const ChunkCoord to = coords.back();
  return {from.x + (to.x - from.x) / 2, from.y + (to.y - from.y) / 2};
}

void sort_nearest_first(std::vector<ChunkCoord>& coords, ChunkCoord focus) {
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

Result<WorldPtr> check_world(bool given, const v1::WorldRef& ref,
                             const worlds::WorldCatalog& worlds) {
  if (!given)
    return fail(ErrorCode::kInvalidArgument, "world is missing: give a world's name and a seed");
  auto world = find_world(ref.name(), worlds);
  if (world && ref.has_fingerprint() && ref.fingerprint() != (*world)->fingerprint) {
    return fail(ErrorCode::kFailedPrecondition,
                fmt::format("world.fingerprint = {:#018x}: this server generates world '{}' with "
                            "fingerprint {:#018x}; fetch the "
                            "world anew and drop what was kept of it",
                            ref.fingerprint(), ref.name(), (*world)->fingerprint));
  }
  return world;
}

Result<LayerMask> check_layers(const google::protobuf::RepeatedField<int>& layers,
                               const worldgen::World& world) {
  LayerMask mask = 0;
  for (int i = 0; i < layers.size(); ++i) {
    const int layer = layers[i];
    if (layer <= 0 || layer > 31 || (world.layers & (LayerMask{1} << layer)) == 0) {
      const bool known = layer != 0 && v1::Layer_IsValid(layer);
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format(
              "layers[{}] = {}{}: the layers of world '{}' are {}; none asks for all of them", i,
              layer, known ? " (" + v1::Layer_Name(static_cast<v1::Layer>(layer)) + ")" : "",
              world.name, layers_of(world)));
    }
    mask |= LayerMask{1} << layer;
  }
  // Asking for every layer is asking for the chunk as it is stored.
  return mask == 0 || mask == world.layers ? kAllLayers : mask;
}

Result<WorldPtr> find_world(const std::string& name, const worlds::WorldCatalog& worlds) {
  if (name.empty())
    return fail(ErrorCode::kInvalidArgument, "world is empty: name one of " + names_of(worlds));
  if (const auto found = worlds.find(name); found != worlds.end()) return found->second;
  return fail(ErrorCode::kNotFound,
              fmt::format("world = '{}': this server offers {}",
                          std::string_view(name).substr(0, kMaxEcho), names_of(worlds)));
}

Result<ChunkQuery> check(const v1::GetChunkRequest& request, const worlds::WorldCatalog& worlds) {
  auto place = check_place(request, worlds);
  if (!place) return tl::unexpected(place.error());
  if (!request.has_coord())
    return fail(ErrorCode::kInvalidArgument, "coord is missing: say which chunk");
  const auto coord = check_coord(request.coord(), place->lod, [] { return "coord"; });
  if (!coord) return tl::unexpected(coord.error());
  return ChunkQuery{std::move(place->world), request.world().seed(), *coord, place->lod,
                    place->layers};
}

Result<AreaQuery> check(const v1::GetChunksRequest& request, const worlds::WorldCatalog& worlds,
                        const Limits& limits) {
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
  return AreaQuery{std::move(place->world), request.world().seed(), place->lod, place->layers,
                   std::move(*coords)};
}

Result<PointQuery> check(const v1::SamplePointsRequest& request, const worlds::WorldCatalog& worlds,
                         const Limits& limits) {
  auto world = check_world(request.has_world(), request.world(), worlds);
  if (!world) return tl::unexpected(world.error());
  const auto count = static_cast<std::size_t>(request.points_size());
  if (count > limits.max_points_per_request) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("points = {} points: at most {} a request; ask in parts", count,
                            limits.max_points_per_request));
  }
  PointQuery query{std::move(*world), request.world().seed(), {}};
  query.points.reserve(count);
  for (const v1::BlockPos& point : request.points()) {
    const auto block = check_block(point, *query.world,
                                   [&] { return fmt::format("points[{}]", query.points.size()); });
    if (!block) return tl::unexpected(block.error());
    query.points.push_back(*block);
  }
  return query;
}

Result<LocateQuery> check(const v1::LocateRequest& request, const worlds::WorldCatalog& worlds,
                          const Limits& limits) {
  auto world = check_world(request.has_world(), request.world(), worlds);
  if (!world) return tl::unexpected(world.error());
  if (!request.has_origin())
    return fail(ErrorCode::kInvalidArgument, "origin is missing: say where to look");
  const auto origin = check_block(request.origin(), **world, [] { return "origin"; });
  if (!origin) return tl::unexpected(origin.error());
  LocateQuery query{
      .world = std::move(*world), .seed = request.world().seed(), .near = *origin, .wanted = {}};
  query.for_structures = request.has_structure();
  const auto radius = check_radius(request, *query.world, limits);
  if (!radius) return tl::unexpected(radius.error());
  query.radius = *radius;
  const auto found =
      query.for_structures
          ? check_target("structure", request.structure(), query.world->structure_kinds, query)
      : request.has_biome()
          ? check_target("biome", request.biome(), query.world->biomes, query)
          : fail(ErrorCode::kInvalidArgument, "target is missing: give a biome or a structure");
  if (!found) return tl::unexpected(found.error());
  return query;
}

Result<StructureQuery> check(const v1::GetStructureRequest& request,
                             const worlds::WorldCatalog& worlds) {
  auto world = check_world(request.has_world(), request.world(), worlds);
  if (!world) return tl::unexpected(world.error());
  if (!request.has_anchor())
    return fail(ErrorCode::kInvalidArgument, "anchor is missing: say which structure");
  const auto anchor = check_block(request.anchor(), **world, [] { return "anchor"; });
  if (!anchor) return tl::unexpected(anchor.error());
  return StructureQuery{std::move(*world), request.world().seed(), *anchor};
}

}  // namespace terrane::rpc
