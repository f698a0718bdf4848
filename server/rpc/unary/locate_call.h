#pragma once

#include <grpcpp/grpcpp.h>

#include <memory>
#include <mutex>
#include <optional>

#include "rpc/call_gate.h"
#include "rpc/call_metrics.h"
#include "rpc/unary/locate_target.h"
#include "rpc/unary/nearest_search.h"
#include "schedule/worker_pool.h"
#include "terrane/v1/world_service.pb.h"

namespace terrane::rpc {

/// One Locate: one job of the worker pool for each square of land, no more of them at a time than
/// there are workers, behind everything that a player waits for. Keeps itself alive until gRPC and
/// the jobs are done with it.
class LocateCall final : public grpc::ServerWriteReactor<v1::LocateResponse>,
                         public std::enable_shared_from_this<LocateCall> {
 public:
  /// Starts a call. Blocks: no. @return the reactor for gRPC
  static grpc::ServerWriteReactor<v1::LocateResponse>* start(CallGate::Pass pass, CallRecord record,
                                                             grpc::CallbackServerContext& context,
                                                             schedule::WorkerPool& workers,
                                                             Land land, LocateQuery query);

 private:
  /// What to ask of gRPC once the lock is released.
  struct Step {
    bool write = false;
    std::optional<grpc::Status> finish;  // together with `write`: after it
  };

  LocateCall(CallGate::Pass pass, CallRecord record, grpc::CallbackServerContext& context,
             schedule::WorkerPool& workers, LocateTarget target, const LocateQuery& query);

  void look(const Cell& cell);
  void refine(const Hit& hit);
  void submit_jobs();
  void submit(std::function<void(LocateCall&)> job);
  void fail(Error error);
  void advance();
  Step next_step();
  [[nodiscard]] bool is_over();
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  CallGate::Pass pass_;
  const CallRecord record_;
  grpc::CallbackServerContext& context_;
  schedule::WorkerPool& workers_;
  const LocateTarget target_;  // with copies of all it needs: a job may outlive the service
  const BlockPos near_;
  const std::int64_t radius_;

  std::mutex mutex_;
  NearestSearch search_;
  std::optional<v1::LocateResponse> answer_;
  std::optional<Error> failure_;
  std::int64_t told_ = 0;  // how far the client knows that the search has come, blocks
  bool writing_ = false;
  bool finished_ = false;
  v1::LocateResponse message_;        // being written
  std::shared_ptr<LocateCall> self_;  // until OnDone
};

}  // namespace terrane::rpc
