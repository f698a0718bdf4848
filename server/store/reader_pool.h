#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <vector>

#include "codec/chunk_codec.h"
#include "terrane/coord.h"

struct MDB_txn;

namespace terrane::store {

class Environment;
class UseClock;

/// Looks chunks up. Read transactions are kept and renewed; none is open between two calls, so none pins old pages. Thread-safe.
class ReaderPool {
 public:
  ReaderPool(const Environment& environment, UseClock& uses) : environment_(environment), uses_(uses) {}
  ~ReaderPool();
  ReaderPool(const ReaderPool&) = delete;
  ReaderPool& operator=(const ReaderPool&) = delete;

  /// Fills the entries of `found` that are null with copies of what the database holds, in one read transaction.
  /// @return keys whose record is damaged; they count as not there
  /// Trouble with the database counts as nothing there. Blocks on the disk.
  std::vector<ChunkKey> find(std::span<const ChunkKey> keys, std::span<codec::EncodedChunk> found);

  /// Ends all read transactions and runs `work` while there are none: what find() is asked meanwhile is not there.
  void pause(const std::function<void()>& work);

 private:
  void find_open(std::span<const ChunkKey> keys, std::span<codec::EncodedChunk> found, std::vector<ChunkKey>& damaged);
  MDB_txn* begin();
  void end(MDB_txn* txn);

  const Environment& environment_;
  UseClock& uses_;
  std::atomic<bool> paused_ = false;  // keeps readers away from in_use_, so that they can't starve pause()
  std::shared_mutex in_use_;          // shared by find(), taken alone by pause()
  std::mutex mutex_;
  std::vector<MDB_txn*> idle_;
};

}  // namespace terrane::store
