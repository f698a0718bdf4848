#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/land_window.h"

/// Where water runs over a window.
namespace terrane::land {

inline constexpr std::int32_t kOutlet = -1;  // a receiver: out of the window, or into the sea

/// Water over a window, by D8 (O'Callaghan and Mark 1984): each cell drains to the neighbour in the
/// direction of steepest fall. Hollows are filled to the brim by priority flood (Barnes, Lehman and
/// Mulla 2014), and drain the way that the flood came.
struct Flow {
  std::vector<float> filled;           // blocks: the ground with its hollows filled
  std::vector<std::int32_t> receiver;  // the cell that a cell drains to, or kOutlet
  std::vector<std::int32_t> order;     // cells, each after its receiver
  std::vector<float> area;             // m² that drain through a cell, its own among them
  std::vector<float> length;           // m: the longest way down to a cell, in steps of 1 or sqrt 2
  std::vector<std::uint8_t> complete;  // 1: nothing flows in from outside of the window
};

[[nodiscard]] Flow flow_over(const Window& window);

/// Blocks between neighbouring cells.
[[nodiscard]] double step_between(const Window& window, std::size_t a, std::size_t b);

/// Calls `visit(i, j)` for the eight neighbours of a cell that lie in the window.
template <typename Visit>
void for_neighbours(const Window& window, std::size_t k, Visit visit) {
  const int i = static_cast<int>(k % static_cast<std::size_t>(window.size));
  const int j = static_cast<int>(k / static_cast<std::size_t>(window.size));
  for (int y = j - 1; y <= j + 1; ++y)
    for (int x = i - 1; x <= i + 1; ++x)
      if ((x != i || y != j) && window.has(x, y)) visit(x, y);
}

}  // namespace terrane::land
