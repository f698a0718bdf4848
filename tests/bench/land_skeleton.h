#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/land_window.h"

/// Middle lines of what is drawn on a window.
namespace terrane::land {

/// One byte for each cell of a window: 1 where something is.
using Mask = std::vector<std::uint8_t>;

/// Cells with a cover.
[[nodiscard]] Mask mask_of(const Window& window, Cover cover);

/// Thins what is set until lines one cell wide are left, which are connected as before (Zhang and
/// Suen 1984), and takes off what is spare: corners of stairs. Cells at the window's edge go.
void thin(const Window& window, Mask& mask);

/// Blocks from each cell's middle to the nearest one that is not set, by steps to the eight
/// neighbours (Borgefors 1986); 0 where nothing is set.
[[nodiscard]] std::vector<float> depth_of(const Window& window, const Mask& mask);

/// The neighbours of a cell that are set, clockwise from the one above; bit k of the answer is
/// neighbour k. The cell is not at the edge.
[[nodiscard]] unsigned ring_of(const Window& window, const Mask& mask, std::size_t k);

}  // namespace terrane::land
