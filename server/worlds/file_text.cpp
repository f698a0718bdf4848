#include "worlds/file_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace terrane::worlds {
namespace {

class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  ~FileDescriptor() {
    if (number_ >= 0) close(number_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int number() const { return number_; }

 private:
  const int number_;
};

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::string reason() { return std::error_code(errno, std::generic_category()).message(); }

}  // namespace

FileStamp stamp_of(const std::filesystem::path& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return {};
  return {found.st_ino, static_cast<std::uintmax_t>(found.st_size), nanoseconds(found.st_mtim),
          nanoseconds(found.st_ctim)};
}

Result<std::string> read_file_text(const std::filesystem::path& path) {
  const auto refuse = [&](const std::string& why) {
    return fail(ErrorCode::kInvalidArgument, path.string() + ": " + why);
  };
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) return refuse("can't be read: " + reason());
  struct stat found {};
  if (fstat(file.number(), &found) != 0) return refuse("can't be read: " + reason());
  if (!S_ISREG(found.st_mode)) return refuse("is not a regular file");
  std::string text(kMaxFileBytes + 1, '\0');
  std::size_t length = 0;
  while (length < text.size()) {
    const ssize_t got = read(file.number(), text.data() + length, text.size() - length);
    if (got == 0) break;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return refuse("can't be read: " + reason());
    length += static_cast<std::size_t>(got);
  }
  if (length > kMaxFileBytes)
    return refuse("holds more than " + std::to_string(kMaxFileBytes) +
                  " bytes, the most for a world");
  text.resize(length);
  return text;
}

}  // namespace terrane::worlds
