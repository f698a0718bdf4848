#pragma once

#include <chrono>
#include <filesystem>

namespace terrane::store {

/// Reads every page and every record of the cache in a child process, which a damaged tree may kill; this process is safe.
/// To be called before this process starts other threads: a child inherits the locks that they held.
/// @return true when the child found all of it whole within `limit`; false asks for a wipe
/// Blocks for `limit` at most.
[[nodiscard]] bool walks_clean(const std::filesystem::path& directory, std::chrono::milliseconds limit);

}  // namespace terrane::store
