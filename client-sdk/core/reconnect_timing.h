#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "retry_policy.h"
#include "terrane/explorer.h"
#include "terrane/result.h"

namespace terrane::client {

/// When an Explorer opens a stream, when it takes one for lost, and when it gives up: never while
/// the server may come back. Time and chance are the caller's; no threads. Threads: one at a time.
class ReconnectTiming {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using Milliseconds = std::chrono::milliseconds;

  /// Whether to open a stream now.
  [[nodiscard]] bool is_due(TimePoint now) const {
    return phase_ == Phase::kPausing && now >= until_;
  }

  /// A stream was opened. It may wait for a connection as long as it takes.
  void opened();
  /// The connection stands, and the server owes an answer.
  void connected(TimePoint now);
  /// @param heartbeat  the server's; 0: not said
  void welcomed(Milliseconds heartbeat);
  /// Something came. @param progress  what shows that the server works; earlier failures are
  /// forgiven then
  void heard(TimePoint now, bool progress);
  /// When the stream ends, the next is to be opened no sooner than this.
  void told_to_leave(Milliseconds resume_after, TimePoint now);

  /// Whether the server owes an answer for so long that it must be gone.
  [[nodiscard]] bool is_overdue(TimePoint now) const {
    return answer_due() && now >= *answer_due();
  }

  /// The stream ended. For some errors that is final.
  /// @param pushback  how long the server asks to wait; negative: do not come back
  /// @param jitter    random number in [0, 1)
  void failed(Error error, std::optional<Milliseconds> pushback, TimePoint now, double jitter);
  /// It ended for good.
  void gave_up(Error error);

  /// When to look again though nothing has happened; none: no need.
  [[nodiscard]] std::optional<TimePoint> next_look() const;

  [[nodiscard]] ExploreState state() const;
  /// Why it ended, or what the last attempt met; none while streaming.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  /// After a failure a stream waits for the connection, and takes no refusal for an answer.
  [[nodiscard]] bool has_failed() const { return failures_.attempts > 0; }
  [[nodiscard]] std::uint64_t reconnects() const { return welcomes_ > 0 ? welcomes_ - 1 : 0; }
  // how long the server may be silent
  [[nodiscard]] Milliseconds silence() const { return silence_; }

 private:
  enum class Phase { kPausing, kOpening, kAsking, kStreaming, kEnded };

  [[nodiscard]] static Failures no_failures();
  [[nodiscard]] std::optional<TimePoint> answer_due() const;

  Phase phase_ = Phase::kPausing;
  TimePoint until_ = TimePoint::min();  // the pause
  TimePoint heard_;                     // or, before that, connected
  Milliseconds silence_{0};
  std::optional<TimePoint> leave_until_;
  Failures failures_ = no_failures();
  std::optional<Error> error_;
  std::uint64_t welcomes_ = 0;
};

}  // namespace terrane::client
