#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "terrane/result.h"

namespace terrane::store {

/// How far a check has come, for whoever wants to look meanwhile.
struct CheckProgress {
  std::atomic<std::uint64_t> pages = 0;    // of the file; 0 until it knows
  std::atomic<std::uint64_t> checked = 0;  // accounted for: read and right, a chunk's own, or free
};

/// Checks the structure of the cache's data file by reading it, without LMDB, which trusts what it
/// maps and dies or spins on a damaged tree: every page of the tables and of the free list is of
/// the right kind and reached once, keys are in order, chunks lie within the file, and all counts
/// agree. Chunks that have pages of their own are not read: each carries a checksum. Nobody may
/// write to the file meanwhile; others may read it.
/// @param before_page  called before each page is read; it may wait, and an error of it ends the
///   check
/// Errors: kDataLoss says what is damaged or can't be read, kUnavailable when the file can't be
/// opened; those of `before_page`. Blocks on the disk.
[[nodiscard]] Result<void> check_tree(const std::filesystem::path& data_file,
                                      const std::function<Result<void>()>& before_page,
                                      CheckProgress& progress);

/// The same for little more than `limit`. Errors: kDeadlineExceeded, too.
[[nodiscard]] Result<void> check_tree(const std::filesystem::path& data_file,
                                      std::chrono::milliseconds limit);

}  // namespace terrane::store
