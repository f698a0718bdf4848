#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cli/find/judge.h"

namespace terrane::cli {

/// A seed that fulfils all wishes, and how.
struct FoundSeed {
  std::uint64_t seed = 0;
  std::vector<Evidence> evidence;
};

/// Which seeds to look at: `count` from `first` on, none of them beyond 2^64 - 1.
struct SeedRange {
  std::uint64_t first = 0, count = 0;
};

/// Told on the calling thread of some seeds more, in ascending order, whichever thread was how
/// fast.
/// @param next   all before it have been told of; 0: all there are
/// @param found  those of them that fulfil the wishes
/// @return whether to go on
using SeedReport = std::function<bool(std::uint64_t next, const std::vector<FoundSeed>& found)>;

/// Judges seeds on so many threads. Blocks: until the range has been looked at, or `report` has
/// had enough. Throws what the judge threw; fewer threads are used where the system allows no more.
void search_seeds(const Judge& judge, const SeedRange& range, int threads,
                  const SeedReport& report);

}  // namespace terrane::cli
