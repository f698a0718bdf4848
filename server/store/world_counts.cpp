#include "store/world_counts.h"

#include <lmdb.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

namespace terrane::store {
namespace {

constexpr std::string_view kPrefix = "chunks-of-world-";

/// Prefix and fingerprint, big-endian.
using Name = std::array<char, kPrefix.size() + sizeof(WorldFingerprint)>;

Name name_of(WorldFingerprint fingerprint) {
  Name name{};
  std::copy(kPrefix.begin(), kPrefix.end(), name.begin());
  const KeyBytes key = encode_key_prefix(fingerprint, 0);
  std::memcpy(name.data() + kPrefix.size(), key.data(), sizeof(WorldFingerprint));
  return name;
}

/// @return whether the record is a count
bool read_record(const MDB_val& name, const MDB_val& value, WorldFingerprint& fingerprint,
                 std::uint64_t& count) {
  if (name.mv_size != sizeof(Name) || value.mv_size != sizeof(count) ||
      std::memcmp(name.mv_data, kPrefix.data(), kPrefix.size()) != 0)
    return false;
  KeyBytes key{};
  std::memcpy(key.data(), static_cast<const char*>(name.mv_data) + kPrefix.size(),
              sizeof(fingerprint));
  fingerprint = owner_of(key).fingerprint;
  std::memcpy(&count, value.mv_data, sizeof(count));
  return true;
}

}  // namespace

int WorldCounts::read(MDB_txn* txn, unsigned meta) {
  ByWorld found;
  MDB_cursor* cursor = nullptr;
  int rc = mdb_cursor_open(txn, meta, &cursor);
  if (rc != 0) return rc;
  MDB_val name{}, value{};
  while ((rc = mdb_cursor_get(cursor, &name, &value, MDB_NEXT)) == 0) {
    WorldFingerprint fingerprint = 0;
    std::uint64_t count = 0;
    if (read_record(name, value, fingerprint, count)) found[fingerprint] = count;
  }
  mdb_cursor_close(cursor);
  const MutexLock lock(mutex_);
  counts_ = std::move(found);
  return rc == MDB_NOTFOUND ? 0 : rc;
}

int WorldCounts::write(MDB_txn* txn, unsigned meta) {
  changed_.clear();
  for (const auto& [fingerprint, change] : changes_) {
    if (change == 0) continue;
    std::uint64_t count = 0;
    {
      const MutexLock lock(mutex_);
      if (const auto known = counts_.find(fingerprint); known != counts_.end())
        count = known->second;
    }
    count += static_cast<std::uint64_t>(change);
    Name bytes = name_of(fingerprint);
    MDB_val name{bytes.size(), bytes.data()}, value{sizeof(count), &count};
    const int rc =
        count == 0 ? mdb_del(txn, meta, &name, nullptr) : mdb_put(txn, meta, &name, &value, 0);
    if (rc != 0 && rc != MDB_NOTFOUND) return rc;
    changed_[fingerprint] = count;
  }
  return 0;
}

void WorldCounts::end() {
  const MutexLock lock(mutex_);
  for (const auto& [fingerprint, count] : changed_) {
    if (count == 0) {
      counts_.erase(fingerprint);
    } else {
      counts_[fingerprint] = count;
    }
  }
}

WorldCounts::ByWorld WorldCounts::now() const {
  const MutexLock lock(mutex_);
  return counts_;
}

}  // namespace terrane::store
