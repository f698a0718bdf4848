#include "reconnect_timing.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace terrane::client {
namespace {

using std::chrono::milliseconds;

// a connected server that owes a welcome for so long is gone
constexpr milliseconds kFirstAnswer{10'000};
constexpr milliseconds kUsualHeartbeat{10'000};  // of a server that does not say
constexpr milliseconds kMaxHeartbeat{600'000};
constexpr milliseconds kMaxPause{600'000};  // whatever a server asks for
constexpr int kSilentBeats = 3;             // explore.proto

constexpr RetryPolicy kPolicy{.max_attempts = std::numeric_limits<int>::max()};

milliseconds stretched(milliseconds pause, double jitter) {
  return std::chrono::duration_cast<milliseconds>(pause * (1 + 0.5 * jitter));
}

}  // namespace

Failures ReconnectTiming::no_failures() {
  Failures none;
  none.attempts = 0;
  return none;
}

void ReconnectTiming::opened() {
  if (phase_ == Phase::kEnded) return;
  phase_ = Phase::kOpening;
  leave_until_.reset();
}

void ReconnectTiming::connected(TimePoint now) {
  if (phase_ != Phase::kOpening) return;
  phase_ = Phase::kAsking;
  heard_ = now;
  silence_ = kFirstAnswer;
}

void ReconnectTiming::welcomed(milliseconds heartbeat) {
  if (phase_ == Phase::kEnded) return;
  phase_ = Phase::kStreaming;
  ++welcomes_;
  silence_ =
      kSilentBeats * (heartbeat.count() > 0 ? std::min(heartbeat, kMaxHeartbeat) : kUsualHeartbeat);
  error_.reset();
}

void ReconnectTiming::heard(TimePoint now, bool progress) {
  heard_ = now;
  if (progress) failures_ = no_failures();
}

void ReconnectTiming::told_to_leave(milliseconds resume_after, TimePoint now) {
  leave_until_ = now + std::clamp(resume_after, milliseconds(0), kMaxPause);
}

void ReconnectTiming::failed(Error error, std::optional<milliseconds> pushback, TimePoint now,
                             double jitter) {
  if (phase_ == Phase::kEnded) return;
  if (leave_until_ && error.reason == ErrorReason::kTokenExpired) {  // as the server has told
    phase_ = Phase::kPausing;
    until_ = *leave_until_;
    error_ = std::move(error);
    return;
  }
  // We set no deadline for a stream, so this one is the server's, for a client that was too slow:
  // worth another try.
  failures_.code =
      error.code == ErrorCode::kDeadlineExceeded ? ErrorCode::kUnavailable : error.code;
  failures_.pushback = pushback ? std::optional(std::min(*pushback, kMaxPause)) : std::nullopt;
  failures_.remaining = milliseconds::max();
  if (failures_.attempts < 1000) ++failures_.attempts;
  if (error.code == ErrorCode::kInternal) ++failures_.internal;
  const auto pause = wait_before_retry(kPolicy, failures_, jitter);
  if (!pause) return gave_up(std::move(error));
  phase_ = Phase::kPausing;
  error_ = std::move(error);
  until_ =
      now + (failures_.code == ErrorCode::kResourceExhausted && pushback ? stretched(*pause, jitter)
                                                                         : *pause);
  if (leave_until_)
    until_ = std::max(
        until_, now + stretched(std::chrono::ceil<milliseconds>(*leave_until_ - now), jitter));
}

void ReconnectTiming::gave_up(Error error) {
  phase_ = Phase::kEnded;
  error_ = std::move(error);
}

std::optional<ReconnectTiming::TimePoint> ReconnectTiming::answer_due() const {
  if (phase_ != Phase::kAsking && phase_ != Phase::kStreaming) return std::nullopt;
  return heard_ + silence_;
}

std::optional<ReconnectTiming::TimePoint> ReconnectTiming::next_look() const {
  return phase_ == Phase::kPausing ? std::optional(until_) : answer_due();
}

ExploreState ReconnectTiming::state() const {
  switch (phase_) {
    case Phase::kStreaming: return ExploreState::kStreaming;
    case Phase::kEnded: return ExploreState::kEnded;
    case Phase::kPausing:
    case Phase::kOpening:
    case Phase::kAsking: break;
  }
  return ExploreState::kConnecting;
}

}  // namespace terrane::client
