#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace terrane::bench {

/// A number with what it is: "chunks_per_s".
struct Value {
  std::string name;
  double number = 0;
};

/// A table: each row has the same values, in the same order.
struct Table {
  std::string name;   // "hot"
  std::string title;  // for people
  std::vector<std::string> labels = {};
  std::vector<std::vector<Value>> rows = {};

  void add(std::string label, std::vector<Value> values);
};

/// For people.
[[nodiscard]] std::string to_text(const Table& table);

/// One object: {"hot": [{"case": "1 stream", "chunks_per_s": …}, …], …}
[[nodiscard]] std::string to_json(const std::vector<Table>& tables);

/// The value that half of them do not exceed; `share` another share. `values` is not empty.
[[nodiscard]] double quantile(std::vector<double> values, double share = 0.5);

/// Row of medians, value by value, of rows with the same names.
[[nodiscard]] std::vector<Value> medians(const std::vector<std::vector<Value>>& rows);

}  // namespace terrane::bench
