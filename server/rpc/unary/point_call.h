#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "rpc/checks/request_check.h"
#include "rpc/memory_accounts.h"
#include "rpc/server_call.h"
#include "rpc/terrain_queries.h"
#include "schedule/worker_pool.h"
#include "terrane/mutex.h"

namespace terrane::rpc {

/// One SamplePoints: jobs of 32 points on the worker pool, no more of them queued at a time than
/// there are workers; the last to end answers. The jobs keep it alive too.
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

  void start_jobs();
  void submit_next();
  void run_job(std::size_t first);
  void answer();
  [[nodiscard]] std::string response() const;
  void OnCancel() override;

  const MemoryAccounts::Hold memory_;
  schedule::WorkerPool& workers_;
  const PointSampler sample_;  // a copy: a job may outlive the service
  const PointQuery query_;
  std::vector<PointSample> samples_;  // each job writes its own part
  std::atomic<std::size_t> jobs_left_;
  std::atomic<std::size_t> next_point_ = 0;  // the first one of the next job
  Mutex mutex_;
  std::vector<schedule::JobId> jobs_ ABSL_GUARDED_BY(mutex_);  // those that have run, too
};

}  // namespace terrane::rpc
