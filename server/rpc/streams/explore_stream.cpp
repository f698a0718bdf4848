#include "rpc/streams/explore_stream.h"

#include <algorithm>
#include <new>
#include <utility>

#include "codec/chunk_hash.h"
#include "rpc/callback_timer.h"
#include "rpc/chunk_wire.h"
#include "rpc/client_rules.h"
#include "rpc/limits.h"
#include "rpc/status.h"
#include "rpc/streams/wire_batch.h"
#include "terrane/result_macros.h"

namespace terrane::rpc {
namespace {

// before the next look, when nothing happens
constexpr std::chrono::milliseconds kMinPause{1};
// chunks asked for in one step, which may be one of gRPC's threads
constexpr std::size_t kAsksInStep = 32;

/// When a stream ends because its caller's proof does: on a clock that nobody sets.
Viewer::Clock::time_point expiry_of(const access::Caller* caller) {
  using Clock = Viewer::Clock;
  if (caller == nullptr || caller->expires == std::chrono::system_clock::time_point::max())
    return Clock::time_point::max();
  return Clock::now() + (caller->expires - std::chrono::system_clock::now());
}

}  // namespace

ExploreStream::ExploreStream(IncomingCall incoming, ExploreHub& hub)
    : ServerCall(std::move(incoming)),
      hub_(hub),
      source_(source_of_stream()),
      expires_(expiry_of(caller())),
      memory_(hub.memory_->open(source_.client)),
      dues_(hub.message_cost_, 0),
      written_at_(Clock::now()),
      known_generation_(hub.origins_.generation()) {}

void ExploreStream::start(IncomingCall incoming, ExploreHub& hub) {
  const auto stream = create(std::move(incoming), hub);
  const CallbackTimer timer(stream->metrics().callback);
  hub.workers_.charge_at_once(hub.message_cost_->of_call(), stream->source_);
  try {
    const bool closing = hub.enter(stream);
    stream->read_into(stream->read_);
    if (closing) stream->send_away();
  } catch (const std::bad_alloc&) {
    const MutexLock lock(stream->mutex_);
    stream->end_for_memory();
  }
  stream->advance();
}

void ExploreStream::advance(Look look) {
  const auto alive = shared_from_this();
  for (bool again = true; again;) {
    Step step;
    {
      const MutexLock lock(mutex_);
      if (busy_) return;  // that thread goes on until nothing is left to do
      next_step(step, look);
      again = busy_ = !step.stops.empty() || !step.asks.empty() || step.raise || step.cut_off ||
                      step.read || step.plan || step.turn;
    }
    do_step(std::move(step));
    if (!again) return;
    const MutexLock lock(mutex_);
    busy_ = false;
  }
}

void ExploreStream::do_step(Step step) {
  if (step.write) write(written_);
  for (std::stop_source& stop : step.stops) stop.request_stop();
  if (step.raise) {
    hub_.pipeline_.raise(request_for(*step.query, *step.raise, schedule::Priority::kPlayerWaits));
  }
  ask_all(step);
  if (step.cut_off) call().cancel_with(*step.cut_off);
  if (step.plan) submit_plan(*step.plan);
  if (step.turn) submit_turn(*step.turn);
  if (step.read) read_into(read_);
  if (step.finish) finish(*std::move(step.finish));
}

void ExploreStream::ask_all(const Step& step) {
  if (step.asks.empty()) return;
  std::vector<pipeline::ChunkPipeline::SingleRequest> requests;
  try {
    requests.reserve(step.asks.size());
    for (const Viewer::Ask& one : step.asks) requests.push_back(request_of(step.query, one));
  } catch (const std::bad_alloc&) {  // before the pipeline has any: then it owes answers
    const MutexLock lock(mutex_);
    in_flight_ -= step.asks.size();
    end_for_memory();
    return;
  }
  hub_.pipeline_.request_each(requests);
}

/// What is to be done now. Never throws: what met the end of memory ends the stream, but what was
/// decided before that is in `step`, and is done.
void ExploreStream::next_step(Step& step, Look look) {
  if (finished_) return;
  try {
    if (!no_memory_) decide(step, look);
  } catch (const std::bad_alloc&) {
    end_for_memory();
  }
  if (step.stops.empty()) step.stops.swap(stops_);
  if (no_memory_ && writing_ && !passed_status_) {
    passed_status_.emplace(ending_->error_code(), "");
    cut_off_due_.emplace(ending_->error_code(), "");
  }
  if (cut_off_due_) step.cut_off = std::move(cut_off_due_);
  cut_off_due_.reset();
  if (ending_ && !writing_ && in_flight_ == 0 && step.stops.empty()) {
    finished_ = true;
    step.finish = std::move(ending_);
    ending_.emplace();  // none is to follow
  }
  account();
}

void ExploreStream::decide(Step& step, Look look) {
  const auto now = Clock::now();
  end_as_client_did(now);
  end_if_slow(step, now);
  if (now >= expires_) end_for(token_expired());
  plan_if_due(step, now);
  step.stops.swap(stops_);  // first: while there are any, no more is asked for
  const bool may_want = !ending_ && viewer_ && !planning_;  // after a plan it may want others
  step.query = query_;
  if (may_want && look == Look::kMayNotAsk) {
    if (!turn_queued_) step.turn = viewer_->wants_turn(now);
    turn_queued_ |= step.turn.has_value();
  } else if (may_want) {
    step.asks = viewer_->asks(now, kAsksInStep);
    in_flight_ += step.asks.size();
  }
  if (may_want) step.raise = viewer_->more_urgent();
  const bool may_write =
      viewer_ && !writing_ && !passed_status_ && (!ending_ || !is_mute(*ending_));
  if (viewer_) viewer_->hold_chunks(jumps_ || hub_.outstanding_ >= hub_.pace_.max_outstanding);
  if (may_write && step.asks.empty() && viewer_->worth_a_write(now)) {
    if (now >= written_at_ + hub_.pace_.heartbeat) {
      look_at_caller();
      look_at_world();
    }
    start_write(now);
    step.write = true;
  }
  look_again(now);
  // Last, so that no client can keep a thread here by saying more and more.
  step.read = step.stops.empty() && step.asks.empty() && !step.raise && !step.plan && !ending_ &&
              may_read() && std::exchange(read_due_, false);
}

void ExploreStream::start_write(Clock::time_point now) {
  Viewer::Batch batch = viewer_->take_batch(now);
  metrics().sent(source_.weight, batch.chunks, batch.bytes);
  if (batch.chunks > 0) settle();
  if (batch.waited_underfoot) metrics().underfoot.observe(*batch.waited_underfoot);
  dues_.add(batch.wire.size());
  written_ = to_buffer(std::move(batch.wire));
  writing_ = true;
  written_at_ = now;
}

/// It has had what it wanted first.
void ExploreStream::settle() {
  if (!std::exchange(is_settled_, true)) call().settle();
}

/// Sees to it that somebody looks again.
void ExploreStream::look_again(Clock::time_point now) {
  if (finished_ || passed_status_) return;
  if (ending_ && !writing_) return;  // whoever answers goes on
  const auto next =
      viewer_ && !writing_ ? viewer_->look_again_at(now) : written_at_ + hub_.pace_.slow_client;
  set_alarm(std::max(now + kMinPause, ending_ ? next : std::min(next, expires_)));
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
    stream->advance(Look::kMayNotAsk);
  });
}

