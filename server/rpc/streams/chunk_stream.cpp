#include "rpc/streams/chunk_stream.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

#include "rpc/chunk_wire.h"
#include "rpc/status.h"
#include "rpc/streams/wire_batch.h"

namespace terrane::rpc {
namespace {

constexpr std::size_t kTypicalChunkBytes = 4080;  // one overflow page of the cache's file

// Where the server is so busy with others that nothing of this call is in flight:
constexpr std::chrono::milliseconds kRefusedPause{100};  // before it asks again,
// so many times in a row, half a minute, then it passes the refusals on
constexpr int kMaxRefusals = 300;

/// Into the processor's cache: found on the way to being copied, each line would be waited for.
void prefetch(const std::string& bytes) {
  constexpr std::size_t kCacheLine = 64;
  for (std::size_t at = 0; at < bytes.size(); at += kCacheLine)
    __builtin_prefetch(bytes.data() + at);
}

}  // namespace

ChunkStream::ChunkStream(IncomingCall incoming, pipeline::ChunkPipeline& pipeline, StreamPace pace,
                         AreaQuery query, std::shared_ptr<MessageCost> message_cost)
    : ServerCall(std::move(incoming)),
      pipeline_(pipeline),
      pace_(pace),
      query_(std::move(query)),
      source_(source_of_stream()),
      dues_(std::move(message_cost)),
      max_in_flight_(pace.max_in_flight),
      largest_chunk_(kTypicalChunkBytes) {}

void ChunkStream::start(IncomingCall incoming, pipeline::ChunkPipeline& pipeline, StreamPace pace,
                        AreaQuery query, std::shared_ptr<MessageCost> message_cost) {
  create(std::move(incoming), pipeline, pace, std::move(query), std::move(message_cost))->advance();
}

void ChunkStream::advance() {
  const auto alive = shared_from_this();
  for (bool again = true; again;) {
    Step step;
    {
      const MutexLock lock(mutex_);
      next_step(step);
    }
    again = !step.ranks.empty() || step.stop;
    do_step(std::move(step));
  }
}

void ChunkStream::do_step(Step step) {
  if (step.write) write(wire_);
  if (step.stop) stop_.request_stop();  // delivers, on this thread or another
  if (step.wake) alarm_.Cancel();
  if (step.look_again) {
    try {
      wait_for_more(*step.look_again);
    } catch (const std::bad_alloc&) {
      const MutexLock lock(mutex_);
      alarm_set_ = false;
      fail_for_memory();
    }
  }
  if (const std::size_t count = step.ranks.size(); count > 0) {
    bool is_asked = true;
    try {
      request(std::move(step.ranks));
    } catch (const std::bad_alloc&) {  // before the pipeline has it: then it owes answers
      is_asked = false;
    }
    const MutexLock lock(mutex_);
    asking_ = false;
    if (!is_asked) {
      in_flight_ -= count;
      fail_for_memory();
    }
  }
  if (!step.finish) return;
  charge(step.unpaid);
  finish(*std::move(step.finish));
}

/// What is to be done now. Never throws: what met the end of memory ends the stream, but what was
/// decided before that is in `step`, and is done.
void ChunkStream::next_step(Step& step) {
  try {
    decide(step);
  } catch (const std::bad_alloc&) {
    fail_for_memory();
    step.stop = std::exchange(stop_due_, false);
  }
}

void ChunkStream::fail_for_memory() { gave_up_ = no_memory_ = stop_due_ = true; }

void ChunkStream::decide(Step& step) {
  if (finished_) return;
  step.stop = std::exchange(stop_due_, false);
  if (step.stop) return;
  if (!gave_up_ && !writing_ && !ready_.empty()) {
    const auto now = Clock::now();
    if (worth_a_write(now)) {
      wire_ = take_batch();
      writing_ = true;
      written_at_ = now;
      step.write = true;
    } else if (!alarm_set_) {
      alarm_set_ = true;
      // Later than need be: chunks that come meanwhile look as well, and at no cost, where an alarm
      // wakes two threads.
      step.look_again = written_at_ + 2 * pace_.linger - now;
    }
  }
  if (!gave_up_ && !asking_ && room() > 0) {
    const auto wait = in_flight_ == 0 ? ask_at_ - Clock::now() : Clock::duration(0);
    if (wait <= Clock::duration(0)) {
      step.ranks = take_ranks();
      asking_ = true;
    } else if (!alarm_set_) {
      alarm_set_ = true;
      step.look_again = wait;
    }
  }
  const bool all_answered = ready_.empty() && again_.empty() && next_rank_ == query_.coords.size();
  if (!writing_ && !asking_ && in_flight_ == 0 && (gave_up_ || all_answered)) {
    if (alarm_set_) {  // it looks again, and finishes: nothing of a finished call is left behind
      step.wake = true;
      return;
    }
    finished_ = true;
    step.finish = last_status();
    step.unpaid = dues_.take();
    unsent_bytes_ = 0;
    tell_unsent();
  }
}

/// Whether what is ready fills a batch, or has waited long enough for company, or will have none.
bool ChunkStream::worth_a_write(Clock::time_point now) const {
  const bool full = ready_.size() >= pace_.batch_chunks || unsent_bytes_ >= pace_.batch_bytes;
  return full || in_flight_ == 0 || now >= written_at_ + pace_.linger;
}

/// Looks again at what is ready; the stream lives until then.
void ChunkStream::wait_for_more(Clock::duration time) {
  const auto due = std::chrono::system_clock::now() +
                   std::chrono::duration_cast<std::chrono::system_clock::duration>(time);
  alarm_.Set(due, [stream = shared_from_this()](bool) mutable {
    const auto alive =
        // an alarm keeps its callback when it is over, and this one would keep the alarm's owner
        std::move(stream);
    {
      const MutexLock lock(alive->mutex_);
      alive->alarm_set_ = false;
    }
    alive->advance();
  });
}

/// How many chunks may be asked for now. Not one by one: the pipeline looks up a batch in one
/// transaction.
std::size_t ChunkStream::room() const {
  const std::size_t left = query_.coords.size() - next_rank_ + again_.size();
  const std::size_t reckoned = unsent_bytes_ + in_flight_ * largest_chunk_;
  const std::size_t by_bytes =
      reckoned < pace_.max_unsent_bytes
          ? std::max<std::size_t>(1, (pace_.max_unsent_bytes - reckoned) / largest_chunk_)
          : 0;
  const std::size_t room =
      std::min({left, by_bytes, max_in_flight_ - std::min(max_in_flight_, in_flight_)});
  const bool would_stall = in_flight_ == 0 && ready_.empty() && !writing_;
  const bool slowed = max_in_flight_ < pace_.max_in_flight;
  const bool worth_it =
      room == left || room * largest_chunk_ >= pace_.batch_bytes || would_stall || slowed;
  return worth_it ? room : 0;
}

std::vector<std::size_t> ChunkStream::take_ranks() {
  std::vector<std::size_t> ranks;
  const std::size_t count = room();
  ranks.reserve(count);
  while (ranks.size() < count && !again_.empty()) {
    ranks.push_back(again_.back());
    again_.pop_back();
  }
  while (ranks.size() < count) ranks.push_back(next_rank_++);
  in_flight_ += count;
  return ranks;
}

/// What is in memory is taken in at once, for one lock instead of one for each chunk. Throws
/// std::bad_alloc, and has then done nothing.
void ChunkStream::request(std::vector<std::size_t> ranks) {
  std::vector<ChunkKey> keys;
  keys.reserve(ranks.size());
  for (const std::size_t rank : ranks)
    keys.push_back({query_.world->fingerprint, query_.seed, query_.lod, query_.coords[rank]});
  auto chunks = pipeline_.find_in_memory(keys);

  std::vector<std::size_t> missing;
  std::vector<Answer> found;
  std::vector<pipeline::ChunkRequest> requests;
  found.reserve(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (chunks[i]) {
      found.push_back(answer_of(ranks[i], std::move(chunks[i])));
    } else {
      missing.push_back(ranks[i]);
      requests.push_back({query_.world, query_.seed, query_.coords[ranks[i]], query_.lod,
                          schedule::Priority::kView, source_, kPatience});
    }
  }
  pipeline::ChunkPipeline::Deliver deliver_missing;
  if (!missing.empty()) {
    deliver_missing = [stream = shared_from_this(), missing = std::move(missing)](
                          std::size_t index, Result<codec::EncodedChunk> chunk) {
      stream->deliver(missing[index], std::move(chunk));
    };
  }
  take_in_found(std::move(found));
  if (!requests.empty())
    pipeline_.request(std::move(requests), stop_.get_token(), std::move(deliver_missing));
}

/// While it is being asked: advance() goes on with them afterwards.
void ChunkStream::take_in_found(std::vector<Answer> found) {
  const MutexLock lock(mutex_);
  for (Answer& answer : found) {
    --in_flight_;
    try {
      take_in(std::move(answer));
    } catch (const std::bad_alloc&) {
      fail_for_memory();
    }
  }
  tell_unsent();
}

/// Not chunk by chunk: other streams' threads count there, too.
void ChunkStream::tell_unsent() {
  metrics().unsent_bytes.add(static_cast<std::int64_t>(unsent_bytes_) -
                             static_cast<std::int64_t>(told_unsent_));
  told_unsent_ = unsent_bytes_;
}

/// The nearest of what is ready, serialised.
grpc::ByteBuffer ChunkStream::take_batch() {
  const auto nearer = [](const Answer& a, const Answer& b) { return a.rank < b.rank; };
  if (!std::is_sorted(ready_.begin(), ready_.end(), nearer))
    std::sort(ready_.begin(), ready_.end(), nearer);
  WireBatch wire(std::min(unsent_bytes_, pace_.batch_bytes + largest_chunk_) +
                 ready_.size() * kMaxChunkFraming);
  std::size_t taken = 0;
  written_bytes_ = 0;
  std::size_t chunks = 0;
  for (; taken < ready_.size() && taken < pace_.batch_chunks && wire.bytes() < pace_.batch_bytes;
       ++taken) {
    const auto& [rank, chunk, failure] = ready_[taken];
    if (taken + 1 < ready_.size() && ready_[taken + 1].chunk) prefetch(*ready_[taken + 1].chunk);
    if (chunk) {
      written_bytes_ += chunk->size();
      ++chunks;
      wire.add(query_.coords[rank], *chunk);
    } else {
      wire.add(query_.coords[rank], *failure);
    }
  }
  ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(taken));
  metrics().sent(source().weight, chunks, written_bytes_);
  dues_.add(written_bytes_);
  return wire.take();
}

