#include "errands.h"

#include <algorithm>
#include <system_error>

#include "background_thread.h"

namespace terrane::client {

Errands::~Errands() {
  std::optional<std::thread> thread;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    thread.swap(thread_);
    changed_.notify_all();
  }
  if (thread) thread->join();
}

void Errands::ask_for(Errand& errand) {
  {
    const MutexLock lock(mutex_);
    if (errand.is_asked_for_) return;
    if (has_thread()) {
      errand.is_asked_for_ = true;
      waiting_.push_back(&errand);
      changed_.notify_all();
      return;
    }
  }
  errand.run_();
}

bool Errands::forget(Errand& errand, SteadyTime end) {
  const MutexLock lock(mutex_);
  std::erase(waiting_, &errand);
  while (running_ == &errand && changed_.wait_until(mutex_, end)) {
  }
  std::erase(waiting_, &errand);
  errand.is_asked_for_ = false;
  return running_ != &errand;
}

bool Errands::has_thread() {
  try {
    if (!thread_) thread_.emplace([this] { run(); });
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

void Errands::run() {
  core::interrupt_nobody();
  MutexLock lock(mutex_);
  while (!stopping_) {
    if (waiting_.empty()) {
      changed_.wait(mutex_);
      continue;
    }
    Errand& errand = *waiting_.front();
    waiting_.pop_front();
    errand.is_asked_for_ = false;  // what is asked for from now on is done once more
    running_ = &errand;
    lock.unlock();
    errand.run_();
    lock.lock();
    running_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace terrane::client
