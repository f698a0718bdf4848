#include "store/cache_contents.h"

#include <cstddef>
#include <utility>

#include "store/chunk_record.h"
#include "terrane/result_macros.h"

namespace terrane::store {
namespace {

constexpr std::size_t kEntriesOfScan = 8192;  // some milliseconds, with the file in memory
// Each frees some pages, and all of them are one transaction.
constexpr std::size_t kEntriesOfRemoval = 512;

tl::unexpected<Error> stopped() {
  return fail(ErrorCode::kCancelled, "stopped before all of the cache was looked at");
}

}  // namespace

Result<std::vector<WorldContents>> survey(ChunkStore& store, std::stop_token stop) {
  std::vector<WorldContents> worlds;
  std::uint64_t last_seed = 0;
  const auto count = [&](const KeyBytes& key, std::size_t bytes) {
    const KeyOwner owner = owner_of(key);
    const bool is_new = worlds.empty() || worlds.back().fingerprint != owner.fingerprint;
    if (is_new) worlds.push_back({.fingerprint = owner.fingerprint});
    WorldContents& world = worlds.back();
    if (is_new || owner.seed != last_seed) ++world.seeds;
    last_seed = owner.seed;
    ++world.chunks;
    world.bytes += bytes;
  };
  for (std::optional<KeyBytes> next = KeyBytes{}; next;) {
    if (stop.stop_requested()) return stopped();
    TERRANE_ASSIGN_OR_RETURN(next, store.scan(*next, kEntriesOfScan, count));
  }
  return worlds;
}

Result<Purged> purge(ChunkStore& store, const Variant& variant, std::stop_token stop) {
  Purged purged;
  std::optional<KeyBytes> next = encode_key_prefix(variant.fingerprint, variant.seed.value_or(0));
  while (next) {
    if (stop.stop_requested()) return stopped();
    std::vector<KeyBytes> keys;
    std::uint64_t bytes = 0;
    bool is_past = false;
    TERRANE_ASSIGN_OR_RETURN(
        next, store.scan(*next, kEntriesOfRemoval, [&](const KeyBytes& key, std::size_t size) {
          const KeyOwner owner = owner_of(key);
          is_past = is_past || owner.fingerprint != variant.fingerprint ||
                    (variant.seed && owner.seed != *variant.seed);
          if (is_past) return;
          keys.push_back(key);
          bytes += size;
        }));
    if (!keys.empty()) {
      TERRANE_RETURN_IF_ERROR(store.remove(keys));
    }
    purged.chunks += keys.size();
    purged.bytes += bytes;
    if (is_past) break;
  }
  return purged;
}

}  // namespace terrane::store
