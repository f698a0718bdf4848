#include "rpc/received_bytes.h"

#include <map>
#include <new>
#include <thread>

#include "log.h"

namespace terrane::rpc {
namespace {

// Processor time of gRPC's threads for a piece that comes by itself, and for a byte in the densest
// of frames that mean nothing to us (ADR 15).
constexpr std::chrono::nanoseconds kSegmentCost{5'000};
constexpr std::chrono::nanoseconds kByteCost{12};

constexpr std::chrono::milliseconds kSeldom{100}, kOften{10};
constexpr std::chrono::seconds kLong{1};  // a pause that is worth a line
constexpr std::chrono::minutes kBetweenReports{1};
constexpr std::size_t kAtATime = 64;           // connections
constexpr std::chrono::seconds kOwesStill{1};  // after which it looks less often again

}  // namespace

void ReceivedBytes::start() {
  if (connections_ != nullptr) look_later(kSeldom);
}

void ReceivedBytes::look_later(std::chrono::milliseconds time) {
  alarms_.set(Clock::now() + time, [this] { look(); });
}

void ReceivedBytes::look() noexcept {
  const auto now = Clock::now();
  bool is_due = false;
  try {
    is_due = charge_some(now);
  } catch (const std::bad_alloc&) {
    // the next time
  }
  if (is_due) owed_last_ = now;
  for (;;) {
    try {
      return look_later(now < owed_last_ + kOwesStill ? kOften : kSeldom);
    } catch (const std::bad_alloc&) {
      std::this_thread::yield();
    }
  }
}

/// @return whether anybody owes too much
bool ReceivedBytes::charge_some(Clock::time_point now) {
  const bool is_held = holds_back_();
  const auto all = connections_->look(kAtATime, is_held ? now : Clock::time_point::max());
  std::map<net::AddressBytes, std::chrono::nanoseconds> costs;
  for (const auto& received : all)
    costs[received.client] += received.segments * kSegmentCost + received.bytes * kByteCost;
  for (const auto& [client, cost] : costs) {
    const auto pause = charge_(client, cost);
    if (pause == std::chrono::nanoseconds(0)) continue;
    connections_->pause(client, now + pause);
    if (pause >= kLong) report(client, now);
  }
  return is_held;
}

void ReceivedBytes::report(const net::AddressBytes& client, Clock::time_point now) {
  if (reported_ != Clock::time_point{} && now < reported_ + kBetweenReports) return;
  reported_ = now;
  spdlog::warn(
      "grpc port: what {} sends has taken more than its part of the processors, and waits for a "
      "second or longer (terrane_paused_clients; --weight gives it a larger part)",
      net::client_text(net::client_of(client)));
}

}  // namespace terrane::rpc
