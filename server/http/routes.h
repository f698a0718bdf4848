#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/port_state.h"
#include "ops/metrics.h"

namespace terrane::http {

/// How far the server is; main sets it.
enum class Phase : std::uint8_t {
  kStarting,
  kServing,
  kServingUncached,  // though a cache was wanted
  kDraining
};

/// Whether the server takes calls in that phase.
[[nodiscard]] constexpr bool is_serving(Phase phase) {
  return phase == Phase::kServing || phase == Phase::kServingUncached;
}

/// What a request for a route yields.
struct Page {
  unsigned status = 200;
  std::string content_type;
  std::string body;
};

/// /metrics, /healthz and /readyz. Thread-safe.
class Routes {
 public:
  /// All outlive the routes.
  Routes(const ops::Metrics& metrics, const std::atomic<Phase>& phase, const net::PortStates& ports)
      : metrics_(metrics), phase_(phase), ports_(ports) {}

  /// @param target  of a request: a path, and a query that is ignored
  /// @return the page; one of status 404 that lists the routes for any other path. Blocks for as
  ///   long as the metrics take.
  [[nodiscard]] Page get(std::string_view target) const;

 private:
  const ops::Metrics& metrics_;
  const std::atomic<Phase>& phase_;
  const net::PortStates& ports_;
};

/// A page with a line of text.
[[nodiscard]] Page text_page(unsigned status, std::string_view line);

}  // namespace terrane::http
