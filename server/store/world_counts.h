#pragma once

#include <cstdint>
#include <map>

#include "store/chunk_record.h"
#include "terrane/mutex.h"

struct MDB_txn;

namespace terrane::store {

/// How many chunks the file holds of each world. Kept in the file, among the records of its table
/// `meta`, by the transactions that change it. now(): any thread; the rest: the writer's.
class WorldCounts {
 public:
  using ByWorld = std::map<WorldFingerprint, std::uint64_t>;

  /// Takes over what the file says. @return 0 or LMDB's error
  int read(MDB_txn* txn, unsigned meta);

  /// A transaction begins: what was noted in one before it that failed is forgotten.
  void begin() { changes_.clear(); }
  void note(const KeyBytes& key, std::int64_t change) {
    changes_[owner_of(key).fingerprint] += change;
  }
  /// Writes what was noted. @return 0 or LMDB's error
  int write(MDB_txn* txn, unsigned meta);
  /// The transaction is committed.
  void end();

  /// As of the last commit.
  [[nodiscard]] ByWorld now() const;

 private:
  std::map<WorldFingerprint, std::int64_t> changes_;
  ByWorld changed_;  // the new counts of those
  mutable Mutex mutex_;
  ByWorld counts_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace terrane::store
