#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

/// What the system lets this process use: the machine's, or less in a container.
namespace terrane::ops {

struct Machine {
  std::uint64_t memory_bytes = 0;  // the machine's RAM; 0: unknown
  // of this process and its siblings: the least limit of its control groups, or the machine's RAM;
  // 0: unknown
  std::uint64_t memory_limit_bytes = 0;
  std::size_t usable_processors = 1;  // that the affinity mask allows
  double processor_quota = 0;         // processors' worth of time that control groups allow; 0: any
  // how many threads that compute are worth having: the mask's processors, or the quota rounded up
  // where that is less; at least 1
  std::size_t processors = 1;
};

/// Reads /proc and the control groups, version 1, 2 or both, with all parents that can be seen from
/// here: a group has what the least of them allows. What can't be read limits nothing.
/// @param root               "/", or a directory that stands for it
/// @param usable_processors  usable_processors() of this process
[[nodiscard]] Machine read_machine(const std::filesystem::path& root,
                                   std::size_t usable_processors);

/// Processors that this process may run on, by its affinity mask; at least 1.
[[nodiscard]] std::size_t usable_processors();

/// Processors' worth of time that there is: the mask's processors, or the quota where that is less.
[[nodiscard]] double processor_share(const Machine& machine);

/// A line for the log.
[[nodiscard]] std::string describe(const Machine& machine);

}  // namespace terrane::ops
