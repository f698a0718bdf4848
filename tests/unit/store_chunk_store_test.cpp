#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "support/file_damage.h"
#include "support/store_chunks.h"
#include "support/temp_directory.h"

namespace terrane::store {
namespace {

using test::chunk_of;
using test::find_one;
using test::holds;
using test::key_of;
using test::open_store;
using test::TempDirectory;
using test::untimed;

TEST(ChunkStore, committed_chunks_come_back_byte_for_byte_and_in_the_order_asked) {
  const TempDirectory directory;
  const auto store = open_store(untimed(directory.path()));
  for (const int i : {1, 2, 3}) store->put(key_of(i), chunk_of(i));
  store->flush();
  const std::vector<ChunkKey> keys = {key_of(3), key_of(99), key_of(1), key_of(3)};
  const auto found = store->find(keys);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(*found[0], *chunk_of(3));
  EXPECT_EQ(found[1], nullptr);
  EXPECT_EQ(*found[2], *chunk_of(1));
  EXPECT_EQ(*found[3], *chunk_of(3));
  const StoreStats stats = store->stats();
  EXPECT_EQ(stats.hits, 3u);
  EXPECT_EQ(stats.misses, 1u);
  EXPECT_EQ(stats.puts, 3u);
  EXPECT_EQ(stats.entries, 3u);
  EXPECT_EQ(stats.commits, 1u);
  EXPECT_EQ(stats.dropped_puts, 0u);
}

TEST(ChunkStore, chunks_of_every_storable_size_survive) {
  const TempDirectory directory;
  const auto store = open_store(untimed(directory.path()));
  const std::vector<std::size_t> sizes = {16,   100,    2000,    4070,   4080,
                                          4090, 12'000, 150'000, 1 << 20};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    store->put(key_of(static_cast<std::int64_t>(i)),
               chunk_of(static_cast<std::int64_t>(i), sizes[i]));
  }
  store->flush();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto found = find_one(*store, key_of(static_cast<std::int64_t>(i)));
    ASSERT_NE(found, nullptr) << sizes[i];
    EXPECT_EQ(*found, *chunk_of(static_cast<std::int64_t>(i), sizes[i]));
  }
  store->put(key_of(50), chunk_of(50, (1 << 20) + 1));
  store->put(key_of(51), std::make_shared<const std::string>());
  EXPECT_EQ(store->stats().dropped_puts, 2u) << "what could not be read back is not stored";
}

TEST(ChunkStore, a_put_is_found_before_it_is_committed) {
  const TempDirectory directory;
  const auto store = open_store(untimed(directory.path()));
  store->put(key_of(1), chunk_of(1));
  EXPECT_TRUE(holds(*store, 1));
  EXPECT_EQ(store->stats().commits, 0u);
}

TEST(ChunkStore, a_full_batch_is_committed_without_being_asked_for) {
  const TempDirectory directory;
  StoreOptions options = untimed(directory.path());
  options.puts_per_commit = 4;
  const auto store = open_store(options);
  for (int i = 0; i < 4; ++i) store->put(key_of(i), chunk_of(i));
  // a store that waits for its hour runs into ctest's limit
  while (store->stats().puts < 4) std::this_thread::yield();
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(holds(*store, i));
}

TEST(ChunkStore, a_lone_put_is_committed_when_its_interval_is_over) {
  const TempDirectory directory;
  StoreOptions options = untimed(directory.path());
  options.commit_interval_ms = 1;
  const auto store = open_store(options);
  store->put(key_of(1), chunk_of(1));
  while (store->stats().puts < 1) std::this_thread::yield();
  EXPECT_TRUE(holds(*store, 1));
}

TEST(ChunkStore, entries_survive_a_restart_even_if_they_were_still_queued) {
  const TempDirectory directory;
  {
    const auto store = open_store(untimed(directory.path()));
    for (int i = 0; i < 600; ++i) store->put(key_of(i), chunk_of(i));
  }
  const auto store = open_store(untimed(directory.path()));
  EXPECT_EQ(store->stats().entries, 600u);
  EXPECT_GT(store->stats().used_bytes, 600u * 3000u);
  for (int i = 0; i < 600; ++i) EXPECT_TRUE(holds(*store, i)) << i;
}

TEST(ChunkStore, puts_past_the_queue_are_dropped_and_counted) {
  const TempDirectory directory;
  StoreOptions options = untimed(directory.path());
  options.max_pending_puts = 2;
  const auto store = open_store(options);
  for (int i = 0; i < 5; ++i) store->put(key_of(i), chunk_of(i));
  store->put(key_of(1), chunk_of(1));  // pending already: nothing to drop
  EXPECT_EQ(store->stats().dropped_puts, 3u);
  store->flush();
  EXPECT_EQ(store->stats().puts, 2u);
  EXPECT_TRUE(holds(*store, 0));
  EXPECT_EQ(find_one(*store, key_of(4)), nullptr);
}

