#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "ops/metrics.h"
#include "pipeline/chunk_pipeline.h"
#include "rpc/land.h"
#include "rpc/limits.h"
#include "schedule/worker_pool.h"
#include "terrane/result.h"
#include "worlds/live_catalog.h"

namespace terrane::rpc {

/// What the service works with. All of it outlives the server.
struct Backend {
  const worlds::LiveCatalog& worlds;
  pipeline::ChunkPipeline& pipeline;
  schedule::WorkerPool& workers;
  Land land;
  ops::Metrics& metrics;
};

/// The gRPC port: WorldService, health and reflection. One per process.
class Server {
 public:
  /// Listens and serves; health says SERVING.
  /// @param address  HOST:PORT; port 0 takes a free one
  /// Errors: kUnavailable when the address can't be listened on, with the reason.
  static Result<std::unique_ptr<Server>> start(const std::string& address, Backend backend,
                                               Limits limits = {}, StreamPace pace = {},
                                               const ExplorePace& explore_pace = {});

  /// Cancels the calls that are left, and waits for them.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// HOST:PORT, with the port in use.
  [[nodiscard]] const std::string& address() const;

  /// Health says NOT_SERVING and new calls get UNAVAILABLE; waits for those in progress, and
  /// cancels what is left after `timeout`.
  /// @return how many calls were cancelled
  /// Blocks. Call once.
  std::size_t drain(std::chrono::milliseconds timeout);

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace terrane::rpc
