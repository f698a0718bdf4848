#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

#include "store/tree_check.h"
#include "terrane/result.h"

namespace terrane::store {

/// What others tell a check that is under way. Thread-safe.
struct CheckControl {
  std::atomic<bool> in_background = false;  // requests are served meanwhile: leave them the disk
  std::atomic<bool> stop = false;           // end with kCancelled
  std::function<void()> before_page = {};   // called before each page; not changed meanwhile
};

/// Checks the whole cache in `directory`, however long that takes, for its server did not stop
/// cleanly. In the background it rests for as long as it works, so that the disk and a processor
/// are its own for half of the time at most; every ten seconds it says how far it is. Errors: those
/// of check_tree(), kCancelled. Blocks on the disk.
Result<void> check_all_of(const std::filesystem::path& directory, CheckControl& control,
                          CheckProgress& progress);

/// Where there is no reason for doubt: checks what can be checked in a quarter of a second, and
/// wipes what is damaged. Errors: the file can't be opened, or can't be wiped.
Result<void> look_over(const std::filesystem::path& directory);

/// Wipes a cache that was found damaged and says why. Errors: kUnavailable when a file stays.
Result<void> wipe_damaged(const std::filesystem::path& directory, const Error& damage);

}  // namespace terrane::store