grpc::Status ChunkStream::last_status() {
  if (no_memory_) return refuse(call(), schedule::out_of_memory());
  if (gave_up_) return grpc::Status::CANCELLED;
  if (overloaded_) call().tell_pushback(some_pushback());
  return grpc::Status::OK;
}

/// With the layers that were asked for.
ChunkStream::Answer ChunkStream::answer_of(std::size_t rank, Result<codec::EncodedChunk> chunk) {
  if (chunk && query_.layers == kAllLayers) return {rank, *std::move(chunk)};
  try {
    if (chunk) chunk = with_layers(*std::move(chunk), query_.layers);
  } catch (const std::bad_alloc&) {
    chunk = tl::unexpected(schedule::out_of_memory());
  }
  if (chunk) return {rank, *std::move(chunk)};
  return {rank, nullptr, std::make_unique<const Error>(std::move(chunk).error())};
}

void ChunkStream::deliver(std::size_t rank, Result<codec::EncodedChunk> chunk) {
  std::optional<Answer> answer;  // none: there is no memory for one
  try {
    answer = answer_of(rank, std::move(chunk));
  } catch (const std::bad_alloc&) {
    answer.reset();
  }
  bool asker_goes_on = false;
  {
    const MutexLock lock(mutex_);
    --in_flight_;
    // it looks again when it is done: chunks from memory become whole batches
    asker_goes_on = asking_;
    dues_.pay(source_);
    try {
      if (!answer) throw std::bad_alloc();
      take_in(*std::move(answer));
    } catch (const std::bad_alloc&) {
      fail_for_memory();
    }
    tell_unsent();
  }
  if (!asker_goes_on) advance();
}

