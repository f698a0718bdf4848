#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "bell.h"
#include "terrane/terrane.h"

namespace terrane::connection {

/// Threads that make an explorer's land. They sleep while there is nothing to be made. Threads:
/// any, but for the destructor, which waits for the chunks that are being made.
class LandWorkers {
 public:
  /// @param bell  rings for each chunk
  /// Errors: throws std::system_error where there is no thread to be had.
  LandWorkers(terrane_explorer* explorer, int threads, Bell& bell);
  LandWorkers(const LandWorkers&) = delete;
  LandWorkers& operator=(const LandWorkers&) = delete;
  ~LandWorkers();

  /// There may be something to be made: after each move and poll. Blocks: no.
  void wake();

 private:
  void run(const std::stop_token& stop);

  terrane_explorer* const explorer_;
  Bell& bell_;
  std::mutex mutex_;
  std::condition_variable_any woken_;
  bool is_needed_ = false;             // of mutex_
  std::vector<std::jthread> threads_;  // last: they use the others
};

}  // namespace terrane::connection
