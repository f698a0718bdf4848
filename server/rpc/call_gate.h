#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>

namespace terrane::rpc {

/// Counts the calls in progress, and closes. Thread-safe. Must outlive its passes.
class CallGate {
 public:
  struct Leave {
    void operator()(CallGate* gate) const { gate->leave(); }
  };
  /// Held by a call until it is over.
  using Pass = std::unique_ptr<CallGate, Leave>;

  CallGate() = default;
  CallGate(const CallGate&) = delete;
  CallGate& operator=(const CallGate&) = delete;

  /// Lets a call in; null once the gate is closed. Blocks: no.
  [[nodiscard]] Pass enter();

  /// Lets no further call in. Blocks: no.
  void close();

  /// Of a closed gate: waits for the calls inside. @return how many are still inside at the
  /// deadline
  std::size_t wait_until_empty(std::chrono::steady_clock::time_point deadline);

  /// Of a closed gate: waits until no call has come for as long as `quiet`, or until the deadline.
  void wait_for_quiet(std::chrono::milliseconds quiet,
                      std::chrono::steady_clock::time_point deadline);

 private:
  void leave();

  std::mutex mutex_;
  std::condition_variable empty_;
  std::size_t inside_ = 0;
  bool closed_ = false;
  std::chrono::steady_clock::time_point last_refusal_;  // or when the gate was closed
};

}  // namespace terrane::rpc
