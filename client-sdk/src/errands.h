#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include "terrane/mutex.h"
#include "waited_call.h"

namespace terrane::client {

/// Does, on a thread of its own, what must not hold up a game's: one errand after the other.
/// Thread-safe.
class Errands {
 public:
  /// Something that is done over and over, each time that it is asked for.
  class Errand {
   public:
    explicit Errand(std::function<void()> run) : run_(std::move(run)) {}
    Errand(const Errand&) = delete;
    Errand& operator=(const Errand&) = delete;

   private:
    friend class Errands;
    const std::function<void()> run_;
    bool is_asked_for_ = false;  // of Errands::mutex_
  };

  Errands() = default;
  Errands(const Errands&) = delete;
  Errands& operator=(const Errands&) = delete;
  ~Errands();

  /// It will be done soon, once for any number of calls until then. Blocks: no, unless there are no
  /// more threads: then it is done at once.
  void ask_for(Errand& errand) ABSL_LOCKS_EXCLUDED(mutex_);

  /// It is not done any more. Blocks: while it is being done, until `end` at most.
  /// @return whether it is not
  [[nodiscard]] bool forget(Errand& errand, SteadyTime end) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void run() ABSL_LOCKS_EXCLUDED(mutex_);
  [[nodiscard]] bool has_thread() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Mutex mutex_;
  CondVar changed_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<Errand*> waiting_ ABSL_GUARDED_BY(mutex_);
  const Errand* running_ ABSL_GUARDED_BY(mutex_) = nullptr;
  std::optional<std::thread> thread_ ABSL_GUARDED_BY(mutex_);  // from the first on
};

}  // namespace terrane::client
