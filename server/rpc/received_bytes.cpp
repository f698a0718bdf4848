#include "rpc/received_bytes.h"

#include <algorithm>
#include <exception>
#include <map>

#include "log.h"

namespace terrane::rpc {
namespace {

// Processor time of gRPC's threads for a piece that comes by itself, and for a byte in the densest
// of frames that mean nothing to us (ADR 15).
constexpr std::chrono::nanoseconds kSegmentCost{5'000};
constexpr std::chrono::nanoseconds kByteCost{12};

constexpr std::chrono::milliseconds kSeldom{100}, kOften{10};
constexpr int kTightMemory = 8;           // times what it costs, where memory is tight
constexpr std::chrono::seconds kLong{1};  // a pause that is worth a line
constexpr std::chrono::minutes kBetweenReports{1};
constexpr std::size_t kAtATime = 64, kInFlood = 256;  // connections
constexpr std::chrono::milliseconds kFlood{2};        // that those of one look have cost
constexpr std::chrono::seconds kContendedStill{1};    // after which it looks less often again

}  // namespace

void ReceivedBytes::start() {
  if (connections_ != nullptr) look_later(kSeldom);
}

void ReceivedBytes::keep_looking() noexcept {
  if (connections_ != nullptr && !is_set_) look_later(kSeldom);
}

void ReceivedBytes::look_later(std::chrono::milliseconds time) noexcept {
  if (is_set_.exchange(true)) return;
  try {
    alarms_.set(Clock::now() + time, [this] { look(); });
  } catch (const std::exception&) {
    is_set_ = false;  // keep_looking() sets it
  }
}

void ReceivedBytes::look() noexcept {
  const auto now = Clock::now();
  try {
    memory_.look(*connections_, now);  // first: it helps where there is none for the other
    if (charge_some(now)) contended_last_ = now;
  } catch (const std::exception&) {
    // a lack of memory: the next time
  }
  is_set_ = false;
  look_later(now < contended_last_ + kContendedStill ? kOften : kSeldom);
}

/// @return whether it should look more often
bool ReceivedBytes::charge_some(Clock::time_point now) {
  struct Cost {
    std::chrono::nanoseconds time{0};
    bool waits = false;
  };
  std::map<net::AddressBytes, Cost> costs;
  const auto until = is_stopped_ ? Clock::time_point::max() : now;  // whose pauses are over
  std::chrono::nanoseconds all{0};
  for (const auto& received : connections_->look(is_flood_ ? kInFlood : kAtATime, until)) {
    Cost& cost = costs[received.client];
    const auto time = received.segments * kSegmentCost + received.bytes * kByteCost;
    cost.time += time;
    cost.waits |= received.waits;
    all += time;
  }
  is_flood_ = all >= kFlood || memory_.is_tight();
  net::ConnectionReads::Pauses pauses;
  for (const auto& [client, cost] : costs) {
    const auto times = memory_.is_tight() ? kTightMemory : 1;
    const auto pause = charge_(client, cost.time * times, cost.waits);
    if (pause == std::chrono::nanoseconds(0) || is_stopped_) continue;
    auto& its = pauses[net::client_of(client)];
    its = std::max(its, now + pause);
    if (pause >= kLong) report(client, now);
  }
  if (!pauses.empty()) connections_->pause(pauses, now);
  return is_flood_ || is_contended_() || connections_->paused() > 0;
}

void ReceivedBytes::report(const net::AddressBytes& client, Clock::time_point now) {
  if (reported_ != Clock::time_point{} && now < reported_ + kBetweenReports) return;
  reported_ = now;
  spdlog::warn(
      "grpc port: what {} sends has taken more than a quarter of its part of the processors, and "
      "waits for a second or longer (terrane_paused_clients; --weight gives it a larger part)",
      net::client_text(net::client_of(client)));
}

}  // namespace terrane::rpc
