#pragma once

#include <grpcpp/client_context.h>

#include <chrono>
#include <cstdint>
#include <list>
#include <optional>
#include <thread>

#include "terrane/mutex.h"

namespace terrane::client {

using SteadyTime = std::chrono::steady_clock::time_point;

/// Cancels calls at given times, on a thread of its own that sleeps on the monotonic clock: what
/// waits for a completion queue of gRPC 1.51 may sleep until a time of day, but wakes up when its
/// call is cancelled. Thread-safe.
class DeadlineWatch {
  struct Watched {
    SteadyTime time;
    grpc::ClientContext* context;
    enum class State : std::uint8_t { kRuns, kIsCancelled, kCancelled } state = State::kRuns;
  };

 public:
  using Watch = std::list<Watched>::iterator;

  DeadlineWatch() = default;
  DeadlineWatch(const DeadlineWatch&) = delete;
  DeadlineWatch& operator=(const DeadlineWatch&) = delete;
  ~DeadlineWatch();

  /// @param context  of a call that lives until forget()
  [[nodiscard]] Watch add(SteadyTime time, grpc::ClientContext& context)
      ABSL_LOCKS_EXCLUDED(mutex_);
  /// Blocks: while the call is being cancelled. @return whether it was
  bool forget(Watch watch) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void run() ABSL_LOCKS_EXCLUDED(mutex_);
  /// The one whose time comes first. @return end() if none does
  [[nodiscard]] Watch first() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Mutex mutex_;
  CondVar changed_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  SteadyTime looks_at_ ABSL_GUARDED_BY(mutex_) = SteadyTime::max();
  std::list<Watched> watched_ ABSL_GUARDED_BY(mutex_);
  std::optional<std::thread> thread_ ABSL_GUARDED_BY(mutex_);  // from the first call on
};

}  // namespace terrane::client
