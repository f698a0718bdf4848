#pragma once

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

#include "store/chunk_record.h"
#include "terrane/mutex.h"

struct MDB_txn;

namespace terrane::store {

/// Which worlds the server has now: chunks of any other are of no use to anybody, and make room
/// before those that are. Thread-safe.
class OfferedWorlds {
 public:
  /// @param fingerprints  in any order; none: it is not known
  void set(std::vector<WorldFingerprint> fingerprints);

  /// Finds up to `limit` entries of worlds that are not on offer, for as long as `until`; none
  /// where it is not known which are.
  /// @param stale  gets their keys
  /// @return 0 or LMDB's error
  int find_stale(MDB_txn* txn, unsigned chunks, std::size_t limit,
                 std::chrono::steady_clock::time_point until, std::vector<KeyBytes>& stale) const;

 private:
  mutable Mutex mutex_;
  std::vector<WorldFingerprint> sorted_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::store
