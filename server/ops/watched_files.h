#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "terrane/result.h"

namespace terrane::ops {

/// What the files hold, in their order. Regular files of at most 1 MiB alone: a pipe would keep
/// whoever reads it waiting. Blocks on the disk. Errors: kInvalidArgument names the file.
[[nodiscard]] Result<std::vector<std::string>> read_files(
    const std::vector<std::filesystem::path>& paths);

/// Files that belong together, and are read again while the server runs. Threads: one at a time.
class WatchedFiles {
 public:
  explicit WatchedFiles(std::vector<std::filesystem::path> paths) : paths_(std::move(paths)) {}

  /// Reads them, and has them taken at the first look and where they have changed since the last.
  /// Blocks on the disk.
  /// @param take  what they hold, in their order; says what is wrong with it
  /// @return what is wrong, once, and only where it was so at the last look already: files are not
  ///   replaced at the same time
  std::optional<Error> look(const std::function<Result<void>(std::vector<std::string>)>& take);

 private:
  const std::vector<std::filesystem::path> paths_;
  std::string seen_;         // what they held at the last look, or why they could not be read
  bool is_settled_ = false;  // it has been dealt with
};

}  // namespace terrane::ops
