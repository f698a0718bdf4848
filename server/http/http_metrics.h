#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "ops/metrics.h"

namespace terrane::http {

/// What the port counts.
struct HttpMetrics {
  explicit HttpMetrics(ops::Metrics& metrics);

  /// Counts an answer, and the bytes of it.
  void answered(unsigned status, std::size_t bytes) const;

  /// How long requests take until the answer is there. @param target  "/v1/classic/7/points/3,4"
  [[nodiscard]] ops::Histogram seconds_of(std::string_view target) const;

  ops::Gauge connections;
  ops::Counter sent_bytes;
  ops::Counter timed_out;                                      // connections closed for it
  ops::Counter handshakes_failed;                              // the same, of TLS
  std::map<unsigned, ops::Counter> answers;                    // by status
  std::map<std::string, ops::Histogram, std::less<>> seconds;  // by what was asked for
};

}  // namespace terrane::http
