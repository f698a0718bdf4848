#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

#include "support/pipeline_rig.h"
#include "support/store_chunks.h"
#include "support/temp_directory.h"

namespace terrane::pipeline {
namespace {

using schedule::Priority;
using test::ask;
using test::Inbox;
using test::is_chunk;
using test::is_error;

/// A whole pipeline over a real store and a real pool with one worker.
class ChunkPipelineTest : public testing::Test {
 protected:
  ~ChunkPipelineTest() override {
    for (std::int64_t x = 0; x < 10; ++x) generator_.release(x);
  }

  void ask_for(std::int64_t x, Inbox& inbox, Priority priority = Priority::kView,
               std::stop_token stop = {}) {
    pipeline_->request({ask(x, priority)}, std::move(stop), inbox.deliver());
  }

  /// Occupies the only worker with chunk 0 until it is released.
  void hold_worker() {
    generator_.hold(0);
    ask_for(0, held_);
    generator_.await_start(0);
  }

  void await_queued(std::size_t jobs) const {
    // the look-up thread is on its way there
    while (workers_.queued() != jobs) std::this_thread::yield();
  }

  test::TempDirectory directory_;
  std::unique_ptr<store::ChunkStore> store_ = test::open_store(test::untimed(directory_.path()));
  test::ScriptedGenerator generator_;
  Inbox held_;
  schedule::WorkerPool workers_{{.workers = 1, .max_queued = 8, .on_thread_start = {}}};
  std::unique_ptr<ChunkPipeline> pipeline_ = std::make_unique<ChunkPipeline>(
      ChunkPipeline::Options{}, generator_.function(), workers_, store_.get());
};

TEST_F(ChunkPipelineTest, a_cold_chunk_is_generated_encoded_delivered_and_remembered) {
  Inbox first, second;
  ask_for(3, first);
  EXPECT_TRUE(is_chunk(first.await_one(), 3));
  ask_for(3, second);
  EXPECT_TRUE(is_chunk(second.await_one(), 3));
  const PipelineStats stats = pipeline_->stats();
  EXPECT_EQ(generator_.starts(3), 1);
  EXPECT_EQ(stats.requests, 2u);
  EXPECT_EQ(stats.generated, 1u);
  EXPECT_EQ(stats.hits, 1u);
  EXPECT_EQ(stats.joined, 0u);
}

TEST_F(ChunkPipelineTest, two_thousand_requests_for_one_cold_chunk_cause_one_generation) {
  generator_.hold(1);
  Inbox inbox;
  std::latch all_asked(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) ask_for(1, inbox);
      all_asked.count_down();
    });
  }
  all_asked.wait();
  generator_.release(1);
  const auto results = inbox.await(2000);
  for (auto& thread : threads) thread.join();
  for (const auto& [index, result] : results) EXPECT_TRUE(is_chunk(result, 1));
  EXPECT_EQ(generator_.starts(1), 1);
  EXPECT_EQ(pipeline_->stats().joined, 1999u);
}

TEST_F(ChunkPipelineTest,
       requests_racing_with_the_end_of_a_flight_never_cause_a_second_generation) {
  for (std::int64_t x = 100; x < 300; ++x) {
    Inbox inbox;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 4; ++i) {
          ask_for(x, inbox);
          if (t == 0) std::this_thread::yield();
        }
      });
    }
    for (auto& thread : threads) thread.join();
    for (const auto& [index, result] : inbox.await(12)) ASSERT_TRUE(is_chunk(result, x));
    ASSERT_EQ(generator_.starts(x), 1);
  }
}

