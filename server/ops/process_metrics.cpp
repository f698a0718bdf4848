#include "ops/process_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace terrane::ops {
namespace {

// Places in /proc/self/stat after the program's name (proc(5)), which ends in the last ')'.
constexpr std::size_t kUserTicks = 11;
constexpr std::size_t kSystemTicks = 12;
constexpr std::size_t kThreads = 17;
constexpr std::size_t kStartTicks = 19;
constexpr std::size_t kVirtualBytes = 20;
constexpr std::size_t kResidentPages = 21;

std::string read_file(const char* path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<double> process_numbers() {
  const std::string text = read_file("/proc/self/stat");
  const std::size_t name_end = text.rfind(')');
  std::vector<double> numbers;
  if (name_end == std::string::npos) return numbers;
  std::istringstream fields(text.substr(name_end + 1));
  std::string state;
  fields >> state;
  numbers.push_back(0);  // the state is a letter
  for (double number = 0; fields >> number;) numbers.push_back(number);
  return numbers;
}

/// Seconds since 1970 at which the system started; 0 when unknown.
double boot_time() {
  const std::string text = read_file("/proc/stat");
  const std::string key = "\nbtime ";
  const std::size_t at = text.find(key);
  return at == std::string::npos ? 0 : std::strtod(text.c_str() + at + key.size(), nullptr);
}

void scrape_files(Scrape& scrape) {
  std::error_code unreadable;
  double open = 0;
  for (auto file = std::filesystem::directory_iterator("/proc/self/fd", unreadable);
       !unreadable && file != std::filesystem::directory_iterator(); file.increment(unreadable)) {
    ++open;
  }
  // one to read the directory
  if (!unreadable && open > 0) scrape.gauge("process_open_fds", "Open file descriptors.", open - 1);
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    scrape.gauge("process_max_fds", "File descriptors that may be open at once.",
                 static_cast<double>(limit.rlim_cur));
  }
}

}  // namespace

std::uint64_t anonymous_memory() {
  const std::string text = read_file("/proc/self/status");
  const std::string key = "\nRssAnon:";
  const std::size_t at = text.find(key);
  if (at == std::string::npos) return 0;
  return std::strtoull(text.c_str() + at + key.size(), nullptr, 10) << 10;  // it is in KiB
}

void scrape_process(Scrape& scrape) {
  scrape_files(scrape);
  const std::vector<double> numbers = process_numbers();
  if (numbers.size() <= kResidentPages) return;
  const auto ticks_per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  scrape.counter("process_cpu_seconds_total", "Processor time used, in user and system mode.",
                 (numbers[kUserTicks] + numbers[kSystemTicks]) / ticks_per_second);
  scrape.gauge("process_threads", "Threads.", numbers[kThreads]);
  scrape.gauge("process_virtual_memory_bytes", "Address space in use, the mapped cache included.",
               numbers[kVirtualBytes]);
  scrape.gauge("process_resident_memory_bytes",
               "Memory in use, pages of the mapped cache included.",
               numbers[kResidentPages] * static_cast<double>(sysconf(_SC_PAGESIZE)));
  if (const double booted = boot_time(); booted > 0) {
    scrape.gauge("process_start_time_seconds", "When the process started, in seconds since 1970.",
                 booted + numbers[kStartTicks] / ticks_per_second);
  }
}

}  // namespace terrane::ops
