#pragma once

namespace terrane {

/// Where a viewer is and where it is going: finite numbers, and a place in the world.
struct Pose {
  double x = 0, y = 0;                    // blocks
  double velocity_x = 0, velocity_y = 0;  // blocks a second
  // where it looks, of any length; both 0: nowhere in particular
  double direction_x = 0, direction_y = 0;

  friend bool operator==(const Pose&, const Pose&) = default;
};

}  // namespace terrane
