#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <span>
#include <thread>
#include <vector>

#include "store/chunk_record.h"
#include "store/put_queue.h"
#include "store/world_counts.h"

struct MDB_txn;

namespace terrane::store {

class Environment;
class OfferedWorlds;
class ReaderPool;
class UseClock;

/// The one thread that writes: takes batches from the queue and commits them in the order of their
/// keys; before the cache is full it evicts what is of worlds that are not on offer, and then what
/// is not used; and it clears away readers that died. It never fails its callers: what it can't
/// write is dropped and counted. After a write that failed the cache starts anew, a tenth smaller
/// when it was the disk that had no room.
class Writer {
 public:
  /// @param puts_per_commit  largest number of puts in one transaction
  Writer(Environment& environment, PutQueue& queue, ReaderPool& readers, UseClock& uses,
         const OfferedWorlds& offered, std::size_t puts_per_commit);
  /// stop() has been called, and was true.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// Closes the queue and writes what is in it.
  /// @return false when the thread has not come back within `limit`: it still uses this object and
  ///   those it was made with, so that they can't be destroyed
  [[nodiscard]] bool stop(std::chrono::milliseconds limit);

  struct Counts {
    std::atomic<std::uint64_t> puts = 0;
    std::atomic<std::uint64_t> dropped = 0;
    std::atomic<std::uint64_t> kept = 0;  // that were to be removed
    std::atomic<std::uint64_t> evictions = 0;
    std::atomic<std::uint64_t> commits = 0;
    std::atomic<std::int64_t> commit_ns = 0;  // that they took, all together
    std::atomic<std::uint64_t> used_bytes = 0;
    std::atomic<std::uint64_t> entries = 0;
    // of what is used; lower than the map's size where the disk has no room for that
    std::atomic<std::uint64_t> limit_bytes = 0;
    // it failed again when started anew; nothing has been written since
    std::atomic<bool> broken = false;
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }
  [[nodiscard]] WorldCounts::ByWorld by_world() const { return by_world_.now(); }

 private:
  struct Put {
    KeyBytes key;
    const std::string* chunk;  // alive while its batch is being written
  };

  void run();
  void write(const PutQueue::Batch& batch);
  void commit(std::span<const Put> puts, std::span<const KeyBytes> removals);
  int store(MDB_txn* txn, std::span<const Put> puts, std::size_t& stored);
  int remove(MDB_txn* txn, std::span<const KeyBytes> removals);
  int store(MDB_txn* txn, const Put& put, std::uint64_t record_bytes);
  void evict();
  int transact(const std::function<int(MDB_txn*)>& change);
  void recover(int failure);
  void clear_dead_readers();
  void read_usage();
  void note_usage(std::uint64_t used_bytes, std::uint64_t entries);

  Environment& environment_;
  PutQueue& queue_;
  ReaderPool& readers_;
  UseClock& uses_;
  const OfferedWorlds& offered_;
  const std::size_t puts_per_commit_;
  bool evicting_ = false;        // from a high fill until a lower one
  bool just_recovered_ = false;  // nothing has been committed since
  Counts counts_;
  WorldCounts by_world_;
  std::promise<void> ended_;
  std::thread thread_;
};

}  // namespace terrane::store
