#include <gtest/gtest.h>

#include <atomic>
#include <stop_token>
#include <thread>
#include <utility>
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

/// One worker without a cache, so that requests reach its queue before request() returns.
class Cancellation : public testing::Test {
 protected:
  ~Cancellation() override {
    generator_.ignore_stops(false);
    for (std::int64_t x = 0; x < 10; ++x) generator_.release(x);
  }

  void ask_for(std::int64_t x, Inbox& inbox, std::stop_token stop = {}) {
    pipeline_.request({ask(x)}, std::move(stop), inbox.deliver());
  }

  void hold_worker() {
    generator_.hold(0);
    ask_for(0, held_);
    generator_.await_start(0);
  }

  test::ScriptedGenerator generator_;
  Inbox held_;
  schedule::WorkerPool workers_{{.workers = 1, .max_queued = 64, .on_thread_start = {}}};
  ChunkPipeline pipeline_{{}, generator_.function(), workers_, nullptr};
};

TEST_F(Cancellation, queued_work_that_nobody_waits_for_is_dropped) {
  hold_worker();
  Inbox inbox;
  std::stop_source stop;
  pipeline_.request({ask(1), ask(2), ask(1)}, stop.get_token(), inbox.deliver());
  EXPECT_EQ(workers_.queued(), 2u);
  stop.request_stop();
  ASSERT_EQ(inbox.size(), 3u) << "cancelled at once";
  for (const auto& [index, result] : inbox.await(3))
    EXPECT_TRUE(is_error(result, ErrorCode::kCancelled));
  EXPECT_EQ(workers_.queued(), 0u);
  generator_.release(0);
  EXPECT_TRUE(is_chunk(held_.await_one(), 0));
  EXPECT_EQ(generator_.order(), (std::vector<std::int64_t>{0}));
  EXPECT_EQ(pipeline_.stats().cancelled, 3u);
}

TEST_F(Cancellation, of_requests_that_are_made_together_each_is_answered_and_stopped_by_itself) {
  const test::TempDirectory directory;
  const auto store = test::open_store(test::untimed(directory.path()));
  ChunkPipeline cached({}, generator_.function(), workers_, store.get());
  Inbox warm_up, known, unknown, stopped, stopped_before;
  cached.request({ask(1)}, {}, warm_up.deliver());
  EXPECT_TRUE(is_chunk(warm_up.await_one(), 1));
  hold_worker();
  std::stop_source later, before;
  before.request_stop();
  std::vector<ChunkPipeline::SingleRequest> requests{{ask(1), {}, known.deliver()},
                                                     {ask(2), {}, unknown.deliver()},
                                                     {ask(3), later.get_token(), stopped.deliver()},
                                                     {ask(2), {}, unknown.deliver()}};
  requests.push_back({ask(4), before.get_token(), stopped_before.deliver()});
  cached.request_each(requests);
  EXPECT_TRUE(is_error(stopped_before.await_one(), ErrorCode::kCancelled));
  EXPECT_TRUE(is_chunk(known.await_one(), 1)) << "from the store, while the worker is busy";
  later.request_stop();
  EXPECT_TRUE(is_error(stopped.await_one(), ErrorCode::kCancelled));
  EXPECT_EQ(unknown.size(), 0u);
  generator_.release(0);
  for (const auto& [index, result] : unknown.await(2)) EXPECT_TRUE(is_chunk(result, 2));
  EXPECT_EQ(generator_.order(), (std::vector<std::int64_t>{1, 0, 2}));
}

TEST_F(Cancellation, a_shared_flight_goes_on_for_whoever_still_waits) {
  hold_worker();
  Inbox leaver, stayer;
  std::stop_source stop;
  ask_for(1, leaver, stop.get_token());
  ask_for(1, stayer);
  stop.request_stop();
  EXPECT_TRUE(is_error(leaver.await_one(), ErrorCode::kCancelled));
  generator_.release(0);
  EXPECT_TRUE(is_chunk(stayer.await_one(), 1));
  EXPECT_EQ(leaver.size(), 1u);
}

TEST_F(Cancellation, a_running_generator_is_told_to_stop_when_nobody_waits) {
  generator_.hold(1);
  Inbox inbox, next;
  std::stop_source stop;
  ask_for(1, inbox, stop.get_token());
  generator_.await_start(1);
  stop.request_stop();
  EXPECT_TRUE(is_error(inbox.await_one(), ErrorCode::kCancelled));
  ask_for(2, next);  // the only worker is free again, although chunk 1 is still held
  EXPECT_TRUE(is_chunk(next.await_one(), 2));
  EXPECT_EQ(pipeline_.stats().generated, 1u);
  EXPECT_EQ(pipeline_.stats().failed, 0u);
}

TEST_F(Cancellation, a_running_flight_that_is_shared_is_not_stopped) {
  generator_.hold(1);
  Inbox leaver, stayer;
  std::stop_source stop;
  ask_for(1, leaver, stop.get_token());
  generator_.await_start(1);
  ask_for(1, stayer);
  stop.request_stop();
  generator_.release(1);
  EXPECT_TRUE(is_chunk(stayer.await_one(), 1));
  EXPECT_EQ(generator_.starts(1), 1);
}

