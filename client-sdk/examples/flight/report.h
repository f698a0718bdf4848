// What a scripted flight costs.
#pragma once
#include <cstddef>
#include <vector>

#include "land.h"

namespace flight {

class Report {
 public:
  explicit Report(std::size_t frames);
  void add(const FrameCost& cost, double frame_ms);
  /// Prints a table. @param chunks  at hand
  void tell(double seconds, std::size_t chunks);

 private:
  std::vector<double> sdk_ms_, sdk_processor_ms_, frame_ms_;
  std::vector<double> memory_mb_;  // at the begin, in the middle, at the end
  std::size_t frames_;
  long meshes_ = 0;
};

}  // namespace flight
