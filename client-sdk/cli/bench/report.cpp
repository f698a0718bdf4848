#include "cli/bench/report.h"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "cli/terminal/text.h"

namespace terrane::cli {
namespace {

constexpr std::size_t kValueWidth = 14;

}  // namespace

void add_quantiles(BenchReport& report, const std::vector<double>& values,
                   std::string_view p50_name, std::string_view p99_name, std::string_view meaning) {
  if (values.empty()) return;
  report.figures.push_back({p50_name, quantile(values, 0.5), 2, meaning});
  report.figures.push_back({p99_name, quantile(values, 0.99), 2, "the same"});
}

void print_json(std::ostream& out, const BenchReport& report, const WorldRef& ref) {
  out << "{\"scenario\":" << json_string(report.scenario) << ",\"world\":" << json_string(ref.name)
      << ",\"seed\":" << ref.seed;
  if (report.place_seed) out << ",\"place_seed\":" << *report.place_seed;
  for (const Figure& figure : report.figures)
    out << ",\"" << figure.name << "\":" << rounded(figure.value, figure.decimals);
  out << "}\n";
}

void print_text(std::ostream& out, const BenchReport& report, const WorldRef& ref) {
  out << report.scenario << ": " << report.setting << "; world " << ref.name << ", "
      << variant_text(ref);
  if (report.place_seed) out << ", place seed " << *report.place_seed;
  out << '\n';
  std::size_t width = 0;
  for (const Figure& figure : report.figures) width = std::max(width, figure.name.size());
  for (const Figure& figure : report.figures) {
    out << "  " << pad_right(std::string(figure.name), width)
        << pad_left(rounded(figure.value, figure.decimals), kValueWidth) << "  " << figure.meaning
        << '\n';
  }
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  // as many do not exceed it
  const auto count = std::ceil(share * static_cast<double>(values.size()));
  const auto rank = std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(count) - 1);
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

}  // namespace terrane::cli
