#pragma once

#include <cstddef>
#include <vector>

/// Lines, quantiles and bins: what several measures share.
namespace terrane::land {

/// A line y = slope * x + offset through points, by least squares.
struct Line {
  double slope = 0, offset = 0;
  double r2 = 0;           // share of y's variance that it explains
  std::size_t points = 0;  // fewer than 3: the rest is 0
};
[[nodiscard]] Line fit_line(const std::vector<double>& x, const std::vector<double>& y);

/// log10 y over log10 x: a power law's exponent is its slope. Points that are not positive are left
/// out.
[[nodiscard]] Line fit_power(const std::vector<double>& x, const std::vector<double>& y);

/// The value below which a share of `values` lies, between neighbours; 0 of none.
[[nodiscard]] double quantile(std::vector<double> values, double share);

/// The value in the middle of each bin of equal width in log10 x, over medians of y.
struct Binned {
  std::vector<double> x, y;
};
/// @param per_decade  bins for each power of ten
/// @param least  a bin with fewer points is left out
[[nodiscard]] Binned binned_medians(const std::vector<double>& x, const std::vector<double>& y,
                                    int per_decade, std::size_t least);

}  // namespace terrane::land
