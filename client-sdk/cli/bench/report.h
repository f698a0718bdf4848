#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/session.h"

namespace terrane::cli {

/// One figure of a bench.
struct Figure {
  std::string_view name;  // with its unit: "first_p99_ms"
  double value = 0;
  int decimals = 0;
  std::string_view meaning = {};  // for people
};

/// What a scenario has measured.
struct BenchReport {
  std::string scenario;
  std::string setting;  // how it was measured, in words
  std::vector<Figure> figures = {};
  std::optional<std::uint64_t> place_seed = {};  // so that a run can be repeated
};

/// Adds the median and the 99th percentile; nothing if there are no values.
void add_quantiles(BenchReport& report, const std::vector<double>& values,
                   std::string_view p50_name, std::string_view p99_name, std::string_view meaning);

/// One JSON object on one line, or a line for each figure.
void print_json(std::ostream& out, const BenchReport& report, const WorldRef& ref);
void print_text(std::ostream& out, const BenchReport& report, const WorldRef& ref);

/// The value that a share (0 to 1) of them do not exceed; 0 of none.
[[nodiscard]] double quantile(std::vector<double> values, double share);

}  // namespace terrane::cli
