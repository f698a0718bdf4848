#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "admin/operations.h"
#include "client_load.h"
#include "pipeline/chunk_pipeline.h"
#include "server_metrics.h"

namespace terrane {

/// What an administrator is told that takes several rooms to know. Counts from now on.
/// @param load  outlives what is returned
/// @param memory_limit  in bytes; 0: unknown
[[nodiscard]] std::function<admin::ServerNumbers()> admin_numbers(
    const ClientLoad& load, const pipeline::PipelineTimers& timers, const QueueWaits& waits,
    std::uint64_t memory_limit);

}  // namespace terrane
