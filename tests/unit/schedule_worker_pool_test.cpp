#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <latch>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "schedule/worker_pool.h"
#include "terrane/mutex.h"

namespace terrane::schedule {
namespace {

/// A pool whose only worker is held until release(), so that a test can arrange the queue.
class HeldWorker : public testing::Test {
 protected:
  HeldWorker() {
    EXPECT_TRUE(pool_.submit(Priority::kPlayerWaits, [this] {
      started_.count_down();
      released_.wait();
    }));
    started_.wait();
  }
  ~HeldWorker() override {
    if (!released_.try_wait()) released_.count_down();
  }

  /// A job that costs more than a client has in one turn.
  JobId add(Priority priority, const std::string& name, const Source& source = {}) {
    const auto id = pool_.submit(
        priority,
        [this, name] {
          order_ += name;
          WorkerPool::charge(std::chrono::milliseconds(1));
        },
        source);
    EXPECT_TRUE(id.has_value());
    return id.value_or(0);
  }

  /// Lets the worker run everything queued; what ran, in order.
  std::string release() {
    std::latch done(1);
    EXPECT_TRUE(pool_.submit(Priority::kPregeneration, [&done] { done.count_down(); }));
    released_.count_down();
    done.wait();
    return order_;
  }

  static constexpr std::size_t kQueue = 64;
  std::latch started_{1};
  std::latch released_{1};
  std::string order_;
  WorkerPool pool_{{.workers = 1, .max_queued = kQueue, .on_thread_start = {}}};
};

TEST_F(HeldWorker, urgent_jobs_run_first_and_equal_ones_in_order_of_arrival) {
  add(Priority::kPrefetch, "d");
  add(Priority::kView, "b");
  add(Priority::kView, "c");
  add(Priority::kPlayerWaits, "a");
  EXPECT_EQ(release(), "abcd");
}

TEST_F(HeldWorker, a_job_that_becomes_more_urgent_takes_the_place_its_arrival_gives_it_there) {
  const JobId early = add(Priority::kPrefetch, "a");
  add(Priority::kView, "b");
  EXPECT_FALSE(pool_.join(early, Priority::kView, {}));
  EXPECT_EQ(release(), "ab");
}

TEST_F(HeldWorker, a_job_that_two_wait_for_runs_once_at_the_first_ones_turn) {
  for (int i = 0; i < 3; ++i) add(Priority::kView, "a", {1, 1});
  const JobId shared = add(Priority::kView, "s", {1, 1});
  add(Priority::kView, "b", {2, 1});
  EXPECT_FALSE(pool_.join(shared, Priority::kView, {3, 1}));
  EXPECT_EQ(release(), "absaa");
}

TEST_F(HeldWorker, a_job_goes_on_for_those_who_are_left) {
  const JobId shared = add(Priority::kView, "s", {1, 1});
  EXPECT_FALSE(pool_.join(shared, Priority::kView, {2, 1}));
  pool_.leave(shared, {1, 1});
  pool_.leave(shared, {2, 1});  // the last one: for cancel() to say
  EXPECT_EQ(release(), "s");
}

TEST_F(HeldWorker, a_cancelled_job_never_runs) {
  add(Priority::kView, "a");
  const JobId dropped = add(Priority::kView, "b");
  EXPECT_TRUE(pool_.cancel(dropped));
  EXPECT_FALSE(pool_.cancel(dropped));
  EXPECT_EQ(release(), "a");
}

TEST_F(HeldWorker, a_job_that_has_run_can_no_longer_be_cancelled) {
  const JobId id = add(Priority::kView, "a");
  release();
  EXPECT_FALSE(pool_.cancel(id));
}

TEST_F(HeldWorker, a_full_queue_refuses_and_takes_again_once_there_is_room) {
  std::vector<JobId> ids;
  for (std::size_t i = 0; i < kQueue; ++i) ids.push_back(add(Priority::kView, "x"));
  EXPECT_EQ(pool_.queued(), kQueue);
  const auto refused = pool_.submit(Priority::kPlayerWaits, [] {});
  ASSERT_FALSE(refused);
  EXPECT_STREQ(to_string(refused.error().refusal), "queue_full");
  EXPECT_EQ(refused.error().limit, kQueue);
  EXPECT_TRUE(pool_.cancel(ids[0]));
  EXPECT_TRUE(pool_.cancel(ids[1]));
  add(Priority::kView, "y");
  EXPECT_EQ(release(), std::string(kQueue - 2, 'x') + "y");
}

TEST_F(HeldWorker, submit_and_cancel_without_end_leave_room_and_order) {
  for (int i = 0; i < 100'000; ++i) ASSERT_TRUE(pool_.cancel(add(Priority::kView, "x")));
  add(Priority::kView, "a");
  EXPECT_EQ(release(), "a");
}

TEST_F(HeldWorker, throwing_jobs_are_counted_and_their_worker_goes_on) {
  ASSERT_TRUE(pool_.submit(Priority::kView, [] { throw std::runtime_error("deliberate"); }));
  ASSERT_TRUE(pool_.submit(Priority::kView, [] { throw 42; }));
  add(Priority::kView, "a");
  EXPECT_EQ(release(), "a");
  EXPECT_EQ(pool_.failed_jobs(), 2u);
}

TEST_F(HeldWorker, dropping_a_job_destroys_what_it_holds_at_once) {
  const auto held = std::make_shared<int>(1);
  const auto id = pool_.submit(Priority::kView, [held] {});
  ASSERT_TRUE(id);
  EXPECT_EQ(held.use_count(), 2);
  EXPECT_TRUE(pool_.cancel(*id));
  EXPECT_EQ(held.use_count(), 1);
}

TEST_F(HeldWorker, what_other_threads_did_for_a_client_counts_as_its_own) {
  constexpr int kEach = 12;
  std::latch done(2 * kEach);
  for (int i = 0; i < kEach; ++i) {
    EXPECT_TRUE(pool_.submit(
        Priority::kView,
        [&] {
          order_ += 'a';
          WorkerPool::charge(std::chrono::milliseconds(50), Source{.client = 1});
          done.count_down();
        },
        Source{.client = 1}));
    EXPECT_TRUE(pool_.submit(
        Priority::kView,
        [&] {
          order_ += 'b';
          WorkerPool::charge(std::chrono::seconds(50), Source{.client = 1});  // somebody else's
          done.count_down();
        },
        Source{.client = 2}));
  }
  released_.count_down();
  done.wait();
  EXPECT_LE(std::count(order_.begin(), order_.begin() + kEach + 2, 'a'), 2) << order_;
}

TEST_F(HeldWorker, who_is_charged_at_once_waits_for_the_others_with_what_comes_later) {
  constexpr std::chrono::milliseconds kPatience{10};
  for (int i = 0; i < 8; ++i) add(Priority::kView, "b", {.client = 2});
  EXPECT_FALSE(pool_.is_behind(Priority::kView, {.client = 1}, kPatience));
  pool_.charge_at_once(std::chrono::milliseconds(50), {.client = 1});
  EXPECT_TRUE(pool_.is_behind(Priority::kView, {.client = 1}, kPatience));
  EXPECT_FALSE(pool_.is_behind(Priority::kView, {.client = 3}, kPatience));
  for (int i = 0; i < 8; ++i) add(Priority::kView, "a", {.client = 1});
  const std::string order = release();
  EXPECT_EQ(order.substr(order.size() - 16), "bbbbbbbbaaaaaaaa");
}

TEST_F(HeldWorker, who_has_most_of_a_full_queue_makes_room_with_the_least_urgent_of_theirs) {
  Refused why;
  std::latch told(1);
  const auto add_evictable = [&](Priority priority, const char* name) {
    return pool_.submit(priority,
                        {[this, name] { order_ += name; },
                         [&](const Refused& refused) {
                           why = refused;
                           told.count_down();
                         }},
                        {1, 1});
  };
  for (std::size_t i = 1; i < kQueue; ++i) ASSERT_TRUE(add_evictable(Priority::kPlayerWaits, "a"));
  ASSERT_TRUE(add_evictable(Priority::kPrefetch, "p"));
  const auto own = pool_.submit(Priority::kPlayerWaits, [] {}, {1, 2});
  ASSERT_FALSE(own) << "one's own jobs make no room";
  EXPECT_STREQ(to_string(own.error().refusal), "queue_full");
  add(Priority::kView, "v", {2, 1});
  EXPECT_EQ(pool_.queued(), kQueue);
  released_.count_down();
  told.wait();
  EXPECT_STREQ(to_string(why.refusal), "client_share");
}

/// A pool whose jobs are known to take 20 ms or more, held again.
class SlowJobs : public testing::Test {
 protected:
  SlowJobs() {
    for (auto* gate : {&started_, &started_again_}) {
      EXPECT_TRUE(pool_.submit(Priority::kPlayerWaits, [this, gate] {
        const auto start = std::chrono::steady_clock::now();
        gate->count_down();
        if (gate == &started_again_) return released_.wait();
        while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(20))
          std::this_thread::yield();
      }));
      gate->wait();
    }
  }
  ~SlowJobs() override { released_.count_down(); }

  bool add(Priority priority, std::uint64_t client, std::chrono::nanoseconds patience) {
    return pool_
        .submit(
            priority, [] {}, {client}, patience)
        .has_value();
  }

  std::latch started_{1}, started_again_{1}, released_{1};
  WorkerPool pool_{{.workers = 1, .max_queued = 64, .on_thread_start = {}}};
};

TEST_F(SlowJobs, a_job_that_would_wait_too_long_is_refused) {
  constexpr std::chrono::nanoseconds kLittle{1};
  EXPECT_TRUE(add(Priority::kView, 1, kLittle));  // nothing is before it
  EXPECT_GE(pool_.expected_wait(Priority::kView, {1}), std::chrono::milliseconds(15));
  const auto refused = pool_.submit(
      Priority::kView, [] {}, {1}, std::chrono::milliseconds(3));
  ASSERT_FALSE(refused);
  EXPECT_STREQ(to_string(refused.error().refusal), "wait_too_long");
  EXPECT_EQ(refused.error().limit, 3u);
  EXPECT_GE(refused.error().value, 15u);
  EXPECT_TRUE(add(Priority::kView, 1, WorkerPool::kEndless));
  EXPECT_TRUE(add(Priority::kPlayerWaits, 1, kLittle)) << "only what is as urgent is in its way";
}

TEST_F(SlowJobs, patience_is_judged_by_ones_own_turn_whatever_others_have_queued) {
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(add(Priority::kView, 1, WorkerPool::kEndless));
  const auto wait = pool_.expected_wait(Priority::kView, {1});
  EXPECT_LT(pool_.expected_wait(Priority::kView, {2}), wait / 10);
  EXPECT_FALSE(add(Priority::kView, 1, wait / 2));
  EXPECT_TRUE(add(Priority::kView, 2, wait / 2));
}

// Else who comes first to a server that has just started is told that it is overloaded.
TEST(worker_pool, a_first_job_that_was_held_up_is_soon_forgotten) {
  using Clock = std::chrono::steady_clock;
  constexpr int kJobs = 31, kQueued = 100;
  constexpr std::chrono::milliseconds kHeldUp{300}, kWork{1};
  std::latch ended{kJobs}, started{1}, released{1};  // outlive the jobs
  Clock::time_point begin;
  WorkerPool pool{{.workers = 1, .max_queued = 2 * kQueued, .on_thread_start = {}}};
  EXPECT_TRUE(pool.submit(Priority::kView, [&] {
    std::this_thread::sleep_for(kHeldUp);
    begin = Clock::now();
  }));
  const auto work = [&] {
    const auto start = Clock::now();
    while (Clock::now() - start < kWork) std::this_thread::yield();
    ended.count_down();
  };
  for (int i = 0; i < kJobs; ++i) EXPECT_TRUE(pool.submit(Priority::kView, work));
  ended.wait();
  const auto each = (Clock::now() - begin) / kJobs;  // others use the processors, too
  const auto hold = [&] {
    started.count_down();
    released.wait();
  };
  EXPECT_TRUE(pool.submit(Priority::kPlayerWaits, hold));
  started.wait();
  for (int i = 0; i < kQueued; ++i) EXPECT_TRUE(pool.submit(Priority::kView, [] {}));
  EXPECT_LT(pool.expected_wait(Priority::kView, {}), kQueued * (kHeldUp / 8 + 3 * each));
  released.count_down();
}

// Else who asks for chunks is refused where others' plans are long.
TEST(worker_pool, what_a_newcomers_jobs_take_is_known_by_their_class) {
  constexpr std::chrono::milliseconds kLong{20};
  constexpr int kJobs = 20;
  std::latch ended{2 * kJobs}, started{1}, released{1};  // outlive the jobs
  WorkerPool pool{{.workers = 1, .max_queued = 2 * kJobs, .on_thread_start = {}}};
  const auto work = [&] {
    WorkerPool::charge(kLong);
    ended.count_down();
  };
  for (int i = 0; i < kJobs; ++i) {
    EXPECT_TRUE(pool.submit(Priority::kView, [&] { ended.count_down(); }));
    EXPECT_TRUE(pool.submit(Priority::kPlayerWaits, work, {.client = 1}));
  }
  ended.wait();
  const auto hold = [&] {
    started.count_down();
    released.wait();
  };
  EXPECT_TRUE(pool.submit(Priority::kPlayerWaits, hold, {.client = 1}));
  started.wait();
  for (int i = 0; i < kJobs; ++i) {
    EXPECT_TRUE(pool.submit(Priority::kView, [] {}, {.client = 2}));
    EXPECT_TRUE(pool.submit(Priority::kPlayerWaits, [] {}, {.client = 3}));
  }
  EXPECT_LT(20 * pool.expected_wait(Priority::kView, {.client = 2}),
            pool.expected_wait(Priority::kPlayerWaits, {.client = 3}));
  released.count_down();
}

// Else a client of many messages, which are charged to its jobs, is refused what it would get soon.
TEST(worker_pool, what_is_charged_for_other_threads_takes_workers_no_time) {
  static constexpr std::chrono::milliseconds kCharged{20};
  constexpr int kJobs = 200;
  std::latch ended{kJobs}, started{1}, released{1};  // outlive the jobs
  WorkerPool pool{{.workers = 1, .max_queued = kJobs, .on_thread_start = {}}};
  const Source client{1};
  const auto charge = [&] {
    WorkerPool::charge(kCharged);
    ended.count_down();
  };
  for (int i = 0; i < kJobs; ++i) EXPECT_TRUE(pool.submit(Priority::kView, charge, client));
  ended.wait();
  const auto hold = [&] {
    started.count_down();
    released.wait();
  };
  EXPECT_TRUE(pool.submit(Priority::kPlayerWaits, hold, client));
  started.wait();
  for (int i = 0; i < 50; ++i)
    EXPECT_TRUE(pool.submit(
        Priority::kView, [] {}, client));
  EXPECT_LT(pool.expected_wait(Priority::kView, client), 50 * kCharged / 4);
  released.count_down();
}

TEST(refusal, names_the_limit_and_its_value_and_each_has_a_reason_of_its_own) {
  const auto told = [](Refusal refusal) { return to_error({refusal, 412, 250}); };
  for (const Refusal refusal :
       {Refusal::kWaitTooLong, Refusal::kClientShare, Refusal::kQueueFull}) {
    const Error error = told(refusal);
    EXPECT_EQ(error.code, ErrorCode::kResourceExhausted);
    EXPECT_NE(error.message.find("412"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("250"), std::string::npos) << error.message;
  }
  EXPECT_EQ(told(Refusal::kWaitTooLong).reason, ErrorReason::kWaitTooLong);
  EXPECT_EQ(told(Refusal::kWaitTooLong).limit, "250 ms");
  EXPECT_EQ(told(Refusal::kClientShare).reason, ErrorReason::kClientShareTaken);
  EXPECT_EQ(told(Refusal::kQueueFull).reason, ErrorReason::kQueueFull);
  EXPECT_EQ(told(Refusal::kStopping).code, ErrorCode::kUnavailable);
}

TEST(WorkerPool, destruction_drops_what_is_queued_and_waits_for_what_runs) {
  std::latch started(1), release(1);
  std::atomic<bool> running_ended = false, queued_ran = false;
  std::thread releaser;
  {
    // never full
    WorkerPool pool({.workers = 1, .max_queued = std::size_t{1} << 24, .on_thread_start = {}});
    ASSERT_TRUE(pool.submit(Priority::kView, [&] {
      started.count_down();
      release.wait();
      // Until the pool is stopping: its queue takes nothing more once destruction has begun.
      while (pool.submit(Priority::kView, [&] { queued_ran = true; })) std::this_thread::yield();
      running_ended = true;
    }));
    started.wait();
    ASSERT_TRUE(pool.submit(Priority::kView, [&] { queued_ran = true; }));
    for (int i = 0; i < 7; ++i)
      ASSERT_TRUE(pool.submit(Priority::kPregeneration, [&] { queued_ran = true; }));
    releaser = std::thread([&] { release.count_down(); });
  }
  EXPECT_TRUE(running_ended);
  EXPECT_FALSE(queued_ran);
  releaser.join();
}

TEST(WorkerPool, every_worker_runs_the_start_hook_once_before_its_first_job) {
  Mutex mutex;
  std::set<std::thread::id> hooked;
  std::latch all_busy(4), done(4);
  std::atomic<int> hooks = 0, unhooked = 0;
  {
    WorkerPool pool({.workers = 4, .max_queued = 8, .on_thread_start = [&] {
                       ++hooks;
                       const MutexLock lock(mutex);
                       hooked.insert(std::this_thread::get_id());
                     }});
    EXPECT_EQ(pool.workers(), 4u);
    for (int i = 0; i < 4; ++i) {
      ASSERT_TRUE(pool.submit(Priority::kView, [&] {
        all_busy.arrive_and_wait();  // all four at once: four different threads
        const MutexLock lock(mutex);
        if (!hooked.contains(std::this_thread::get_id())) ++unhooked;
        done.count_down();
      }));
    }
    done.wait();
  }
  EXPECT_EQ(hooks, 4);
  EXPECT_EQ(hooked.size(), 4u);
  EXPECT_EQ(unhooked, 0);
}

TEST(WorkerPool, jobs_from_many_threads_all_run_once) {
  std::atomic<int> ran = 0;
  std::latch done(4'000);
  WorkerPool pool({.workers = 3, .max_queued = 4'000, .on_thread_start = {}});
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1'000; ++i) {
        EXPECT_TRUE(pool.submit(static_cast<Priority>(i % 4), [&] {
          ++ran;
          done.count_down();
        }));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  done.wait();
  EXPECT_EQ(ran, 4'000);
  EXPECT_EQ(pool.queued(), 0u);
}

/// A job of a client that takes so long, and says when it began and ended.
class TimedJob {
 public:
  using Time = std::chrono::steady_clock::time_point;

  TimedJob(WorkerPool& pool, const Source& source, std::chrono::microseconds time) {
    EXPECT_TRUE(pool.submit(
        Priority::kView,
        [this, time] {
          begun_at_ = std::chrono::steady_clock::now();
          do {
            ended_at_ = std::chrono::steady_clock::now();
          } while (ended_at_ < begun_at_ + time);
          over_.count_down();
        },
        source));
  }
  void await() { over_.wait(); }
  // afterwards
  [[nodiscard]] Time begun_at() const { return begun_at_; }
  [[nodiscard]] Time ended_at() const { return ended_at_; }

 private:
  Time begun_at_, ended_at_;
  std::latch over_{1};
};

constexpr Source kRegular{.client = 11, .weight = 200}, kOther{.client = 12};

void come_regularly(WorkerPool& pool) {
  for (int i = 0; i < 14; ++i) TimedJob(pool, kRegular, std::chrono::microseconds(10)).await();
}

// What a busy machine keeps from happening now and then is tried so often at most.
constexpr int kTries = 500;

TEST(worker_pool, has_a_moment_for_who_came_with_one_after_the_other) {
  using std::chrono::microseconds;
  WorkerPool pool({.workers = 1, .on_thread_start = {}});
  bool is_tried = false;
  for (int i = 0; i < kTries && !is_tried; ++i) {
    come_regularly(pool);
    TimedJob long_one(pool, kRegular, microseconds(200));
    TimedJob first(pool, kOther, microseconds(3'000)), second(pool, kOther, microseconds(10));
    long_one.await();
    TimedJob last(pool, kRegular, microseconds(10));  // comes before the first is over
    last.await();
    second.await();
    is_tried = last.ended_at() < second.begun_at();
    if (is_tried) {
      EXPECT_GE(second.begun_at(), last.ended_at() + microseconds(1'000));
    }
  }
  EXPECT_TRUE(is_tried);
}

TEST(worker_pool, has_no_moment_where_another_worker_is_free) {
  using std::chrono::microseconds;
  WorkerPool pool({.workers = 2, .on_thread_start = {}});
  bool is_soon = false;
  for (int i = 0; i < kTries && !is_soon; ++i) {
    come_regularly(pool);
    const auto start = std::chrono::steady_clock::now();
    TimedJob other(pool, kOther, microseconds(10));
    other.await();
    is_soon = other.begun_at() < start + microseconds(500);
  }
  EXPECT_TRUE(is_soon);
}

}  // namespace
}  // namespace terrane::schedule
