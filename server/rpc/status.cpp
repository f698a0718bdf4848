#include "rpc/status.h"

#include <new>
#include <random>
#include <string>

#include "rpc/call.h"
#include "schedule/refusal.h"
#include "status/status_details.h"

namespace terrane::rpc {
namespace {

constexpr int kMinPushbackMs = 50;
constexpr int kMaxPushbackMs = 2000;

/// ErrorCode has gRPC's numbers, but for OK.
grpc::StatusCode to_code(ErrorCode code) { return static_cast<grpc::StatusCode>(code); }

}  // namespace

grpc::Status to_status(const Error& error) noexcept {
  const grpc::StatusCode code = to_code(error.code);
  try {
    return {code, error.message, status::details_of(error, code)};
  } catch (const std::bad_alloc&) {
    return {code, ""};
  }
}

Error to_error(const grpc::Status& ended) {
  Error error{.code = static_cast<ErrorCode>(ended.error_code()), .message = ended.error_message()};
  status::add_details(ended.error_details(), error);
  return error;
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

std::chrono::milliseconds some_pushback() {
  std::minstd_rand random(
      static_cast<std::uint32_t>(std::chrono::steady_clock::now().time_since_epoch().count()));
  return std::chrono::milliseconds(
      std::uniform_int_distribution(kMinPushbackMs, kMaxPushbackMs)(random));
}

grpc::Status refuse(Call& call, const Error& error) noexcept {
  // whoever hangs up is not refused
  if (error.code != ErrorCode::kCancelled) call.record().metrics().refusals->note(call, error);
  if (error.code != ErrorCode::kResourceExhausted) return to_status(error);
  try {
    Error told = error;
    told.retry_after = some_pushback();
    call.tell_pushback(*told.retry_after);
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
