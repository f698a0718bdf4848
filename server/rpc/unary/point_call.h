#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "rpc/call_gate.h"
#include "rpc/call_metrics.h"
#include "rpc/checks/request_check.h"
#include "rpc/land.h"
#include "schedule/worker_pool.h"

namespace terrane::rpc {

/// One SamplePoints: jobs of 32 points on the worker pool; the last to end answers. Keeps itself
/// alive until gRPC and the jobs are done with it.
class PointCall final : public grpc::ServerUnaryReactor,
                        public std::enable_shared_from_this<PointCall> {
 public:
  /// Starts a call. Blocks: no. @return the reactor for gRPC
  static grpc::ServerUnaryReactor* start(CallGate::Pass pass, CallRecord record,
                                         grpc::CallbackServerContext& context,
                                         v1::SamplePointsResponse& response,
                                         schedule::WorkerPool& workers, PointSampler sample,
                                         PointQuery query);

 private:
  PointCall(CallGate::Pass pass, CallRecord record, grpc::CallbackServerContext& context,
            v1::SamplePointsResponse& response, PointSampler sample, PointQuery query);

  void submit_jobs(schedule::WorkerPool& workers);
  void run_job(std::size_t first);
  void answer();
  void end(const Error& error);
  void finish(const grpc::Status& status);
  void OnCancel() override;
  void OnDone() override;

  CallGate::Pass pass_;
  const CallRecord record_;
  grpc::CallbackServerContext& context_;
  v1::SamplePointsResponse& response_;
  const PointSampler sample_;  // a copy: a job may outlive the service
  const PointQuery query_;
  std::vector<PointSample> samples_;  // each job writes its own part
  std::atomic<std::size_t> jobs_left_;
  // whoever sets it finishes the call; jobs that start later do nothing
  std::atomic<bool> ended_ = false;
  std::shared_ptr<PointCall> self_;  // until OnDone
};

}  // namespace terrane::rpc