void ChunkStream::take_in(Answer answer) {
  if (answer.chunk) {
    const std::size_t bytes = answer.chunk->size();
    ready_.push_back(std::move(answer));
    unsent_bytes_ += bytes;
    largest_chunk_ = std::max(largest_chunk_, bytes);
    max_in_flight_ = std::min(max_in_flight_ + 1, pace_.max_in_flight);
    refusals_ = 0;
    return;
  }
  const bool is_refused = answer.failure->code == ErrorCode::kResourceExhausted;
  if (is_refused && refusals_ < kMaxRefusals) {
    again_.push_back(answer.rank);
    max_in_flight_ = std::max<std::size_t>(1, max_in_flight_ / 2);
    // else what is still in flight comes in time, and then there may be room
    if (in_flight_ == 0) {
      ++refusals_;
      ask_at_ = Clock::now() + kRefusedPause;
    }
  } else {
    overloaded_ |= is_refused;
    ready_.push_back(std::move(answer));
  }
}

void ChunkStream::give_up() {
  {
    const MutexLock lock(mutex_);
    gave_up_ = true;
  }
  // delivers what is in flight, on this thread or another: not under the lock
  stop_.request_stop();
  advance();
}

void ChunkStream::OnWriteDone(bool ok) {
  bool asker_goes_on = false;
  {
    const MutexLock lock(mutex_);
    writing_ = false;
    asker_goes_on = asking_;  // two threads at once would only wait for each other
    unsent_bytes_ -= written_bytes_;
    tell_unsent();
    wire_.Clear();
  }
  if (!ok) return give_up();
  if (!asker_goes_on) advance();
}

void ChunkStream::OnCancel() { give_up(); }

}  // namespace terrane::rpc
