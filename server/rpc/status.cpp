#include "rpc/status.h"

#include <new>
#include <random>
#include <string>

#include "rpc/status_details.h"
#include "schedule/refusal.h"

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

grpc::Status to_status(const Error& error) noexcept {
  const grpc::StatusCode code = to_code(error.code);
  try {
    return {code, error.message, details_of(error, code)};
  } catch (const std::bad_alloc&) {
    return {code, ""};
  }
}

Error draining() {
  return {.code = ErrorCode::kUnavailable,
          .message = "the server is draining: ask another replica, or again later",
          .reason = ErrorReason::kDraining};
}

Error certificate_missing() {
  return {.code = ErrorCode::kUnauthenticated,
          .message =
              "this server answers clients with a certificate alone (mutual TLS): show one "
              "that its operator's authority vouches for",
          .reason = ErrorReason::kCertificateMissing};
}

Error token_expired() {
  return {.code = ErrorCode::kUnauthenticated,
          .message =
              "the token that this stream was begun with has expired: come back with a new "
              "one",
          .reason = ErrorReason::kTokenExpired};
}

std::chrono::milliseconds add_pushback(grpc::CallbackServerContext& context) {
  std::minstd_rand random(
      static_cast<std::uint32_t>(std::chrono::steady_clock::now().time_since_epoch().count()));
  const int wait_ms = std::uniform_int_distribution(kMinPushbackMs, kMaxPushbackMs)(random);
  context.AddTrailingMetadata("grpc-retry-pushback-ms", std::to_string(wait_ms));
  return std::chrono::milliseconds(wait_ms);
}

grpc::Status refuse(grpc::CallbackServerContext& context, const Error& error) noexcept {
  if (error.code != ErrorCode::kResourceExhausted) return to_status(error);
  try {
    Error told = error;
    told.retry_after = add_pushback(context);
    return to_status(told);
  } catch (const std::bad_alloc&) {
    return to_status(error);
  }
}

Error error_of(const std::exception& failure, const char* work) noexcept {
  if (dynamic_cast<const std::bad_alloc*>(&failure) != nullptr) return schedule::out_of_memory();
  try {
    return {.code = ErrorCode::kInternal,
            .message = std::string(work) + " failed: " + failure.what(),
            .reason = ErrorReason::kGeneratorFailed};
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kInternal, {}, ErrorReason::kGeneratorFailed};
  }
}

}  // namespace terrane::rpc
