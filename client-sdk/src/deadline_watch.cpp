#include "deadline_watch.h"

#include <iterator>
#include <system_error>
#include <utility>

namespace terrane::client {

DeadlineWatch::~DeadlineWatch() {
  std::optional<std::thread> thread;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    thread.swap(thread_);
    changed_.notify_all();
  }
  if (thread) thread->join();
}

DeadlineWatch::Watch DeadlineWatch::add(SteadyTime time, grpc::ClientContext& context) {
  const MutexLock lock(mutex_);
  try {
    if (!thread_) thread_.emplace([this] { run(); });
  } catch (const std::system_error&) {
    // no more threads: waits end by themselves, though late where the clock is set back
  }
  watched_.push_back({time, &context});
  if (time < looks_at_) changed_.notify_all();
  return std::prev(watched_.end());
}

bool DeadlineWatch::forget(Watch watch) {
  const MutexLock lock(mutex_);
  while (watch->state == Watched::State::kIsCancelled) changed_.wait(mutex_);
  const bool cancelled = watch->state == Watched::State::kCancelled;
  watched_.erase(watch);
  return cancelled;
}

void DeadlineWatch::run() {
  MutexLock lock(mutex_);
  while (!stopping_) {
    const Watch next = first();
    looks_at_ = next == watched_.end() ? SteadyTime::max() : next->time;
    if (next == watched_.end()) {
      changed_.wait(mutex_);
    } else if (next->time > std::chrono::steady_clock::now()) {
      changed_.wait_until(mutex_, looks_at_);
    } else {
      next->state = Watched::State::kIsCancelled;
      lock.unlock();  // gRPC may call back, whomever
      next->context->TryCancel();
      lock.lock();
      next->state = Watched::State::kCancelled;
      changed_.notify_all();
    }
  }
}

DeadlineWatch::Watch DeadlineWatch::first() {
  Watch first = watched_.end();
  for (auto one = watched_.begin(); one != watched_.end(); ++one) {
    const bool runs = one->state == Watched::State::kRuns;
    if (runs && (first == watched_.end() || one->time < first->time)) first = one;
  }
  return first;
}

}  // namespace terrane::client
