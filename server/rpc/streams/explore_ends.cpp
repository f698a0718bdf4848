// How an Explore stream ends: who ends it, with which status, and past a write that is stuck.
#include <spdlog/fmt/fmt.h>

#include <new>
#include <utility>

#include "rpc/status.h"
#include "rpc/streams/explore_stream.h"

namespace terrane::rpc {
namespace {

constexpr std::chrono::milliseconds kMaxResumeAfter{1000};  // spreads those that come back
// before it is believed that the client has closed its side, and has not gone
constexpr std::chrono::milliseconds kEndPause{5};

Error no_hello(std::chrono::milliseconds deadline) {
  return {.code = ErrorCode::kDeadlineExceeded,
          .message = fmt::format("no Hello for {} ms: the first message must be one, no later than "
                                 "that after the stream has begun",
                                 deadline.count()),
          .reason = ErrorReason::kClientTooSlow,
          .limit = fmt::format("{} ms", deadline.count())};
}

Error stuck_write(std::chrono::milliseconds deadline) {
  return {
      .code = ErrorCode::kDeadlineExceeded,
      .message = fmt::format("the client has taken in nothing for {} ms "
                             "(Welcome.write_deadline_ms): read what comes, acknowledge or not; "
                             "a client that comes back is served",
                             deadline.count()),
      .reason = ErrorReason::kClientTooSlow};
}

std::uint32_t some_number() {
  return static_cast<std::uint32_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

}  // namespace

bool ExploreStream::is_mute(const grpc::Status& end) {
  return end.error_code() == grpc::StatusCode::CANCELLED ||
         end.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
}

/// Ends the stream of who takes too long, and says why.
void ExploreStream::end_if_slow(Step& step, Clock::time_point now) {
  if (passed_status_) return;
  const auto deadline = hub_.pace_.slow_client;
  const bool is_silent = now >= written_at_ + deadline;
  if (writing_ && is_silent) return cut_off(step, CutOff::kNoRead, stuck_write(deadline));
  if (ending_) return;
  // not of one whose Hello waits for its turn
  if (!viewer_ && is_silent && !planning_ && !has_plans())
    return cut_off(step, CutOff::kNoHello, no_hello(deadline));
  if (!viewer_) return;
  const auto acknowledged = viewer_->check_acknowledged(now);
  if (!acknowledged) cut_off(step, CutOff::kNoAck, acknowledged.error());
}

/// Ends the stream with a status that says why: past the write that is stuck, if one is.
void ExploreStream::cut_off(Step& step, CutOff reason, Error error) {
  const bool was_cut_off = ending_ && is_mute(*ending_);
  if (!was_cut_off) {
    if (reason != CutOff::kMemory) metrics().slow_clients_closed.add();
    metrics().cut_off[static_cast<std::size_t>(reason)].add();
  }
  if (reason == CutOff::kNoRead) {
    if (!was_cut_off) metrics().refusals->note(call(), error);
    passed_status_ = step.cut_off = to_status(error);
  } else {
    end(refuse(call(), std::move(error)));
  }
}

/// The client said that it says no more, or has gone: which of the two gRPC knows only a moment
/// after it has told the end of reading.
void ExploreStream::end_as_client_did(Clock::time_point now) {
  if (ending_ || !read_ended_) return;
  if (call().is_cancelled()) return end(grpc::Status::CANCELLED);
  if (now >= *read_ended_ + kEndPause) return end(grpc::Status::OK);
  set_alarm(*read_ended_ + kEndPause);
}

void ExploreStream::end(const grpc::Status& status) {
  if (ending_) return;
  ending_ = status;
  if (viewer_) add_stops(viewer_->stop_all());
}

/// Tells the client to come back, and ends the stream.
void ExploreStream::end_for(const Error& why) {
  if (ending_) return;
  const bool is_drain = why.reason == ErrorReason::kDraining;  // then all come back at once
  const std::chrono::milliseconds resume_after(
      is_drain ? some_number() % static_cast<std::uint32_t>(kMaxResumeAfter.count()) : 0);
  end(to_status(why));
  if (viewer_) viewer_->go_away(resume_after);
}

void ExploreStream::send_away() {
  {
    const MutexLock lock(mutex_);
    try {
      end_for(draining());
    } catch (const std::bad_alloc&) {
      end_for_memory();
    }
  }
  advance();
}

void ExploreStream::close_for_memory(Error why) {
  is_closing_ = true;
  {
    const MutexLock lock(mutex_);
    if (finished_) return;
    try {
      Step step;
      if (!ending_) cut_off(step, CutOff::kMemory, std::move(why));
      // what is written waits behind a write that may be stuck
      if (writing_ && !passed_status_) cut_off_due_ = passed_status_ = ending_;
    } catch (const std::bad_alloc&) {
      end_for_memory();
    }
  }
  advance();
}

void ExploreStream::give_up() {
  {
    const MutexLock lock(mutex_);
    try {
      end(grpc::Status::CANCELLED);
      // also where another end was near: nothing more can be said
      ending_ = passed_status_ ? *passed_status_ : grpc::Status::CANCELLED;
    } catch (const std::bad_alloc&) {
      end_for_memory();
    }
  }
  advance();
}

/// Ends the stream without taking memory.
void ExploreStream::end_for_memory() {
  if (finished_ || no_memory_) return;
  no_memory_ = true;
  if (!ending_) {
    metrics().cut_off[static_cast<std::size_t>(CutOff::kOutOfMemory)].add();
    ending_ = refuse(call(), schedule::out_of_memory());
  }
  try {
    if (viewer_) add_stops(viewer_->stop_all());
  } catch (const std::bad_alloc&) {
    // what was asked for comes in vain
  }
}

}  // namespace terrane::rpc
