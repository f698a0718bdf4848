#include "rpc/status.h"

#include <chrono>
#include <random>
#include <string>

namespace terrane::rpc {
namespace {

constexpr int kMinPushbackMs = 50;
constexpr int kMaxPushbackMs = 2000;

grpc::StatusCode to_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::kCancelled: return grpc::StatusCode::CANCELLED;
    case ErrorCode::kInvalidArgument: return grpc::StatusCode::INVALID_ARGUMENT;
    case ErrorCode::kDeadlineExceeded: return grpc::StatusCode::DEADLINE_EXCEEDED;
    case ErrorCode::kNotFound: return grpc::StatusCode::NOT_FOUND;
    case ErrorCode::kPermissionDenied: return grpc::StatusCode::PERMISSION_DENIED;
    case ErrorCode::kResourceExhausted: return grpc::StatusCode::RESOURCE_EXHAUSTED;
    case ErrorCode::kFailedPrecondition: return grpc::StatusCode::FAILED_PRECONDITION;
    case ErrorCode::kOutOfRange: return grpc::StatusCode::OUT_OF_RANGE;
    case ErrorCode::kInternal: return grpc::StatusCode::INTERNAL;
    case ErrorCode::kUnavailable: return grpc::StatusCode::UNAVAILABLE;
    case ErrorCode::kDataLoss: return grpc::StatusCode::DATA_LOSS;
    case ErrorCode::kUnauthenticated: return grpc::StatusCode::UNAUTHENTICATED;
  }
  return grpc::StatusCode::UNKNOWN;
}

}  // namespace

grpc::Status to_status(const Error& error) { return {to_code(error.code), error.message}; }

Error draining() {
  return {ErrorCode::kUnavailable, "the server is draining: ask another replica, or again later"};
}

Error overloaded() {
  return {ErrorCode::kResourceExhausted,
          "the server is overloaded; wait as grpc-retry-pushback-ms says and ask again"};
}

void add_pushback(grpc::CallbackServerContext& context) {
  std::minstd_rand random(
      static_cast<std::uint32_t>(std::chrono::steady_clock::now().time_since_epoch().count()));
  const int wait_ms = std::uniform_int_distribution(kMinPushbackMs, kMaxPushbackMs)(random);
  context.AddTrailingMetadata("grpc-retry-pushback-ms", std::to_string(wait_ms));
}

grpc::Status refuse(grpc::CallbackServerContext& context, const Error& error) {
  if (error.code == ErrorCode::kResourceExhausted) add_pushback(context);
  return to_status(error);
}

}  // namespace terrane::rpc
