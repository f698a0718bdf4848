#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "terrane/client.h"
#include "terrane/coord.h"
#include "terrane/result.h"
#include "terrane/world.h"

/// An operator's own door to a server: what it does and holds, and what it is to do besides
/// serving. Only for those whose token or certificate has the role "admin", or who call from the
/// server's machine where it was started with --admin-from-loopback.
namespace terrane {

/// How often something took how long.
struct WaitTimes {
  // "memory", "disk", "generated", "joined": until a requested chunk was there, by where it came
  // from; "queue": until a worker took on a job
  std::string kind;
  std::vector<std::uint64_t> counts;  // by ServerStats::bounds_s; the last is past every bound
};

/// Somebody for whom the server works.
struct ClientCost {
  std::string name;          // an address, or that of a token or certificate
  double processors = 0;     // in use for it, on average over about the last minute
  std::uint32_t weight = 1;  // its share beside others
};

/// The cache on disk.
struct CacheUsage {
  std::uint64_t chunks = 0;
  std::uint64_t bytes = 0;      // of its file that are in use
  std::uint64_t max_bytes = 0;  // that may be
  std::uint64_t evictions = 0;  // chunks removed to make room
  std::uint64_t dropped = 0;    // chunks that could not be kept
  std::uint64_t damaged = 0;    // chunks that were found so, and made again
};

/// What a server does. Counts are since its start.
struct ServerStats {
  std::string version = {};
  double uptime_s = 0;
  std::uint32_t workers = 0;
  double processor_s = 0;                // that the process has used
  std::uint64_t memory_bytes = 0;        // that it uses
  std::uint64_t memory_limit_bytes = 0;  // that it may use; 0: not known
  std::uint64_t requests = 0;            // for chunks, of which so many were answered
  std::uint64_t from_memory = 0;
  std::uint64_t from_disk = 0;
  std::uint64_t joined = 0;  // with one that was on its way already
  std::uint64_t refused = 0;
  std::uint64_t cancelled = 0;
  std::uint64_t generated = 0;  // chunks
  std::uint64_t failed = 0;     // chunks that could not be made
  std::uint64_t queued = 0;     // jobs that wait for a worker now
  std::uint64_t viewers = 0;    // Explore streams that are open
  std::uint64_t memory_cache_chunks = 0;
  std::uint64_t memory_cache_bytes = 0;
  std::optional<CacheUsage> cache = {};
  std::vector<double> bounds_s = {};  // of all wait times, growing
  std::vector<WaitTimes> waits = {};
  std::vector<ClientCost> costliest = {};  // first the one that costs most
  std::uint64_t clients = 0;               // for whom anything was done within about a minute
};

/// What the cache on disk holds of one world.
struct CachedWorld {
  WorldFingerprint fingerprint = 0;
  std::string world;  // as the server calls it now; empty: it offers none with this fingerprint
  std::uint64_t chunks = 0;
  std::uint64_t bytes = 0;  // encoded
  std::uint64_t seeds = 0;  // of which there are chunks
};

/// All seeds of a world on offer, by its name.
struct AllSeedsOf {
  std::string world;
};
/// What no world of the server can use any more.
struct StaleChunks {};
/// What to remove from the caches: one seed of a world, or a realm; all seeds; a world by its
/// fingerprint; or what is stale.
using PurgeRequest = std::variant<WorldRef, AllSeedsOf, WorldFingerprint, StaleChunks>;

struct PurgeResult {
  std::uint64_t chunks = 0;  // from the cache on disk
  std::uint64_t bytes = 0;   // encoded
};

/// Chunks to be made for the cache on disk.
struct PregenerateRequest {
  WorldRef world = {};
  ChunkRectangle area = {};  // in chunks of level of detail 0; at most 2^40 of them
  std::vector<Lod> lods = {0};
  double max_rate = 0;       // chunks a second; 0: as many as the workers have time for
  std::uint64_t cursor = 0;  // where to go on, as PregenerateProgress had it; 0: at the start
};

/// How far it is.
struct PregenerateProgress {
  std::uint64_t cursor = 0;  // chunks of the area, in the server's order, that the cache's file has
  std::uint64_t total = 0;   // chunks
  std::uint64_t generated = 0;  // by this call
  std::uint64_t found = 0;      // in the cache already
  std::uint64_t failed = 0;     // to be made, or kept
  double seconds_left = 0;      // 0: not known yet, or done
  bool yields = false;          // others have the workers
};

/// An administrator's connection. Thread-safe. Every call but pregenerate() blocks until the answer
/// or ClientOptions::deadline. Errors: kPermissionDenied, kUnauthenticated, and those of Client.
class Admin {
 public:
  /// Errors: as Client::connect().
  [[nodiscard]] static Result<Admin> connect(ClientOptions options);
  Admin(Admin&&) noexcept;
  Admin& operator=(Admin&&) noexcept;
  ~Admin();

  [[nodiscard]] Result<ServerStats> stats() const;

  /// What the cache on disk holds, the world with most bytes first. Takes less than a second for a
  /// million chunks, longer from a disk. Errors: kFailedPrecondition without a cache.
  [[nodiscard]] Result<std::vector<CachedWorld>> cache() const;

  /// Errors: kFailedPrecondition without a cache; kNotFound.
  Result<PurgeResult> purge(const PurgeRequest& request) const;

  /// Has the server end as on SIGTERM.
  Result<void> drain() const;

  /// @param level  "trace", "debug", "info", "warning", "error", "critical" or "off"
  /// @return the level before. Errors: kInvalidArgument.
  Result<std::string> set_log_level(std::string_view level) const;

  /// Has chunks made while the server has nothing else to do. Blocks until all are there, however
  /// long that takes; when the connection is lost, or the server starts anew, it goes on where it
  /// was.
  /// @param progress  called about twice a second; may be empty
  /// @return how it ended. Errors: kCancelled once `stop` is requested, kFailedPrecondition without
  ///   a cache, kOutOfRange, kNotFound, kInvalidArgument.
  Result<PregenerateProgress> pregenerate(
      PregenerateRequest request,
      const std::function<void(const PregenerateProgress&)>& progress = {},
      const std::stop_token& stop = {}) const;

 private:
  class Impl;
  explicit Admin(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

}  // namespace terrane
