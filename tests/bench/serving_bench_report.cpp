#include "bench/serving_bench_report.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace terrane::bench {
namespace {

/// Three digits that matter, without an exponent.
std::string round_off(double number) {
  char text[64];
  const int decimals = number >= 100 ? 0 : number >= 10 ? 1 : number >= 1 ? 2 : 3;
  std::snprintf(text, sizeof(text), "%.*f", decimals, number);
  return text;
}

void append_padded(std::string& line, const std::string& text, std::size_t width) {
  line.append(width > text.size() ? width - text.size() : 0, ' ').append(text);
}

}  // namespace

void Table::add(std::string label, std::vector<Value> values) {
  labels.push_back(std::move(label));
  rows.push_back(std::move(values));
}

std::string to_text(const Table& table) {
  constexpr std::size_t kGap = 2;
  std::string text = table.title + "\n";
  std::size_t label_width = 0;
  for (const std::string& label : table.labels) label_width = std::max(label_width, label.size());
  text.append(label_width, ' ');
  if (!table.rows.empty()) {
    for (const Value& value : table.rows.front())
      append_padded(text, value.name, std::max<std::size_t>(value.name.size(), 8) + kGap);
  }
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    text.append("\n").append(table.labels[i]).append(label_width - table.labels[i].size(), ' ');
    for (const Value& value : table.rows[i]) {
      append_padded(text, round_off(value.number),
                    std::max<std::size_t>(value.name.size(), 8) + kGap);
    }
  }
  return text + "\n";
}

std::string to_json(const std::vector<Table>& tables) {
  std::string text = "{";
  for (const Table& table : tables) {
    text.append(text.size() > 1 ? ",\n" : "\n").append("  \"").append(table.name).append("\": [");
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      text.append(i > 0 ? ",\n" : "\n")
          .append("    {\"case\": \"")
          .append(table.labels[i])
          .append("\"");
      for (const Value& value : table.rows[i])
        text.append(", \"").append(value.name).append("\": ").append(round_off(value.number));
      text.append("}");
    }
    text.append("\n  ]");
  }
  return text + "\n}\n";
}

double quantile(std::vector<double> values, double share) {
  const auto rank = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + rank, values.end());
  return values[static_cast<std::size_t>(rank)];
}

std::vector<Value> medians(const std::vector<std::vector<Value>>& rows) {
  std::vector<Value> middle = rows.front();
  for (std::size_t i = 0; i < middle.size(); ++i) {
    std::vector<double> column;
    for (const auto& row : rows) column.push_back(row[i].number);
    middle[i].number = quantile(std::move(column));
  }
  return middle;
}

}  // namespace terrane::bench
