#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>

namespace terrane::test {

/// One direction of a link.
struct LinkDirection {
  std::chrono::microseconds delay{0};   // of every byte, besides what the rate takes
  std::chrono::microseconds jitter{0};  // up to so much more, at random; nothing overtakes
  double bits_per_second = 0;           // 0: without limit
  double loss = 0;                      // chance of each segment, 0 … 1, to be lost on its way
  // what waits for its turn; past that the sender is not read from
  std::size_t queue_bytes = 32 * 1024;
};

/// When what is sent over one direction of a link arrives. Bytes leave one after another at the
/// link's rate, in segments, and then take the delay.
///
/// A loss is what TCP makes of it, after RFC 5681: the segment is sent again a round trip later
/// (RFC 6298: after 200 ms, Linux' least timeout, if nothing follows it that could tell of the
/// loss), all behind it waits for it, and the sender halves its window, at most once a round trip;
/// the window then grows by one segment each round trip. So with a loss of p a long transfer runs
/// at about segment / round trip * sqrt(3/2) / sqrt(p) (M. Mathis et al., "The Macroscopic Behavior
/// of the TCP Congestion Avoidance Algorithm", 1997). Slow start is left out: a window begins as
/// large as it gets.
///
/// Time is the caller's, and must not run backwards. The same seed loses the same segments.
/// Threads: one at a time.
class LinkTiming {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t kSegment = 1448;  // bytes: of an Ethernet frame what TCP leaves

  /// @param round_trip  both directions' delays
  LinkTiming(const LinkDirection& direction, Clock::duration round_trip, std::uint64_t seed);

  /// Other properties for what is sent from now on.
  void change(const LinkDirection& direction, Clock::duration round_trip);

  /// How many bytes may be sent now: what the queue has room for.
  [[nodiscard]] std::size_t room(Clock::time_point now) const;

  /// When the next segment may be sent.
  [[nodiscard]] Clock::time_point ready_at() const;

  /// Sends `bytes`, at most kSegment.
  /// @param followed  whether more is sent right behind
  /// @return when they arrive: never before what was sent earlier
  Clock::time_point send(std::size_t bytes, bool followed, Clock::time_point now);

  [[nodiscard]] std::uint64_t lost() const { return lost_; }

 private:
  [[nodiscard]] double bytes_per_second() const;  // 0: without limit
  [[nodiscard]] double largest_window() const;    // bytes
  void halve(Clock::time_point now);
  void grow(Clock::time_point now);

  LinkDirection direction_;
  double round_trip_s_ = 0;
  double window_ = 0;               // bytes; 0: as large as it gets
  Clock::time_point window_since_;  // when it was reckoned
  Clock::time_point halved_at_;
  Clock::time_point free_at_;  // when the last byte has left
  Clock::time_point arrives_at_;
  std::uint64_t lost_ = 0;
  std::mt19937_64 random_;
};

}  // namespace terrane::test
