#include "rpc/grpc_call.h"

#include <grpc/grpc.h>
#include <terrane/v1/explore.pb.h>

#include <array>
#include <atomic>
#include <chrono>
#include <new>
#include <utility>

#include "rpc/streams/wire_batch.h"

namespace terrane::rpc {
namespace {

// For the client to close its side once it is told to.
constexpr std::chrono::seconds kTimeToClose{1};
// Calls that wait for that at a time: each holds some kilobytes that nobody accounts for.
constexpr int kMostAnnounced = 256;
std::atomic<int> announced_calls = 0;

/// ExploreResponse{ending: true}.
const grpc::ByteBuffer& announcement() {
  static const grpc::ByteBuffer kMessage = [] {
    v1::ExploreResponse response;
    response.set_ending(true);
    return to_buffer(response.SerializeAsString());
  }();
  return kMessage;
}

/// Whether the client would only meet the same again.
bool is_final(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::INVALID_ARGUMENT:
    case grpc::StatusCode::NOT_FOUND:
    case grpc::StatusCode::PERMISSION_DENIED:
    case grpc::StatusCode::FAILED_PRECONDITION:
    case grpc::StatusCode::OUT_OF_RANGE:
    case grpc::StatusCode::UNAUTHENTICATED: return true;
    default: return false;
  }
}

}  // namespace

std::shared_ptr<GrpcCall> GrpcCall::create(grpc::CallbackServerContext& context,
                                           const CallRecord& record, Origin origin,
                                           std::shared_ptr<HangUps> hang_ups) {
  return std::shared_ptr<GrpcCall>(
      new GrpcCall(context, record, std::move(origin), std::move(hang_ups)));
}

GrpcCall::~GrpcCall() {
  if (end_) --announced_calls;  // gRPC never got to know it
}

/// Ends a call whose write is stuck. A status that is sent in the usual way waits behind that write
/// for ever; this one passes it, and reaches a client that still reads.
void GrpcCall::cancel_with(const grpc::Status& status) {
  grpc_call_cancel_with_status(context_.c_call(),
                               static_cast<grpc_status_code>(status.error_code()),
                               status.error_message().c_str(), nullptr);
}

std::string GrpcCall::request_id() const {
  const auto found = context_.client_metadata().find("x-request-id");
  if (found == context_.client_metadata().end()) return {};
  return checked_request_id({found->second.data(), found->second.size()});
}

void GrpcCall::read_into(grpc::ByteBuffer& message) {
  {
    const MutexLock lock(mutex_);
    reading_ = true;
  }
  StartRead(&message);
}

bool GrpcCall::asks_for_announcement(const grpc::Status& status) const {
  return record().method() == Method::kExplore && is_final(status.error_code()) &&
         context_.client_metadata().contains("terrane-half-closes");
}

void GrpcCall::send_end(grpc::Status status) {
  if (!asks_for_announcement(status) || !announce(status)) Finish(std::move(status));
}

/// Tells the client that the stream is about to end, which then waits for it to close its side.
/// @return false where it has, or too many do not, or there is no memory for it
bool GrpcCall::announce(const grpc::Status& status) {
  const grpc::ByteBuffer* message = nullptr;
  bool reads = false;
  try {
    message = &announcement();
    std::optional<grpc::Status> end = status;
    alarm_.emplace();
    alarm_->Set(std::chrono::system_clock::now() + kTimeToClose,
                [weak = weak_from_this()](bool is_due) {
                  const auto call = weak.lock();
                  if (call && is_due) static_cast<GrpcCall&>(*call).stop_waiting();
                });
    const MutexLock lock(mutex_);
    if (client_closed_) return false;
    if (announced_calls.fetch_add(1) >= kMostAnnounced) {
      --announced_calls;
      return false;
    }
    is_over_ = announcing_ = true;
    end_.swap(end);
    reads = !std::exchange(reading_, true);
  } catch (const std::bad_alloc&) {
    return false;
  }
  StartWrite(message);
  if (reads) StartRead(&ignored_);
  return true;
}

/// The client does not close its side, or does not even read.
void GrpcCall::stop_waiting() {
  std::optional<grpc::Status> unsent;
  {
    const MutexLock lock(mutex_);
    if (!end_) return;
    client_closed_ = true;
    if (announcing_) unsent = end_;
  }
  if (unsent) cancel_with(*unsent);
  end_if_announced();
}

void GrpcCall::end_if_announced() {
  grpc::Status end;
  {
    const MutexLock lock(mutex_);
    if (!end_ || announcing_ || !client_closed_) return;
    end = *std::exchange(end_, std::nullopt);
  }
  --announced_calls;
  Finish(std::move(end));
}

void GrpcCall::OnReadDone(bool ok) {
  bool is_over = false, goes_on = false;
  {
    const MutexLock lock(mutex_);
    is_over = is_over_;
    client_closed_ |= !ok;
    goes_on = reading_ = is_over && !client_closed_;
  }
  if (goes_on) return StartRead(&ignored_);
  is_over ? end_if_announced() : read_done(ok);
}

void GrpcCall::OnWriteDone(bool ok) {
  bool is_announcement = false;
  {
    const MutexLock lock(mutex_);
    is_announcement = std::exchange(announcing_, false);
  }
  is_announcement ? end_if_announced() : write_done(ok);
}

void GrpcCall::OnCancel() {
  bool is_over = false;
  {
    const MutexLock lock(mutex_);
    is_over = is_over_;
    client_closed_ |= is_over;
  }
  is_over ? end_if_announced() : cancelled();
}

void GrpcCall::tell_pushback(std::chrono::milliseconds wait) { add_pushback(context_, wait); }

void add_pushback(grpc::CallbackServerContext& context, std::chrono::milliseconds wait) {
  context.AddTrailingMetadata("grpc-retry-pushback-ms", std::to_string(wait.count()));
}

}  // namespace terrane::rpc
