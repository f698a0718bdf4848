#pragma once

#include <atomic>
#include <cstdint>

#include "ops/last_asked.h"

namespace terrane::net {

/// Whether a port takes new connections.
enum class Accepting : std::uint8_t {
  kYes,
  kFull,          // it holds as many as it may
  kNoDescriptors  // the process, or the machine, can't open any more
};

/// What the ports say of themselves, for readiness. Thread-safe.
struct PortStates {
  std::atomic<Accepting> grpc = Accepting::kYes;
  std::atomic<Accepting> http = Accepting::kYes;

  ops::LastAsked asked;  // for readiness, over HTTP

  [[nodiscard]] bool all_accept() const {
    return grpc == Accepting::kYes && http == Accepting::kYes;
  }
};

}  // namespace terrane::net
