// Who flies or walks, and the tour of a script.
#pragma once
#include "terrane/terrane.h"

namespace flight {

class Land;

/// What the player wants; each from -1 to 1 but for the switches.
struct Wishes {
  double forward = 0, right = 0, up = 0;
  bool hurries = false;
};

struct Player {
  double x = 0, y = 0, z = 0;        // of the eyes
  double heading = 0, pitch = -0.1;  // radians: clockwise from north, and up
  double velocity[3] = {};           // blocks a second
  bool walks = false;

  void step(const Wishes& wishes, double seconds, const Land& land);
  /// Along a fixed path at 100 blocks a second, above what lies below and ahead.
  void tour(double at_seconds, double seconds, const Land& land);
  [[nodiscard]] terrane_pose pose() const;

 private:
  void walk(const Wishes& wishes, double seconds, const Land& land);
  void keep_out(const Land& land);
  double begin_x_ = 0, begin_y_ = 0, begin_heading_ = 0;
  bool has_begun_ = false;
  bool is_carried_ = false;  // by what is no ground
};

}  // namespace flight
