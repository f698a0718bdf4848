#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "store/chunk_store.h"
#include "terrane/coord.h"
#include "terrane/result.h"

/// What a cache's file holds, world by world. All of it goes over the entries some thousands at a
/// time, so that nothing waits for it that reads or writes meanwhile, and blocks on the disk.
namespace terrane::store {

/// What the cache holds of one world.
struct WorldContents {
  WorldFingerprint fingerprint = 0;
  std::uint64_t chunks = 0;
  std::uint64_t bytes = 0;  // encoded
  std::uint64_t seeds = 0;  // of which there are any
};

/// Every world of which there are chunks, by fingerprint. Errors: those of ChunkStore::scan();
/// kCancelled.
[[nodiscard]] Result<std::vector<WorldContents>> survey(ChunkStore& store, std::stop_token stop);

/// A world, or one seed of it.
struct Variant {
  WorldFingerprint fingerprint = 0;
  std::optional<std::uint64_t> seed;  // none: all
};

struct Purged {
  std::uint64_t chunks = 0;
  std::uint64_t bytes = 0;  // encoded
};

/// Removes what is of a variant. What comes in meanwhile may stay. Errors: those of
/// ChunkStore::scan() and remove(); kCancelled. What was removed before stays removed.
[[nodiscard]] Result<Purged> purge(ChunkStore& store, const Variant& variant, std::stop_token stop);

}  // namespace terrane::store
