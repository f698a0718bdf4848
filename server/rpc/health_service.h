#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <string_view>
#include <vector>

#include "ops/last_asked.h"
#include "rpc/call.h"
#include "terrane/mutex.h"
#include "terrane/result.h"

namespace terrane::rpc {

class HealthWatch;

/// grpc.health.v1.Health, for the server as a whole (no name) and for terrane.v1.WorldService. Our
/// own, as gRPC's takes in the requests of all calls at once, of up to 4 MiB each. Thread-safe;
/// nothing blocks.
class HealthService {
 public:
  static constexpr const char* kFullName = "grpc.health.v1.Health";

  HealthService();
  ~HealthService();

  /// Answers Check. Errors: kNotFound where there is no such service, kInvalidArgument.
  Result<void> check(Call& call, const grpc::ByteBuffer& request);

  /// Serves Watch: tells the status now, and when it changes, until the client goes.
  /// Errors: kInvalidArgument.
  Result<void> watch(Call& call, const grpc::ByteBuffer& request);

  /// Whether Check has been called within that time, or somebody watches.
  [[nodiscard]] bool asked_within(std::chrono::milliseconds time);

  /// From now on the server is not serving.
  void shut_down();

 private:
  ops::LastAsked asked_;
  Mutex mutex_;
  bool serving_ ABSL_GUARDED_BY(mutex_) = true;
  // and some that are over
  std::vector<std::weak_ptr<HealthWatch>> watches_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::rpc
