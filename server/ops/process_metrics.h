#pragma once

#include <cstdint>

#include "ops/metrics.h"

namespace terrane::ops {

/// Bytes of this process's memory that are in use and no file's, which the system can't take back:
/// without the pages of the mapped cache. 0 when /proc does not tell.
[[nodiscard]] std::uint64_t anonymous_memory();

/// What the system says of this process, under the names that Prometheus' own clients give it:
/// resident and virtual memory, processor time, open files and their limit, threads, time of start.
/// What /proc does not tell is left out.
void scrape_process(Scrape& scrape);

}  // namespace terrane::ops