/// Tells the hub and the metrics what has changed, and pays what is owed where it is its turn.
void ExploreStream::account() {
  dues_.pay(source_);
  const std::size_t outstanding = viewer_ && !finished_ ? viewer_->outstanding() : 0;
  const std::size_t unsent = viewer_ && !finished_ ? viewer_->unsent() : 0;
  const std::size_t memory = finished_ ? 0 : bytes();
  const std::uint64_t wasted = viewer_ ? viewer_->wasted() : 0;
  if (memory != counted_memory_) {
    const auto change =
        static_cast<std::ptrdiff_t>(memory) - static_cast<std::ptrdiff_t>(counted_memory_);
    counted_memory_ = memory;
    memory_.change(change);
    metrics().stream_memory.add(change);
    if (change > 0) hub_.check_memory(memory_);
  }
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

pipeline::ChunkPipeline::SingleRequest ExploreStream::request_of(
    const std::shared_ptr<const ExploreQuery>& query, const Viewer::Ask& ask) {
  return {request_for(*query, ask.tile, ask.priority), ask.stop,
          [stream = shared_from_this(), layers = query->layers, ask](
              std::size_t, Result<codec::EncodedChunk> chunk) {
            try {
              if (chunk) chunk = with_layers(*chunk, layers);
              if (chunk && ask.made) chunk = stream->judged(*std::move(chunk), ask);
            } catch (const std::bad_alloc&) {
              chunk = tl::unexpected(schedule::out_of_memory());
            }
            stream->deliver(ask.id, std::move(chunk));
          }};
}

/// @return null for the same chunk as the client has made
Result<codec::EncodedChunk> ExploreStream::judged(codec::EncodedChunk chunk,
                                                  const Viewer::Ask& ask) const {
  TERRANE_ASSIGN_OR_RETURN(const Chunk here, codec::decode(*chunk, ask.tile.coord));
  const bool is_same = static_cast<std::uint32_t>(codec::hash_chunk(here)) == *ask.made;
  (is_same ? metrics().judged_same : metrics().judged_other).add(1);
  return is_same ? nullptr : std::move(chunk);
}

void ExploreStream::deliver(std::uint64_t id, Result<codec::EncodedChunk> chunk) {
  {
    const MutexLock lock(mutex_);
    --in_flight_;
    try {
      viewer_->answer(id, std::move(chunk), Clock::now());
    } catch (const std::bad_alloc&) {
      end_for_memory();
    }
  }
  advance();
}

std::size_t ExploreStream::bytes() const {
  std::size_t bytes =
      kBytesPerCall + sizeof(*this) + read_.Length() + (writing_ ? written_.Length() : 0);
  if (viewer_) bytes += viewer_->bytes();
  if (long_message_) bytes += long_message_->Length();
  bytes += inbox_.size() * kSmallMessage;
  for (const TileList& list : lists_)
    bytes += static_cast<std::size_t>(list.blocks.size()) * sizeof(v1::TileBlock);
  return bytes;
}

/// Whether its token or certificate is still good for what it was good for.
void ExploreStream::look_at_caller() {
  const std::uint64_t now = hub_.origins_.generation();
  if (std::exchange(known_generation_, now) == now) return;
  const auto known = call().look_again(hub_.origins_);
  if (!known) end_for(known.error());
}

/// Whether the world's file has been exchanged.
void ExploreStream::look_at_world() {
  const auto worlds = hub_.worlds_.now();
  const auto found = worlds->find(query_->world->name);
  const WorldFingerprint now = found == worlds->end() ? 0 : found->second->fingerprint;
  if (std::exchange(offered_, now) == now) return;
  viewer_->change_world(now == 0 ? std::nullopt : std::optional(now));
}

void ExploreStream::OnReadDone(bool ok) {
  const CallbackTimer timer(metrics().callback);
  {
    const MutexLock lock(mutex_);
    if (!ok) {
      read_ended_ = Clock::now();
    } else if (!ending_) {
      try {
        const auto done = note_request();
        if (!done) end(refuse(call(), done.error()));
      } catch (const std::bad_alloc&) {
        end_for_memory();
      }
    }
    read_due_ = ok;
    read_.Clear();
  }
  advance();
}

void ExploreStream::OnWriteDone(bool ok) {
  const CallbackTimer timer(metrics().callback);
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

void ExploreStream::OnCancel() {
  const CallbackTimer timer(metrics().callback);
  give_up();
}

}  // namespace terrane::rpc
