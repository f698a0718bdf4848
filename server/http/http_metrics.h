#pragma once

#include <cstddef>
#include <map>

#include "ops/metrics.h"

namespace terrane::http {

/// What the port counts.
struct HttpMetrics {
  explicit HttpMetrics(ops::Metrics& metrics);

  /// Counts an answer, and the bytes of it.
  void answered(unsigned status, std::size_t bytes) const;

  ops::Gauge connections;
  ops::Counter sent_bytes;
  ops::Counter timed_out;                    // connections closed for it
  ops::Counter handshakes_failed;            // the same, of TLS
  std::map<unsigned, ops::Counter> answers;  // by status
};

}  // namespace terrane::http
