#include "rpc/streams/explore_stream.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <random>
#include <utility>

#include "rpc/checks/parse.h"
#include "rpc/chunk_wire.h"
#include "rpc/source.h"
#include "rpc/status.h"
#include "rpc/streams/wire_batch.h"

namespace terrane::rpc {
namespace {

constexpr std::chrono::milliseconds kMostResumeAfter{1000};  // spreads those that come back
// before the next look, when nothing happens
constexpr std::chrono::milliseconds kLeastPause{1};

std::uint32_t some_number() {
  return static_cast<std::uint32_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

}  // namespace

ExploreRoom::ExploreRoom(const worlds::LiveCatalog& worlds, pipeline::ChunkPipeline& pipeline,
                         schedule::AlarmClock& alarms, const ExplorePace& pace,
                         std::size_t max_request_bytes)
    : worlds_(worlds),
      pipeline_(pipeline),
      alarms_(alarms),
      pace_(pace),
      max_request_bytes_(max_request_bytes) {}

void ExploreRoom::send_away() {
  std::vector<std::weak_ptr<ExploreStream>> streams;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    streams.swap(streams_);
  }
  for (const auto& weak : streams) {
    if (const auto stream = weak.lock()) stream->send_away();
  }
}

ExploreStream::ExploreStream(CallTracker::Pass pass, CallRecord record,
                             grpc::CallbackServerContext& context, ExploreRoom& room)
    : pass_(std::move(pass)),
      record_(std::move(record)),
      context_(context),
      room_(room),
      source_(source_of(context, room.next_viewer_++)),
      written_at_(Clock::now()) {}

grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>* ExploreStream::start(
    CallTracker::Pass pass, CallRecord record, grpc::CallbackServerContext& context,
    ExploreRoom& room) {
  const std::shared_ptr<ExploreStream> stream(
      new ExploreStream(std::move(pass), std::move(record), context, room));
  stream->self_ = stream;
  bool closing = false;
  {
    const std::lock_guard lock(room.mutex_);
    if (room.streams_.size() == room.streams_.capacity()) {
      std::erase_if(room.streams_, [](const auto& other) { return other.expired(); });
    }
    room.streams_.push_back(stream);
    closing = room.closing_;
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
      const std::lock_guard lock(mutex_);
      if (busy_) return;  // that thread goes on until nothing is left to do
      step = next_step();
      again = busy_ =
          !step.stops.empty() || !step.asks.empty() || step.raise || step.cut_off || step.read;
    }
    do_step(std::move(step));
    if (!again) return;
    const std::lock_guard lock(mutex_);
    busy_ = false;
  }
}

void ExploreStream::do_step(Step step) {
  if (step.write) StartWrite(&written_);
  for (std::stop_source& stop : step.stops) stop.request_stop();
  if (step.raise) room_.pipeline_.raise(request_for(*step.raise, schedule::Priority::kPlayerWaits));
  for (const Viewer::Ask& one : step.asks) ask(one);
  if (step.cut_off) context_.TryCancel();
  if (step.read) StartRead(&read_);
  if (step.finish) {
    record_.end(step.finish->error_code());
    Finish(*step.finish);
  }
}

ExploreStream::Step ExploreStream::next_step() {
  Step step;
  if (finished_) return step;
  const auto now = Clock::now();
  step.stops.swap(stops_);
  if (!ending_ && viewer_) {
    step.asks = viewer_->asks(now);
    step.raise = viewer_->more_urgent();
    in_flight_ += step.asks.size();
  }
  const bool may_write = viewer_ && !writing_ && !cut_off_ &&
                         (!ending_ || ending_->error_code() != grpc::StatusCode::CANCELLED);
  if (viewer_) viewer_->hold_chunks(room_.outstanding_ >= room_.pace_.most_outstanding);
  if (may_write && step.asks.empty() && viewer_->worth_a_write(now)) {
    if (now >= written_at_ + room_.pace_.heartbeat) look_at_world();
    start_write(now);
    step.write = true;
  }
  look_for_slowness(step, now);
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
  record_.metrics().sent_chunks.add(batch.chunks);
  record_.metrics().sent_bytes.add(batch.bytes);
  written_ = to_buffer(std::move(batch.wire));
  writing_ = true;
  written_at_ = now;
}

/// Cuts off who takes too long, and sees to it that somebody looks again.
void ExploreStream::look_for_slowness(Step& step, Clock::time_point now) {
  if (finished_ || cut_off_) return;
  const bool silent = (!viewer_ || writing_) && now >= written_at_ + room_.pace_.slow_client;
  if (silent || (viewer_ && viewer_->too_slow(now))) {
    cut_off_ = step.cut_off = true;
    record_.metrics().slow_clients_closed.add();
    return;
  }
  if (ending_ && !writing_) return;  // whoever answers goes on
  set_alarm(std::max(now + kLeastPause, viewer_ && !writing_
                                            ? viewer_->look_again_at(now)
                                            : written_at_ + room_.pace_.slow_client));
}

