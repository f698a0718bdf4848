#include "process_setup.h"

#include <absl/synchronization/mutex.h>
#include <sys/resource.h>

#include <cstdlib>
#include <exception>
#include <latch>
#include <thread>
#include <vector>

#include "log.h"
#include "worldgen/float_environment.h"

// How jemalloc, which is linked where there are no sanitizers, is set up: it reads this variable
// before main begins. Each thread keeps a few buffers of up to 2^17 bytes at hand, which batches of
// chunks need. The figures are in server/adr/0012-memory-follows-the-flags.md. MALLOC_CONF in the
// environment comes on top.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "max_background_threads:1,lg_tcache_max:17,muzzy_decay_ms:0";
int mallctl(const char* name, void* old_value, std::size_t* old_size, void* new_value,
            std::size_t new_size) __attribute__((weak));
}

namespace terrane {

DescriptorLimit raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return {};
  DescriptorLimit result{limit.rlim_cur, limit.rlim_cur};
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) == 0) result.now = limit.rlim_max;
  return result;
}

bool start_threads(std::size_t least) {
  std::latch all_there(static_cast<std::ptrdiff_t>(least) + 1);
  std::vector<std::thread> threads;
  threads.reserve(least);
  try {
    while (threads.size() < least) threads.emplace_back([&] { all_there.arrive_and_wait(); });
  } catch (const std::exception&) {  // no thread, or no memory for one
  }
  const std::size_t made = threads.size();
  all_there.count_down(static_cast<std::ptrdiff_t>(least - made) + 1);
  for (std::thread& thread : threads) thread.join();
  if (made < least) return false;
  bool is_wanted = true;
  // jemalloc 5.3 does not survive it where it can't make this thread
  if (mallctl != nullptr) mallctl("background_thread", nullptr, nullptr, &is_wanted, sizeof(bool));
  return true;
}

void give_memory_back() {
  // of all arenas (MALLCTL_ARENAS_ALL)
  if (mallctl != nullptr) mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);
}

void stop_deadlock_detection() {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
}

void prepare_worker() {
  worldgen::set_default_float_environment();
  if (!worldgen::has_default_float_environment()) {
    spdlog::critical(
        "this machine's floating-point environment can't be set to its defaults: worlds would "
        "differ from other servers'");
    std::abort();
  }
}

}  // namespace terrane
