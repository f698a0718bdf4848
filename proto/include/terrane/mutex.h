#pragma once

#include <absl/base/thread_annotations.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

// The standard mutex and condition variable in words that Clang's thread safety analysis can check:
// members say which mutex guards them (ABSL_GUARDED_BY), private functions that it must be held
// (ABSL_EXCLUSIVE_LOCKS_REQUIRED), and a build with Clang refuses whatever breaks that. For this
// tree's own sources: not installed, and not to be included by public headers.
//
// Not absl::Mutex, since ThreadSanitizer can't see a lock of a library that was built without it,
// as Debian's Abseil is, and would call everything that our locks guard a race.

namespace terrane {

/// As std::mutex.
class ABSL_LOCKABLE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

/// Holds a mutex for as long as it lives, but for what lies between unlock() and lock().
class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex) : mutex_(mutex) {
    mutex_.lock();
  }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() {
    if (held_) mutex_.unlock();
  }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() {
    mutex_.lock();
    held_ = true;
  }
  void unlock() ABSL_UNLOCK_FUNCTION() {
    held_ = false;
    mutex_.unlock();
  }

 private:
  Mutex& mutex_;
  bool held_ = true;
};

/// As std::condition_variable. A wait may end without a reason, so it stands in a loop over what is
/// waited for: a predicate would be a function of its own to the analysis, which knows no lock.
class CondVar {
 public:
  void notify_one() { changed_.notify_one(); }
  void notify_all() { changed_.notify_all(); }

  /// Blocks until notified. The mutex is free meanwhile.
  void wait(Mutex& mutex) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    changed_.wait(lock);
    lock.release();  // the caller goes on holding it
  }

  /// Blocks until notified, or until `time`. @return false when it was the time
  bool wait_until(Mutex& mutex, std::chrono::steady_clock::time_point time)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    const std::cv_status ended = changed_.wait_until(lock, time);
    lock.release();
    return ended == std::cv_status::no_timeout;
  }

 private:
  std::condition_variable changed_;
};

}  // namespace terrane
