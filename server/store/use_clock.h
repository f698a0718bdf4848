#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "store/chunk_record.h"

struct MDB_txn;

namespace terrane::store {

/// Which entries to evict, by the CLOCK algorithm: a hand goes round over all keys; an entry that
/// was used since the hand last passed it gets another round. One bit in memory for each slot of a
/// hash table, hence nothing to rebuild at start; where two keys share a slot, a use of one spares
/// both.
class UseClock {
 public:
  /// @param max_bytes  the largest size of the cache; there is a slot for every 512 of them, so
  ///   several an entry
  explicit UseClock(std::uint64_t max_bytes);

  /// An entry was used. Threads: any. Does not block.
  void note(const KeyBytes& key);

  /// Moves the hand on until it has met `limit` entries not used since it last passed, is at the
  /// last key, or `until` is over.
  /// @param unused  gets their keys
  /// @return 0 or LMDB's error
  /// Threads: one at a time.
  int find_unused(MDB_txn* txn, unsigned chunks, std::size_t limit,
                  std::chrono::steady_clock::time_point until, std::vector<KeyBytes>& unused);

 private:
  /// @return whether it was noted
  bool forget(const KeyBytes& key);

  std::vector<std::atomic<std::uint64_t>> used_;  // a power of two of them
  KeyBytes hand_{};                               // where to go on
};

}  // namespace terrane::store
