#include "store/directory_claim.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

#include "log.h"

namespace terrane::store {
namespace {

/// What the file holds: the process id of an owner that has not closed the cache cleanly, or
/// nothing.
std::string read_mark(int fd) {
  std::array<char, 32> buffer;
  const ssize_t got = ::pread(fd, buffer.data(), buffer.size(), 0);
  return got > 0 ? std::string(buffer.data(), static_cast<std::size_t>(got)) : std::string();
}

bool write_mark(int fd, std::string_view mark) {
  return ::ftruncate(fd, 0) == 0 &&
         ::pwrite(fd, mark.data(), mark.size(), 0) == static_cast<ssize_t>(mark.size()) &&
         ::fsync(fd) == 0;
}

}  // namespace

Result<DirectoryClaim> DirectoryClaim::take(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) {
    return fail(ErrorCode::kUnavailable, "cache directory " + directory.string() +
                                             " can't be made: " + error.message() +
                                             "; name a directory that this user may write to");
  }
  const std::string path = (directory / "LOCK").string();
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (fd < 0) {
    return fail(ErrorCode::kUnavailable, "cache directory " + directory.string() +
                                             " can't be used: " + path + ": " +
                                             std::generic_category().message(errno) +
                                             "; name a directory that this user may write to");
  }
  DirectoryClaim claim(fd, false);  // closes fd on every way out
  if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    const int cause = errno;
    if (cause != EWOULDBLOCK)
      return fail(ErrorCode::kUnavailable,
                  "can't lock " + path + ": " + std::generic_category().message(cause));
    return fail(ErrorCode::kFailedPrecondition, "cache directory " + directory.string() +
                                                    " is in use by process " + read_mark(fd) +
                                                    "; stop that server or name another directory");
  }
  claim.found_unclean_ = !read_mark(fd).empty();
  if (!write_mark(fd, std::to_string(::getpid()))) {
    return fail(ErrorCode::kUnavailable, "can't write " + path + ": " +
                                             std::generic_category().message(errno) +
                                             "; is the disk full?");
  }
  return claim;
}

DirectoryClaim::~DirectoryClaim() {
  if (fd_ >= 0) ::close(fd_);
}

void DirectoryClaim::mark_clean() {
  if (!write_mark(fd_, ""))
    spdlog::warn("the cache could not be marked as closed: the next start checks all of it");
}

}  // namespace terrane::store
