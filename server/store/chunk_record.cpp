#include "store/chunk_record.h"

#ifdef __x86_64__
#include <xxh_x86dispatch.h>  // the same hashes by the widest instructions there are
#else
#include <xxhash.h>
#endif

#include <cstring>

namespace terrane::store {
namespace {

unsigned char* write_big_endian(std::uint64_t value, unsigned char* out) {
  for (int shift = 56; shift >= 0; shift -= 8) *out++ = static_cast<unsigned char>(value >> shift);
  return out;
}

std::uint64_t read_big_endian(const unsigned char* in) {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value = value << 8 | in[i];
  return value;
}

/// Moves bit k of the low half to bit 2k.
constexpr std::uint64_t spread(std::uint64_t half) {
  half &= 0xffffffffu;
  half = (half | half << 16) & 0x0000ffff0000ffffu;
  half = (half | half << 8) & 0x00ff00ff00ff00ffu;
  half = (half | half << 4) & 0x0f0f0f0f0f0f0f0fu;
  half = (half | half << 2) & 0x3333333333333333u;
  return (half | half << 1) & 0x5555555555555555u;
}

/// Signed to unsigned in the same order, so that -1 and 0 are neighbours.
constexpr std::uint64_t biased(std::int64_t v) {
  return static_cast<std::uint64_t>(v) ^ (std::uint64_t{1} << 63);
}

}  // namespace

KeyBytes encode_key(const ChunkKey& key) {
  const std::uint64_t x = biased(key.coord.x);
  const std::uint64_t y = biased(key.coord.y);
  KeyBytes bytes;
  unsigned char* out = write_big_endian(key.fingerprint, bytes.data());
  out = write_big_endian(key.seed, out);
  *out++ = key.lod;
  out = write_big_endian(spread(x >> 32) | spread(y >> 32) << 1, out);
  write_big_endian(spread(x) | spread(y) << 1, out);
  return bytes;
}

KeyBytes encode_key_prefix(WorldFingerprint fingerprint, std::uint64_t seed) {
  KeyBytes bytes{};
  write_big_endian(seed, write_big_endian(fingerprint, bytes.data()));
  return bytes;
}

KeyOwner owner_of(const KeyBytes& key) {
  return {read_big_endian(key.data()), read_big_endian(key.data() + 8)};
}

std::uint64_t chunk_checksum(const KeyBytes& key, std::string_view chunk) {
  return XXH3_64bits_withSeed(chunk.data(), chunk.size(), XXH3_64bits(key.data(), key.size()));
}

void write_record(const KeyBytes& key, std::string_view chunk, char* record) {
  const std::uint64_t checksum = chunk_checksum(key, chunk);
  for (std::size_t i = 0; i < kChecksumBytes; ++i)
    record[i] = static_cast<char>(checksum >> (8 * i));
  std::memcpy(record + kChecksumBytes, chunk.data(), chunk.size());
}

std::uint64_t stored_checksum(const char* record) {
  std::uint64_t checksum = 0;
  for (std::size_t i = 0; i < kChecksumBytes; ++i) {
    checksum |= std::uint64_t{static_cast<unsigned char>(record[i])} << (8 * i);
  }
  return checksum;
}

std::shared_ptr<const std::string> copy_chunk(const KeyBytes& key, std::string_view record) {
  if (!is_record_size(record.size())) return nullptr;
  const std::uint64_t checksum = stored_checksum(record.data());
  auto chunk = std::make_shared<const std::string>(record.substr(kChecksumBytes));
  return chunk_checksum(key, *chunk) == checksum ? chunk : nullptr;
}

}  // namespace terrane::store
