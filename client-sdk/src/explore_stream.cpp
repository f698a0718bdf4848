#include "explore_stream.h"

#include <utility>

namespace terrane::client {
namespace {

constexpr char kMethod[] = "/terrane.v1.WorldService/Explore";

}  // namespace

ExploreStream::ExploreStream(std::shared_ptr<const Connection> connection, Events events)
    : connection_(std::move(connection)), events_(std::move(events)), stub_(connection_->channel) {}

void ExploreStream::start(bool wait_for_connection) {
  self_ = shared_from_this();
  context_.AddMetadata("terrane-half-closes", "1");  // ExploreResponse.ending
  context_.set_wait_for_ready(wait_for_connection);
  stub_.PrepareBidiStreamingCall(&context_, kMethod, grpc::StubOptions(), this);
  AddHold();  // flush() writes from other threads than gRPC's
  StartRead(&response_);
  {
    const MutexLock lock(mutex_);
    open_ = true;
  }
  StartCall();
  flush();
}

void ExploreStream::flush() {
  const MutexLock lock(mutex_);
  if (!open_ || writing_ || closes_) return;
  auto message = events_.next();
  if (!message) return;
  const grpc::Slice bytes(*message);
  request_ = grpc::ByteBuffer(&bytes, 1);
  writing_ = true;
  StartWrite(&request_);
}

/// Says no more.
void ExploreStream::close() {
  const MutexLock lock(mutex_);
  if (!open_ || std::exchange(closes_, true)) return;
  if (!writing_) StartWritesDone();
}

void ExploreStream::OnWriteDone(bool ok) {
  {
    const MutexLock lock(mutex_);
    writing_ = false;
    if (ok && open_ && closes_) StartWritesDone();
  }
  if (ok) flush();
}

void ExploreStream::OnReadDone(bool ok) {
  if (!ok) {
    {
      const MutexLock lock(mutex_);
      open_ = false;
    }
    RemoveHold();
    return;
  }
  grpc::Slice bytes;
  const bool is_whole =
      response_.TrySingleSlice(&bytes).ok() || response_.DumpToSingleSlice(&bytes).ok();
  const std::string_view message(reinterpret_cast<const char*>(bytes.begin()), bytes.size());
  const Next next = is_whole ? events_.received(message) : Next::kEnds;
  if (next == Next::kEnds) cancel();
  if (next == Next::kCloses) close();
  response_.Clear();
  StartRead(&response_);
  flush();
}

void ExploreStream::OnDone(const grpc::Status& status) {
  const auto ended = events_.ended;
  auto failure = connection_->failure_of(status, context_);
  if (status.ok())
    failure.error = {ErrorCode::kUnavailable, "the stream was closed at the server's end"};
  if (status.error_code() == grpc::StatusCode::UNIMPLEMENTED)
    failure.error.message = "the server does not offer Explore: upgrade it";
  self_.reset();  // may be the end of this object
  ended(failure);
}

}  // namespace terrane::client
