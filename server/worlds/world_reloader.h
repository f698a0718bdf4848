#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <string>

#include "terrane/result.h"
#include "worlds/live_catalog.h"
#include "worlds/world_catalog.h"
#include "worlds/world_directory.h"

namespace terrane::worlds {

/// Keeps the worlds on offer as the files of a directory are, and logs what becomes of each file.
/// Looking: one thread at a time. live() and refused_files(): any thread.
class WorldReloader {
 public:
  /// Offers what is built in until the first look.
  /// @param directory  empty: none; the built-in worlds stay
  WorldReloader(std::filesystem::path directory, const WorldCatalog& builtin)
      : path_(directory.string()), directory_(std::move(directory), builtin), live_(builtin) {}

  /// Reads what there is to read. Errors: kFailedPrecondition: the directory can't be read; the
  /// worlds stay as they are. Blocks: on the file system, for as long as reading and checking
  /// takes.
  Result<void> look(WorldDirectory::Read read);

  /// As look(), for those who look again and again: logs that the directory can't be read when that
  /// begins, when the reason changes, and when it is over.
  void look_again(WorldDirectory::Read read);

  [[nodiscard]] const LiveCatalog& live() const { return live_; }
  /// Files in the directory that are not on offer as they are now.
  [[nodiscard]] const std::atomic<std::size_t>& refused_files() const { return refused_files_; }

 private:
  const std::string path_;
  WorldDirectory directory_;
  LiveCatalog live_;
  std::atomic<std::size_t> refused_files_ = 0;
  std::string problem_;  // why the directory could not be read the last time; empty: it could
};

}  // namespace terrane::worlds
