#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "net/client_address.h"
#include "net/connection_reads.h"
#include "rpc/memory_watch.h"
#include "schedule/alarm_clock.h"

namespace terrane::rpc {

/// Charges clients for what comes on their connections whether or not it ever becomes a call: gRPC
/// reads whatever is there as soon as it is there, a byte at a time if it comes so. Connections are
/// looked at in turn, and those of who owes too much are paused. From start() on it works on the
/// thread of the alarms, which must end first.
class ReceivedBytes {
 public:
  /// @param waits  whether some of what it has sent has waited for a while
  /// @return for how long that client's connections are to be paused
  using Charge = std::function<std::chrono::nanoseconds(const net::AddressBytes& client,
                                                        std::chrono::nanoseconds cost, bool waits)>;

  /// @param connections  may be null: nothing is charged
  /// @param is_contended  whether several clients want the processors: then it looks more often
  /// @param memory  is looked after meanwhile
  ReceivedBytes(std::shared_ptr<net::ConnectionReads> connections, schedule::AlarmClock& alarms,
                Charge charge, std::function<bool()> is_contended, MemoryWatch memory)
      : connections_(std::move(connections)),
        alarms_(alarms),
        charge_(std::move(charge)),
        is_contended_(std::move(is_contended)),
        memory_(std::move(memory)) {}

  /// Begins to look. Call once.
  void start();
  /// From now on nobody is paused. Threads: any.
  void stop() { is_stopped_ = true; }
  /// Where there was no memory to go on, it does from now on. Threads: any.
  void keep_looking() noexcept;

 private:
  using Clock = net::ConnectionReads::Clock;

  void look_later(std::chrono::milliseconds time) noexcept;
  void look() noexcept;
  bool charge_some(Clock::time_point now);
  void report(const net::AddressBytes& client, Clock::time_point now);

  const std::shared_ptr<net::ConnectionReads> connections_;
  schedule::AlarmClock& alarms_;
  const Charge charge_;
  const std::function<bool()> is_contended_;
  MemoryWatch memory_;
  std::atomic<bool> is_stopped_ = false;
  std::atomic<bool> is_set_ = false;    // an alarm
  bool is_flood_ = false;               // much has come, or there is little memory for more
  Clock::time_point contended_last_{};  // when several clients wanted the processors
  Clock::time_point reported_{};        // last
};

}  // namespace terrane::rpc
