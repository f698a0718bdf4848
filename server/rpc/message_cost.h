#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "schedule/source.h"
#include "terrane/mutex.h"

namespace terrane::rpc {

/// What a message costs gRPC's threads, here and now. Nobody shares out their work: so it is
/// charged to those who cause it (Dues), and calls that are answered once begin at a pace
/// (CallPace). Measured: processor time of the process less that of the workers' jobs, by the
/// messages that have come and gone meanwhile. Where there are few of them the rest of the process
/// makes them dearer than they are, within bounds, and it matters little. Thread-safe; nothing
/// blocks.
class MessageCost {
 public:
  using Time = std::chrono::nanoseconds;

  /// What a call costs that is answered once, in messages: headers, beginning, answer, end.
  static constexpr std::uint64_t kMessagesOfCall = 4;

  /// @param unshared  processor time so far that no job has taken; empty: nothing is measured
  explicit MessageCost(std::function<Time()> unshared = {}) : unshared_(std::move(unshared)) {}

  /// So many have come or gone. Measures now and then.
  void note(std::uint64_t messages) noexcept { note(messages, Clock::now()); }

  using Clock = std::chrono::steady_clock;
  void note(std::uint64_t messages, Clock::time_point now) noexcept;

  [[nodiscard]] Time of_message() const { return Time(cost_.load(std::memory_order_relaxed)); }
  [[nodiscard]] Time of_call() const;

 private:
  void measure() noexcept ABSL_LOCKS_EXCLUDED(mutex_);

  const std::function<Time()> unshared_;
  std::atomic<std::uint64_t> messages_ = 0;  // since the last look
  std::atomic<Clock::time_point> due_{};     // the next one
  std::atomic<Time::rep> cost_ = 15'000;     // nanoseconds of one
  Mutex mutex_;
  Time measured_ ABSL_GUARDED_BY(mutex_){0};
};

/// What gRPC has done for one stream, from its call on, and its client has not been charged yet:
/// that is done where the client has its turn at the workers. Threads: one at a time.
class Dues {
 public:
  /// @param messages  those of the call itself; 0: they are charged where it begins
  explicit Dues(std::shared_ptr<MessageCost> cost,
                std::uint64_t messages = MessageCost::kMessagesOfCall)
      : cost_(std::move(cost)), messages_(messages) {}

  /// A message of so many bytes has come or gone.
  void add(std::size_t bytes);
  /// So many that they are not to wait for whatever job comes.
  [[nodiscard]] bool are_many() const { return messages_ >= 64; }
  /// Where this is a job in the client's turn.
  void pay(const schedule::Source& source);
  /// What is due, to be charged elsewhere.
  [[nodiscard]] MessageCost::Time take();

 private:
  [[nodiscard]] MessageCost::Time due() const;

  std::shared_ptr<MessageCost> cost_;
  std::uint64_t messages_;
  std::uint64_t bytes_ = 0;
};

}  // namespace terrane::rpc
