#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace terrane::explore {

/// How much may be on its way to a viewer: as much as the way there and back holds, and no more, so
/// that after a teleport little that is stale comes first. The room is a chunk and 1.5 times what
/// was delivered lately in the shortest round trip of the last 10 to 20 s: it grows until the link,
/// or the client, sets the pace (after N. Cardwell et al., "BBR: Congestion-Based Congestion
/// Control", 2016). The chunk lets it grow where one or two are all that is on its way. Time is the
/// caller's.
class SendWindow {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t kMaxBytes = std::size_t{256} * 1024;

  /// How many bytes may be sent now. One chunk may always be on its way, so a caller sends one
  /// whatever its size if `outstanding` is 0.
  [[nodiscard]] std::size_t room() const;

  /// How many bytes may be on their way at a time.
  [[nodiscard]] std::size_t size() const;

  /// How large a batch should be at most: a part of the window, so that several are on their way
  /// and the link never waits.
  [[nodiscard]] std::size_t batch_bytes() const;

  /// @param batch  grows by one with each
  void sent(std::uint64_t batch, std::size_t bytes, std::size_t chunks, Clock::time_point now);

  /// The client has dealt with a batch and all before it.
  /// @param per_chunk  what a chunk takes it, by its own account; 0: not said
  /// @return false for a batch that was never sent; acknowledging one twice is no harm
  bool acknowledge(std::uint64_t batch, std::chrono::nanoseconds per_chunk, Clock::time_point now);

  [[nodiscard]] std::size_t outstanding() const { return outstanding_; }
  /// When the oldest batch that is not acknowledged was sent.
  [[nodiscard]] std::optional<Clock::time_point> oldest() const;
  [[nodiscard]] std::uint64_t oldest_batch() const;  // 0: all are acknowledged

 private:
  struct Batch {
    std::uint64_t id = 0;
    std::size_t bytes = 0;
    std::size_t chunks = 0;
    Clock::time_point at;
    std::uint64_t delivered_before = 0;  // bytes
    Clock::time_point delivered_at;      // when that was so
  };
  struct Sample {
    std::uint64_t batch = 0;
    double value = 0;
  };

  [[nodiscard]] double round_trip() const;
  void note_trip(double seconds, Clock::time_point now);
  void note_rate(std::uint64_t batch, double bytes_per_second);

  std::deque<Batch> batches_;
  std::size_t outstanding_ = 0;
  std::uint64_t last_ = 0;  // batch sent
  std::uint64_t delivered_ = 0;
  Clock::time_point delivered_at_;
  double chunk_ = 0;          // bytes of a large chunk lately
  std::deque<Sample> rates_;  // falling: the first is the highest of the last few
  // Shortest round trips of this while and of the one before it: a path may become longer for good.
  // 0: none yet
  double round_trip_s_ = 0, former_round_trip_s_ = 0;
  Clock::time_point while_began_;
  // A new while begins with less on its way, until a batch has gone there and back without
  // queueing: else the queue that the headroom makes would be taken for the path, and more be sent
  // for it.
  bool probing_ = false;
  std::uint64_t probe_ = 0;  // that batch; 0: not sent yet
  double digest_ = 0;        // bytes a second that the client says it can take; 0: not said
};

}  // namespace terrane::explore
