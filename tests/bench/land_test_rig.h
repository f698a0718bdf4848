#pragma once

#include "bench/land_window.h"

/// Land with known figures, for the tests of what measures it.
namespace terrane::land {

/// Sea all around a window, `cells` wide.
inline void put_in_sea(Window& window, int cells) {
  for (int j = 0; j < window.size; ++j) {
    for (int i = 0; i < window.size; ++i) {
      const int last = window.size - 1 - cells;
      if (i >= cells && j >= cells && i <= last && j <= last) continue;
      window.z[window.at(i, j)] = 0;
      window.cover[window.at(i, j)] = Cover::kSea;
    }
  }
}

/// A wall `cells` wide inside of that, which drains outwards; with a gate of one cell more to
/// either side of the middle of the side where x is least (or greatest).
inline void wall_in(Window& window, int cells, bool gate_at_greatest) {
  const int middle = window.size / 2;
  for (int j = 0; j < window.size; ++j) {
    for (int i = 0; i < window.size; ++i) {
      const int last = window.size - 1 - 2 * cells;
      if (i >= 2 * cells && j >= 2 * cells && i <= last && j <= last) continue;
      const bool side = gate_at_greatest ? i > last : i < 2 * cells;
      if (side && j >= middle - cells && j <= middle + cells) continue;
      window.z[window.at(i, j)] = 400;
      window.cover[window.at(i, j)] = Cover::kDry;
    }
  }
  put_in_sea(window, cells);
}

}  // namespace terrane::land
