#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <memory>

#include "terrane/mutex.h"

namespace terrane::rpc {

/// Keeps gRPC's callback threads awake. Left without an event for a second they sleep for 100 ms
/// without watching any connection, and the first request after an idle while waits for them (gRPC
/// 1.51, CallbackAlternativeCQ; an additional completion queue does not help, since its thread
/// can't run their callbacks). So the server asks itself for its health now and then, in process.
class GrpcWaker {
 public:
  /// Starts. `server` runs, and outlives this.
  explicit GrpcWaker(grpc::Server& server);
  /// Stops. Blocks: until a call on its way has ended, less than a millisecond.
  ~GrpcWaker();
  GrpcWaker(const GrpcWaker&) = delete;
  GrpcWaker& operator=(const GrpcWaker&) = delete;

 private:
  void wait_for_next() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void wake(bool due);

  grpc::GenericStub stub_;
  const grpc::ByteBuffer request_;
  grpc::ByteBuffer response_;
  std::unique_ptr<grpc::ClientContext> context_;  // of the latest call

  Mutex mutex_;
  CondVar ended_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  // an alarm is set or a call is on its way
  bool waking_ ABSL_GUARDED_BY(mutex_) = true;
  grpc::Alarm alarm_;
};

}  // namespace terrane::rpc