TEST_F(Cancellation, whoever_joins_a_flight_that_is_being_stopped_gets_the_chunk) {
  generator_.hold(1);
  generator_.ignore_stops(true);
  Inbox leaver, joiner;
  std::stop_source stop;
  ask_for(1, leaver, stop.get_token());
  generator_.await_start(1);
  stop.request_stop();
  ask_for(1, joiner);
  EXPECT_EQ(pipeline_.stats().joined, 1u);
  generator_.ignore_stops(false);  // now it notices, and returns empty
  generator_.await_start(1, 2);
  generator_.release(1);
  EXPECT_TRUE(is_chunk(joiner.await_one(), 1));
  EXPECT_TRUE(is_error(leaver.await_one(), ErrorCode::kCancelled));
}

TEST_F(Cancellation, a_chunk_finished_in_spite_of_the_stop_serves_whoever_joined) {
  generator_.hold(1);
  generator_.ignore_stops(true);
  Inbox leaver, joiner;
  std::stop_source stop;
  ask_for(1, leaver, stop.get_token());
  generator_.await_start(1);
  stop.request_stop();
  ask_for(1, joiner);
  generator_.release(1);
  EXPECT_TRUE(is_chunk(joiner.await_one(), 1));
  EXPECT_EQ(generator_.starts(1), 1);
}

TEST_F(Cancellation, a_dropped_chunk_can_be_asked_for_again) {
  hold_worker();
  Inbox dropped, again;
  std::stop_source stop;
  ask_for(1, dropped, stop.get_token());
  stop.request_stop();
  ask_for(1, again);
  generator_.release(0);
  EXPECT_TRUE(is_chunk(again.await_one(), 1));
}

TEST_F(Cancellation, a_request_that_is_cancelled_before_it_is_made_is_answered_so) {
  hold_worker();
  Inbox inbox;
  std::stop_source stop;
  stop.request_stop();
  ask_for(1, inbox, stop.get_token());
  ASSERT_EQ(inbox.size(), 1u);
  EXPECT_TRUE(is_error(inbox.await_one(), ErrorCode::kCancelled));
  EXPECT_EQ(workers_.queued(), 0u);
}

TEST_F(Cancellation, a_stop_after_the_answer_changes_nothing) {
  Inbox inbox;
  std::stop_source stop;
  ask_for(1, inbox, stop.get_token());
  EXPECT_TRUE(is_chunk(inbox.await_one(), 1));
  stop.request_stop();
  EXPECT_EQ(inbox.size(), 1u);
  EXPECT_EQ(pipeline_.stats().cancelled, 0u);
}

TEST(CancellationStorm, random_cancels_and_joins_answer_everyone_once_and_rightly) {
  const test::TempDirectory directory;
  const auto store = test::open_store(test::untimed(directory.path()));
  test::ScriptedGenerator generator;
  schedule::WorkerPool workers({.workers = 3, .max_queued = 100'000, .on_thread_start = {}});
  constexpr int kThreads = 4, kRounds = 400;
  std::vector<Inbox> inboxes(kThreads);
  std::atomic<int> wrong = 0;
  std::size_t answered_stayers = 0;
  {
    ChunkPipeline pipeline({.lookup_threads = 2}, generator.function(), workers, store.get());
    Inbox stayers;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int round = 0; round < kRounds; ++round) {
          // Two threads share each range of keys, and each round has its own.
          const std::int64_t x = (t / 2) * 100'000 + round * 3;
          std::stop_source stop;
          pipeline.request({ask(x), ask(x + 1), ask(x)}, stop.get_token(),
                           inboxes[static_cast<std::size_t>(t)].deliver());
          if (t == 0) {
            pipeline.request({ask(x, Priority::kPlayerWaits)}, {},
                             [&, x, forward = stayers.deliver()](auto index, auto result) {
                               if (!is_chunk(result, x)) ++wrong;
                               forward(index, std::move(result));
                             });
          }
          if (round % 3 == t % 3) std::this_thread::yield();
          stop.request_stop();
        }
      });
    }
    for (auto& thread : threads) thread.join();
    answered_stayers = stayers.await(kRounds).size();
    for (auto& inbox : inboxes) inbox.await(kRounds * 3);
  }
  EXPECT_EQ(wrong, 0) << "who does not cancel gets the chunk, whatever the others do";
  EXPECT_EQ(answered_stayers, static_cast<std::size_t>(kRounds));
  for (auto& inbox : inboxes) {
    EXPECT_EQ(inbox.size(), static_cast<std::size_t>(kRounds) * 3);
    for (const auto& [index, result] : inbox.await(1)) {
      EXPECT_TRUE((result && *result) || is_error(result, ErrorCode::kCancelled));
    }
  }
}

}  // namespace
}  // namespace terrane::pipeline
