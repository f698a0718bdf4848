#include "process_setup.h"

#include <malloc.h>
#include <spdlog/spdlog.h>

#include <cstddef>
#include <cstdlib>

#include "worldgen/float_environment.h"

namespace terrane {
namespace {

/// glibc widens a thread's heap by no more than is asked for, with a system call for every page or
/// so that chunks in memory fill. So do it once; a page is taken only when it is used.
void widen_heap() {
  constexpr std::size_t kBytes = std::size_t{24} << 20;
  void* volatile const heap = std::malloc(kBytes);  // volatile, or the compiler leaves both out
  std::free(heap);
}

}  // namespace

void hold_on_to_memory() {
  constexpr int kMiB = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * kMiB);
  mallopt(M_TRIM_THRESHOLD, 256 * kMiB);
  mallopt(M_TOP_PAD, kMiB);
}

void prepare_worker() {
  widen_heap();
  worldgen::set_default_float_environment();
  if (!worldgen::has_default_float_environment()) {
    spdlog::critical(
        "this machine's floating-point environment can't be set to its defaults: worlds would "
        "differ from other servers'");
    std::abort();
  }
}

}  // namespace terrane
