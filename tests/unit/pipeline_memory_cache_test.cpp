#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/memory_cache.h"
#include "support/pipeline_rig.h"

namespace terrane::pipeline {
namespace {

ChunkKey key(std::int64_t x) { return {.fingerprint = 1, .seed = 2, .lod = 0, .coord = {x, 0}}; }

codec::EncodedChunk find(MemoryCache& cache, const ChunkKey& wanted) {
  return cache.find({&wanted, 1}).front();
}

codec::EncodedChunk chunk(std::size_t bytes = 1000) {
  return std::make_shared<const std::string>(bytes, 'c');
}

TEST(memory_cache, what_was_added_is_found_as_the_same_bytes) {
  MemoryCache cache(1 << 20);
  const auto added = chunk();
  cache.add(key(1), added);
  EXPECT_EQ(find(cache, key(1)), added);
  EXPECT_EQ(find(cache, key(2)), nullptr);
}

TEST(memory_cache, of_many_that_are_asked_for_together_each_has_its_own_answer) {
  MemoryCache cache(1 << 20);
  std::vector<ChunkKey> keys;
  std::vector<codec::EncodedChunk> added;
  for (std::int64_t x = -100; x < 100; ++x) {
    keys.push_back(key(x));
    added.push_back(x % 3 == 0 ? chunk() : nullptr);
    if (added.back()) cache.add(keys.back(), added.back());
  }
  EXPECT_EQ(cache.find(keys), added);
}

TEST(memory_cache, a_chunk_under_another_seed_is_another_chunk) {
  MemoryCache cache(1 << 20);
  cache.add(key(1), chunk());
  ChunkKey other = key(1);
  other.seed = 3;
  EXPECT_EQ(find(cache, other), nullptr);
}

TEST(memory_cache, never_holds_more_than_its_bound) {
  MemoryCache cache(10'000);
  for (std::int64_t x = 0; x < 100; ++x) cache.add(key(x), chunk());
  std::size_t held = 0;
  for (std::int64_t x = 0; x < 100; ++x) held += find(cache, key(x)) ? 1000 : 0;
  EXPECT_GT(held, 0u);
  EXPECT_LE(held, 10'000u);
}

TEST(memory_cache, what_is_asked_for_stays_while_others_pass_through) {
  MemoryCache cache(10'000);
  cache.add(key(-1), chunk());
  for (std::int64_t x = 0; x < 100; ++x) {
    EXPECT_NE(find(cache, key(-1)), nullptr) << x;
    cache.add(key(x), chunk());
  }
}

TEST(memory_cache, a_chunk_larger_than_the_bound_is_not_kept_and_drives_nothing_out) {
  MemoryCache cache(10'000);
  cache.add(key(1), chunk());
  cache.add(key(2), chunk(20'000));
  EXPECT_EQ(find(cache, key(2)), nullptr);
  EXPECT_NE(find(cache, key(1)), nullptr);
}

TEST(memory_cache, gives_up_a_seed_or_a_world_and_no_more) {
  MemoryCache cache(1 << 20);
  const auto of = [](std::uint64_t fingerprint, std::uint64_t seed, std::int64_t x) {
    return ChunkKey{.fingerprint = fingerprint, .seed = seed, .lod = 0, .coord = {x, 0}};
  };
  for (std::int64_t x = 0; x < 20; ++x) {
    for (const std::uint64_t seed : {1U, 2U}) cache.add(of(7, seed, x), chunk());
    cache.add(of(8, 1, x), chunk());
  }
  const std::size_t bytes = cache.usage().bytes;
  cache.remove(7, 1);
  EXPECT_EQ(cache.usage().chunks, 40u);
  EXPECT_EQ(cache.usage().bytes, bytes / 3 * 2);
  EXPECT_EQ(find(cache, of(7, 1, 3)), nullptr);
  EXPECT_NE(find(cache, of(7, 2, 3)), nullptr);
  cache.remove(7, std::nullopt);
  EXPECT_EQ(cache.usage().chunks, 20u);
  EXPECT_NE(find(cache, of(8, 1, 19)), nullptr);
  cache.remove(8, std::nullopt);
  EXPECT_EQ(cache.usage().bytes, 0u);
  for (std::int64_t x = 0; x < 10'000; ++x) cache.add(of(9, 1, x), chunk());
  EXPECT_LE(cache.usage().bytes, std::size_t{1} << 20) << "what was given up is not missed";
}

TEST(memory_cache, tells_how_much_it_holds) {
  MemoryCache cache(10'000);
  EXPECT_EQ(cache.usage().chunks, 0u);
  for (std::int64_t x = 0; x < 100; ++x) cache.add(key(x), chunk());
  cache.add(key(99), chunk());  // there already
  EXPECT_GE(cache.usage().bytes, cache.usage().chunks * 1000);
  EXPECT_LE(cache.usage().bytes, 10'000u);
  EXPECT_GT(cache.usage().chunks, 5u);
}

TEST(memory_cache, without_room_nothing_is_kept) {
  MemoryCache cache(0);
  cache.add(key(1), chunk());
  EXPECT_EQ(find(cache, key(1)), nullptr);
}

TEST(memory_cache, the_pipeline_delivers_them_before_the_request_returns) {
  test::ScriptedGenerator generator;
  test::Inbox first, second;
  schedule::WorkerPool workers({.workers = 1, .max_queued = 8, .on_thread_start = {}});
  ChunkPipeline pipeline({.memory_cache_bytes = 1 << 20}, generator.function(), workers, nullptr);
  pipeline.request({test::ask(1), test::ask(2)}, {}, first.deliver());
  first.await(2);
  pipeline.request({test::ask(2), test::ask(1)}, {}, second.deliver());
  ASSERT_EQ(second.size(), 2u);
  const auto results = second.await(2);
  EXPECT_EQ(results[0].first, 0u);
  EXPECT_TRUE(test::is_chunk(results[0].second, 2));
  EXPECT_EQ(results[1].first, 1u);
  EXPECT_TRUE(test::is_chunk(results[1].second, 1));
  EXPECT_EQ(generator.starts(1), 1);
  EXPECT_EQ(pipeline.stats().requests, 4u);
  EXPECT_EQ(pipeline.stats().hits, 2u);
  EXPECT_EQ(pipeline.stats().from_memory, 2u);
  EXPECT_EQ(pipeline.stats().memory_cache_chunks, 2u);
}

TEST(memory_cache, the_pipeline_finds_without_a_callback_what_is_in_memory_and_counts_that_alone) {
  test::ScriptedGenerator generator;
  test::Inbox inbox;
  schedule::WorkerPool workers({.workers = 1, .max_queued = 8, .on_thread_start = {}});
  ChunkPipeline pipeline({.memory_cache_bytes = 1 << 20}, generator.function(), workers, nullptr);
  EXPECT_EQ(pipeline.find_in_memory(test::ask(1)), nullptr);
  EXPECT_EQ(pipeline.stats().requests, 0u);
  pipeline.request({test::ask(1)}, {}, inbox.deliver());
  inbox.await(1);
  EXPECT_TRUE(test::is_chunk(pipeline.find_in_memory(test::ask(1)), 1));
  EXPECT_EQ(pipeline.stats().requests, 2u);
  EXPECT_EQ(pipeline.stats().hits, 1u);
  EXPECT_EQ(pipeline.stats().from_memory, 1u);
}

}  // namespace
}  // namespace terrane::pipeline
