#include "rpc/streams/explore_stream.h"

#include <grpc/grpc.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <random>
#include <utility>

#include "rpc/checks/parse.h"
#include "rpc/chunk_wire.h"
#include "rpc/status.h"
#include "rpc/streams/wire_batch.h"
#include "terrane/result_macros.h"

namespace terrane::rpc {
namespace {

constexpr std::chrono::milliseconds kMaxResumeAfter{1000};  // spreads those that come back
// before the next look, when nothing happens
constexpr std::chrono::milliseconds kMinPause{1};

/// Ends a call whose write is stuck. A status that is sent in the usual way waits behind that write
/// for ever; this one passes it, and reaches a client that still reads.
void cancel_with(grpc::CallbackServerContext& context, const grpc::Status& status) {
  grpc_call_cancel_with_status(context.c_call(), static_cast<grpc_status_code>(status.error_code()),
                               status.error_message().c_str(), nullptr);
}

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

/// A message that may not come now.
tl::unexpected<Error> out_of_order(std::string message) {
  return tl::unexpected(Error{.code = ErrorCode::kInvalidArgument,
                              .message = std::move(message),
                              .reason = ErrorReason::kMessageOutOfOrder});
}

bool is_mute(const grpc::Status& end) {
  return end.error_code() == grpc::StatusCode::CANCELLED ||
         end.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
}

std::uint32_t some_number() {
  return static_cast<std::uint32_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

}  // namespace

ExploreHub::ExploreHub(const worlds::LiveCatalog& worlds, pipeline::ChunkPipeline& pipeline,
                       schedule::AlarmClock& alarms, const ExplorePace& pace,
                       std::size_t max_request_bytes)
    : worlds_(worlds),
      pipeline_(pipeline),
      alarms_(alarms),
      pace_(pace),
      max_request_bytes_(max_request_bytes) {}

void ExploreHub::send_away() {
  std::vector<std::weak_ptr<ExploreStream>> streams;
  {
    const MutexLock lock(mutex_);
    closing_ = true;
    streams.swap(streams_);
  }
  for (const auto& weak : streams) {
    if (const auto stream = weak.lock()) stream->send_away();
  }
}

ExploreStream::ExploreStream(IncomingCall incoming, ExploreHub& hub)
    : ServerCall(std::move(incoming)),
      hub_(hub),
      source_(source_of_stream()),
      written_at_(Clock::now()) {}

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* ExploreStream::start(
    IncomingCall incoming, ExploreHub& hub) {
  const auto stream = create(std::move(incoming), hub);
  bool closing = false;
  {
    const MutexLock lock(hub.mutex_);
    if (hub.streams_.size() == hub.streams_.capacity()) {
      std::erase_if(hub.streams_, [](const auto& other) { return other.expired(); });
    }
    hub.streams_.push_back(stream);
    closing = hub.closing_;
  }
  stream->StartRead(&stream->read_);
  if (closing) stream->send_away();
  stream->advance();
  return stream.get();
}

void ExploreStream::advance() {
  const auto alive = shared_from_this();
  for (bool again = true; again;) {
    Step step;
    {
      const MutexLock lock(mutex_);
      if (busy_) return;  // that thread goes on until nothing is left to do
      step = next_step();
      again = busy_ =
          !step.stops.empty() || !step.asks.empty() || step.raise || step.cut_off || step.read;
    }
    do_step(std::move(step));
    if (!again) return;
    const MutexLock lock(mutex_);
    busy_ = false;
  }
}

void ExploreStream::do_step(Step step) {
  if (step.write) StartWrite(&written_);
  for (std::stop_source& stop : step.stops) stop.request_stop();
  if (step.raise) {
    hub_.pipeline_.raise(request_for(*step.query, *step.raise, schedule::Priority::kPlayerWaits));
  }
  for (const Viewer::Ask& one : step.asks) ask(step.query, one);
  if (step.cut_off) cancel_with(context(), *step.cut_off);
  if (step.read) StartRead(&read_);
  if (step.finish) finish(*step.finish);
}

ExploreStream::Step ExploreStream::next_step() {
  Step step;
  if (finished_) return step;
  const auto now = Clock::now();
  end_if_slow(step, now);
  step.stops.swap(stops_);
  if (!ending_ && viewer_) {
    step.query = query_;
    step.asks = viewer_->asks(now);
    step.raise = viewer_->more_urgent();
    in_flight_ += step.asks.size();
  }
  const bool may_write = viewer_ && !writing_ && !cut_off_ && (!ending_ || !is_mute(*ending_));
  if (viewer_) viewer_->hold_chunks(hub_.outstanding_ >= hub_.pace_.max_outstanding);
  if (may_write && step.asks.empty() && viewer_->worth_a_write(now)) {
    if (now >= written_at_ + hub_.pace_.heartbeat) look_at_world();
    start_write(now);
    step.write = true;
  }
  look_again(now);
  // Last, so that no client can keep a thread here by saying more and more.
  step.read = step.stops.empty() && step.asks.empty() && !step.raise && !ending_ &&
              std::exchange(read_due_, false);
  if (ending_ && !writing_ && in_flight_ == 0 && step.stops.empty()) {
    finished_ = true;
    step.finish = ending_;
  }
  account();
  return step;
}

void ExploreStream::start_write(Clock::time_point now) {
  Viewer::Batch batch = viewer_->take_batch(now);
  metrics().sent_chunks.add(batch.chunks);
  metrics().sent_bytes.add(batch.bytes);
  written_ = to_buffer(std::move(batch.wire));
  writing_ = true;
  written_at_ = now;
}

/// Ends the stream of who takes too long, and says why.
void ExploreStream::end_if_slow(Step& step, Clock::time_point now) {
  if (cut_off_) return;
  const auto deadline = hub_.pace_.slow_client;
  const bool is_silent = now >= written_at_ + deadline;
  if (writing_ && is_silent) {
    cut_off_ = step.cut_off = to_status(stuck_write(deadline));
    if (!ending_ || ending_->error_code() != grpc::StatusCode::DEADLINE_EXCEEDED)
      metrics().slow_clients_closed.add();
    return;
  }
  if (ending_) return;
  if (!viewer_ && is_silent) end(refuse(context(), no_hello(deadline)));
  if (viewer_) {
    const auto acknowledged = viewer_->check_acknowledged(now);
    if (!acknowledged) end(refuse(context(), acknowledged.error()));
  }
  if (ending_) metrics().slow_clients_closed.add();
}

/// Sees to it that somebody looks again.
void ExploreStream::look_again(Clock::time_point now) {
  if (finished_ || cut_off_) return;
  if (ending_ && !writing_) return;  // whoever answers goes on
  set_alarm(std::max(now + kMinPause, viewer_ && !writing_ ? viewer_->look_again_at(now)
                                                           : written_at_ + hub_.pace_.slow_client));
}

void ExploreStream::set_alarm(Clock::time_point at) {
  if (!alarms_.empty() && at >= alarms_.back()) return;
  alarms_.push_back(at);
  hub_.alarms_.set(at, [weak = weak_from_this(), at] {
    const auto stream = weak.lock();
    if (!stream) return;
    {
      const MutexLock lock(stream->mutex_);
      std::erase(stream->alarms_, at);
    }
    stream->advance();
  });
}

/// Tells the hub and the metrics what has changed.
void ExploreStream::account() {
  const std::size_t outstanding = viewer_ && !finished_ ? viewer_->outstanding() : 0;
  const std::size_t unsent = viewer_ && !finished_ ? viewer_->unsent() : 0;
  const std::uint64_t wasted = viewer_ ? viewer_->wasted() : 0;
  hub_.outstanding_ += outstanding - counted_outstanding_;
  if (unsent != counted_unsent_) {
    metrics().unsent_bytes.add(static_cast<std::int64_t>(unsent) -
                               static_cast<std::int64_t>(counted_unsent_));
  }
  if (wasted != counted_wasted_) metrics().dropped_chunks.add(wasted - counted_wasted_);
  counted_outstanding_ = outstanding;
  counted_unsent_ = unsent;
  counted_wasted_ = wasted;
}

pipeline::ChunkRequest ExploreStream::request_for(const ExploreQuery& query, const Tile& tile,
                                                  schedule::Priority priority) const {
  return {query.world, query.seed, tile.coord, tile.lod, priority, source_, kPatience};
}

void ExploreStream::ask(const std::shared_ptr<const ExploreQuery>& query, const Viewer::Ask& ask) {
  hub_.pipeline_.request({request_for(*query, ask.tile, ask.priority)}, ask.stop,
                         [stream = shared_from_this(), layers = query->layers, id = ask.id](
                             std::size_t, Result<codec::EncodedChunk> chunk) {
                           if (chunk) chunk = with_layers(*std::move(chunk), layers);
                           stream->deliver(id, std::move(chunk));
                         });
}

void ExploreStream::deliver(std::uint64_t id, Result<codec::EncodedChunk> chunk) {
  {
    const MutexLock lock(mutex_);
    --in_flight_;
    viewer_->answer(id, std::move(chunk), Clock::now());
  }
  advance();
}

/// Reacts to the message that was read.
Result<void> ExploreStream::on_request() {
  TERRANE_ASSIGN_OR_RETURN(const v1::ExploreRequest request,
                           parse<v1::ExploreRequest>(read_, hub_.max_request_bytes_));
  if (request.has_hello()) return on_hello(request.hello());
  if (!viewer_)
    return out_of_order(
        "the first message is no Hello: say which world, and how far the viewer sees");
  if (request.has_move()) return on_move(request.move());
  if (request.has_ack()) return viewer_->acknowledge(request.ack(), Clock::now());
  if (request.has_forget()) return viewer_->forget(request.forget());
  return tl::unexpected(
      Error{.code = ErrorCode::kInvalidArgument,
            .message = "a message without an event: send hello, move, ack or forget",
            .reason = ErrorReason::kFieldMissing,
            .field = "event"});
}

Result<void> ExploreStream::on_hello(const v1::Hello& hello) {
  if (viewer_) return out_of_order("a second Hello: open another stream for another view");
  TERRANE_ASSIGN_OR_RETURN(ExploreQuery query, check(hello, *hub_.worlds_.now()));
  query_ = std::make_shared<const ExploreQuery>(std::move(query));
  offered_ = query_->world->fingerprint;
  viewer_.emplace(*query_, hub_.pace_, hub_.max_request_bytes_, some_number(), Clock::now());
  return on_move(hello.move());
}

Result<void> ExploreStream::on_move(const v1::Move& move) {
  TERRANE_ASSIGN_OR_RETURN(const Pose pose, check(move, *query_->world));
  look_at_world();
  TERRANE_ASSIGN_OR_RETURN(Viewer::Stops stops, viewer_->move(pose, move, Clock::now()));
  std::move(stops.begin(), stops.end(), std::back_inserter(stops_));
  return {};
}

/// Whether the world's file has been exchanged.
void ExploreStream::look_at_world() {
  const auto worlds = hub_.worlds_.now();
  const auto found = worlds->find(query_->world->name);
  const WorldFingerprint now = found == worlds->end() ? 0 : found->second->fingerprint;
  if (std::exchange(offered_, now) == now) return;
  viewer_->change_world(now == 0 ? std::nullopt : std::optional(now));
}

void ExploreStream::end(const grpc::Status& status) {
  if (ending_) return;
  ending_ = status;
  if (!viewer_) return;
  auto stops = viewer_->stop_all();
  std::move(stops.begin(), stops.end(), std::back_inserter(stops_));
}

void ExploreStream::send_away() {
  {
    const MutexLock lock(mutex_);
    if (ending_) return;
    const std::chrono::milliseconds resume_after(
        some_number() % static_cast<std::uint32_t>(kMaxResumeAfter.count()));
    end(to_status(draining()));
    if (viewer_) viewer_->go_away(resume_after);
  }
  advance();
}

void ExploreStream::give_up() {
  {
    const MutexLock lock(mutex_);
    end(grpc::Status::CANCELLED);
    // also where another end was near: nothing more can be said
    ending_ = cut_off_ ? *cut_off_ : grpc::Status::CANCELLED;
  }
  advance();
}

void ExploreStream::OnReadDone(bool ok) {
  {
    const MutexLock lock(mutex_);
    if (!ok) {
      end(grpc::Status::OK);
    } else if (!ending_) {
      const auto done = on_request();
      if (!done) end(refuse(context(), done.error()));
    }
    read_due_ = true;
    read_.Clear();
  }
  advance();
}

void ExploreStream::OnWriteDone(bool ok) {
  {
    const MutexLock lock(mutex_);
    writing_ = false;
    written_.Clear();
  }
  if (ok) {
    advance();
  } else {
    give_up();
  }
}

void ExploreStream::OnCancel() { give_up(); }

}  // namespace terrane::rpc
