#include "waited_call.h"

namespace terrane::client {

void CallEnd::tell(const grpc::Status& status) {
  const MutexLock lock(mutex_);
  status_ = status;
  told_.notify_all();
}

std::optional<grpc::Status> CallEnd::wait(grpc::ClientContext& context, SteadyTime deadline) {
  if (auto status = wait_until(deadline + kGrace)) return status;
  context.TryCancel();
  auto status = wait_until(std::chrono::steady_clock::now() + kGoodbye);
  if (status && status->error_code() == grpc::StatusCode::CANCELLED)
    status = grpc::Status(grpc::StatusCode::DEADLINE_EXCEEDED, "Deadline Exceeded");
  return status;
}

std::optional<grpc::Status> CallEnd::wait_until(SteadyTime time) {
  const MutexLock lock(mutex_);
  while (!status_ && told_.wait_until(mutex_, time)) {
  }
  return status_;
}

}  // namespace terrane::client
