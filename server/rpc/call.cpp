#include "rpc/call.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "rpc/status.h"
#include "schedule/refusal.h"
#include "terrane/result_macros.h"

namespace terrane::rpc {
namespace {

constexpr std::chrono::milliseconds kTimeEnough{900};  // for an answer
// A client's own deadline comes earlier by the way of its word, and by its rounding.
constexpr std::chrono::milliseconds kWay{20};

}  // namespace

void Call::read_request(RequestReads& reads, MemoryAccounts::Hold memory, Serve serve) {
  memory_ = std::move(memory);
  reads_ = &reads;
  serve_ = std::move(serve);
  if (!takes_place()) before_finish_ = 2;
  try {
    reads.enter(origin_.source, *this);
  } catch (const std::bad_alloc&) {
    before_finish_ = 1;
    throw;
  }
}

std::optional<net::ProxiedClients::Endpoint> Call::peer_to_hold() const {
  return endpoint_of(peer());
}

Result<void> Call::look_again(const Origins& origins) const {
  TERRANE_ASSIGN_OR_RETURN(const Origin now, identify(origins));
  const access::Caller* const then = caller();
  const bool is_known = now.caller != nullptr;
  if (is_known == (then != nullptr) && (!is_known || now.caller->grants == then->grants)) return {};
  return fail(ErrorCode::kUnavailable,
              "what this client may do has changed since the stream was begun: come back");
}

void Call::finish(grpc::Status status) {
  record_.end(status.error_code());
  end_ = std::move(status);
  allow_finish();
}

void Call::allow_finish() {
  if (before_finish_.fetch_sub(1) == 1) send_end(std::move(end_));
}

/// Where streams hold all that they may, it is others who do, too.
void Call::refuse_at_once(const Error& error) {
  const bool holds_too_much = error.reason == ErrorReason::kClientMemoryFull ||
                              error.reason == ErrorReason::kCallMemoryFull ||
                              error.reason == ErrorReason::kMessageTooLarge;
  const bool is_nobody =
      error.code == ErrorCode::kUnauthenticated || error.code == ErrorCode::kPermissionDenied;
  if (holds_too_much || is_nobody) note_in_vain();
  finish(refuse(*this, error));
}

bool Call::end_if_too_late() {
  if (std::chrono::system_clock::now() < deadline()) return false;
  note_in_vain();
  finish({grpc::StatusCode::DEADLINE_EXCEEDED, "its deadline had passed before the call began"});
  return true;
}

void Call::note_in_vain() {
  if (!is_noted_.exchange(true)) hang_ups_->note(origin_.address, HangUps::Clock::now());
}

void Call::answer(grpc::ByteBuffer message) {
  record_.end(grpc::StatusCode::OK);
  message_ = std::move(message);
  send_last(message_);
}

void Call::start_reading() {
  if (takes_place()) return read_into(message_);
  serve_request();
  memory_ = {};  // from here on it keeps account itself
  allow_finish();
}

void Call::stop_reading(const Error& why) {
  if (!read_over_.exchange(true)) finish(refuse(*this, why));
}

void Call::read_done(bool ok) {
  if (events_) return events_->OnReadDone(ok);
  reads_->leave(*this);
  if (read_over_.exchange(true)) return;
  if (ok) return serve_request();
  if (is_cancelled()) return finish(grpc::Status::CANCELLED);
  // so short that it takes no memory: what is thrown here would leave the call without an end
  finish({grpc::StatusCode::INVALID_ARGUMENT, "no request"});
}

void Call::serve_request() {
  grpc::ByteBuffer request;
  request.Swap(&message_);
  try {
    std::exchange(serve_, nullptr)(*this, request);
  } catch (const std::bad_alloc&) {  // before anybody serves it
    return finish(refuse(*this, schedule::out_of_memory()));
  }
  served_ = true;
  if (cancelled_ && events_) events_->OnCancel();
}

void Call::write_done(bool ok) {
  if (events_) events_->OnWriteDone(ok);
}

/// Where a call had time enough, and is no stream that has begun, it is the server that was too
/// slow.
bool Call::is_hang_up() const {
  const auto age = record_.age();
  const auto left = deadline() - std::chrono::system_clock::now();
  if (left > std::max<std::chrono::nanoseconds>(kWay, age / 10)) return true;
  return (record_.method() == Method::kExplore && served_) || age < kTimeEnough;
}

void Call::cancelled() {
  if (is_hang_up()) note_in_vain();
  cancelled_ = true;
  if (reads_ == nullptr || served_) {
    if (events_) events_->OnCancel();
  } else if (reads_->withdraw(*this) && !read_over_.exchange(true)) {
    if (!takes_place()) allow_finish();  // it never begins
    finish(grpc::Status::CANCELLED);
  }
}

void Call::done() {
  if (reads_ != nullptr && settles()) settle();
  if (const auto events = std::move(events_)) events->OnDone();
  self_.reset();
}

}  // namespace terrane::rpc
