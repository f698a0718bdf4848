#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "schedule/fair_queue.h"

/// The laws of sharing, on virtual time: one worker runs one job after the other, each for as long
/// as the test says that it takes.
namespace terrane::schedule {
namespace {

using namespace std::chrono_literals;

class Machine {
 public:
  struct Backlog {
    Source source;
    Priority priority = Priority::kView;
    Nanoseconds cost;
    std::size_t depth = 8;  // jobs that it keeps queued
  };

  void keep(const Backlog& backlog) {
    backlogs_.push_back(backlog);
    for (std::size_t i = 0; i < backlog.depth; ++i) add(backlogs_.size() - 1);
  }

  /// One job more than the backlogs. @return its id, in `started` once it has begun
  JobId add_one(const Source& source, Priority priority, Nanoseconds cost) {
    const JobId id = queue_.add(priority, {}, source, typical);
    costs_[id] = {kNone, cost};
    return id;
  }

  void run_for(Nanoseconds time) {
    const Nanoseconds end = now + time;
    while (now < end && run_one()) continue;
  }

  /// @return whose turn it was; none without jobs
  std::optional<Source> run_one() {
    const auto running = queue_.take();
    if (!running) return std::nullopt;
    started[running->id] = now;
    const auto [backlog, cost] = costs_.extract(running->id).mapped();
    now += cost;
    queue_.end(*running, cost);
    if (backlog == kNone) return running->source;
    used[backlog] += cost;
    if (!stopped_[backlog]) add(backlog);
    return running->source;
  }

  void stop(std::size_t backlog) { stopped_[backlog] = true; }

  double share(std::size_t backlog) const {
    Nanoseconds sum{0};
    for (const auto& [each, cost] : used) sum += cost;
    return static_cast<double>(used.at(backlog).count()) / static_cast<double>(sum.count());
  }

  Nanoseconds now{0};
  Nanoseconds typical = 100us;  // what a job is taken to cost before one has ended
  std::map<std::size_t, Nanoseconds> used;
  std::map<JobId, Nanoseconds> started;
  FairQueue& queue() { return queue_; }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  void add(std::size_t backlog) {
    const Backlog& its = backlogs_[backlog];
    costs_[queue_.add(its.priority, {}, its.source, typical)] = {backlog, its.cost};
  }

