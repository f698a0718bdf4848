#pragma once

#include <chrono>
#include <optional>

#include "terrane/result.h"

/// When a failed call may be tried again. Pure functions; threads: any; they block on nothing.
namespace terrane::client {

struct RetryPolicy {
  int max_attempts = 5;                          // attempts without an answer, the first included
  std::chrono::milliseconds first_backoff{100};  // doubles with every attempt
  std::chrono::milliseconds max_backoff{5000};
};

/// One call's history up to its latest failure. Progress (a chunk that arrived) starts a new
/// history.
struct Failures {
  // of the latest attempt; kUnavailable for a CANCELLED nobody here asked for
  ErrorCode code = ErrorCode::kUnavailable;
  // that failed, the latest included, not counting waits the server asked for
  int attempts = 1;
  int internal = 0;  // that failed with kInternal
  // grpc-retry-pushback-ms; negative: do not come back (gRFC A6)
  std::optional<std::chrono::milliseconds> pushback;
  std::chrono::milliseconds remaining{0};  // until the call's deadline
};

/// How long to wait before the next attempt, or nullopt to give up. kUnavailable backs off
/// exponentially, kResourceExhausted waits as the server says, kInternal gets one second chance;
/// nothing else is repeated, and nothing waits past the deadline.
/// @param jitter  random number in [0, 1): spreads back-off over 50 % to 150 % of its nominal value
[[nodiscard]] std::optional<std::chrono::milliseconds> wait_before_retry(const RetryPolicy& policy,
                                                                         const Failures& failures,
                                                                         double jitter);

}  // namespace terrane::client
