#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "terrane/result.h"

namespace terrane::worlds {

inline constexpr std::size_t kMaxFileBytes = std::size_t{4} << 20;  // of a world file

/// What changes when a file does.
struct FileStamp {
  ino_t inode = 0;
  std::uintmax_t bytes = 0;
  std::int64_t modified_ns = 0, status_changed_ns = 0;  // since 1970

  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// Looks at a file, through symbolic links; all zero when it can't be looked at. Blocks: on the
/// file system.
[[nodiscard]] FileStamp stamp_of(const std::filesystem::path& path);

/// The text of a world file; parse_preset() in preset.h makes a world of it. Errors:
/// kInvalidArgument: it can't be read, is not a regular file (a pipe or device is not waited for),
/// or holds more than kMaxFileBytes. The path comes first in the message. Blocks: on the file
/// system.
[[nodiscard]] Result<std::string> read_file_text(const std::filesystem::path& path);

}  // namespace terrane::worlds
