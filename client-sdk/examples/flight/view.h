// Where the viewer is and what of the land can be seen. Directions are Terrane's: x east, y south,
// z up, which is left-handed; the rows of the view (right, up, back) make it OpenGL's, unmirrored.
#pragma once
#include <array>
#include <cmath>

#include "terrane/terrane.h"

namespace flight {

using Vec3 = std::array<float, 3>;

inline float dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

struct View {
  std::array<double, 3> eye{};
  Vec3 right{}, up{}, forward{};
  float tan_x = 1, tan_y = 1;               // of half the angles of view
  float near = 1, far = 8192;               // blocks
  std::array<float, 16> view_projection{};  // columns; of places from the eye on

  /// @param heading, pitch  radians: clockwise from north, and up
  View(const std::array<double, 3>& from, double heading, double pitch, float aspect, float nearest)
      : eye(from), near(nearest) {
    const auto sin_h = static_cast<float>(std::sin(heading));
    const auto cos_h = static_cast<float>(std::cos(heading));
    const auto sin_p = static_cast<float>(std::sin(pitch));
    const auto cos_p = static_cast<float>(std::cos(pitch));
    right = {cos_h, sin_h, 0};
    up = {-sin_h * sin_p, cos_h * sin_p, cos_p};
    forward = {sin_h * cos_p, -cos_h * cos_p, sin_p};
    tan_y = 0.65f;
    tan_x = tan_y * aspect;
    const float a = (far + near) / (far - near), b = 2 * far * near / (far - near);
    for (std::size_t k = 0; k < 3; ++k) {
      view_projection[4 * k] = right[k] / tan_x;
      view_projection[4 * k + 1] = up[k] / tan_y;
      view_projection[4 * k + 2] = forward[k] * a;
      view_projection[4 * k + 3] = forward[k];
    }
    view_projection[14] = -b;
  }

  /// From the eye to a block: small numbers, wherever in the world.
  [[nodiscard]] Vec3 to(const terrane_block& block) const {
    return {static_cast<float>(static_cast<double>(block.x) - eye[0]),
            static_cast<float>(static_cast<double>(block.y) - eye[1]), static_cast<float>(-eye[2])};
  }

  /// Whether something of a box may be seen; corners from the eye on.
  [[nodiscard]] bool sees(const Vec3& low, const Vec3& high) const {
    const auto reaches = [&](const Vec3& normal) {
      float most = 0;
      for (std::size_t k = 0; k < 3; ++k) most += normal[k] * (normal[k] > 0 ? high[k] : low[k]);
      return most >= 0;
    };
    for (const float side : {-1.0f, 1.0f}) {
      Vec3 across{}, along{};
      for (std::size_t k = 0; k < 3; ++k) {
        across[k] = forward[k] * tan_x + side * right[k];
        along[k] = forward[k] * tan_y + side * up[k];
      }
      if (!reaches(across) || !reaches(along)) return false;
    }
    return true;
  }
};

}  // namespace flight
