#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/chunk_codec.h"
#include "store/lmdb_file.h"
#include "terrane/coord.h"
#include "terrane/result.h"

namespace terrane::store {

class UseClock;

/// Looks chunks up in a cache that may be damaged and that nobody writes to: what the last
/// transaction committed, read without LMDB. Every page on the way to a chunk is looked at before
/// it is believed, and the chunk's checksum is seeded with its key, so that what is found is right
/// even if the rest of the file is not. Thread-safe.
class SnapshotReader {
 public:
  /// Errors: there is no file, its uppermost pages are damaged, or its format is another version's.
  static Result<SnapshotReader> open(const std::filesystem::path& data_file);

  /// Fills the entries of `found` that are null with copies of what is there and right.
  /// @return how many records were there and damaged; they count as not there
  /// Blocks on the disk.
  std::size_t find(std::span<const ChunkKey> keys, std::span<codec::EncodedChunk> found,
                   UseClock& uses) const;

  /// What the file says of itself, unproven: chunks, and bytes up to its last page in use.
  [[nodiscard]] std::uint64_t entries() const { return chunks_.entries; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  SnapshotReader(LmdbFile file, std::uint64_t bytes) : file_(std::move(file)), bytes_(bytes) {}
  Result<void> open_tables(const LmdbTable& databases);
  [[nodiscard]] std::optional<std::string> find_value(const LmdbTable& table,
                                                      std::string_view key) const;
  [[nodiscard]] std::optional<std::string> read_value(const LmdbNode& node) const;

  LmdbFile file_;
  LmdbTable chunks_{};
  std::uint64_t bytes_;
};

}  // namespace terrane::store
