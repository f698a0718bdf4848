#include "store/use_clock.h"

#include <lmdb.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace terrane::store {
namespace {

constexpr std::uint64_t kBytesPerSlot = 512;
constexpr std::uint64_t kSlotsPerWord = 64;
constexpr int kStepsPerLookAtTheTime = 64;

/// A slot: the word's index, and the bit within it.
struct Slot {
  std::size_t word;
  std::uint64_t bit;
};

Slot slot_of(const KeyBytes& key, std::size_t words) {
  const std::uint64_t hash = XXH3_64bits(key.data(), key.size());
  return {hash / kSlotsPerWord & (words - 1), std::uint64_t{1} << hash % kSlotsPerWord};
}

/// The next possible key after this one.
void increment(KeyBytes& key) {
  for (auto byte = key.rbegin(); byte != key.rend() && ++*byte == 0;) ++byte;
}

}  // namespace

UseClock::UseClock(std::uint64_t max_bytes)
    : used_(std::bit_ceil(std::max<std::uint64_t>(max_bytes / kBytesPerSlot / kSlotsPerWord, 1))) {}

void UseClock::note(const KeyBytes& key) {
  const Slot slot = slot_of(key, used_.size());
  std::atomic<std::uint64_t>& word = used_[slot.word];
  if ((word.load(std::memory_order_relaxed) & slot.bit) == 0)
    word.fetch_or(slot.bit, std::memory_order_relaxed);
}

bool UseClock::forget(const KeyBytes& key) {
  const Slot slot = slot_of(key, used_.size());
  return (used_[slot.word].fetch_and(~slot.bit, std::memory_order_relaxed) & slot.bit) != 0;
}

int UseClock::find_unused(MDB_txn* txn, unsigned chunks, std::size_t limit,
                          std::chrono::steady_clock::time_point until,
                          std::vector<KeyBytes>& unused) {
  MDB_cursor* cursor = nullptr;
  int rc = mdb_cursor_open(txn, chunks, &cursor);
  if (rc != 0) return rc;
  MDB_val key{hand_.size(), hand_.data()};
  MDB_cursor_op step = MDB_SET_RANGE;
  for (int steps = 1; unused.size() < limit; ++steps) {
    if (steps % kStepsPerLookAtTheTime == 0 && std::chrono::steady_clock::now() > until) break;
    rc = mdb_cursor_get(cursor, &key, nullptr, step);
    if (rc == MDB_NOTFOUND) {
      hand_ = {};  // round once more with the next call
      rc = 0;
      break;
    }
    if (rc == 0 && key.mv_size != kKeyBytes) rc = MDB_CORRUPTED;
    if (rc != 0) break;
    step = MDB_NEXT;
    std::memcpy(hand_.data(), key.mv_data, kKeyBytes);
    if (!forget(hand_)) unused.push_back(hand_);
    increment(hand_);
  }
  mdb_cursor_close(cursor);
  return rc;
}

}  // namespace terrane::store
