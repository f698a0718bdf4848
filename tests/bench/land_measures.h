#pragma once

#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// What is measured, what is asked of it, and what was found.
namespace terrane::land {

inline constexpr double kAny = std::numeric_limits<double>::infinity();

/// One row of the table.
struct Measure {
  std::string_view key;             // for machines
  std::string_view what;            // with the unit
  double low = -kAny, high = kAny;  // asked; without both ends: only told
  std::string_view how;             // windows, cells, and the definition's source
};

/// Every measure, in the order of the table.
[[nodiscard]] const std::vector<Measure>& measures();

/// What windows have shown. Parts of a whole are added up over the windows of a seed before they
/// are divided, so that rare things are counted over all of them.
struct Findings {
  struct Parts {
    double part = 0, whole = 0;
  };
  std::map<std::string, std::vector<double>, std::less<>> values;  // by key, one for each window
  std::map<std::string, Parts, std::less<>> parts;                 // by key
  std::vector<double> river_area, river_width;                     // m², m: reaches
  void add(std::string_view key, double value);
  void add_part(std::string_view key, double part, double whole);
  void add(const Findings& other);
};

/// Turns the parts and reaches of a seed into values. Call once for each seed.
void settle(Findings& seed);

/// One row as it was found.
struct Found {
  const Measure* measure = nullptr;
  std::size_t windows = 0;
  double median = 0;
  double worst = 0;  // furthest from what is asked; of what is only told: furthest from the median
  bool holds = false;  // of the median
};
[[nodiscard]] std::vector<Found> sum_up(const Findings& findings);

}  // namespace terrane::land
