#include "store/reader_pool.h"

#include <lmdb.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

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
  damaged.reserve(keys.size());
  with_transaction([&](MDB_txn* txn) {
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
  });
  return damaged;
}

std::vector<bool> ReaderPool::contains(std::span<const ChunkKey> keys) {
  std::vector<bool> contained(keys.size());
  with_transaction([&](MDB_txn* txn) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      KeyBytes bytes = encode_key(keys[i]);
      MDB_val key{bytes.size(), bytes.data()};
      MDB_val record{};
      contained[i] = mdb_get(txn, environment_.chunks(), &key, &record) == 0;
      if (contained[i]) uses_.note(bytes);
    }
  });
  return contained;
}

Result<std::optional<KeyBytes>> ReaderPool::scan(
    const KeyBytes& from, std::size_t limit,
    const std::function<void(const KeyBytes& key, std::size_t bytes)>& visit) {
  std::optional<KeyBytes> next;
  int rc = MDB_PANIC;
  with_transaction([&](MDB_txn* txn) {
    MDB_cursor* cursor = nullptr;
    rc = mdb_cursor_open(txn, environment_.chunks(), &cursor);
    if (rc != 0) return;
    const std::unique_ptr<MDB_cursor, decltype(&mdb_cursor_close)> closing(cursor,
                                                                           mdb_cursor_close);
    KeyBytes at = from;
    MDB_val key{at.size(), at.data()};
    MDB_val record{};
    rc = mdb_cursor_get(cursor, &key, &record, MDB_SET_RANGE);
    for (std::size_t seen = 0; rc == 0; ++seen) {
      if (key.mv_size != kKeyBytes) {
        rc = MDB_CORRUPTED;
        return;
      }
      std::memcpy(at.data(), key.mv_data, kKeyBytes);
      if (seen == limit) {
        next = at;
        return;
      }
      visit(at, record.mv_size - std::min(record.mv_size, kChecksumBytes));
      rc = mdb_cursor_get(cursor, &key, &record, MDB_NEXT);
    }
    if (rc == MDB_NOTFOUND) rc = 0;
  });
  if (rc == 0) return next;
  return fail(ErrorCode::kUnavailable,
              rc == MDB_PANIC ? "the cache is being started anew"
                              : std::string("the cache can't be read: ") + mdb_strerror(rc));
}

/// @return false where there can be no transaction now: `read` was not called
template <typename Read>
bool ReaderPool::with_transaction(Read&& read) {
  const auto now = Clock::now();
  MDB_txn* const txn = begin(now);
  if (txn == nullptr) return false;
  // also where there is no memory for a chunk: whoever waits for the readers waits for this one
  const auto close = [&](void*) { end(txn, now); };
  const std::unique_ptr<void, decltype(close)> closing(this, close);
  read(txn);
  return true;
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
