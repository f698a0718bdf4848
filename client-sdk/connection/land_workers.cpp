#include "land_workers.h"

#include "background_thread.h"

namespace terrane::connection {

LandWorkers::LandWorkers(terrane_explorer* explorer, int threads, Bell& bell)
    : explorer_(explorer), bell_(bell) {
  for (int i = 0; i < threads; ++i)
    threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
}

LandWorkers::~LandWorkers() {
  for (std::jthread& thread : threads_) thread.request_stop();  // all, before one is waited for
}

/// One thread, who wakes the next once there is a chunk to be made: most frames need none.
void LandWorkers::wake() {
  {
    const std::lock_guard lock(mutex_);
    if (is_needed_) return;
    is_needed_ = true;
  }
  woken_.notify_one();
}

void LandWorkers::run(const std::stop_token& stop) {
  core::lower_thread_priority();
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      if (!woken_.wait(lock, stop, [this] { return is_needed_; })) return;
      is_needed_ = false;
    }
    while (!stop.stop_requested() && terrane_explorer_work(explorer_) != 0) {
      wake();
      bell_.ring();
    }
    bell_.ring();  // what it has left behind is news, too
  }
}

}  // namespace terrane::connection
