#include "store/map_faults.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace terrane::store {
namespace {

/// One mapped file. What the handler reads is lock-free; the text is complete before `owner` and
/// `end` say that the place is taken.
struct Mapped {
  std::atomic<const void*> owner = nullptr;
  std::atomic<std::uintptr_t> begin = 0, end = 0;
  std::array<char, 1024> last_line{};
  std::atomic<std::size_t> last_line_bytes = 0;
};
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

std::array<Mapped, 8> all_mapped;  // NOLINT: a signal handler has nothing but globals
struct sigaction action_before;    // NOLINT
std::function<std::string(std::string_view)> as_log_line;  // NOLINT

/// Async-signal-safe.
void on_bus_error(int number, siginfo_t* info, void* /*context*/) {
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const bool is_fault = info->si_code > 0;  // and not sent by some process
  for (const Mapped& mapped : all_mapped) {
    if (!is_fault || at < mapped.begin || at >= mapped.end) continue;
    // There is nobody to tell when even this fails.
    [[maybe_unused]] const ssize_t written =
        ::write(STDERR_FILENO, mapped.last_line.data(), mapped.last_line_bytes);
    ::_exit(kCacheFileLost);
  }
  ::sigaction(number, &action_before, nullptr);
  if (!is_fault) ::raise(number);  // a fault happens again by itself when this returns
}

/// Where a file is mapped, from /proc: LMDB does not tell.
struct Range {
  std::uintptr_t begin = 0, end = 0;
};
Range find_range(const std::string& path) {
  Range all;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t at = line.find('/');
    if (at == std::string::npos || line.compare(at, std::string::npos, path) != 0) continue;
    Range range;
    char dash = 0;
    std::istringstream(line) >> std::hex >> range.begin >> dash >> range.end;
    all.begin = all.end == 0 ? range.begin : std::min(all.begin, range.begin);
    all.end = std::max(all.end, range.end);
  }
  return all;
}

void add(const void* owner, const std::string& path) {
  const Range range = find_range(path);
  if (range.end == 0) return;
  for (Mapped& mapped : all_mapped) {
    const void* nobody = nullptr;
    if (!mapped.owner.compare_exchange_strong(nobody, owner)) continue;
    const std::string text =
        "terraned ends: the cache file " + path +
        " was cut short or can't be read any more (SIGBUS). Start it again: it checks the cache, "
        "keeps it if it is whole and wipes it if not. If this comes back, look for a program that "
        "changes the file and check the disk, or name another directory (--data).";
    const std::string line = as_log_line ? as_log_line(text) : text + "\n";
    const std::size_t bytes = std::min(line.size(), mapped.last_line.size());
    std::memcpy(mapped.last_line.data(), line.data(), bytes);
    mapped.last_line_bytes = bytes;
    mapped.begin = range.begin;
    mapped.end = range.end;
    return;
  }
}

}  // namespace

void install_map_fault_handler(std::function<std::string(std::string_view)> as_line) {
  as_log_line = std::move(as_line);
  struct sigaction action {};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, &action_before);
}

MapFaults::MapFaults(const std::filesystem::path& directory,
                     std::initializer_list<const char*> names) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::canonical(directory, error);
  if (error) return;
  for (const char* name : names) add(this, (whole / name).string());
}

MapFaults::~MapFaults() {
  for (Mapped& mapped : all_mapped) {
    if (mapped.owner != this) continue;
    mapped.end = 0;
    mapped.owner = nullptr;
  }
}

}  // namespace terrane::store