TEST(ChunkStore, endless_new_chunks_evict_old_ones_and_never_outgrow_the_limit) {
  const TempDirectory directory;
  StoreOptions options = untimed(directory.path());
  options.max_bytes = (4 << 20) + 1000;  // not a whole number of pages
  const auto store = open_store(options);
  const auto bytes_of = [](int i) { return static_cast<std::size_t>(500 + i % 7 * 1500); };
  for (int i = 0; i < 8000; ++i) {
    store->put(key_of(i), chunk_of(i, bytes_of(i)));
    if (i % 100 == 99) store->flush();
    ASSERT_LE(std::filesystem::file_size(directory.path() / "data.mdb"), options.max_bytes);
  }
  store->flush();
  const StoreStats stats = store->stats();
  EXPECT_EQ(stats.puts + stats.dropped_puts, 8000u);
  EXPECT_LT(stats.dropped_puts, 800u) << "evictions keep up";
  EXPECT_EQ(stats.entries + stats.evictions, stats.puts);
  EXPECT_LE(stats.max_bytes, options.max_bytes);
  EXPECT_LE(stats.used_bytes, stats.max_bytes / 100 * 95);
  EXPECT_GT(stats.used_bytes, stats.max_bytes / 2);
  std::uint64_t found = 0;
  for (int i = 0; i < 8000; ++i) {
    if (const auto chunk = find_one(*store, key_of(i))) {
      ++found;
      ASSERT_EQ(*chunk, *chunk_of(i, bytes_of(i)));
    }
  }
  EXPECT_EQ(found, stats.entries);
}

TEST(ChunkStore, chunks_in_use_outlive_those_that_nobody_asks_for) {
  const TempDirectory directory;
  StoreOptions options = untimed(directory.path());
  options.max_bytes = 8 << 20;
  const auto store = open_store(options);
  constexpr int kUsed = 200;
  int regenerated = 0;
  for (int i = 0; i < kUsed; ++i) store->put(key_of(i), chunk_of(i));
  for (int i = kUsed; i < 10'000; ++i) {
    store->put(key_of(i), chunk_of(i));
    if (i % 100 != 99) continue;
    store->flush();
    for (int used = 0; used < kUsed; ++used) {
      if (holds(*store, used)) continue;
      ++regenerated;
      store->put(key_of(used), chunk_of(used));
    }
  }
  EXPECT_GT(store->stats().evictions, 5000u);
  EXPECT_LT(regenerated, kUsed / 10);
}

TEST(ChunkStore, a_cache_opened_nearly_full_makes_room_by_itself) {
  const TempDirectory directory;
  StoreOptions options = untimed(directory.path());
  options.max_bytes = 16 << 20;
  {
    const auto store = open_store(options);
    for (int i = 0; i < 2400; ++i) store->put(key_of(i), chunk_of(i));
  }
  options.max_bytes = 11 << 20;
  const auto store = open_store(options);
  ASSERT_GT(store->stats().entries, 0u);
  while (store->stats().used_bytes > options.max_bytes / 100 * 75) std::this_thread::yield();
  EXPECT_GT(store->stats().evictions, 0u);
  EXPECT_GT(store->stats().entries, 1000u);
}

TEST(ChunkStore, a_cache_that_is_larger_than_now_allowed_starts_anew) {
  const TempDirectory directory;
  {
    const auto store = open_store(untimed(directory.path()));
    for (int i = 0; i < 1000; ++i) store->put(key_of(i), chunk_of(i));
  }
  StoreOptions smaller = untimed(directory.path());
  smaller.max_bytes = 2 << 20;
  const auto store = open_store(smaller);
  EXPECT_LE(std::filesystem::file_size(directory.path() / "data.mdb"), smaller.max_bytes);
  store->put(key_of(1), chunk_of(1));
  store->flush();
  EXPECT_TRUE(holds(*store, 1));
}

TEST(ChunkStore, a_second_opener_is_refused_until_the_first_one_closes) {
  const TempDirectory directory;
  auto first = open_store(untimed(directory.path()));
  const auto second = ChunkStore::open(untimed(directory.path()));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_NE(second.error().message.find(directory.path().string()), std::string::npos)
      << second.error().message;
  first->put(key_of(1), chunk_of(1));
  first.reset();
  EXPECT_TRUE(holds(*open_store(untimed(directory.path())), 1));
}

TEST(ChunkStore, a_directory_that_cannot_be_used_is_an_error_that_names_it) {
  const TempDirectory directory;
  test::write_file(directory.path() / "file", "in the way");
  const auto store = ChunkStore::open(untimed(directory.path() / "file" / "cache"));
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(store.error().message.find("file/cache"), std::string::npos) << store.error().message;
}

TEST(ChunkStore, a_limit_too_small_for_any_cache_is_refused) {
  const TempDirectory directory;
  StoreOptions options = untimed(directory.path());
  options.max_bytes = 4096;
  const auto store = ChunkStore::open(options);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::kInvalidArgument);
}

TEST(ChunkStore, threads_that_put_and_find_at_once_never_see_wrong_bytes_or_lose_a_put) {
  const TempDirectory directory;
  StoreOptions options = untimed(directory.path());
  options.commit_interval_ms = 1;
  options.puts_per_commit = 16;
  options.max_pending_puts = 100'000;
  const auto store = open_store(options);
  std::atomic<int> wrong = 0, lost = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = t; i < 2000; i += 4) {
        store->put(key_of(i), chunk_of(i, 200));
        const std::vector<ChunkKey> keys = {key_of(i), key_of((i * 7) % 2000), key_of(i / 2)};
        const auto found = store->find(keys);
        if (!found[0]) ++lost;
        if (found[0] && *found[0] != *chunk_of(i, 200)) ++wrong;
        if (found[1] && *found[1] != *chunk_of((i * 7) % 2000, 200)) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  store->flush();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(lost, 0);
  EXPECT_EQ(store->stats().entries, 2000u);
}

}  // namespace
}  // namespace terrane::store
