#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cli/session.h"
#include "terrane/chunk.h"
#include "terrane/coord.h"
#include "terrane/result.h"

namespace terrane::cli {

/// Where to look for a place to stand, and what will do.
struct SpawnSearch {
  BlockPos near;
  std::int64_t radius = 131072;    // blocks, along each axis
  std::int64_t near_radius = 512;  // within it every candidate is tried, further out some are
  std::int64_t spacing = 16;       // blocks between candidates
  // a place is level when the 8 neighbours this many blocks away …
  std::int64_t foot = 4;
  // … differ from it by no more than this, 1/16 block
  std::int32_t max_step_q4 = 16;
  // no cliff is near when those this far and half as far away …
  std::int64_t surroundings = 16;
  // … differ by no more than this, or half of it
  std::int32_t max_drop_q4 = 96;
  // the world's edges, either axis: nothing is sampled outside
  std::int64_t first_block = min_block_coord(kMinChunkSize);
  std::int64_t last_block = max_block_coord(kMinChunkSize);
  // whether samples say where water stands; the place and its neighbours lie above it: dry
  bool has_water = false;
  std::int32_t sea_level_q4 = 0;  // where they don't say it, above this
};

struct SpawnPlace {
  BlockPos block;
  PointSample sample;
};

/// Samples blocks, in order.
using Sampler = std::function<Result<std::vector<PointSample>>(std::span<const BlockPos>)>;

/// The nearest candidate within `near_radius` that is dry, level and away from cliffs; nullopt when
/// there is none. Same answer every time. Errors: kOutOfRange when `near` is outside of the world,
/// and the sampler's.
[[nodiscard]] Result<std::optional<SpawnPlace>> find_spawn_near(const SpawnSearch& search,
                                                                const Sampler& sample);

/// What is dry within `reach` blocks of `near` along each axis, and perhaps further out: some of
/// the blocks of a coarse grid, in any order.
using Survey = std::function<Result<std::vector<BlockPos>>(std::int64_t reach)>;

/// A place near the nearest dry spot that has one: further than `near_radius` from `near`, as far
/// as `radius`. nullopt also when there is none at the first few hundred spots. Same answer every
/// time. Errors: the sampler's and the survey's.
[[nodiscard]] Result<std::optional<SpawnPlace>> find_spawn_afar(const SpawnSearch& search,
                                                                const Sampler& sample,
                                                                const Survey& survey);

/// In a session's world, which says what `search` need not (its water, its sea and its edges): of
/// the places where players may begin, the nearest within the radius; if its designer has named
/// none there, near by, then afar.
[[nodiscard]] Result<std::optional<SpawnPlace>> find_spawn(SpawnSearch search,
                                                           const Session& session);

}  // namespace terrane::cli
