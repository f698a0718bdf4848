// A frame: shadows, sky, ground, what stands on it, and water.
#pragma once
#include "gl.h"
#include "ground.h"
#include "things.h"
#include "view.h"

namespace flight {

struct Light {
  double hour = 10;        // of the day: sunrise at 6, sunset at 18
  double seconds = 0;      // that drive waves and clouds
  float sight = 4096;      // blocks that the haze hides by
  float near_sight = 512;  // blocks that boulders are seen from
};

class Scene {
 public:
  Scene();
  /// @param floor  height of the ground below the eye
  void draw(const View& view, const Light& light, const Ground& ground, const Things& things,
            double floor, int width, int height);
  /// Ground alone, in front of (1, 0, 1): what a hole would show.
  void draw_plain(const View& view, const Ground& ground);

 private:
  struct Frame;  // as the shaders have it
  void fill(const Frame& frame);

  GLuint sky_, empty_array_ = 0, shadow_target_ = 0, shadow_map_ = 0;
  Buffer frame_;
};

}  // namespace flight