  FairQueue queue_;
  std::vector<Backlog> backlogs_;
  std::map<std::size_t, bool> stopped_;
  std::map<JobId, std::pair<std::size_t, Nanoseconds>> costs_;
};

TEST(fair_queue, clients_get_the_same_whatever_their_jobs_cost) {
  Machine machine;
  machine.keep({.source = {1}, .cost = 50us});
  machine.keep({.source = {2}, .cost = 2ms, .depth = 500});
  machine.keep({.source = {3}, .cost = 333us});
  machine.run_for(1s);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(machine.share(i), 1.0 / 3, 0.01) << i;
}

TEST(fair_queue, connections_and_viewers_divide_what_their_client_has) {
  Machine machine;
  machine.keep({.source = {1, 1, 1}, .cost = 100us});
  machine.keep({.source = {1, 1, 2}, .cost = 100us});
  machine.keep({.source = {1, 2, 1}, .cost = 100us});
  for (std::uint64_t connection = 1; connection <= 20; ++connection)
    machine.keep({.source = {2, connection, 0}, .cost = 500us});
  machine.run_for(4s);
  EXPECT_NEAR(machine.share(0), 0.125, 0.01);
  EXPECT_NEAR(machine.share(1), 0.125, 0.01);
  EXPECT_NEAR(machine.share(2), 0.25, 0.01);
}

TEST(fair_queue, weights_divide_what_clients_get) {
  Machine machine;
  machine.keep({.source = {.client = 1, .weight = 200}, .cost = 100us});
  for (std::uint64_t stranger = 2; stranger < 12; ++stranger)
    machine.keep({.source = {stranger}, .cost = 1ms});
  machine.run_for(10s);
  EXPECT_NEAR(machine.share(0), 200.0 / 210, 0.01);
}

TEST(fair_queue, urgency_buys_a_client_no_share) {
  Machine machine;
  machine.keep({.source = {1}, .priority = Priority::kPlayerWaits, .cost = 100us});
  machine.keep({.source = {2}, .priority = Priority::kPrefetch, .cost = 100us});
  machine.run_for(1s);
  EXPECT_LE((machine.used[0] - machine.used[1]), 21ms);
  EXPECT_GE((machine.used[0] - machine.used[1]), -1ms);
}

TEST(fair_queue, who_has_had_no_more_than_others_begins_at_once_with_what_is_urgent) {
  Machine machine;
  for (std::uint64_t client = 1; client <= 10; ++client)
    machine.keep({.source = {client}, .priority = Priority::kView, .cost = 1ms});
  for (int turn = 0; turn < 100; ++turn) {
    machine.run_for(33ms);
    const JobId urgent = machine.add_one({99}, Priority::kPlayerWaits, 1ms);
    const Nanoseconds asked = machine.now;
    machine.run_for(5ms);
    ASSERT_TRUE(machine.started.contains(urgent)) << turn;
    EXPECT_EQ(machine.started.at(urgent), asked) << turn;
  }
}

TEST(fair_queue, a_turn_lasts_for_some_jobs_and_for_less_than_a_millisecond) {
  constexpr std::uint64_t kClients = 5;
  Machine machine;
  machine.typical = 10us;
  for (std::uint64_t client = 1; client <= kClients; ++client)
    machine.keep({.source = {client, 1, 1}, .cost = 10us});
  machine.run_for(100ms);
  int changes = 0, jobs = 0;
  std::array<Nanoseconds, kClients + 1> waited{};
  for (std::uint64_t before = 0; jobs < 10'000; ++jobs) {
    const std::uint64_t client = machine.run_one().value().client;
    for (Nanoseconds& time : waited) time += 10us;
    waited.at(client) = {};
    EXPECT_LE(*std::ranges::max_element(waited.begin() + 1, waited.end()), kClients * 1ms);
    if (std::exchange(before, client) != client) ++changes;
  }
  EXPECT_LT(changes, jobs / 20);
}

TEST(fair_queue, within_a_client_the_urgent_comes_first) {
  Machine machine;
  machine.keep({.source = {1, 1, 1}, .priority = Priority::kView, .cost = 100us});
  machine.keep({.source = {2, 1, 1}, .priority = Priority::kView, .cost = 100us});
  machine.run_for(100ms);
  const JobId urgent = machine.add_one({1, 2, 1}, Priority::kPlayerWaits, 100us);
  const Nanoseconds asked = machine.now;
  machine.run_for(10ms);
  EXPECT_LE(machine.started.at(urgent) - asked, 600us) << "the other's turn at most";
}

TEST(fair_queue, who_comes_new_is_served_at_once_and_owes_nothing) {
  Machine machine;
  for (std::uint64_t client = 1; client <= 10; ++client)
    machine.keep({.source = {client}, .cost = 1ms, .depth = 900});
  machine.run_for(1s);
  const JobId one = machine.add_one({99}, Priority::kView, 1ms);
  const Nanoseconds asked = machine.now;
  machine.run_for(100ms);
  EXPECT_LE(machine.started.at(one) - asked, 11ms) << "a turn of each of the others at most";
}

/// How long rows of 64 jobs of a client take, with a pause of 3 ms after each, beside ten clients
/// all of whose jobs are urgent.
Nanoseconds row_beside_urgent_ones(std::uint32_t weight) {
  constexpr int kRows = 20, kJobs = 64;
  Machine machine;
  for (std::uint64_t stranger = 2; stranger < 12; ++stranger)
    machine.keep({.source = {stranger}, .priority = Priority::kPlayerWaits, .cost = 1ms});
  machine.run_for(1s);
  Nanoseconds rows{0};
  for (int row = 0; row < kRows; ++row) {
    const Nanoseconds asked = machine.now;
    JobId last = 0;
    for (int job = 0; job < kJobs; ++job)
      last = machine.add_one({.client = 1, .weight = weight}, Priority::kView, 250us);
    while (!machine.started.contains(last)) machine.run_for(1us);
    rows += machine.now - asked;
    machine.run_for(3ms);
  }
  return rows / kRows;
}

TEST(fair_queue, who_pauses_does_not_wait_for_the_urgency_of_others_each_time) {
  // 16 ms of work: eleven take turns, or it has nearly all
  EXPECT_LE(row_beside_urgent_ones(1), 11 * 16ms + 11ms);
  EXPECT_LE(row_beside_urgent_ones(200), 16ms + 11ms);
}

TEST(fair_queue, who_was_idle_saves_nothing_up) {
  Machine machine;
  machine.keep({.source = {1}, .cost = 100us});
  machine.run_for(10s);
  machine.keep({.source = {2}, .cost = 100us});
  machine.used.clear();
  machine.run_for(1s);
  EXPECT_NEAR(machine.share(0), 0.5, 0.01);
}

TEST(fair_queue, going_away_and_coming_back_gains_nothing) {
  Machine machine;
  machine.keep({.source = {1}, .cost = 100us});
  Nanoseconds used{0};
  while (machine.now < 1s) {  // one job at a time, each under a connection of its own
    const std::uint64_t connection = static_cast<std::uint64_t>(machine.now.count());
    machine.add_one({2, connection, connection}, Priority::kView, 10ms);
    const Nanoseconds before = machine.used[0];
    const Nanoseconds start = machine.now;
    machine.run_for(1us);
    used += machine.now - start - (machine.used[0] - before);
  }
  EXPECT_LE(used, 520ms);
}

TEST(fair_queue, nobody_waits_while_another_has_nothing_to_do) {
  Machine machine;
  machine.keep({.source = {1}, .cost = 100us});
  machine.keep({.source = {2}, .cost = 100us});
  machine.run_for(1s);
  machine.stop(0);
  machine.run_for(10ms);
  machine.used.clear();
  machine.run_for(1s);
  EXPECT_GE(machine.used[1], 999ms);
}

TEST(fair_queue, a_wait_is_foretold) {
  Machine machine;
  machine.typical = 500us;
  for (std::uint64_t client = 1; client <= 4; ++client)
    machine.keep({.source = {client, 1, 1}, .cost = 500us, .depth = 100});
  machine.run_for(500ms);
  for (int i = 0; i < 20; ++i) machine.add_one({7, 1, 1}, Priority::kView, 500us);
  const Nanoseconds foretold = machine.queue().work_until(Priority::kView, {7, 1, 1}, 500us);
  const JobId last = machine.add_one({7, 1, 1}, Priority::kView, 500us);
  const Nanoseconds asked = machine.now;
  machine.run_for(500ms);
  const auto ratio = static_cast<double>(foretold.count()) /
                     static_cast<double>((machine.started.at(last) - asked).count());
  EXPECT_GT(ratio, 0.7);
  EXPECT_LT(ratio, 1.4);
}

TEST(fair_queue, jobs_that_are_taken_back_cost_nothing) {
  Machine machine;
  machine.keep({.source = {1}, .cost = 100us});
  machine.keep({.source = {2}, .cost = 100us});
  for (int i = 0; i < 1000; ++i) {
    const JobId id = machine.add_one({1}, Priority::kView, 100us);
    EXPECT_TRUE(machine.queue().remove(id));
    machine.run_for(1ms);
  }
  EXPECT_NEAR(machine.share(0), 0.5, 0.01);
}

/// Client 1 costs others as much again outside of the queue as its jobs do in it.
TEST(fair_queue, what_is_done_elsewhere_counts_as_jobs_do) {
  Machine machine;
  machine.keep({.source = {1}, .cost = 100us});
  machine.keep({.source = {2}, .cost = 100us});
  Nanoseconds::rep charged = 0;
  for (const Nanoseconds end = machine.now + 1s; machine.now < end;) {
    machine.run_one();
    for (; charged < machine.used[0].count() / 100'000; ++charged)
      machine.queue().charge({1}, 100us);
  }
  EXPECT_NEAR(machine.share(0), 1.0 / 3, 0.01);
}

TEST(fair_queue, a_client_is_ahead_by_what_others_have_not_had) {
  Machine machine;
  machine.queue().charge({1}, 10ms);
  EXPECT_EQ(machine.queue().lead({1}), 0ms) << "nobody has waited";
  EXPECT_EQ(machine.queue().known_clients(), 0u);
  for (std::uint64_t client = 2; client <= 4; ++client)
    machine.keep({.source = {client}, .cost = 100us});
  machine.run_for(10ms);
  machine.queue().charge({1}, 10ms);
  EXPECT_EQ(machine.queue().lead({1}), 30ms) << "of three others";
  machine.run_for(15ms);
  EXPECT_NEAR(static_cast<double>(machine.queue().lead({1}).count()), 15e6, 1e6);
  const JobId late = machine.add_one({1}, Priority::kView, 100us);
  const Nanoseconds asked = machine.now;
  machine.run_for(30ms);
  EXPECT_NEAR(static_cast<double>((machine.started.at(late) - asked).count()), 15e6, 3e6);
  EXPECT_EQ(machine.queue().lead({1}), 0ms) << "they are level";
}

TEST(fair_queue, who_would_be_next_is_who_is_when_it_comes) {
  constexpr Source kHeavy{.client = 1, .weight = 200}, kOther{.client = 2}, kNew{.client = 3};
  FairQueue queue;
  EXPECT_TRUE(queue.would_be_next(Priority::kView, kHeavy, 1ms)) << "there is nobody else";
  static_cast<void>(queue.add(Priority::kView, {}, kHeavy, 1ms));
  static_cast<void>(queue.add(Priority::kView, {}, kOther, 1ms));
  const auto heavy = queue.take();
  const auto other = queue.take();
  queue.end(*other, 20ms);
  static_cast<void>(queue.add(Priority::kView, {}, kOther, 1ms));
  queue.end(*heavy, 100us);
  EXPECT_TRUE(queue.would_be_next(Priority::kView, kHeavy, 1ms));
  EXPECT_FALSE(queue.would_be_next(Priority::kPregeneration, kHeavy, 1ms)) << "after everybody";
  EXPECT_FALSE(queue.would_be_next(Priority::kView, kHeavy, 10s)) << "200 times as much";
  EXPECT_TRUE(queue.would_be_next(Priority::kView, kNew, 1ms));
  EXPECT_FALSE(queue.would_be_next(Priority::kView, kNew, 100ms));
  static_cast<void>(queue.add(Priority::kView, {}, kHeavy, 1ms));
  EXPECT_EQ(queue.take()->source.client, kHeavy.client);
}

TEST(fair_queue, nobody_is_ahead_of_those_who_come_after_everybody) {
  Machine machine;
  for (std::uint64_t client = 2; client <= 6; ++client)
    machine.keep({.source = {client}, .priority = Priority::kPregeneration, .cost = 100us});
  machine.keep({.source = {1}, .cost = 100us});
  machine.run_for(2s);
  EXPECT_LT(machine.queue().lead({1}), 5ms);
  machine.queue().charge({1}, 10ms);
  EXPECT_NEAR(static_cast<double>(machine.queue().lead({1}).count()), 5 * 10e6, 5e6);
}

TEST(fair_queue, nothing_is_kept_of_those_who_have_gone) {
  Machine machine;
  std::mt19937 random(7);
  for (std::uint64_t client = 1; client <= 10'000; ++client) {
    machine.add_one({client, client, client}, Priority::kView, Nanoseconds(random() % 1'000'000));
    if (client % 3 == 0) machine.run_for(1ms);
  }
  machine.run_for(100s);
  EXPECT_EQ(machine.queue().size(), 0u);
  EXPECT_EQ(machine.queue().known_clients(), 0u);
}

}  // namespace
}  // namespace terrane::schedule
