#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "admin/pregeneration.h"
#include "store/cache_contents.h"
#include "terrane/result.h"

namespace terrane::admin {

using store::Purged, store::Variant, store::WorldContents;
using CacheNumbers = store::StoreStats;

/// A client, and what it costs.
struct ClientCost {
  std::string name;
  double processors = 0;  // over about the last minute
  std::uint32_t weight = 1;
};

/// How often something took how long.
struct WaitTimes {
  std::string kind;
  std::vector<std::uint64_t> counts;  // as ops::Histogram has them
};

/// What only whoever put the server together knows of it.
struct ServerNumbers {
  std::string version;
  double uptime_seconds = 0;
  std::uint64_t memory_bytes = 0, memory_limit_bytes = 0;  // 0: not known
  std::vector<ClientCost> costliest = {};
  std::uint64_t clients = 0;
  std::vector<WaitTimes> waits = {};
};

/// What an operator may have done, whoever it is that asks. Thread-safe.
class Operations {
 public:
  struct Server {
    pipeline::ChunkPipeline& pipeline;
    schedule::WorkerPool& workers;
    store::ChunkStore* cache = nullptr;  // null: none
    std::function<ServerNumbers()> numbers;
    std::function<void()> stop;  // as SIGTERM does
  };
  /// @param server  what it refers to outlives this
  explicit Operations(Server server) : server_(std::move(server)) {}

  [[nodiscard]] ServerNumbers numbers() const { return server_.numbers(); }
  [[nodiscard]] pipeline::PipelineStats chunks() const { return server_.pipeline.stats(); }
  [[nodiscard]] std::size_t workers() const { return server_.workers.workers(); }
  [[nodiscard]] std::size_t queued() const { return server_.workers.queued(); }
  /// Nothing where there is no cache.
  [[nodiscard]] std::optional<CacheNumbers> cache() const;

  // These block until all is done. Errors: kFailedPrecondition without a cache, kUnavailable while
  // it can't be written, kCancelled; those of the functions of the same names.
  [[nodiscard]] Result<std::vector<WorldContents>> survey(const std::stop_token& stop);
  /// In memory, too.
  [[nodiscard]] Result<Purged> purge(const Variant& variant, const std::stop_token& stop);
  [[nodiscard]] Result<void> pregenerate(
      const PregenerationOrder& order, const std::stop_token& stop,
      const std::function<void(const PregenerationProgress&)>& report);

  /// Once, however often it is called: a second signal would end the process at once.
  void stop() {
    if (!is_stopped_.exchange(true)) server_.stop();
  }

  /// @return the level before. Errors: kInvalidArgument
  static Result<std::string> set_log_level(const std::string& level);

 private:
  [[nodiscard]] Result<store::ChunkStore*> need_cache() const;

  const Server server_;
  std::atomic<bool> is_stopped_ = false;
};

}  // namespace terrane::admin
