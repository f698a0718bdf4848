#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ops/metrics.h"
#include "terrane/error_reason.h"
#include "terrane/result.h"

namespace terrane::rpc {

class Call;

/// As it came, or empty where it is longer than 128 bytes, or not of letters, digits and `-_.:`.
[[nodiscard]] std::string checked_request_id(std::string_view text);

/// Whose something is, for metrics.
enum class Whose : std::uint8_t {
  kStrangers,  // clients with one share
  kWeighted    // with more
};
inline constexpr std::size_t kWhose = 2;

[[nodiscard]] constexpr Whose whose(std::uint32_t weight) {
  return weight > 1 ? Whose::kWeighted : Whose::kStrangers;
}

/// "strangers": the label of metrics.
[[nodiscard]] const char* to_string(Whose whose);

/// Calls that end with an error: counted by reason and by whose they are; of each reason a line in
/// the log, once a minute at most, with the latest of them. Thread-safe; no call blocks.
class Refusals {
 public:
  explicit Refusals(ops::Metrics& metrics);

  /// Before the call's end.
  void note(const Call& call, const Error& error) noexcept;

 private:
  using Clock = std::chrono::steady_clock;
  // highest number, and one
  static constexpr std::size_t kReasons = static_cast<std::size_t>(ErrorReason::kChunkDamaged) + 1;

  struct Reason {
    std::array<ops::Counter, kWhose> calls;
    std::atomic<std::uint64_t> unlogged = 0;
    std::atomic<Clock::rep> next_line = 0;
  };
  std::array<Reason, kReasons> reasons_;
};

}  // namespace terrane::rpc
