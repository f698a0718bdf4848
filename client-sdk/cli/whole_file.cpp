#include "cli/whole_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

namespace terrane::cli {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

tl::unexpected<Error> cannot_write(const std::string& path, const std::string& why) {
  return fail(ErrorCode::kInternal, "cannot write " + path + ": " + why);
}

/// The file that a symbolic link leads to: it is that which is replaced, and not the link.
std::string behind_links(const std::string& path) {
  std::error_code error;
  const auto resolved = std::filesystem::weakly_canonical(path, error);
  return error ? path : resolved.string();
}

}  // namespace

Result<void> write_whole_file(const std::string& name, const std::string& bytes,
                              Interrupt& interrupt) {
  const MutexLock no_signals(interrupt.exit_mutex());
  const std::string path = behind_links(name);
  const std::string part = path + ".part" + std::to_string(getpid());
  File file(std::fopen(part.c_str(), "wbx"));
  if (!file) return cannot_write(path, std::strerror(errno));
  bool whole = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  whole = std::fclose(file.release()) == 0 && whole;
  if (!whole || std::rename(part.c_str(), path.c_str()) != 0) {
    const int error = errno;
    std::remove(part.c_str());
    return cannot_write(path, std::strerror(error));
  }
  return {};
}

Result<void> check_writable(const std::string& path) {
  if (path.empty()) return fail(ErrorCode::kInvalidArgument, "no file to write: name one");
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return cannot_write(path, "it is a directory; name a file");
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
    return cannot_write(path,
                        "it is a device or a pipe; name a file, which is replaced as a whole");
  }
  auto directory = std::filesystem::path(behind_links(path)).parent_path();
  if (directory.empty()) directory = ".";
  if (access(directory.c_str(), W_OK) != 0) {
    return cannot_write(path, "directory " + directory.string() + ": " + std::strerror(errno));
  }
  return {};
}

}  // namespace terrane::cli
