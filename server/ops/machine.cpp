#include "ops/machine.h"

#include <sched.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace terrane::ops {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

/// One hierarchy of control groups as this process sees it.
struct Hierarchy {
  bool unified = false;     // version 2
  std::string controllers;  // of version 1, "cpu,cpuacct"
  fs::path mount;           // where it is mounted
  fs::path top;             // the group that is mounted there
};

bool has_word(std::string_view list, std::string_view word) {
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    if (list.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

/// The hierarchies of /proc/self/mountinfo (proc(5)): "ID PARENT DEVICE ROOT MOUNT OPTIONS … - TYPE
/// SOURCE SUPER-OPTIONS".
std::vector<Hierarchy> mounted_hierarchies(const fs::path& root) {
  std::vector<Hierarchy> found;
  std::ifstream file(root / "proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t separator = line.find(" - ");
    if (separator == std::string::npos) continue;
    std::istringstream before(line.substr(0, separator));
    std::istringstream after(line.substr(separator + 3));
    std::string skipped, top, mount, type, source, options;
    before >> skipped >> skipped >> skipped >> top >> mount;
    after >> type >> source >> options;
    if (type != "cgroup" && type != "cgroup2") continue;
    found.push_back({type == "cgroup2", options, root / fs::path(mount).relative_path(), top});
  }
  return found;
}

/// The directories of this process's group and of its parents in that hierarchy, the group's own
/// first, by /proc/self/cgroup: "NUMBER:CONTROLLERS:PATH", with neither number nor controllers for
/// version 2.
std::vector<fs::path> own_groups(const fs::path& root, const Hierarchy& hierarchy,
                                 std::string_view controller) {
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (hierarchy.unified ? !controllers.empty() : !has_word(controllers, controller)) continue;
    // A container may see its own group as the top, under the path that the host knows it by.
    fs::path below = fs::path(line.substr(second + 1)).lexically_normal();
    const fs::path relative = below.lexically_relative(hierarchy.top);
    if (!relative.empty() && *relative.begin() != "..") below = "/" / relative;
    below = below.lexically_normal();
    std::vector<fs::path> groups;
    for (;; below = below.parent_path()) {
      groups.push_back(hierarchy.mount / below.relative_path());
      if (below == below.parent_path()) return groups;
    }
  }
  return {hierarchy.mount};
}

std::optional<std::string> first_word(const fs::path& path) {
  std::string word;
  if (std::ifstream file(path); file >> word) return word;
  return std::nullopt;
}

/// A number of bytes or microseconds; nothing for "max", "-1" and what is no number.
std::optional<std::uint64_t> read_limit(const fs::path& path) {
  const auto word = first_word(path);
  if (!word || word->find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  std::istringstream text(*word);
  std::uint64_t number = 0;
  if (text >> number) return number;
  return std::nullopt;
}

/// The least memory that one of these groups allows. Past `memory.high` a group is not killed, but
/// slowed until it does nothing else than to give memory back.
std::uint64_t least_memory(const std::vector<fs::path>& groups) {
  std::uint64_t least = kNoLimit;
  for (const fs::path& group : groups) {
    for (const char* name : {"memory.max", "memory.high", "memory.limit_in_bytes"}) {
      const auto limit = read_limit(group / name);
      if (limit && *limit > 0) least = std::min(least, *limit);
    }
  }
  return least;
}

/// Processors' worth of time that a group allows; nothing when that is any.
std::optional<double> quota(const fs::path& group) {
  std::optional<std::uint64_t> quota_us, period_us;
  if (std::ifstream both(group / "cpu.max"); both) {  // "QUOTA PERIOD" or "max PERIOD"
    std::uint64_t first = 0, second = 0;
    if (both >> first >> second) quota_us = first, period_us = second;
  } else {
    quota_us = read_limit(group / "cpu.cfs_quota_us");
    period_us = read_limit(group / "cpu.cfs_period_us");
  }
  if (!quota_us || !period_us || *quota_us == 0 || *period_us == 0) return std::nullopt;
  return static_cast<double>(*quota_us) / static_cast<double>(*period_us);
}

std::uint64_t ram_bytes(const fs::path& root) {
  std::ifstream file(root / "proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("MemTotal:")) continue;
    std::istringstream text(line.substr(line.find(':') + 1));
    std::uint64_t kib = 0;
    if (text >> kib) return kib << 10;
  }
  return 0;
}

}  // namespace

Machine read_machine(const fs::path& root, std::size_t usable_processors) {
  Machine machine{.memory_bytes = ram_bytes(root),
                  .usable_processors = std::max<std::size_t>(usable_processors, 1)};
  std::uint64_t memory = machine.memory_bytes > 0 ? machine.memory_bytes : kNoLimit;
  for (const Hierarchy& hierarchy : mounted_hierarchies(root)) {
    if (hierarchy.unified || has_word(hierarchy.controllers, "memory"))
      memory = std::min(memory, least_memory(own_groups(root, hierarchy, "memory")));
    if (!hierarchy.unified && !has_word(hierarchy.controllers, "cpu")) continue;
    for (const fs::path& group : own_groups(root, hierarchy, "cpu")) {
      const auto allowed = quota(group);
      if (allowed && (machine.processor_quota == 0 || *allowed < machine.processor_quota))
        machine.processor_quota = *allowed;
    }
  }
  // version 1 writes "no limit" as a number that no machine has
  constexpr std::uint64_t kMostThatIsMeant = std::uint64_t{1} << 60;
  machine.memory_limit_bytes = memory < kMostThatIsMeant ? memory : 0;
  machine.processors = static_cast<std::size_t>(std::ceil(processor_share(machine)));
  return machine;
}

double processor_share(const Machine& machine) {
  const auto usable = static_cast<double>(machine.usable_processors);
  return machine.processor_quota > 0 ? std::min(machine.processor_quota, usable) : usable;
}

std::size_t usable_processors() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  // fails where the machine has more processors than the mask
  if (sched_getaffinity(0, sizeof(mask), &mask) != 0)
    return std::max(1u, std::thread::hardware_concurrency());
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&mask)));
}

std::string describe(const Machine& machine) {
  const auto mib = [](std::uint64_t bytes) {
    return bytes == 0 ? std::string("unknown") : fmt::format("{} MiB", bytes >> 20);
  };
  const std::string quota =
      machine.processor_quota > 0 ? fmt::format(", time of {:.2f}", machine.processor_quota) : "";
  return fmt::format("memory {} of the machine's {}, processors {}{}",
                     mib(machine.memory_limit_bytes), mib(machine.memory_bytes),
                     machine.usable_processors, quota);
}

}  // namespace terrane::ops
