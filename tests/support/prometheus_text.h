#pragma once

#include <algorithm>
#include <sstream>
#include <string>

namespace terrane::test {

/// Whether a page of metrics has this line.
inline bool has_line(const std::string& page, const std::string& wanted) {
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line == wanted) return true;
  }
  return false;
}

/// The value of a series ("name" or "name{label=\"…\"}") of a page of metrics; -1 when it is not
/// there.
inline double value_of(const std::string& page, const std::string& series) {
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(series) && line[series.size()] == ' ')
      return std::stod(line.substr(series.size()));
  }
  return -1;
}

/// The sum of all series of a page of metrics that begin so: "name{"; -1 when there is none.
inline double sum_of(const std::string& page, const std::string& begin) {
  std::istringstream lines(page);
  double sum = -1;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(begin))
      sum = std::max(sum, 0.0) + std::stod(line.substr(line.rfind(' ') + 1));
  }
  return sum;
}

}  // namespace terrane::test
