#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "net/client_address.h"
#include "net/open_connections.h"

namespace terrane::net {

/// What the log says of connections that were closed at once: a line a minute, however many there
/// are. For one thread.
class RefusalReport {
 public:
  using Clock = std::chrono::steady_clock;

  void note(Refusal refusal, const AddressBytes& client);

  /// The line that is due, which is then done with: how many since the last one, why, and who was
  /// refused most; empty when there is nothing to say, or it is too early.
  [[nodiscard]] std::string line(Clock::time_point now, const ConnectionLimits& limits);

 private:
  std::array<std::uint64_t, kRefusals> counts_{};
  std::map<AddressBytes, std::uint64_t> by_client_;  // of the first so many: it is bounded
  std::optional<Clock::time_point> last_;            // line
};

}  // namespace terrane::net
