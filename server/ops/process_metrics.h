#pragma once

#include "ops/metrics.h"

namespace terrane::ops {

/// What the system says of this process, under the names that Prometheus' own clients give it:
/// resident and virtual memory, processor time, open files and their limit, threads, time of start.
/// What /proc does not tell is left out.
void scrape_process(Scrape& scrape);

}  // namespace terrane::ops
