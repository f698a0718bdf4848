#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "store/map_faults.h"
#include "terrane/result.h"

struct MDB_env;
struct MDB_txn;

namespace terrane::store {

inline constexpr std::uint64_t kMinCacheBytes = std::uint64_t{1} << 20;

/// An open LMDB environment with its two databases: `meta` (the format record, and WorldCounts) and
/// `chunks`. Thread-safe.
class Environment {
 public:
  /// Opens or creates the database files in a directory that the caller owns. Files that are
  /// damaged, of another format or larger than `max_bytes` are wiped, with a warning.
  /// @param max_bytes  at least kMinCacheBytes; the data file never grows past it
  /// Errors: kUnavailable when the directory can't hold a database. Blocks on the disk.
  static Result<std::unique_ptr<Environment>> open(const std::filesystem::path& directory,
                                                   std::uint64_t max_bytes);

  /// Removes the files and begins an empty database. All transactions have ended, none begins
  /// meanwhile. Errors: kUnavailable; then there is no database, and handle() is null. Blocks on
  /// the disk.
  Result<void> start_anew();

  /// Closes without syncing. All transactions have ended.
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  [[nodiscard]] MDB_env* handle() const { return env_; }
  [[nodiscard]] unsigned chunks() const { return chunks_; }
  [[nodiscard]] unsigned meta() const { return meta_; }
  [[nodiscard]] std::uint64_t max_bytes() const { return max_bytes_; }
  [[nodiscard]] std::uint64_t page_bytes() const { return page_bytes_; }

  /// Flushes everything committed to the disk.
  /// @return whether it got there
  bool sync();

  struct Usage {
    std::uint64_t bytes = 0;  // in pages that hold something
    std::uint64_t entries = 0;
  };
  /// The size as `txn` sees it.
  [[nodiscard]] Usage usage(MDB_txn* txn) const;

 private:
  Environment(std::filesystem::path directory, std::uint64_t max_bytes);
  Result<void> open_all();
  Result<void> open_files();
  Result<void> open_databases();
  void close();

  const std::filesystem::path directory_;
  const std::uint64_t max_bytes_;
  MDB_env* env_ = nullptr;
  std::optional<MapFaults> faults_;  // while env_ is open
  unsigned meta_ = 0;
  unsigned chunks_ = 0;
  std::uint64_t page_bytes_ = 0;
};

/// Removes the database files. Errors: kUnavailable when one stays.
Result<void> wipe(const std::filesystem::path& directory);

/// The file that holds the database.
[[nodiscard]] std::filesystem::path data_file(const std::filesystem::path& directory);

}  // namespace terrane::store
