#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "drawing/color.h"
#include "drawing/shading.h"

namespace terrane::drawing {

/// What a relief map shows.
struct ReliefInput {
  HeightGrid above_sea;  // blocks above sea level
  // blocks; no water where it is 0 or less. Empty: all below sea level is water
  std::vector<float> water_depth;
  std::function<Color(std::size_t)> color_at;  // of the dry ground, by index into above_sea.blocks
  // deepest sea the world can hold, in blocks: the darkest water
  double deepest = 0;
  std::optional<double> exaggeration = {};  // of slopes; else exaggeration_for(above_sea)
};

/// Draws land as a printed atlas does: ground colours under the light of a north-western sun, large
/// forms and small, water darker with depth, coasts without steps. Slopes are exaggerated alike all
/// over the map, so far that its typical slope shows.
class Relief {
 public:
  /// Looks at the whole of it; takes a tenth of the time.
  explicit Relief(ReliefInput input);

  /// @param row    of above_sea
  /// @param paint  gets every index of above_sea.blocks in it once, with its colour
  void paint_row(int row, const std::function<void(std::size_t, Color)>& paint) const;

 private:
  const ReliefInput input_;
  const HeightGrid forms_;  // the large ones
  const double exaggeration_;
  std::vector<Color> ground_;  // of each sample: each is looked at nine times
};

/// By how much slopes are exaggerated: more on gentle land, less on rugged land, within limits. 1
/// where there is no dry land.
[[nodiscard]] double exaggeration_for(const HeightGrid& above_sea);

}  // namespace terrane::drawing
