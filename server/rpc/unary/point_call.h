#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "rpc/checks/request_check.h"
#include "rpc/memory_accounts.h"
#include "rpc/server_call.h"
#include "rpc/terrain_queries.h"
#include "schedule/worker_pool.h"
#include "terrane/coord.h"
#include "terrane/mutex.h"

namespace terrane::rpc {

/// One SamplePoints: jobs on the worker pool, no more of them queued at a time than there are
/// workers. A job takes a millisecond, or as long as the points of one chunk do, and hands on what
/// is left; the one with the last point answers. The jobs keep it alive too.
class PointCall final : public ServerCall<PointCall> {
 public:
  /// Starts a call. Blocks: no.
  static void start(IncomingCall incoming, schedule::WorkerPool& workers, PointSampler sample,
                    PointQuery query, MemoryAccounts::Hold memory);

  /// Bytes that a call holds for each of its points: where it is, what is there, and the answer as
  /// a message and as it is sent.
  static constexpr std::size_t kBytesPerPoint =
      sizeof(BlockPos) + sizeof(PointSample) + 7 * sizeof(std::int32_t) + 20;

 private:
  friend ServerCall;

  PointCall(IncomingCall incoming, schedule::WorkerPool& workers, PointSampler sample,
            PointQuery query, MemoryAccounts::Hold memory);

  using Indices = std::vector<std::size_t>;

  void start_jobs();
  void submit(std::size_t lane, std::chrono::nanoseconds patience);
  void run_job(std::size_t lane);
  [[nodiscard]] ChunkCoord chunk_at(std::size_t point) const {
    return chunk_of(query_.points[point], query_.world->chunk_size, 0);
  }
  [[nodiscard]] bool take_points(Indices& points);
  std::size_t sample_a_chunk(Indices& points);
  void answer();
  [[nodiscard]] std::string response() const;
  void OnCancel() override;

  const MemoryAccounts::Hold memory_;
  schedule::WorkerPool& workers_;
  const PointSampler sample_;  // a copy: a job may outlive the service
  const PointQuery query_;
  std::vector<PointSample> samples_;  // each job writes its own part
  std::atomic<std::size_t> points_left_;
  std::atomic<std::size_t> next_point_ = 0;  // the first that no lane has taken
  // Of the jobs at a time, what each hands on to the next one: points of a chunk together, from the
  // end on.
  std::vector<Indices> lanes_;
  Mutex mutex_;
  std::vector<schedule::JobId> jobs_ ABSL_GUARDED_BY(mutex_);  // the latest of each lane
};

}  // namespace terrane::rpc