TEST_F(ChunkPipelineTest, repeats_within_a_batch_share_a_flight_and_are_answered_each) {
  Inbox inbox;
  pipeline_->request({ask(1), ask(2), ask(1)}, {}, inbox.deliver());
  std::vector<int> answers(3);
  for (const auto& [index, result] : inbox.await(3)) {
    ++answers.at(index);
    EXPECT_TRUE(is_chunk(result, index == 1 ? 2 : 1));
  }
  EXPECT_EQ(answers, (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(generator_.starts(1), 1);
}

TEST_F(ChunkPipelineTest,
       generation_starts_in_the_batchs_order_within_a_priority_and_by_priority_across) {
  hold_worker();
  Inbox inbox;
  pipeline_->request(
      {ask(5), ask(4), ask(7, Priority::kPrefetch), ask(3), ask(9, Priority::kPlayerWaits)}, {},
      inbox.deliver());
  await_queued(5);
  generator_.release(0);
  inbox.await(5);
  EXPECT_EQ(generator_.order(), (std::vector<std::int64_t>{0, 9, 5, 4, 3, 7}));
}

TEST_F(ChunkPipelineTest, a_more_urgent_request_pulls_a_queued_flight_forward) {
  hold_worker();
  Inbox slow, fast;
  pipeline_->request({ask(1), ask(2, Priority::kPregeneration)}, {}, slow.deliver());
  await_queued(2);
  ask_for(2, fast, Priority::kPlayerWaits);
  generator_.release(0);
  EXPECT_TRUE(is_chunk(fast.await_one(), 2));
  slow.await(2);
  EXPECT_EQ(generator_.order(), (std::vector<std::int64_t>{0, 2, 1}));
}

TEST_F(ChunkPipelineTest, hits_are_answered_while_every_worker_is_busy) {
  Inbox warm_up, hit;
  ask_for(1, warm_up);
  warm_up.await(1);
  hold_worker();
  ask_for(1, hit);
  EXPECT_TRUE(is_chunk(hit.await_one(), 1));
  EXPECT_EQ(held_.size(), 0u);
}

TEST_F(ChunkPipelineTest, chunks_outlive_the_server_that_made_them) {
  Inbox first, second;
  ask_for(1, first);
  first.await(1);
  pipeline_.reset();
  store_.reset();
  store_ = test::open_store(test::untimed(directory_.path()));
  pipeline_ = std::make_unique<ChunkPipeline>(ChunkPipeline::Options{}, generator_.function(),
                                              workers_, store_.get());
  ask_for(1, second);
  EXPECT_TRUE(is_chunk(second.await_one(), 1));
  EXPECT_EQ(generator_.starts(1), 1);
}

TEST_F(ChunkPipelineTest, without_a_store_every_request_generates) {
  ChunkPipeline uncached({}, generator_.function(), workers_, nullptr);
  for (int i = 1; i <= 2; ++i) {
    Inbox inbox;
    uncached.request({ask(1)}, {}, inbox.deliver());
    EXPECT_TRUE(is_chunk(inbox.await_one(), 1));
    EXPECT_EQ(generator_.starts(1), i);
  }
}

TEST_F(ChunkPipelineTest, a_generator_that_throws_fails_its_waiters_and_nothing_else) {
  hold_worker();
  generator_.throw_at(1);
  Inbox failed, fine;
  ask_for(1, failed);
  ask_for(1, failed);
  ask_for(2, fine);
  generator_.release(0);
  for (const auto& [index, result] : failed.await(2))
    EXPECT_TRUE(is_error(result, ErrorCode::kInternal));
  EXPECT_TRUE(is_chunk(fine.await_one(), 2));
  EXPECT_EQ(pipeline_->stats().failed, 1u);

  Inbox again;
  ask_for(1, again);
  EXPECT_TRUE(is_error(again.await_one(), ErrorCode::kInternal));
  EXPECT_EQ(generator_.starts(1), 2) << "a failure is not remembered";
  EXPECT_EQ(workers_.failed_jobs(), 0u);
}

TEST_F(ChunkPipelineTest, a_full_queue_refuses_those_who_would_wait_in_it_and_no_others) {
  Inbox warm_up;
  ask_for(90, warm_up);
  warm_up.await(1);
  hold_worker();
  Inbox crowd, hit, joined;
  std::vector<ChunkRequest> batch;
  for (int x = 1; x <= 10; ++x) batch.push_back(ask(x));
  pipeline_->request(std::move(batch), {}, crowd.deliver());
  for (const auto& [index, result] : crowd.await(2)) {
    EXPECT_TRUE(is_error(result, ErrorCode::kResourceExhausted));
    EXPECT_EQ(to_string(result.error().reason), "QUEUE_FULL") << result.error().message;
    EXPECT_EQ(result.error().limit, "8 jobs") << result.error().message;
    EXPECT_GE(index, 8u) << "the batch's order decides who gets in";
  }
  EXPECT_EQ(pipeline_->stats().refused, 2u);
  EXPECT_EQ(pipeline_->stats().refused_by,
            (std::array<std::uint64_t, schedule::kRefusals>{0, 0, 2}));
  ask_for(90, hit);
  EXPECT_TRUE(is_chunk(hit.await_one(), 90));
  ask_for(1, joined);
  generator_.release(0);
  EXPECT_TRUE(is_chunk(joined.await_one(), 1));
  EXPECT_EQ(crowd.await(10).size(), 10u);

  Inbox later;
  ask_for(10, later);
  EXPECT_TRUE(is_chunk(later.await_one(), 10)) << "a refused chunk can be asked for again";
}

TEST_F(ChunkPipelineTest, destruction_answers_what_is_queued_and_what_runs) {
  hold_worker();
  Inbox queued;
  pipeline_->request({ask(1), ask(2)}, {}, queued.deliver());
  await_queued(2);
  pipeline_.reset();
  EXPECT_TRUE(is_error(held_.await_one(), ErrorCode::kUnavailable));
  for (const auto& [index, result] : queued.await(2))
    EXPECT_TRUE(is_error(result, ErrorCode::kUnavailable));
  EXPECT_EQ(generator_.starts(1), 0);
  EXPECT_EQ(workers_.queued(), 0u);
}

TEST_F(ChunkPipelineTest, destruction_in_the_middle_of_everything_answers_everyone_once) {
  for (int round = 0; round < 100; ++round) {
    Inbox inbox;
    std::vector<ChunkRequest> batch;
    for (int x = 0; x < 8; ++x) batch.push_back(ask(1000 + round * 8 + x / 2));
    pipeline_->request(batch, {}, inbox.deliver());
    if (round % 2 == 1) inbox.await(1);
    pipeline_.reset();
    ASSERT_EQ(inbox.size(), 8u);
    std::vector<int> answers(8);
    for (const auto& [index, result] : inbox.await(8)) ++answers.at(index);
    ASSERT_EQ(answers, std::vector<int>(8, 1));
    pipeline_ = std::make_unique<ChunkPipeline>(ChunkPipeline::Options{}, generator_.function(),
                                                workers_, store_.get());
  }
}

}  // namespace
}  // namespace terrane::pipeline
