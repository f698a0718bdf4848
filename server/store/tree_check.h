#pragma once

#include <chrono>
#include <filesystem>

#include "terrane/result.h"

namespace terrane::store {

/// Checks the structure of the cache's data file by reading it, without LMDB, which trusts what it
/// maps and dies or spins on a damaged tree: every page of the tables and of the free list is of
/// the right kind and reached once, keys are in order, chunks lie within the file, and all counts
/// agree. Chunks that have pages of their own are not read: each carries a checksum. The format is
/// that of LMDB 0.9 on this machine. Nobody else may have the file open. Errors: kDataLoss says
/// what is damaged, kDeadlineExceeded when `limit` is over, kUnavailable when the file can't be
/// read. Blocks on the disk, for little more than `limit`.
[[nodiscard]] Result<void> check_tree(const std::filesystem::path& data_file,
                                      std::chrono::milliseconds limit);

}  // namespace terrane::store
