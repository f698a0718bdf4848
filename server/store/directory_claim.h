#pragma once

#include <filesystem>
#include <utility>

#include "terrane/result.h"

namespace terrane::store {

/// Exclusive ownership of a cache directory, by a lock on its file LOCK. The file's content is the
/// mark of an unclean exit: it holds the owner's process id while the cache is open and is empty
/// after a clean close.
class DirectoryClaim {
 public:
  /// Makes the directory when missing and claims it. Errors: kFailedPrecondition when it is claimed
  /// already, by this process or another; kUnavailable when it can't be used. Blocks on the disk,
  /// never on the other owner.
  static Result<DirectoryClaim> take(const std::filesystem::path& directory);

  DirectoryClaim(DirectoryClaim&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), found_unclean_(other.found_unclean_) {}
  DirectoryClaim& operator=(DirectoryClaim&&) = delete;
  /// Gives the directory up; the mark of an unclean exit stays unless mark_clean() was called.
  ~DirectoryClaim();

  /// Whether the last owner did not close the cache cleanly.
  [[nodiscard]] bool found_unclean() const { return found_unclean_; }

  /// To be called when the cache is closed and whole on disk.
  void mark_clean();

 private:
  DirectoryClaim(int fd, bool found_unclean) : fd_(fd), found_unclean_(found_unclean) {}

  int fd_;
  bool found_unclean_;
};

}  // namespace terrane::store
