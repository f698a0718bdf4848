#include "store/reader_pool.h"

#include <lmdb.h>

#include <algorithm>
#include <memory>

#include "store/chunk_record.h"
#include "store/environment.h"
#include "store/use_clock.h"

namespace terrane::store {
ReaderPool::~ReaderPool() {
  for (MDB_txn* txn : idle_) mdb_txn_abort(txn);
}

std::vector<ChunkKey> ReaderPool::find(std::span<const ChunkKey> keys,
                                       std::span<codec::EncodedChunk> found) {
  std::vector<ChunkKey> damaged;
  const auto now = Clock::now();
  damaged.reserve(keys.size());
  MDB_txn* txn = begin(now);
  if (txn == nullptr) return damaged;
  // also where there is no memory for a chunk: whoever waits for the readers waits for this one
  const auto close = [&](void*) { end(txn, now); };
  const std::unique_ptr<void, decltype(close)> closing(this, close);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (found[i]) continue;
    KeyBytes bytes = encode_key(keys[i]);
    MDB_val key{bytes.size(), bytes.data()};
    MDB_val record{};
    if (mdb_get(txn, environment_.chunks(), &key, &record) != 0) continue;
    found[i] = copy_chunk(bytes, {static_cast<const char*>(record.mv_data), record.mv_size});
    if (found[i]) uses_.note(bytes);
    if (!found[i]) damaged.push_back(keys[i]);
  }
  return damaged;
}

void ReaderPool::pause(const std::function<void()>& work) {
  {
    const MutexLock lock(mutex_);
    paused_ = true;
    while (!reading_.empty()) nobody_reads_.wait(mutex_);
    for (MDB_txn* txn : idle_) mdb_txn_abort(txn);
    idle_.clear();
  }
  work();
  const MutexLock lock(mutex_);
  paused_ = false;
}

ReaderPool::Readers ReaderPool::now_reading() const {
  const MutexLock lock(mutex_);
  if (reading_.empty()) return {};
  return {reading_.size(), Clock::now() - *std::min_element(reading_.begin(), reading_.end())};
}

/// @return null while paused, or when the database is in trouble
MDB_txn* ReaderPool::begin(Clock::time_point now) {
  MDB_txn* txn = nullptr;
  {
    const MutexLock lock(mutex_);
    if (paused_ || environment_.handle() == nullptr) return nullptr;
    idle_.reserve(idle_.size() + reading_.size() + 1);  // for end(), which must not fail
    reading_.push_back(now);
    if (!idle_.empty()) {
      txn = idle_.back();
      idle_.pop_back();
    }
  }
  const int rc = txn != nullptr ? mdb_txn_renew(txn)
                                : mdb_txn_begin(environment_.handle(), nullptr, MDB_RDONLY, &txn);
  if (rc == 0) return txn;
  if (txn != nullptr) mdb_txn_abort(txn);
  end(nullptr, now);
  return nullptr;
}

void ReaderPool::end(MDB_txn* txn, Clock::time_point began) {
  if (txn != nullptr) mdb_txn_reset(txn);
  const MutexLock lock(mutex_);
  if (txn != nullptr) idle_.push_back(txn);
  reading_.erase(std::find(reading_.begin(), reading_.end(), began));
  if (reading_.empty() && paused_) nobody_reads_.notify_one();
}

}  // namespace terrane::store
