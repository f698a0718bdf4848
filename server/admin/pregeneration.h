#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "admin/area_order.h"
#include "pipeline/chunk_pipeline.h"
#include "schedule/source.h"
#include "schedule/worker_pool.h"
#include "store/chunk_store.h"
#include "terrane/coord.h"
#include "terrane/result.h"
#include "worldgen/world.h"

namespace terrane::admin {

/// What is to be made.
struct PregenerationOrder {
  std::shared_ptr<const worldgen::World> world;
  std::uint64_t seed = 0;
  ChunkArea area;
  std::vector<Lod> lods;
  double max_rate = 0;  // chunks a second; 0: as many as the workers have time for
  std::uint64_t cursor = 0;
  schedule::Source source = {};  // who is charged
};

/// How far it is.
struct PregenerationProgress {
  std::uint64_t cursor = 0;  // all before it are in the cache's file, but for those that failed
  std::uint64_t total = 0;
  std::uint64_t generated = 0;
  std::uint64_t found = 0;   // in the cache
  std::uint64_t failed = 0;  // to be made, or kept
  double seconds_left = 0;   // at the rate of late; 0: not known yet, or done
  bool yields = false;       // others have the workers
};

/// Makes an area's chunks for the store. Few are asked for at once, and none while anybody else's
/// work waits for a worker, but for ten a second, so that it ends some day on a server that is
/// always busy. Blocks until all are there.
/// @param report  called twice a second, and at the end
/// Errors: kCancelled, and those of the store.
[[nodiscard]] Result<void> pregenerate(
    const PregenerationOrder& order, pipeline::ChunkPipeline& pipeline,
    const schedule::WorkerPool& workers, store::ChunkStore& store, const std::stop_token& stop,
    const std::function<void(const PregenerationProgress&)>& report);

}  // namespace terrane::admin
