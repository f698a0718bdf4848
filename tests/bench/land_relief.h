#pragma once

#include <vector>

#include "bench/land_flow.h"
#include "bench/land_window.h"

/// Slopes, roughness, hypsometry and hollows.
namespace terrane::land {

/// Degrees: the slope at every dry cell that is not at the edge, over its eight neighbours (Horn
/// 1981).
[[nodiscard]] std::vector<double> slopes(const Window& window);

/// Of `values`, the share from `low` up to `high`.
[[nodiscard]] double share_within(const std::vector<double>& values, double low, double high);

/// Blocks: in every square of `cells` x `cells` samples that is all land, the standard deviation of
/// heights from the plane that fits them best.
[[nodiscard]] std::vector<double> roughness(const Window& window, int cells);

/// (mean - least) / (greatest - least) of the heights of all land (Pike and Wilson 1971, equal to
/// the hypsometric integral of Strahler 1952); 0 where there is no relief.
[[nodiscard]] double hypsometric_integral(const Window& window);

/// The same for each basin of `low` to `high` m² that is whole: all that drains to the last cell
/// before the sea, the window's edge or a stream that drains `high` or more. No basin is part of
/// another.
[[nodiscard]] std::vector<double> basin_integrals(const Window& window, const Flow& flow,
                                                  double low, double high);

/// Hollows of the land that are deeper than `depth` blocks and hold no water: connected ground
/// below its brim (by the filled heights), without a cell of water in or beside it.
struct Hollows {
  int dry = 0;
  double land_km2 = 0;
  double deepest = 0;  // blocks: of the dry ones
};
[[nodiscard]] Hollows dry_hollows(const Window& window, const Flow& flow, double depth);

/// Blocks: highest less lowest ground of the land; the sea counts as 0.
[[nodiscard]] double relief_of(const Window& window, int i, int j, int cells);

}  // namespace terrane::land