void ExploreStream::set_alarm(Clock::time_point at) {
  if (!alarms_.empty() && at >= alarms_.back()) return;
  alarms_.push_back(at);
  room_.alarms_.set(at, [weak = weak_from_this(), at] {
    const auto stream = weak.lock();
    if (!stream) return;
    {
      const std::lock_guard lock(stream->mutex_);
      std::erase(stream->alarms_, at);
    }
    stream->advance();
  });
}

/// Tells the room and the metrics what has changed.
void ExploreStream::account() {
  const std::size_t outstanding = viewer_ && !finished_ ? viewer_->outstanding() : 0;
  const std::size_t unsent = viewer_ && !finished_ ? viewer_->unsent() : 0;
  const std::uint64_t wasted = viewer_ ? viewer_->wasted() : 0;
  room_.outstanding_ += outstanding - counted_outstanding_;
  if (unsent != counted_unsent_) {
    record_.metrics().unsent_bytes.add(static_cast<std::int64_t>(unsent) -
                                       static_cast<std::int64_t>(counted_unsent_));
  }
  if (wasted != counted_wasted_) record_.metrics().dropped_chunks.add(wasted - counted_wasted_);
  counted_outstanding_ = outstanding;
  counted_unsent_ = unsent;
  counted_wasted_ = wasted;
}

pipeline::ChunkRequest ExploreStream::request_for(const Tile& tile,
                                                  schedule::Priority priority) const {
  return {query_->world, query_->seed, tile.coord, tile.lod, priority, source_, kPatience};
}

void ExploreStream::ask(const Viewer::Ask& ask) {
  room_.pipeline_.request(
      {request_for(ask.tile, ask.priority)}, ask.stop,
      [stream = shared_from_this(), id = ask.id](std::size_t, Result<codec::EncodedChunk> chunk) {
        stream->deliver(id, std::move(chunk));
      });
}

void ExploreStream::deliver(std::uint64_t id, Result<codec::EncodedChunk> chunk) {
  if (chunk) chunk = with_layers(*std::move(chunk), query_->layers);
  {
    const std::lock_guard lock(mutex_);
    --in_flight_;
    viewer_->answer(id, std::move(chunk), Clock::now());
  }
  advance();
}

Result<void> ExploreStream::heed(const v1::ExploreRequest& request) {
  if (request.has_hello()) return greet(request.hello());
  if (!viewer_)
    return fail(ErrorCode::kInvalidArgument,
                "the first message is no Hello: say which world, and how far the viewer sees");
  if (request.has_move()) return place(request.move());
  if (request.has_ack()) return viewer_->acknowledge(request.ack(), Clock::now());
  if (request.has_forget()) return viewer_->forget(request.forget());
  return fail(ErrorCode::kInvalidArgument,
              "a message without an event: send hello, move, ack or forget");
}

Result<void> ExploreStream::greet(const v1::Hello& hello) {
  if (viewer_)
    return fail(ErrorCode::kInvalidArgument,
                "a second Hello: open another stream for another view");
  auto query = check(hello, *room_.worlds_.now());
  if (!query) return tl::unexpected(query.error());
  query_ = *std::move(query);
  offered_ = query_->world->fingerprint;
  viewer_.emplace(*query_, room_.pace_, some_number(), Clock::now());
  return place(hello.move());
}

Result<void> ExploreStream::place(const v1::Move& move) {
  const auto pose = check(move, *query_->world);
  if (!pose) return tl::unexpected(pose.error());
  look_at_world();
  auto stops = viewer_->move(*pose, move, Clock::now());
  if (!stops) return tl::unexpected(stops.error());
  std::move(stops->begin(), stops->end(), std::back_inserter(stops_));
  return {};
}

/// Whether the world's file has been exchanged.
void ExploreStream::look_at_world() {
  const auto worlds = room_.worlds_.now();
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
    const std::lock_guard lock(mutex_);
    if (ending_) return;
    const std::chrono::milliseconds resume_after(
        some_number() % static_cast<std::uint32_t>(kMostResumeAfter.count()));
    end(to_status(draining()));
    if (viewer_) viewer_->go_away(resume_after);
  }
  advance();
}

void ExploreStream::give_up() {
  {
    const std::lock_guard lock(mutex_);
    end(grpc::Status::CANCELLED);
    ending_ = grpc::Status::CANCELLED;  // also where another end was near: nothing more can be said
  }
  advance();
}

void ExploreStream::OnReadDone(bool ok) {
  {
    const std::lock_guard lock(mutex_);
    if (!ok) {
      end(grpc::Status::OK);
    } else if (!ending_) {
      const auto heeded =
          parse<v1::ExploreRequest>(read_, room_.max_request_bytes_)
              .and_then([this](const v1::ExploreRequest& request) { return heed(request); });
      if (!heeded) end(refuse(context_, heeded.error()));
    }
    read_due_ = true;
    read_.Clear();
  }
  advance();
}

void ExploreStream::OnWriteDone(bool ok) {
  {
    const std::lock_guard lock(mutex_);
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

void ExploreStream::OnDone() {
  pass_.reset();  // here: a thread that has just delivered may keep the rest a moment longer
  self_.reset();
}

}  // namespace terrane::rpc
