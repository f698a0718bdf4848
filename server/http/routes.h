#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "http/page.h"
#include "http/world_routes.h"
#include "net/port_state.h"
#include "ops/metrics.h"

namespace terrane::http {

/// How far the server is; main sets it.
enum class Phase : std::uint8_t {
  kStarting,
  kServing,
  kServingUncached,  // though a cache was wanted
  kLeaving,          // calls are taken, but are better made elsewhere
  kDraining
};

/// Whether the server takes calls in that phase.
[[nodiscard]] constexpr bool is_serving(Phase phase) {
  return phase != Phase::kStarting && phase != Phase::kDraining;
}

/// Whether it asks for them.
[[nodiscard]] constexpr bool is_ready(Phase phase) {
  return is_serving(phase) && phase != Phase::kLeaving;
}

/// What anybody may ask: it says no more than that the server is there.
[[nodiscard]] bool is_probe(std::string_view target);

/// The viewer, /metrics, /healthz and /readyz, and what is below /v1. Thread-safe.
class Routes {
 public:
  /// All outlive the routes.
  /// @param worlds  null: there is nothing below /v1
  Routes(const ops::Metrics& metrics, const std::atomic<Phase>& phase, net::PortStates& ports,
         const WorldRoutes* worlds)
      : metrics_(metrics), phase_(phase), ports_(ports), worlds_(worlds) {}

  /// Answers with a page; one of status 404 that lists the routes for any other path. Blocks for as
  /// long as the metrics take.
  void answer(const Request& request, Reply reply) const;

  /// Where a request may become a WebSocket. Errors: kNotFound, kUnavailable, and those of
  /// ExploreDoor::check_origin().
  [[nodiscard]] Result<const ExploreDoor*> explore(const Request& request) const;

  /// Charges who has asked for what their connection takes of the port's thread.
  void charge(const std::string& peer, const std::string& forwarded_for,
              std::chrono::nanoseconds spent) const;

 private:
  [[nodiscard]] Page refuse(const Request& request) const;
  [[nodiscard]] Page get(const Request& request) const;

  const ops::Metrics& metrics_;
  const std::atomic<Phase>& phase_;
  net::PortStates& ports_;
  const WorldRoutes* const worlds_;
};

}  // namespace terrane::http
