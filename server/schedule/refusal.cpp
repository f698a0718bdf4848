#include "schedule/refusal.h"

#include <spdlog/fmt/fmt.h>

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
  }
  return "unknown";
}

Error to_error(const Refused& refused) {
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
    case Refusal::kStopping: break;
  }
  return {.code = ErrorCode::kUnavailable,
          .message = "the server is shutting down: ask another replica, or again later",
          .reason = ErrorReason::kDraining};
}

}  // namespace terrane::schedule
