#include "support/simulated_link_timing.h"

#include <algorithm>

namespace terrane::test {
namespace {

using Clock = LinkTiming::Clock;

constexpr std::chrono::milliseconds kRetransmissionTimeout{200};
constexpr double kLargestWindow = 4.0 * 1024 * 1024;  // bytes, where no rate sets a limit
constexpr double kLeastRoundTrip = 1e-3;              // seconds

Clock::duration to_duration(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

double to_seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

LinkTiming::LinkTiming(const LinkDirection& direction, Clock::duration round_trip,
                       std::uint64_t seed)
    : random_(seed) {
  change(direction, round_trip);
}

void LinkTiming::change(const LinkDirection& direction, Clock::duration round_trip) {
  direction_ = direction;
  round_trip_s_ = std::max(to_seconds(round_trip), kLeastRoundTrip);
  window_ = 0;
}

double LinkTiming::bytes_per_second() const {
  const double link = direction_.bits_per_second / 8, sender = window_ / round_trip_s_;
  if (link == 0 || sender == 0) return std::max(link, sender);
  return std::min(link, sender);
}

std::size_t LinkTiming::room(Clock::time_point now) const {
  const double waiting = std::max(to_seconds(free_at_ - now), 0.0) * bytes_per_second();
  return waiting < static_cast<double>(direction_.queue_bytes)
             ? direction_.queue_bytes - static_cast<std::size_t>(waiting)
             : 0;
}

Clock::time_point LinkTiming::ready_at() const {
  const double rate = bytes_per_second();
  const auto full =
      static_cast<double>(direction_.queue_bytes - std::min(direction_.queue_bytes, kSegment));
  return rate > 0 ? free_at_ - to_duration(full / rate) : Clock::time_point();
}

Clock::time_point LinkTiming::send(std::size_t bytes, bool followed, Clock::time_point now) {
  grow(now);
  const double rate = bytes_per_second();
  free_at_ =
      std::max(free_at_, now) + to_duration(rate > 0 ? static_cast<double>(bytes) / rate : 0);
  Clock::duration takes = direction_.delay;
  if (direction_.jitter.count() > 0)
    takes += to_duration(to_seconds(direction_.jitter) * std::uniform_real_distribution()(random_));
  if (direction_.loss > 0 && std::bernoulli_distribution(direction_.loss)(random_)) {
    ++lost_;
    takes += followed ? to_duration(round_trip_s_) : kRetransmissionTimeout;
    halve(now);
  }
  arrives_at_ = std::max(arrives_at_, free_at_ + takes);
  return arrives_at_;
}

double LinkTiming::largest_window() const {
  if (direction_.bits_per_second == 0) return kLargestWindow;
  return direction_.bits_per_second / 8 * round_trip_s_ +
         static_cast<double>(direction_.queue_bytes);
}

void LinkTiming::halve(Clock::time_point now) {
  if (now - halved_at_ < to_duration(round_trip_s_)) return;
  window_ = std::max((window_ > 0 ? window_ : largest_window()) / 2, 2.0 * kSegment);
  window_since_ = halved_at_ = now;
}

/// One segment each round trip, until the link sets the pace again.
void LinkTiming::grow(Clock::time_point now) {
  if (window_ == 0) return;
  window_ += kSegment * to_seconds(now - window_since_) / round_trip_s_;
  window_since_ = now;
  if (window_ >= largest_window()) window_ = 0;
}

}  // namespace terrane::test
