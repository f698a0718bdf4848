#pragma once

#include <vector>

#include "bench/land_flow.h"
#include "bench/land_rivers.h"

/// What courses the drawn rivers take, and how wide they are.
namespace terrane::land {

/// Straight lines between places of a river that are `length` blocks apart, by direction: within
/// 15 degrees of an axis, of a diagonal, or of neither. Chance gives each a third. A course goes
/// on through a junction along the two widest arms.
struct Chords {
  int axes = 0, diagonals = 0, others = 0;
};
[[nodiscard]] Chords chords_of(const Window& window, const Rivers& rivers, double length);

/// Length along the middle line over the straight line between its ends, for every reach between
/// junctions or ends that is at least `least` blocks from end to end. The line is smoothed over 16
/// blocks, so that the steps of cells don't count.
[[nodiscard]] std::vector<double> sinuosities(const Window& window, const Rivers& rivers,
                                              double least);

/// The width of every reach that is at least `least` blocks long without its ends, which are what
/// lies within three quarters of its width: drawn cells nearest to it over its length. And what
/// drains through the middle of it, where all of that is in the window, and 0.1 km² at least: less
/// is no river's, what flows has left it on level ground.
struct Widths {
  std::vector<double> area, width;  // m², m
};
/// @param flow  over `coarse`, which is `window` with every step-th sample
[[nodiscard]] Widths widths_of(const Window& window, const Rivers& rivers, const Window& coarse,
                               const Flow& flow, double least);

}  // namespace terrane::land
