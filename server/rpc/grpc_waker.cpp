#include "rpc/grpc_waker.h"

#include <chrono>

namespace terrane::rpc {
namespace {

// below 900: then one of two threads is awake at any time
constexpr auto kInterval = std::chrono::milliseconds(400);

grpc::ByteBuffer empty_message() {
  const grpc::Slice slice;
  return {&slice, 1};
}

}  // namespace

GrpcWaker::GrpcWaker(grpc::Server& server)
    : stub_(server.InProcessChannel({})), request_(empty_message()) {
  const MutexLock lock(mutex_);
  wait_for_next();
}

GrpcWaker::~GrpcWaker() {
  const MutexLock lock(mutex_);
  stopping_ = true;
  alarm_.Cancel();
  while (waking_) ended_.wait(mutex_);
}

void GrpcWaker::wait_for_next() {
  waking_ = !stopping_;
  if (stopping_) return ended_.notify_all();
  alarm_.Set(std::chrono::system_clock::now() + kInterval, [this](bool due) { wake(due); });
}

void GrpcWaker::wake(bool due) {
  {
    const MutexLock lock(mutex_);
    if (!due || stopping_) {
      waking_ = false;
      return ended_.notify_all();
    }
  }
  context_ = std::make_unique<grpc::ClientContext>();
  stub_.UnaryCall(context_.get(), "/grpc.health.v1.Health/Check", grpc::StubOptions(), &request_,
                  &response_, [this](const grpc::Status&) {
                    const MutexLock lock(mutex_);
                    wait_for_next();
                  });
}

}  // namespace terrane::rpc
