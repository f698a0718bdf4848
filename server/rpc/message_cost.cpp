#include "rpc/message_cost.h"

#include <algorithm>

#include "schedule/worker_pool.h"

namespace terrane::rpc {
namespace {

using namespace std::chrono_literals;
using Time = MessageCost::Time;

constexpr std::chrono::milliseconds kBetweenLooks{20};
constexpr std::uint64_t kEnough = 40;  // messages to see a cost in
constexpr Time kLeast = 5us, kMost = 300us;
constexpr Time kMostOfCall = 200us;
constexpr std::int64_t kMeanOf = 8;  // looks, about, that the mean looks back over
constexpr Time kOfByte = 1ns;        // of a message, besides

}  // namespace

void MessageCost::note(std::uint64_t messages, Clock::time_point now) noexcept {
  messages_.fetch_add(messages, std::memory_order_relaxed);
  Clock::time_point due = due_.load(std::memory_order_relaxed);
  if (!unshared_ || now < due || !due_.compare_exchange_strong(due, now + kBetweenLooks)) return;
  measure();
}

void MessageCost::measure() noexcept {
  const MutexLock lock(mutex_);
  const Time now = unshared_();
  const Time took = now - std::exchange(measured_, now);
  const std::uint64_t messages = messages_.exchange(0);
  if (messages < kEnough) return;
  const Time cost = std::clamp(took / static_cast<std::int64_t>(messages), kLeast, kMost);
  cost_ = cost_ + (cost.count() - cost_) / kMeanOf;
}

Time MessageCost::of_call() const {
  return std::min(of_message() * static_cast<std::int64_t>(kMessagesOfCall), kMostOfCall);
}

void Dues::add(std::size_t bytes) {
  ++messages_;
  bytes_ += bytes;
  cost_->note(1);
}

Time Dues::due() const {
  return cost_->of_message() * static_cast<std::int64_t>(messages_) +
         kOfByte * static_cast<std::int64_t>(bytes_);
}

Time Dues::take() {
  const Time due = this->due();
  messages_ = 0;
  bytes_ = 0;
  return due;
}

void Dues::pay(const schedule::Source& source) {
  if (messages_ > 0 && schedule::WorkerPool::charge(due(), source)) static_cast<void>(take());
}

}  // namespace terrane::rpc
