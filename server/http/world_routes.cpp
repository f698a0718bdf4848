#include "http/world_routes.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <new>
#include <string_view>
#include <utility>

#include "codec/container.h"
#include "http/json_call.h"
#include "rpc/checks/access_check.h"
#include "rpc/checks/refused_field.h"
#include "rpc/checks/world_check.h"
#include "rpc/json_answers.h"
#include "rpc/json_queries.h"
#include "rpc/world_service.h"
#include "terrane/result_macros.h"

namespace terrane::http {
namespace {

// What an answer is reckoned to hold before it is made.
constexpr std::size_t kBytesPerChunk = 4096;
constexpr std::size_t kBytesPerBundle = kBundleEdge * kBundleEdge * kBytesPerChunk;
constexpr std::size_t kBytesPerTile = std::size_t{256} << 10;
constexpr std::size_t kBytesOfDrawing = std::size_t{4} << 20;  // besides, while it is drawn

/// How long work may be expected to wait: a connection asks for one thing at a time, and browsers
/// do not ask again.
constexpr std::chrono::seconds kPatience{10};

/// What a client may hold however much others do.
constexpr std::size_t kAlwaysOfClient = std::size_t{1} << 20;

bool has_query(const Request& request) { return request.target.find('?') != std::string::npos; }

bool is_same(std::string_view if_none_match, std::string_view etag) {
  return if_none_match == "*" || if_none_match.find(etag) != std::string_view::npos;
}

std::size_t bytes_of(Place::Thing thing) {
  switch (thing) {
    case Place::Thing::kChunk: return kBytesPerChunk;
    case Place::Thing::kBundle: return kBytesPerBundle;
    default: return kBytesPerTile;
  }
}

Heading heading_for(const Place& place, const rpc::Origin& visitor) {
  Heading heading{.cache_control = visitor.caller ? "private, " : "public, ",
                  .etag = fmt::format("W/\"{}.{}\"", codec::kFormatVersion, kStyleVersion)};
  heading.cache_control += place.is_permanent ? "max-age=31536000, immutable" : "no-cache";
  return heading;
}

Page page_of(const WorldPage& world) {
  Page page = json_page({});
  page.body = world.body;
  page.fields.emplace_back("ETag", world.etag);
  return page;
}

/// Without a body where that is what the client has. @param page  whose first field is its ETag
Page unless_known(Page page, const Request& request) {
  if (!is_same(request.if_none_match, page.fields.front().second)) return page;
  return {.status = 304, .cache_control = page.cache_control, .fields = page.fields};
}

/// Of one client enough to keep all workers busy, though a tile is drawn by one of them; of all
/// what there is memory for.
MakingPlaces::Bounds bounds_of_making(const rpc::Backend& backend, const rpc::Limits& limits) {
  const std::size_t most = std::max<std::size_t>(limits.max_call_memory / kBytesOfDrawing, 1);
  const std::size_t wanted = 2 * backend.workers.workers() + 2;
  return {.most = most, .most_of_client = std::clamp<std::size_t>(most / 2, 1, wanted)};
}

}  // namespace

WorldRoutes::WorldRoutes(const rpc::Backend& backend, rpc::WorldService& service,
                         const rpc::Limits& limits, Cors cors, std::function<bool()> lacks_cache)
    : backend_(backend),
      service_(service),
      limits_(limits),
      cors_(std::move(cors)),
      lacks_cache_(std::move(lacks_cache)),
      memory_(rpc::MemoryAccounts::create(limits.max_call_memory, kAlwaysOfClient)),
      places_(bounds_of_making(backend, limits)),
      world_pages_(limits),
      explore_(backend, service, cors_, memory_, limits.max_chunks_request_bytes) {}

void WorldRoutes::answer(std::vector<std::string> path, Request request, Reply reply) const {
  auto visitor = identify(backend_, request);
  if (!visitor) return reply(error_page(visitor.error()));
  const schedule::Source source = visitor->source;
  // The queue of those that wait holds no more than a request of each connection.
  auto stay = request.host->stay();
  service_.in_turn(
      source, [stay = std::move(stay), this, path = std::move(path), request = std::move(request),
               reply = std::move(reply), visitor = *std::move(visitor)] {
        if (request.gone.stop_requested()) return;
        try {
          const auto begun = begin(path, visitor, request, reply);
          if (!begun) reply(error_page(begun.error()));
        } catch (const std::bad_alloc&) {
          return;  // which its reply, let go, says
        }
      });
}

Result<void> WorldRoutes::begin(const std::vector<std::string>& path, const rpc::Origin& visitor,
                                const Request& request, const Reply& reply) const {
  if (has_query(request)) {
    const std::string query = request.target.substr(request.target.find('?'));
    return rpc::refuse_field({.field = "query", .value = rpc::in_quotes(query)}, "leave it out");
  }
  if (!path.empty() && path[0] == "worlds" &&
      (path.size() <= 2 || (path.size() == 3 && path[2] == "file"))) {
    TERRANE_ASSIGN_OR_RETURN(Page page, tell_of_worlds(path, visitor));
    if (visitor.caller) page.cache_control = "private, no-cache";
    reply(unless_known(std::move(page), request));
    return {};
  }
  TERRANE_ASSIGN_OR_RETURN(const Place place, read_place(path, request.target));
  return serve(place, visitor, request, reply);
}

Result<Page> WorldRoutes::tell_of_worlds(const std::vector<std::string>& path,
                                         const rpc::Origin& visitor) const {
  const auto worlds = backend_.worlds.now();
  const access::LiveAccess* const access = backend_.access.get();
  if (path.size() == 1) {
    if (access == nullptr) return page_of(world_pages_.list(worlds));
    return page_of(WorldPage(rpc::worlds_json(*worlds, limits_, access, visitor.caller.get())));
  }
  TERRANE_RETURN_IF_ERROR(rpc::check_may_know(access, visitor.caller.get(), path[1]));
  TERRANE_ASSIGN_OR_RETURN(const auto world, rpc::find_world(path[1], *worlds));
  if (path.size() == 2) return page_of(world_pages_.json(world));
  Page page = page_of(world_pages_.file(world));
  page.content_type = "application/x-protobuf";
  return page;
}

/// Checks where it is. Errors: kOutOfRange, kNotFound.
Result<WorldRoutes::Found> WorldRoutes::find(const Place& place, const rpc::Origin& visitor) const {
  Found found;
  TERRANE_ASSIGN_OR_RETURN(
      found.variant, rpc::find_variant(place.variant, backend_.access.get(), visitor.caller.get(),
                                       *backend_.worlds.now()));
  const worldgen::World& world = *found.variant.world;
  const std::int64_t x = place.coord.x, y = place.coord.y;
  constexpr std::int64_t kFarthest = std::int64_t{1} << 42;  // beyond all worlds
  const auto check_chunk = [&](std::int64_t edge) -> Result<void> {
    // what is beyond all worlds is refused as it came
    const auto at = [&](std::int64_t n) { return -kFarthest < n && n < kFarthest ? edge * n : n; };
    found.chunk = {at(x), at(y)};
    found.lod = static_cast<Lod>(place.lod);
    return rpc::check_tile(world, place.lod, found.chunk);
  };
  const auto take_tile = [&](const TilePlace& tile) {
    found.tile = tile;
    found.lod = tile.lod;
  };
  if (!place.layer.empty()) {
    TERRANE_ASSIGN_OR_RETURN(found.layer, find_layer(place.layer, world));
  }
  switch (place.thing) {
    case Place::Thing::kChunk: return check_chunk(1).map([&] { return found; });
    case Place::Thing::kBundle: return check_chunk(kBundleEdge).map([&] { return found; });
    case Place::Thing::kTile:
      TERRANE_RETURN_IF_ERROR(find_tile(world, place.lod, x, y).map(take_tile));
      break;
    case Place::Thing::kMercatorTile:
      TERRANE_RETURN_IF_ERROR(find_mercator_tile(world, place.lod, x, y).map(take_tile));
      break;
    case Place::Thing::kTileJson:
    case Place::Thing::kPoints:
    case Place::Thing::kLocate:
    case Place::Thing::kStructure: break;
  }
  return found;
}

Result<void> WorldRoutes::serve(const Place& place, const rpc::Origin& visitor,
                                const Request& request, const Reply& reply) const {
  TERRANE_ASSIGN_OR_RETURN(Found found, find(place, visitor));
  const rpc::FoundVariant& variant = found.variant;
  if (place.thing == Place::Thing::kTileJson) {
    Page page =
        json_page(tile_json(*variant.world, found.layer, request.origin + tile_template(place)));
    if (visitor.caller) page.cache_control = "private, no-cache";
    reply(std::move(page));
    return {};
  }
  if (is_call(place.thing)) {
    call(place, found, visitor, request, reply);
    return {};
  }
  const bool is_named = !place.is_permanent && place.variant.realm.empty();
  if (is_named) {  // there is a place where caches may keep it
    Page page = text_page(307, "what is at this place has an address of its own");
    page.cache_control = "no-cache";
    page.fields.emplace_back("Location",
                             permanent_path(place, variant.world->fingerprint, variant.seed));
    reply(std::move(page));
    return {};
  }
  Heading heading = heading_for(place, visitor);
  if (place.is_permanent && is_same(request.if_none_match, heading.etag)) {
    reply({.status = 304,
           .cache_control = heading.cache_control,
           .fields = {{"ETag", heading.etag}}});
    return {};
  }
  make(place, std::move(found), visitor, request, std::move(heading), reply);
  return {};
}

void WorldRoutes::call(const Place& place, const Found& found, const rpc::Origin& visitor,
                       const Request& request, Reply reply) const {
  const rpc::QueriedVariant of{.found = found.variant, .realm = place.variant.realm};
  const auto query = [&] {
    if (place.thing == Place::Thing::kPoints) return rpc::points_query(of, place.points);
    if (place.thing == Place::Thing::kStructure)
      return rpc::structure_query(of, place.points.front());
    return rpc::locate_query(of, place.target, place.name, place.points.front(), place.radius);
  };
  JsonCall::start(service_, query(), visitor, request, std::move(reply));
}

/// Memory for an answer, until the client has it. Errors: kResourceExhausted.
Result<std::shared_ptr<rpc::MemoryAccounts::Hold>> WorldRoutes::take_memory(
    const Place& place, std::uint64_t client) const {
  return memory_->take(client, bytes_of(place.thing), "answers").map([](auto hold) {
    return std::make_shared<rpc::MemoryAccounts::Hold>(std::move(hold));
  });
}

void WorldRoutes::make(const Place& place, Found found, const rpc::Origin& visitor,
                       const Request& request, Heading heading, Reply reply) const {
  pipeline::ChunkRequest chunk{.world = std::move(found.variant.world),
                               .seed = found.variant.seed,
                               .coord = found.chunk,
                               .lod = found.lod,
                               .priority = schedule::Priority::kView,
                               .source = visitor.source,
                               .patience = kPatience};
  if (place.thing == Place::Thing::kChunk) {
    auto held = take_memory(place, visitor.source.client);
    if (!held) return reply(error_page(held.error()));
    heading.held = *std::move(held);
    return answer_chunk(backend_.pipeline, std::move(chunk), request.gone, std::move(heading),
                        std::move(reply));
  }
  places_.enter(
      visitor.source.client, [this, place, chunk = std::move(chunk), layer = found.layer,
                              tile = found.tile, gone = request.gone, heading = std::move(heading),
                              reply = std::move(reply)](MakingPlaces::Place making) mutable {
        if (gone.stop_requested()) return;
        auto held = take_memory(place, chunk.source.client);
        if (!held) return reply(error_page(held.error()));
        heading.held = *std::move(held);
        auto answer = [reply, making = std::move(making)](Page page) { reply(std::move(page)); };
        if (place.thing == Place::Thing::kBundle) {
          answer_bundle(backend_.pipeline, chunk, place.coord, gone, heading, std::move(answer));
        } else {
          answer_tile(backend_.pipeline, backend_.workers, chunk, layer, tile, gone, heading,
                      std::move(answer));
        }
      });
}

}  // namespace terrane::http
