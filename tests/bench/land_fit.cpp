#include "bench/land_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace terrane::land {

Line fit_line(const std::vector<double>& x, const std::vector<double>& y) {
  Line line;
  line.points = x.size();
  if (x.size() < 3) return line;
  const auto n = static_cast<double>(x.size());
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xx += (x[k] - mean_x) * (x[k] - mean_x);
    xy += (x[k] - mean_x) * (y[k] - mean_y);
    yy += (y[k] - mean_y) * (y[k] - mean_y);
  }
  if (xx <= 0) return line;
  line.slope = xy / xx;
  line.offset = mean_y - line.slope * mean_x;
  line.r2 = yy > 0 ? xy * xy / (xx * yy) : 1;
  return line;
}

Line fit_power(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> log_x, log_y;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (x[k] <= 0 || y[k] <= 0) continue;
    log_x.push_back(std::log10(x[k]));
    log_y.push_back(std::log10(y[k]));
  }
  return fit_line(log_x, log_y);
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double part = place - static_cast<double>(below);
  return values[below] * (1 - part) + values[above] * part;
}

Binned binned_medians(const std::vector<double>& x, const std::vector<double>& y, int per_decade,
                      std::size_t least) {
  std::map<int, std::pair<std::vector<double>, std::vector<double>>> bins;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (x[k] <= 0) continue;
    auto& bin = bins[static_cast<int>(std::floor(std::log10(x[k]) * per_decade))];
    bin.first.push_back(x[k]);
    bin.second.push_back(y[k]);
  }
  Binned out;
  for (auto& [number, bin] : bins) {
    if (bin.first.size() < least) continue;
    out.x.push_back(quantile(bin.first, 0.5));
    out.y.push_back(quantile(bin.second, 0.5));
  }
  return out;
}

}  // namespace terrane::land
