#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "codec/chunk_codec.h"
#include "terrane/coord.h"

struct MDB_txn;

namespace terrane::store {

class Environment;

/// Looks chunks up. Read transactions are kept and renewed; none is open between two calls, so none pins old pages. Thread-safe.
class ReaderPool {
 public:
  explicit ReaderPool(const Environment& environment) : environment_(environment) {}
  ~ReaderPool();
  ReaderPool(const ReaderPool&) = delete;
  ReaderPool& operator=(const ReaderPool&) = delete;

  /// Fills the entries of `found` that are null with copies of what the database holds, in one read transaction.
  /// @return keys whose record is damaged; they count as not there
  /// Trouble with the database counts as nothing there. Blocks on the disk.
  std::vector<ChunkKey> find(std::span<const ChunkKey> keys, std::span<codec::EncodedChunk> found);

 private:
  MDB_txn* begin();
  void end(MDB_txn* txn);

  const Environment& environment_;
  std::mutex mutex_;
  std::vector<MDB_txn*> idle_;
};

}  // namespace terrane::store
