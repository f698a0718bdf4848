#include "process_setup.h"

#include <absl/synchronization/mutex.h>
#include <sys/resource.h>

#include <cstdlib>

#include "log.h"
#include "worldgen/float_environment.h"

// How jemalloc, which is linked where there are no sanitizers, is set up: it reads this variable
// before main begins. A thread of its own gives memory that has not been used for ten seconds back
// to the system, so that the threads that serve need not. Each of these keeps a few buffers of up
// to 2^17 bytes at hand, which batches of chunks need. The figures are in
// server/adr/0012-memory-follows-the-flags.md. MALLOC_CONF in the environment comes on top.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "background_thread:true,lg_tcache_max:17,muzzy_decay_ms:0";
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
