#include "retry_policy.h"

#include <algorithm>
#include <cmath>

namespace terrane::client {
namespace {

using std::chrono::milliseconds;

milliseconds backoff(const RetryPolicy& policy, int attempts, double jitter) {
  const double nominal = static_cast<double>(policy.first_backoff.count()) *
                         std::ldexp(1.0, std::clamp(attempts - 1, 0, 30));
  const double capped = std::min(nominal, static_cast<double>(policy.max_backoff.count()));
  return milliseconds(std::llround(capped * (0.5 + jitter)));
}

std::optional<milliseconds> wanted_wait(const RetryPolicy& policy, const Failures& failures,
                                        double jitter) {
  switch (failures.code) {
    case ErrorCode::kResourceExhausted:
      if (failures.pushback) {
        if (failures.pushback->count() < 0) return std::nullopt;
        return *failures.pushback;
      }
      [[fallthrough]];
    case ErrorCode::kUnavailable:
      if (failures.attempts >= policy.max_attempts) return std::nullopt;
      return backoff(policy, failures.attempts, jitter);
    case ErrorCode::kInternal:
      if (failures.internal > 1 || failures.attempts >= policy.max_attempts) return std::nullopt;
      return backoff(policy, 1, jitter);
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<milliseconds> wait_before_retry(const RetryPolicy& policy, const Failures& failures,
                                              double jitter) {
  const auto wait = wanted_wait(policy, failures, jitter);
  return wait && *wait < failures.remaining ? wait : std::nullopt;
}

}  // namespace terrane::client
