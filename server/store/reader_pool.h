#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "codec/chunk_codec.h"
#include "store/chunk_record.h"
#include "terrane/coord.h"
#include "terrane/mutex.h"
#include "terrane/result.h"

struct MDB_txn;

namespace terrane::store {

class Environment;
class UseClock;

/// Looks chunks up. Read transactions are kept and renewed; none is open between two calls, so none
/// pins old pages. Thread-safe.
class ReaderPool {
 public:
  ReaderPool(const Environment& environment, UseClock& uses)
      : environment_(environment), uses_(uses) {}
  ~ReaderPool();
  ReaderPool(const ReaderPool&) = delete;
  ReaderPool& operator=(const ReaderPool&) = delete;

  /// Fills the entries of `found` that are null with copies of what the database holds, in one read
  /// transaction.
  /// @return keys whose record is damaged; they count as not there
  /// Trouble with the database counts as nothing there. Blocks on the disk.
  std::vector<ChunkKey> find(std::span<const ChunkKey> keys, std::span<codec::EncodedChunk> found);

  /// Whether the database has them, in one read transaction. Otherwise as find().
  [[nodiscard]] std::vector<bool> contains(std::span<const ChunkKey> keys);

  /// Looks at up to `limit` entries in one read transaction, in the order of their keys from
  /// `from` on. Blocks on the disk.
  /// @param visit  gets each key, and the bytes of its chunk
  /// @return where to go on; nothing at the end. Errors: kUnavailable, when it can't be read now
  Result<std::optional<KeyBytes>> scan(
      const KeyBytes& from, std::size_t limit,
      const std::function<void(const KeyBytes& key, std::size_t bytes)>& visit);

  /// Read transactions that are open; each keeps pages from being used again.
  struct Readers {
    std::size_t count = 0;
    std::chrono::nanoseconds oldest_age{};  // of the one that began first; 0 without any
  };
  [[nodiscard]] Readers now_reading() const;

  /// Ends all read transactions and runs `work` while there are none: what find() is asked
  /// meanwhile is not there.
  void pause(const std::function<void()>& work);

 private:
  using Clock = std::chrono::steady_clock;

  template <typename Read>
  bool with_transaction(Read&& read);
  MDB_txn* begin(Clock::time_point now);
  void end(MDB_txn* txn, Clock::time_point began);

  const Environment& environment_;
  UseClock& uses_;
  mutable Mutex mutex_;
  CondVar nobody_reads_;
  // when each began that has not ended
  std::vector<Clock::time_point> reading_ ABSL_GUARDED_BY(mutex_);
  bool paused_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<MDB_txn*> idle_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::store
