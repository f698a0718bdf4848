#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "terrane/coord.h"

/// What one cached chunk looks like in the database. Pure functions.
///
/// Key, 33 bytes, big-endian so that LMDB's byte order is ours: fingerprint (8), seed (8), lod (1),
/// Morton code of x and y (16). Record: XXH3-64 of the chunk's bytes (8, little-endian), seeded
/// with the XXH3-64 of the key, then those bytes as they are sent.
namespace terrane::store {

inline constexpr std::size_t kKeyBytes = 33;
inline constexpr std::size_t kChecksumBytes = 8;
// seven times the raw layers of the largest chunk
inline constexpr std::size_t kMaxChunkBytes = std::size_t{1} << 20;

/// Raised when the layout above changes, or that of WorldCounts; caches of another version are
/// wiped.
inline constexpr std::uint8_t kRecordVersion = 2;

using KeyBytes = std::array<unsigned char, kKeyBytes>;

/// The key's bytes: chunks that are near each other in a world sort near each other.
[[nodiscard]] KeyBytes encode_key(const ChunkKey& key);

/// The first key that a chunk of this world and seed may have.
[[nodiscard]] KeyBytes encode_key_prefix(WorldFingerprint fingerprint, std::uint64_t seed);

/// Whose chunk a key stands for.
struct KeyOwner {
  WorldFingerprint fingerprint = 0;
  std::uint64_t seed = 0;
};
[[nodiscard]] KeyOwner owner_of(const KeyBytes& key);

/// Checksum of a chunk's bytes under a key: the right bytes under a wrong key do not pass.
[[nodiscard]] std::uint64_t chunk_checksum(const KeyBytes& key, std::string_view chunk);

/// Fills a record of kChecksumBytes + chunk.size() bytes.
void write_record(const KeyBytes& key, std::string_view chunk, char* record);

/// Whether a record's size is possible. To be asked before anything is read or allocated by it.
[[nodiscard]] constexpr bool is_record_size(std::size_t bytes) {
  return bytes > kChecksumBytes && bytes <= kChecksumBytes + kMaxChunkBytes;
}

/// The checksum that a record holds; `record` has a possible size.
[[nodiscard]] std::uint64_t stored_checksum(const char* record);

/// The chunk in a record, copied, or null when it is damaged. The copy is what gets checked: a
/// record in mapped memory may change under us when the file does.
[[nodiscard]] std::shared_ptr<const std::string> copy_chunk(const KeyBytes& key,
                                                            std::string_view record);

}  // namespace terrane::store
