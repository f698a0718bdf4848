#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "store/chunk_record.h"
#include "store/put_queue.h"

struct MDB_txn;

namespace terrane::store {

class Environment;

/// The one thread that writes: takes batches from the queue and commits them in the order of their keys, and clears away readers
/// that died. It never fails its callers: what it can't write is dropped and counted.
class Writer {
 public:
  /// @param puts_per_commit  largest number of puts in one transaction
  Writer(Environment& environment, PutQueue& queue, std::size_t puts_per_commit);
  /// Closes the queue and writes what is in it.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  struct Counts {
    std::atomic<std::uint64_t> puts = 0;
    std::atomic<std::uint64_t> dropped = 0;
    std::atomic<std::uint64_t> commits = 0;
    std::atomic<std::uint64_t> used_bytes = 0;
    std::atomic<std::uint64_t> entries = 0;
    std::atomic<bool> broken = false;  // a write failed; nothing has been written since
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  struct Put {
    KeyBytes key;
    const std::string* chunk;  // alive while its batch is being written
  };

  void run();
  void write(const PutQueue::Batch& batch);
  bool commit(std::span<const Put> puts, std::span<const ChunkKey> removals);
  int fill(MDB_txn* txn, std::span<const Put> puts, std::span<const ChunkKey> removals, std::size_t& stored);
  void read_usage();

  Environment& environment_;
  PutQueue& queue_;
  const std::size_t puts_per_commit_;
  Counts counts_;
  std::thread thread_;
};

}  // namespace terrane::store
