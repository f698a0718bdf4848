#pragma once

#include <map>

#include "ops/metrics.h"

namespace terrane::http {

/// What the port counts.
struct HttpMetrics {
  explicit HttpMetrics(ops::Metrics& metrics);

  /// Counts an answer.
  void answered(unsigned status) const;

  ops::Gauge connections;
  ops::Counter timed_out;                    // connections closed for it
  ops::Counter handshakes_failed;            // the same, of TLS
  std::map<unsigned, ops::Counter> answers;  // by status
};

}  // namespace terrane::http
