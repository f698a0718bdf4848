#include "support/failing_memory.h"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace terrane::test {
namespace {

constexpr long kNever = std::numeric_limits<long>::max();

std::atomic<long> countdown = kNever;  // to the first one that fails
std::atomic<bool> for_good = false;
std::atomic<std::size_t> min_bytes = 0;
std::atomic<std::size_t> failed = 0;
thread_local bool exempt = false;
thread_local long countdown_here = kNever;
thread_local std::size_t min_bytes_here = 0;

bool fails(std::size_t bytes) {
  if (countdown_here != kNever && bytes >= min_bytes_here && countdown_here-- == 0) {
    countdown_here = kNever;
    ++failed;
    return true;
  }
  if (countdown.load(std::memory_order_relaxed) == kNever || exempt || bytes < min_bytes)
    return false;
  const long left = countdown.fetch_sub(1);
  if (left > 0 || (left < 0 && !for_good)) return false;
  ++failed;
  return true;
}

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (fails(bytes)) throw std::bad_alloc();
  void* memory = nullptr;
  if (alignment == 0) {
    memory = std::malloc(bytes == 0 ? 1 : bytes);
  } else if (posix_memalign(&memory, alignment, bytes) != 0) {
    memory = nullptr;
  }
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void fail_memory(std::size_t after, bool all_after, std::size_t least) {
  failed = 0;
  for_good = all_after;
  min_bytes = least;
  countdown = static_cast<long>(after);
}

std::size_t restore_memory() {
  countdown = kNever;
  return failed;
}

void fail_memory_here(std::size_t after, std::size_t least) {
  countdown_here = static_cast<long>(after);
  min_bytes_here = least;
}

void exempt_from_failures(bool is_exempt) { exempt = is_exempt; }

}  // namespace terrane::test

void* operator new(std::size_t bytes) { return terrane::test::allocate(bytes, 0); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return terrane::test::allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
