#include "store/put_queue.h"

#include <algorithm>
#include <utility>

namespace terrane::store {
namespace {

// 4,096 chunks of 16 KiB; only large chunks meet it first
constexpr std::size_t kMaxWaitingBytes = std::size_t{64} << 20;

}  // namespace

bool PutQueue::put(const ChunkKey& key, codec::EncodedChunk chunk) {
  const MutexLock lock(mutex_);
  if (waiting_.puts.contains(key) || writing_.puts.contains(key)) return true;
  if (closed_ || waiting_.puts.size() >= options_.max_puts ||
      waiting_bytes_ + chunk->size() > kMaxWaitingBytes)
    return false;
  const std::size_t bytes = chunk->size();
  waiting_.puts.emplace(key, std::move(chunk));
  waiting_bytes_ += bytes;
  note_change();
  return true;
}

bool PutQueue::remove(const KeyBytes& key) {
  const MutexLock lock(mutex_);
  if (closed_ || waiting_.removals.size() >= options_.max_puts) return false;
  waiting_.removals.push_back(key);
  note_change();
  return true;
}

void PutQueue::note_change() {
  const bool first = !due_.has_value();
  if (first) due_ = Clock::now() + options_.interval;
  if (first || waiting_.puts.size() == options_.batch_puts) changed_.notify_one();
}

void PutQueue::find(std::span<const ChunkKey> keys, std::span<codec::EncodedChunk> found) const {
  const MutexLock lock(mutex_);
  if (waiting_.puts.empty() && writing_.puts.empty()) return;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (const Puts* puts : {&waiting_.puts, &writing_.puts}) {
      if (const auto it = puts->find(keys[i]); it != puts->end()) found[i] = it->second;
    }
  }
}

bool PutQueue::flush(std::chrono::milliseconds limit) {
  const auto until = Clock::now() + limit;
  const MutexLock lock(mutex_);
  const std::uint64_t target = taken_ + (idle() ? 0 : 1);
  wanted_ = std::max(wanted_, target);
  changed_.notify_one();
  while (finished_count_ < target) {
    if (!finished_.wait_until(mutex_, until)) break;
  }
  return finished_count_ >= target;
}

void PutQueue::close() {
  const MutexLock lock(mutex_);
  closed_ = true;
  changed_.notify_one();
}

const PutQueue::Batch* PutQueue::take(Clock::time_point until) {
  const MutexLock lock(mutex_);
  for (;;) {
    const auto now = Clock::now();
    const bool due = closed_ || wanted_ > taken_ || waiting_.puts.size() >= options_.batch_puts ||
                     (due_ && now >= *due_);
    if (!idle() && due) break;
    if (closed_ || now >= until) return nullptr;
    changed_.wait_until(mutex_, due_ ? std::min(*due_, until) : until);
  }
  std::swap(writing_, waiting_);
  waiting_bytes_ = 0;
  due_.reset();
  ++taken_;
  return &writing_;
}

void PutQueue::finish() {
  Batch done;  // freed after the lock
  const MutexLock lock(mutex_);
  std::swap(done, writing_);
  ++finished_count_;
  finished_.notify_all();
}

bool PutQueue::ended() const {
  const MutexLock lock(mutex_);
  return closed_ && idle();
}

}  // namespace terrane::store
