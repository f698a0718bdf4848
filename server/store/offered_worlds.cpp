#include "store/offered_worlds.h"

#include <lmdb.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace terrane::store {

void OfferedWorlds::set(std::vector<WorldFingerprint> fingerprints) {
  std::sort(fingerprints.begin(), fingerprints.end());
  const MutexLock lock(mutex_);
  sorted_.swap(fingerprints);
}

int OfferedWorlds::find_stale(MDB_txn* txn, unsigned chunks, std::size_t limit,
                              std::chrono::steady_clock::time_point until,
                              std::vector<KeyBytes>& stale) const {
  std::vector<WorldFingerprint> offered;
  {
    const MutexLock lock(mutex_);
    offered = sorted_;
  }
  if (offered.empty()) return 0;
  MDB_cursor* cursor = nullptr;
  int rc = mdb_cursor_open(txn, chunks, &cursor);
  if (rc != 0) return rc;
  KeyBytes next{};
  MDB_val key{next.size(), next.data()};
  MDB_cursor_op step = MDB_SET_RANGE;
  while (stale.size() < limit && std::chrono::steady_clock::now() <= until &&
         (rc = mdb_cursor_get(cursor, &key, nullptr, step)) == 0) {
    if (key.mv_size != kKeyBytes) {
      rc = MDB_CORRUPTED;
      break;
    }
    std::memcpy(next.data(), key.mv_data, kKeyBytes);
    const WorldFingerprint fingerprint = owner_of(next).fingerprint;
    step = MDB_NEXT;
    if (!std::binary_search(offered.begin(), offered.end(), fingerprint)) {
      stale.push_back(next);
    } else if (fingerprint == std::numeric_limits<WorldFingerprint>::max()) {
      break;
    } else {  // over all that is of a world on offer
      next = encode_key_prefix(fingerprint + 1, 0);
      key = {next.size(), next.data()};
      step = MDB_SET_RANGE;
    }
  }
  mdb_cursor_close(cursor);
  return rc == MDB_NOTFOUND ? 0 : rc;
}

}  // namespace terrane::store
