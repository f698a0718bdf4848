#include "schedule/refusal.h"

#include <spdlog/fmt/fmt.h>

#include <new>
#include <string>

namespace terrane::schedule {
namespace {

Error overloaded(ErrorReason reason, std::string message, const char* unit,
                 const Refused& refused) {
  return {.code = ErrorCode::kResourceExhausted,
          .message = std::move(message),
          .reason = reason,
          .value = fmt::format("{} {}", refused.value, unit),
          .limit = fmt::format("{} {}", refused.limit, unit)};
}

}  // namespace

const char* to_string(Refusal refusal) {
  switch (refusal) {
    case Refusal::kWaitTooLong: return "wait_too_long";
    case Refusal::kClientShare: return "client_share";
    case Refusal::kQueueFull: return "queue_full";
    case Refusal::kStopping: return "stopping";
    case Refusal::kOutOfMemory: return "out_of_memory";
  }
  return "unknown";
}

namespace {

Error describe(const Refused& refused) {
  switch (refused.refusal) {
    case Refusal::kWaitTooLong:
      return overloaded(ErrorReason::kWaitTooLong,
                        fmt::format("the server is overloaded: this would wait about {} ms for a "
                                    "worker, at most {} ms is accepted; ask again later",
                                    refused.value, refused.limit),
                        "ms", refused);
    case Refusal::kClientShare:
      return overloaded(ErrorReason::kClientShareTaken,
                        fmt::format("the server's queue is full: {} jobs wait, at most {} "
                                    "(--queue-limit), and most of them for this client, so one of "
                                    "its own made room for another client's; wait for answers and "
                                    "ask again",
                                    refused.value, refused.limit),
                        "jobs", refused);
    case Refusal::kQueueFull:
      return overloaded(ErrorReason::kQueueFull,
                        fmt::format("the server's queue is full: {} jobs wait, at most {} "
                                    "(--queue-limit); ask again later",
                                    refused.value, refused.limit),
                        "jobs", refused);
    case Refusal::kOutOfMemory:
      return {.code = ErrorCode::kResourceExhausted,
              .message =
                  "the server has run out of memory over this: ask another replica, or "
                  "again later",
              .reason = ErrorReason::kOutOfMemory};
    case Refusal::kStopping: break;
  }
  return {.code = ErrorCode::kUnavailable,
          .message = "the server is shutting down: ask another replica, or again later",
          .reason = ErrorReason::kDraining};
}

/// The same without its texts.
Error bare(const Refused& refused) noexcept {
  switch (refused.refusal) {
    case Refusal::kWaitTooLong:
      return {ErrorCode::kResourceExhausted, {}, ErrorReason::kWaitTooLong};
    case Refusal::kClientShare:
      return {ErrorCode::kResourceExhausted, {}, ErrorReason::kClientShareTaken};
    case Refusal::kQueueFull: return {ErrorCode::kResourceExhausted, {}, ErrorReason::kQueueFull};
    case Refusal::kOutOfMemory:
      return {ErrorCode::kResourceExhausted, {}, ErrorReason::kOutOfMemory};
    case Refusal::kStopping: break;
  }
  return {ErrorCode::kUnavailable, {}, ErrorReason::kDraining};
}

}  // namespace

Error to_error(const Refused& refused) noexcept {
  try {
    return describe(refused);
  } catch (const std::bad_alloc&) {
    return bare(refused);
  }
}

Error copy_of(const Error& error) noexcept {
  try {
    return error;
  } catch (const std::bad_alloc&) {
    return {error.code, {}, error.reason};
  }
}

}  // namespace terrane::schedule
