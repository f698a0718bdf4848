#include <gtest/gtest.h>

#include <stop_token>

#include "store/cache_contents.h"
#include "support/store_chunks.h"
#include "support/temp_directory.h"

namespace terrane::store {
namespace {

using test::chunk_of;
using test::find_one;
using test::open_store;
using test::TempDirectory;
using test::untimed;

ChunkKey key_in(std::uint64_t fingerprint, std::uint64_t seed, std::int64_t x) {
  return {.fingerprint = fingerprint, .seed = seed, .lod = 0, .coord = {x, -x}};
}

/// Two seeds of world 5, one of world 6 and one of the greatest number there is.
void fill(ChunkStore& store) {
  for (int i = 0; i < 600; ++i) store.put(key_in(5, 1, i), chunk_of(i, 100));
  for (int i = 0; i < 3; ++i) store.put(key_in(5, UINT64_MAX, i), chunk_of(i, 200));
  store.put(key_in(6, 0, 0), chunk_of(0, 300));
  store.put(key_in(UINT64_MAX, UINT64_MAX, 0), chunk_of(0, 400));
  store.flush();
}

TEST(CacheContents, are_counted_by_world) {
  const TempDirectory directory;
  const auto store = open_store(untimed(directory.path()));
  EXPECT_TRUE(survey(*store, {})->empty());
  fill(*store);
  const auto worlds = survey(*store, {});
  ASSERT_TRUE(worlds) << worlds.error().message;
  ASSERT_EQ(worlds->size(), 3u);
  EXPECT_EQ((*worlds)[0].fingerprint, 5u);
  EXPECT_EQ((*worlds)[0].chunks, 603u);
  EXPECT_EQ((*worlds)[0].bytes, 60'600u);
  EXPECT_EQ((*worlds)[0].seeds, 2u);
  EXPECT_EQ((*worlds)[1].fingerprint, 6u);
  EXPECT_EQ((*worlds)[1].seeds, 1u);
  EXPECT_EQ((*worlds)[2].fingerprint, UINT64_MAX);
  EXPECT_EQ((*worlds)[2].bytes, 400u);
}

TEST(CacheContents, lose_one_seed_or_all_of_a_world_and_no_more) {
  const TempDirectory directory;
  const auto store = open_store(untimed(directory.path()));
  fill(*store);
  const auto one = purge(*store, {.fingerprint = 5, .seed = 1}, {});
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(one->chunks, 600u);
  EXPECT_EQ(one->bytes, 60'000u);
  EXPECT_EQ(find_one(*store, key_in(5, 1, 599)), nullptr);
  EXPECT_NE(find_one(*store, key_in(5, UINT64_MAX, 0)), nullptr);
  EXPECT_EQ(purge(*store, {.fingerprint = 5, .seed = 2}, {})->chunks, 0u);
  EXPECT_EQ(purge(*store, {.fingerprint = 5, .seed = std::nullopt}, {})->chunks, 3u);
  EXPECT_EQ(purge(*store, {.fingerprint = UINT64_MAX, .seed = std::nullopt}, {})->chunks, 1u);
  ASSERT_EQ(survey(*store, {})->size(), 1u);
  EXPECT_NE(find_one(*store, key_in(6, 0, 0)), nullptr);
}

TEST(CacheContents, are_known_to_be_there_once_they_are_in_the_file) {
  const TempDirectory directory;
  const auto store = open_store(untimed(directory.path()));
  fill(*store);
  const std::vector<ChunkKey> keys{key_in(5, 1, 3), key_in(5, 2, 3), key_in(6, 0, 0)};
  EXPECT_EQ(store->contains(keys), (std::vector<bool>{true, false, true}));
}

TEST(CacheContents, are_left_alone_once_it_is_told_to_stop) {
  const TempDirectory directory;
  const auto store = open_store(untimed(directory.path()));
  fill(*store);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(survey(*store, stop.get_token()).error().code, ErrorCode::kCancelled);
  EXPECT_EQ(purge(*store, {.fingerprint = 5, .seed = {}}, stop.get_token()).error().code,
            ErrorCode::kCancelled);
  EXPECT_EQ(survey(*store, {})->size(), 3u);
}

}  // namespace
}  // namespace terrane::store
