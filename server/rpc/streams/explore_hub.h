#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "access/live_access.h"
#include "pipeline/chunk_pipeline.h"
#include "rpc/memory_accounts.h"
#include "rpc/message_cost.h"
#include "rpc/origins.h"
#include "rpc/pace.h"
#include "schedule/alarm_clock.h"
#include "schedule/worker_pool.h"
#include "terrane/mutex.h"
#include "terrane/result.h"
#include "worlds/live_catalog.h"

namespace terrane::rpc {

class ExploreStream;

/// What all Explore streams of a server share. Outlives them. Thread-safe.
class ExploreHub {
 public:
  /// @param workers  run what is too long for gRPC's threads
  /// @param access, origins  outlive this; access may be null
  /// @param max_request_bytes  of one message from a client
  ExploreHub(const worlds::LiveCatalog& worlds, pipeline::ChunkPipeline& pipeline,
             schedule::WorkerPool& workers, schedule::AlarmClock& alarms, const ExplorePace& pace,
             std::size_t max_request_bytes, std::shared_ptr<MessageCost> message_cost,
             const access::LiveAccess* access, const Origins& origins);

  /// Tells all streams, and those that still come, that the server is about to stop: each says so
  /// to its client and ends.
  void send_away();

  /// Whether there is memory for another stream of this client. Errors: kResourceExhausted.
  [[nodiscard]] Result<void> check_room(std::uint64_t client);

  [[nodiscard]] std::size_t streams_of(std::uint64_t client) const {
    return memory_->calls_of(client);
  }

  /// Clients that have streams. May throw std::bad_alloc.
  [[nodiscard]] std::vector<std::uint64_t> clients() const { return memory_->clients(); }

 private:
  friend class ExploreStream;

  /// @return whether the server is about to stop
  bool enter(const std::shared_ptr<ExploreStream>& stream);
  /// A stream holds more than before. Sees to it that one is closed where that is too much.
  void check_memory(const MemoryAccounts::Hold& of_stream) noexcept;
  void close_the_greedy() ABSL_LOCKS_EXCLUDED(mutex_);
  void close_until_bearable() ABSL_LOCKS_EXCLUDED(mutex_);
  [[nodiscard]] Error full(MemoryAccounts::Bound bound, std::size_t of_client) const;

  const worlds::LiveCatalog& worlds_;
  pipeline::ChunkPipeline& pipeline_;
  schedule::WorkerPool& workers_;
  schedule::AlarmClock& alarms_;
  const ExplorePace pace_;
  const std::size_t max_request_bytes_;
  const std::shared_ptr<MessageCost> message_cost_;
  const access::LiveAccess* const access_;  // null: there are no realms
  const Origins& origins_;
  std::atomic<std::size_t> outstanding_ = 0;      // bytes on their way to viewers
  const std::shared_ptr<MemoryAccounts> memory_;  // that streams hold
  std::atomic<bool> is_look_due_ = false;         // close_the_greedy() is about to run
  std::atomic<std::chrono::steady_clock::time_point> next_look_{};  // not before

  Mutex mutex_;
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;
  // and some that are over
  std::vector<std::weak_ptr<ExploreStream>> streams_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::rpc
