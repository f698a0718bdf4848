#pragma once

#include <vector>

#include "bench/land_fit.h"
#include "bench/land_flow.h"
#include "bench/land_window.h"

/// The laws of drainage: what slopes, lengths and numbers of streams follow from the area that they
/// drain.
namespace terrane::land {

/// Slope against drained area, S = k A^-theta (Hack 1957, Flint 1974): the exponent is minus the
/// line's slope. Slopes are the fall over at least `reach` blocks of the way down; they are binned,
/// five bins for each power of ten of area, and the line goes through the medians.
/// @param low, high  m²: areas outside, and those that are not all in the window, are left out
[[nodiscard]] Line slope_area(const Window& window, const Flow& flow, double reach, double low,
                              double high);

/// Length of the main stream against drained area, L = c A^h (Hack 1957), over basins: all that
/// drains to the last cell of a stream before it joins a greater one. h is the line's slope.
[[nodiscard]] Line hack(const Window& window, const Flow& flow, double low, double high);

/// The share of land cells that drain more than a, P(A > a) = c a^-e (Rodriguez-Iturbe and others
/// 1992), at ten areas for each power of ten from `low` to `high` m². e is minus the line's slope.
/// Every cell counts, with what drains to it within the window.
[[nodiscard]] Line area_exceedance(const Window& window, const Flow& flow, double low, double high);

/// Side valleys: streams that drain `low` to `high` m² where they join a greater one, and lie in a
/// valley there: `walk` blocks up the stream, the ground `aside` blocks to either side of it is
/// more than `rise` blocks higher. Parallel flow down a plane slope is none.
struct SideValleys {
  double low = 1e5, high = 3e5;  // m²
  double walk = 96, aside = 48, rise = 2;
};
/// For each 10 km² of land.
[[nodiscard]] double side_valley_density(const Window& window, const Flow& flow,
                                         const SideValleys& rules = {});

}  // namespace terrane::land
