#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <set>
#include <string>

#include "store/chunk_record.h"

namespace terrane::store {
namespace {

KeyBytes key_at(std::int64_t x, std::int64_t y) {
  return encode_key({.fingerprint = 1, .seed = 2, .lod = 3, .coord = {x, y}});
}

TEST(ChunkRecord, keys_of_different_chunks_differ_whatever_their_signs) {
  std::set<KeyBytes> keys;
  const std::int64_t edge = max_chunk_coord(0);
  std::size_t count = 0;
  for (const std::int64_t x : {-edge, -edge + 1, std::int64_t{-2}, std::int64_t{-1},
                               std::int64_t{0}, std::int64_t{1}, edge}) {
    for (const std::int64_t y : {-edge, -edge + 1, std::int64_t{-2}, std::int64_t{-1},
                                 std::int64_t{0}, std::int64_t{1}, edge}) {
      for (const Lod lod : {Lod{0}, Lod{16}}) {
        keys.insert(encode_key({.fingerprint = 1, .seed = 2, .lod = lod, .coord = {x, y}}));
        keys.insert(encode_key({.fingerprint = 2, .seed = 1, .lod = lod, .coord = {x, y}}));
        count += 2;
      }
    }
  }
  EXPECT_EQ(keys.size(), count);
}

TEST(ChunkRecord, keys_sort_by_world_then_seed_then_lod) {
  const auto key = [](std::uint64_t fingerprint, std::uint64_t seed, Lod lod) {
    return encode_key({.fingerprint = fingerprint, .seed = seed, .lod = lod, .coord = {5, -5}});
  };
  EXPECT_LT(key(0xff, 9, 9), key(0x100, 0, 0));
  EXPECT_LT(key(1, 0xff, 9), key(1, 0x100, 0));
  EXPECT_LT(key(1, 1, 1), key(1, 1, 2));
}

TEST(ChunkRecord, an_aligned_square_of_chunks_is_one_run_of_keys) {
  for (const ChunkCoord corner : {ChunkCoord{-8, -8}, ChunkCoord{0, 0}, ChunkCoord{-8, 16},
                                  ChunkCoord{1 << 20, -(1 << 20)}}) {
    const KeyBytes first = key_at(corner.x, corner.y);
    const KeyBytes last = key_at(corner.x + 7, corner.y + 7);
    for (std::int64_t dx = -8; dx < 16; ++dx) {
      for (std::int64_t dy = -8; dy < 16; ++dy) {
        const KeyBytes key = key_at(corner.x + dx, corner.y + dy);
        const bool inside = dx >= 0 && dx < 8 && dy >= 0 && dy < 8;
        EXPECT_EQ(inside, first <= key && key <= last) << corner.x + dx << ',' << corner.y + dy;
      }
    }
  }
}

TEST(ChunkRecord, the_key_has_the_documented_bytes) {
  const KeyBytes key = encode_key(
      {.fingerprint = 0x0102030405060708, .seed = 0x1112131415161718, .lod = 7, .coord = {3, 1}});
  const std::string expected(
      "\x01\x02\x03\x04\x05\x06\x07\x08\x11\x12\x13\x14\x15\x16\x17\x18\x07"
      "\xc0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07",
      kKeyBytes);
  EXPECT_EQ(std::string(key.begin(), key.end()), expected);
}

TEST(ChunkRecord, a_checksum_holds_for_one_key_and_one_content_only) {
  const std::string chunk = "some bytes";
  std::string record(kChecksumBytes + chunk.size(), '\0');
  write_record(key_at(1, 2), chunk, record.data());
  EXPECT_EQ(record.substr(kChecksumBytes), chunk);
  EXPECT_EQ(stored_checksum(record.data()), chunk_checksum(key_at(1, 2), chunk));
  EXPECT_NE(stored_checksum(record.data()), chunk_checksum(key_at(2, 1), chunk));
  EXPECT_NE(stored_checksum(record.data()), chunk_checksum(key_at(1, 2), "some bytez"));
}

}  // namespace
}  // namespace terrane::store
