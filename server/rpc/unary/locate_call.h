#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <functional>
#include <optional>

#include "rpc/server_call.h"
#include "rpc/unary/locate_target.h"
#include "rpc/unary/nearest_search.h"
#include "schedule/worker_pool.h"
#include "terrane/mutex.h"
#include "terrane/v1/world_service.pb.h"

namespace terrane::rpc {

/// One Locate: one job of the worker pool for each square, no more of them at a time than there are
/// workers, behind everything that a player waits for. The jobs keep it alive too.
class LocateCall final : public ServerCall<LocateCall> {
 public:
  /// Starts a call. Blocks: no.
  static void start(IncomingCall incoming, schedule::WorkerPool& workers, TerrainQueries terrain,
                    const LocateQuery& query);

 private:
  /// What to ask of gRPC once the lock is released.
  struct Step {
    bool write = false;   // message_
    bool answer = false;  // the same, and the end
    std::optional<grpc::Status> finish = std::nullopt;
  };

  friend ServerCall;

  LocateCall(IncomingCall incoming, schedule::WorkerPool& workers, LocateTarget target,
             const LocateQuery& query);

  void answer_place(const LocateQuery& query) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void look(const SearchSquare& square);
  void refine(const Hit& hit);
  void submit_jobs() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void submit(std::function<void(LocateCall&)> job) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void fail(Error error);
  void advance();
  Step next_step() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] bool has_failed();
  [[nodiscard]] worldgen::Abandon abandon() const;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;

  schedule::WorkerPool& workers_;
  const LocateTarget target_;  // with copies of all it needs: a job may outlive the service
  const BlockPos origin_;
  const std::int64_t radius_;

  Mutex mutex_;
  NearestSearch search_ ABSL_GUARDED_BY(mutex_);
  std::optional<v1::LocateResponse> answer_ ABSL_GUARDED_BY(mutex_);
  std::optional<Error> failure_ ABSL_GUARDED_BY(mutex_);
  std::atomic<bool> is_over_ = false;  // it has failed, without the lock
  /// How far the client knows that the search has come, blocks.
  std::int64_t told_ ABSL_GUARDED_BY(mutex_) = 0;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<schedule::JobId> jobs_ ABSL_GUARDED_BY(mutex_);  // those that have run, too
  grpc::ByteBuffer message_;  // being written: changes only while nothing is
};

}  // namespace terrane::rpc
