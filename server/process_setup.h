#pragma once

#include <cstddef>
#include <cstdint>

/// What the process and its workers are set up with before they generate.
namespace terrane {

/// How many files and connections the process may have open at once.
struct DescriptorLimit {
  std::uint64_t before = 0;
  std::uint64_t now = 0;
};

/// Raises the soft limit of descriptors to the hard one. The usual 1,024 are for programs that call
/// select(), and every connection takes one. Where the system refuses, it stays as it was.
DescriptorLimit raise_descriptor_limit();

/// Makes sure that the process may have so many more threads, and begins to give memory that has
/// not been used for ten seconds back to the system, on a thread of the allocator's own: the
/// threads that serve need not, then. Once, when signals are set up. @return whether it may
[[nodiscard]] bool start_threads(std::size_t least);

/// Gives memory that is not in use back to the system at once. Some milliseconds, and more for who
/// needs some next. Threads: any.
void give_memory_back();

/// gRPC's locks (abseil's) no longer look for deadlocks, which Debian's build has them do at each
/// step: a tenth of what a stream costs. Before gRPC is used.
void stop_deadlock_detection();

/// Runs first on every thread that generates: sets the floating-point environment, without which
/// worlds would differ from other servers'; where it can't be set, the process is aborted.
void prepare_worker();

}  // namespace terrane
