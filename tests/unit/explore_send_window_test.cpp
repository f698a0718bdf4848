// How much is sent ahead, over links of virtual time.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <queue>

#include "explore/send_window.h"

namespace terrane::explore {
namespace {

using namespace std::chrono_literals;
using Time = SendWindow::Clock::time_point;
using Duration = SendWindow::Clock::duration;

/// A link that passes so many bytes a second, one way, and takes so long each way.
struct Link {
  double bytes_per_second;
  Duration one_way;
};

struct Outcome {
  double bytes_per_second = 0;
  std::size_t max_outstanding = 0;
  Duration longest_queue{};  // that a batch waited before the link took it, in the second half
};

/// Sends batches of chunks of one size for as long as `time`, whenever there is room for one.
Outcome send_over(const Link& link, Duration time, std::chrono::nanoseconds per_chunk = 0ns,
                  std::size_t chunk_bytes = 1024) {
  struct Flight {
    Time acknowledged;
    std::uint64_t batch;
    bool operator<(const Flight& other) const { return acknowledged > other.acknowledged; }
  };
  constexpr std::size_t kMaxChunks = 16;
  SendWindow window;
  std::priority_queue<Flight> flights;
  Time now{}, link_free{}, client_free{};
  std::uint64_t batch = 0, total = 0;
  Outcome outcome;
  const Time end = now + time;
  while (now < end) {
    while (window.room() >= chunk_bytes || window.outstanding() == 0) {
      const std::size_t most = std::min(window.room(), window.batch_bytes());
      const std::size_t chunks = std::clamp<std::size_t>(most / chunk_bytes, 1, kMaxChunks),
                        bytes = chunks * chunk_bytes;
      window.sent(++batch, bytes, chunks, now);
      outcome.max_outstanding = std::max(outcome.max_outstanding, window.outstanding());
      const Time start = std::max(now, link_free);
      if (now > Time{} + time / 2)
        outcome.longest_queue = std::max(outcome.longest_queue, start - now);
      link_free = start + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(
                              static_cast<double>(bytes) / link.bytes_per_second));
      client_free = std::max(client_free, link_free + link.one_way) +
                    per_chunk * static_cast<std::int64_t>(chunks);
      flights.push({client_free + link.one_way, batch});
      if (now > Time{} + time / 2) total += bytes;
    }
    now = flights.top().acknowledged;
    EXPECT_TRUE(window.acknowledge(flights.top().batch, per_chunk, now));
    flights.pop();
  }
  outcome.bytes_per_second =
      static_cast<double>(total) / std::chrono::duration<double>(time / 2).count();
  return outcome;
}

TEST(window, fills_links_from_1_to_100_megabits_at_20_to_200_ms_as_far_as_its_limit_allows) {
  for (const double megabits : {1.0, 10.0, 100.0}) {
    for (const Duration round_trip : {Duration(20ms), Duration(80ms), Duration(200ms)}) {
      const double capacity = megabits * 1e6 / 8;
      const double by_limit = static_cast<double>(SendWindow::kMaxBytes) /
                              std::chrono::duration<double>(round_trip).count();
      const Outcome outcome = send_over({capacity, round_trip / 2}, 60s);
      std::printf(
          "check window %5.0f Mbit/s, %3.0f ms: %6.2f Mbit/s, %zu bytes on the way at most\n",
          megabits, std::chrono::duration<double, std::milli>(round_trip).count(),
          outcome.bytes_per_second * 8e-6, outcome.max_outstanding);
      EXPECT_GE(outcome.bytes_per_second, 0.85 * std::min(capacity, by_limit)) << megabits;
      EXPECT_LE(outcome.max_outstanding, SendWindow::kMaxBytes);
    }
  }
}

TEST(window, chunks_that_are_large_for_the_first_window_fill_links_too) {
  for (const std::size_t chunk_bytes : {2500u, 3600u, 4096u, 12000u}) {
    for (const double megabits : {1.0, 10.0}) {
      const double capacity = megabits * 1e6 / 8;
      const Outcome outcome = send_over({capacity, 30ms}, 60s, 0ns, chunk_bytes);
      EXPECT_GE(outcome.bytes_per_second, 0.85 * capacity)
          << megabits << " Mbit/s, " << chunk_bytes;
    }
  }
}

TEST(window, a_slow_link_is_not_flooded) {
  const Outcome outcome = send_over({1e6 / 8, 20ms}, 60s);
  EXPECT_LE(outcome.max_outstanding, 32u * 1024)
      << "1.5 times 125,000 bytes/s in the shortest trip that batches took";
  EXPECT_LE(outcome.longest_queue, Duration(250ms));
}

TEST(window, a_client_that_digests_slowly_sets_the_pace) {
  const Outcome outcome = send_over({1e9 / 8, 5ms}, 20s, std::chrono::nanoseconds(2ms));
  EXPECT_NEAR(outcome.bytes_per_second, 500 * 1024, 60 * 1024);
  EXPECT_LE(outcome.max_outstanding, 64u * 1024);
}

TEST(window, one_chunk_may_always_be_on_its_way) {
  SendWindow window;
  EXPECT_GT(window.room(), 0u);
  window.sent(1, 100000, 1, Time{});
  EXPECT_EQ(window.room(), 0u);
  EXPECT_EQ(window.outstanding(), 100000u);
  EXPECT_EQ(window.oldest(), Time{});
  EXPECT_TRUE(window.acknowledge(1, 0ns, Time{} + 10ms));
  EXPECT_GT(window.room(), 0u);
  EXPECT_FALSE(window.oldest());
}

TEST(window, what_was_never_sent_cannot_be_acknowledged_and_twice_is_once) {
  SendWindow window;
  EXPECT_FALSE(window.acknowledge(1, 0ns, Time{}));
  window.sent(1, 1000, 1, Time{});
  window.sent(2, 1000, 1, Time{});
  EXPECT_TRUE(window.acknowledge(2, 0ns, Time{} + 1ms)) << "and the one before it";
  EXPECT_EQ(window.outstanding(), 0u);
  EXPECT_TRUE(window.acknowledge(1, 0ns, Time{} + 2ms));
  EXPECT_EQ(window.outstanding(), 0u);
}

TEST(window, in_an_hour_over_a_link_its_own_queue_is_not_taken_for_the_path) {
  const Link link{1e6 / 8, 40ms};
  const Outcome outcome = send_over(link, 3600s);
  const double holds = link.bytes_per_second * 0.08;  // there and back
  EXPECT_LE(static_cast<double>(outcome.max_outstanding), 2 * holds);
  EXPECT_GE(outcome.bytes_per_second, 0.95 * link.bytes_per_second);
}

TEST(window, a_path_that_becomes_three_times_as_long_is_filled_again) {
  const double capacity = 1e6 / 8;
  SendWindow window;
  Time now{};
  std::uint64_t batch = 0;
  // returns bytes a second of the last tenth
  const auto run = [&](Duration round_trip, Duration time) {
    struct Flight {
      Time back;
      std::uint64_t batch;
    };
    std::queue<Flight> flights;
    Time link_free = now;
    double total = 0;
    for (const Time start = now, end = now + time; now < end;) {
      while (window.room() >= 1024 || window.outstanding() == 0) {
        window.sent(++batch, 1024, 1, now);
        link_free = std::max(now, link_free) + std::chrono::duration_cast<Duration>(
                                                   std::chrono::duration<double>(1024 / capacity));
        flights.push({link_free + round_trip, batch});
        if (now > start + time * 9 / 10) total += 1024;
      }
      now = flights.front().back;
      window.acknowledge(flights.front().batch, 0ns, now);
      flights.pop();
    }
    window.acknowledge(batch, 0ns, now);
    return total / std::chrono::duration<double>(time / 10).count();
  };
  EXPECT_GE(run(60ms, 60s), 0.9 * capacity);
  EXPECT_GE(run(180ms, 60s), 0.9 * capacity);
}

}  // namespace
}  // namespace terrane::explore
