#pragma once

#include <absl/base/thread_annotations.h>
#include <absl/synchronization/mutex.h>

#include <chrono>
#include <cstddef>
#include <memory>

namespace terrane::rpc {

/// Counts the calls in progress, and closes. Thread-safe. Must outlive its passes.
class CallTracker {
 public:
  struct Leave {
    void operator()(CallTracker* tracker) const { tracker->leave(); }
  };
  /// Held by a call until it is over.
  using Pass = std::unique_ptr<CallTracker, Leave>;

  CallTracker() = default;
  CallTracker(const CallTracker&) = delete;
  CallTracker& operator=(const CallTracker&) = delete;

  /// Lets a call in; null once the tracker is closed. Blocks: no.
  [[nodiscard]] Pass enter();

  /// Lets no further call in. Blocks: no.
  void close();

  /// Of a closed tracker: waits for the calls inside.
  /// @return how many are still inside at the deadline
  std::size_t wait_until_empty(std::chrono::steady_clock::time_point deadline);

  /// Of a closed tracker: waits until no call has come for as long as `quiet`, or until the
  /// deadline.
  void wait_for_quiet(std::chrono::milliseconds quiet,
                      std::chrono::steady_clock::time_point deadline);

 private:
  void leave();
  [[nodiscard]] bool is_empty() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return inside_ == 0; }

  absl::Mutex mutex_;
  std::size_t inside_ ABSL_GUARDED_BY(mutex_) = 0;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  /// Or when the tracker was closed.
  std::chrono::steady_clock::time_point last_refusal_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::rpc
