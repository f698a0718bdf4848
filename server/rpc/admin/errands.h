#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <stop_token>
#include <thread>
#include <utility>

#include "terrane/mutex.h"
#include "terrane/result.h"

namespace terrane::rpc {

/// Work that blocks, each on a thread of its own. Thread-safe.
class Errands {
 public:
  /// @param most  at once
  explicit Errands(std::size_t most) : most_(most) {}
  /// Stops all, and waits for them.
  ~Errands();
  Errands(const Errands&) = delete;
  Errands& operator=(const Errands&) = delete;

  /// Runs `work`, which is to end soon after a stop is requested, by whomever. Blocks: no.
  /// @param work  never throws
  /// Errors: kResourceExhausted (as many run as may), kUnavailable (stopped).
  Result<void> run(std::stop_source stop, std::function<void()> work);

  /// Stops all, now and from now on. Blocks: no.
  void stop();

 private:
  struct Errand {
    explicit Errand(std::stop_source its_stop) : stop(std::move(its_stop)) {}
    std::stop_source stop;
    bool is_over = false;
    std::thread thread;
  };

  const std::size_t most_;
  Mutex mutex_;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  std::list<Errand> errands_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::rpc
