#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "pipeline/recent_chunks.h"
#include "support/pipeline_rig.h"

namespace terrane::pipeline {
namespace {

ChunkKey key(std::int64_t x) { return {.fingerprint = 1, .seed = 2, .lod = 0, .coord = {x, 0}}; }

codec::EncodedChunk find(RecentChunks& recent, const ChunkKey& wanted) {
  return recent.find({&wanted, 1}).front();
}

codec::EncodedChunk chunk(std::size_t bytes = 1000) {
  return std::make_shared<const std::string>(bytes, 'c');
}

TEST(recent_chunks, what_was_added_is_found_as_the_same_bytes) {
  RecentChunks recent(1 << 20);
  const auto added = chunk();
  recent.add(key(1), added);
  EXPECT_EQ(find(recent, key(1)), added);
  EXPECT_EQ(find(recent, key(2)), nullptr);
}

TEST(recent_chunks, a_chunk_under_another_seed_is_another_chunk) {
  RecentChunks recent(1 << 20);
  recent.add(key(1), chunk());
  ChunkKey other = key(1);
  other.seed = 3;
  EXPECT_EQ(find(recent, other), nullptr);
}

TEST(recent_chunks, never_holds_more_than_its_bound) {
  RecentChunks recent(10'000);
  for (std::int64_t x = 0; x < 100; ++x) recent.add(key(x), chunk());
  std::size_t held = 0;
  for (std::int64_t x = 0; x < 100; ++x) held += find(recent, key(x)) ? 1000 : 0;
  EXPECT_GT(held, 0u);
  EXPECT_LE(held, 10'000u);
}

TEST(recent_chunks, what_is_asked_for_stays_while_others_pass_through) {
  RecentChunks recent(10'000);
  recent.add(key(-1), chunk());
  for (std::int64_t x = 0; x < 100; ++x) {
    EXPECT_NE(find(recent, key(-1)), nullptr) << x;
    recent.add(key(x), chunk());
  }
}

TEST(recent_chunks, a_chunk_larger_than_the_bound_is_not_kept_and_drives_nothing_out) {
  RecentChunks recent(10'000);
  recent.add(key(1), chunk());
  recent.add(key(2), chunk(20'000));
  EXPECT_EQ(find(recent, key(2)), nullptr);
  EXPECT_NE(find(recent, key(1)), nullptr);
}

TEST(recent_chunks, tells_how_much_it_holds) {
  RecentChunks recent(10'000);
  EXPECT_EQ(recent.usage().chunks, 0u);
  for (std::int64_t x = 0; x < 100; ++x) recent.add(key(x), chunk());
  recent.add(key(99), chunk());  // there already
  EXPECT_GE(recent.usage().bytes, recent.usage().chunks * 1000);
  EXPECT_LE(recent.usage().bytes, 10'000u);
  EXPECT_GT(recent.usage().chunks, 5u);
}

TEST(recent_chunks, without_room_nothing_is_kept) {
  RecentChunks recent(0);
  recent.add(key(1), chunk());
  EXPECT_EQ(find(recent, key(1)), nullptr);
}

TEST(recent_chunks, the_pipeline_delivers_them_before_the_request_returns) {
  test::ScriptedGenerator generator;
  test::Inbox first, second;
  schedule::WorkerPool workers({.workers = 1, .max_queued = 8, .on_thread_start = {}});
  ChunkPipeline pipeline({.recent_bytes = 1 << 20}, generator.function(), workers, nullptr);
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
  EXPECT_EQ(pipeline.stats().recalled, 2u);
  EXPECT_EQ(pipeline.stats().recent_chunks, 2u);
}

TEST(recent_chunks,
     the_pipeline_recalls_without_a_callback_what_is_in_memory_and_counts_that_alone) {
  test::ScriptedGenerator generator;
  test::Inbox inbox;
  schedule::WorkerPool workers({.workers = 1, .max_queued = 8, .on_thread_start = {}});
  ChunkPipeline pipeline({.recent_bytes = 1 << 20}, generator.function(), workers, nullptr);
  EXPECT_EQ(pipeline.recall(test::ask(1)), nullptr);
  EXPECT_EQ(pipeline.stats().requests, 0u);
  pipeline.request({test::ask(1)}, {}, inbox.deliver());
  inbox.await(1);
  EXPECT_TRUE(test::is_chunk(pipeline.recall(test::ask(1)), 1));
  EXPECT_EQ(pipeline.stats().requests, 2u);
  EXPECT_EQ(pipeline.stats().hits, 1u);
  EXPECT_EQ(pipeline.stats().recalled, 1u);
}

}  // namespace
}  // namespace terrane::pipeline
