#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "http/chunk_answers.h"
#include "http/cors.h"
#include "http/explore_door.h"
#include "http/making_places.h"
#include "http/page.h"
#include "http/place.h"
#include "http/tile_answers.h"
#include "http/visitor.h"
#include "http/world_pages.h"
#include "rpc/backend.h"
#include "rpc/checks/place_check.h"
#include "rpc/limits.h"
#include "rpc/memory_accounts.h"
#include "terrane/result.h"

namespace terrane::http {

/// All below /v1: worlds and what is made of them, through the same pipeline, shares and checks as
/// the calls of gRPC. place.h has the URLs. Thread-safe.
class WorldRoutes {
 public:
  /// @param backend  outlives the routes
  /// @param limits   of which max_call_memory is what all answers together may hold
  /// @param cors     which pages of other origins may read what is answered
  /// @param service  for what is a call of the API: points, searches, structures, Explore; outlives
  ///   the routes
  /// @param lacks_cache  whether a cache is wanted that takes no chunks; empty: never. Threads: any
  WorldRoutes(const rpc::Backend& backend, rpc::WorldService& service, const rpc::Limits& limits,
              Cors cors = {}, std::function<bool()> lacks_cache = {});

  [[nodiscard]] const Cors& cors() const { return cors_; }
  [[nodiscard]] const ExploreDoor* explore() const { return &explore_; }
  [[nodiscard]] bool lacks_cache() const { return lacks_cache_ && lacks_cache_(); }

  /// Answers a request whose path these are the parts of, without the first, "v1", in the turn of
  /// whoever asks. Blocks: no.
  void answer(std::vector<std::string> path, Request request, Reply reply) const;

 private:
  /// What a URL is about, and where that is.
  struct Found {
    rpc::FoundVariant variant;
    Lod lod = 0;
    ChunkCoord chunk;  // the one, or the first of a bundle
    TileLayer layer;
    TilePlace tile;
  };

  Result<void> begin(const std::vector<std::string>& path, const rpc::Origin& visitor,
                     const Request& request, const Reply& reply) const;
  [[nodiscard]] Result<Page> tell_of_worlds(const std::vector<std::string>& path,
                                            const rpc::Origin& visitor) const;
  void call(const Place& place, const Found& found, const rpc::Origin& visitor,
            const Request& request, Reply reply) const;
  [[nodiscard]] Result<Found> find(const Place& place, const rpc::Origin& visitor) const;
  Result<void> serve(const Place& place, const rpc::Origin& visitor, const Request& request,
                     const Reply& reply) const;
  [[nodiscard]] Result<std::shared_ptr<rpc::MemoryAccounts::Hold>> take_memory(
      const Place& place, std::uint64_t client) const;
  void make(const Place& place, Found found, const rpc::Origin& visitor, const Request& request,
            Heading heading, Reply reply) const;

  const rpc::Backend& backend_;
  rpc::WorldService& service_;
  const rpc::Limits limits_;
  const Cors cors_;
  const std::function<bool()> lacks_cache_;
  const std::shared_ptr<rpc::MemoryAccounts> memory_;
  mutable MakingPlaces places_;
  mutable WorldPages world_pages_;
  const ExploreDoor explore_;
};

}  // namespace terrane::http
