#include "check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "gl.h"

namespace flight {
namespace {

constexpr int kColumns = 40, kRows = 25;
constexpr double kFar = 6000;     // blocks
constexpr double kAgrees = 0.03;  // of the distance, for all but one pixel of 200

/// Through a place in the picture, both from 0 to 1.
struct Ray {
  const View& view;
  std::array<double, 3> to{};

  Ray(const View& from, double across, double along) : view(from) {
    for (std::size_t d = 0; d < 3; ++d)
      to[d] = view.forward[d] + (across * 2 - 1) * view.tan_x * view.right[d] +
              (along * 2 - 1) * view.tan_y * view.up[d];
  }
  [[nodiscard]] terrane_hit meet(const terrane_land* land) const {
    terrane_hit hit{};
    hit.struct_size = sizeof hit;
    terrane_land_ray(land, view.eye.data(), to.data(), kFar, &hit, nullptr);
    return hit;
  }
  void tell(double distance) const {
    std::printf("hole: from %.3f %.3f %.3f along %.6f %.6f %.6f at %.3f\n", view.eye[0],
                view.eye[1], view.eye[2], to[0], to[1], to[2], distance);
  }
};

bool is_key(int column, int row) {
  std::array<unsigned char, 4> pixel{};
  glReadPixels(column, row, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
  return pixel[0] == 255 && pixel[1] == 0 && pixel[2] == 255;
}

}  // namespace

void Check::look(const View& view, const terrane_land* land, bool is_all, int width, int height) {
  ++frames_;
  for (int k = 0; k < kColumns * kRows; ++k) {
    const int column = (2 * (k % kColumns) + 1) * width / (2 * kColumns);
    const int row = (2 * (k / kColumns) + 1) * height / (2 * kRows);
    const Ray ray(view, (column + 0.5) / width, (row + 0.5) / height);
    const terrane_hit hit = ray.meet(land);
    ++rays_;
    if (hit.hit == 0) continue;
    ++hits_;
    if (is_key(column, row)) {
      // corners are rounded to 1/256 of a pixel: the line where land ends may be so far off
      const Ray above(view, (column + 0.5) / width, (row + 0.6) / height);
      bool is_hole = is_all && above.meet(land).hit != 0;
      for (int up = row + 1; up < height && !is_hole; ++up) is_hole = !is_key(column, up);
      ++(is_hole ? holes_ : is_all ? edges_ : behind_);
      if (is_hole) ray.tell(hit.distance);
      continue;
    }
    float depth = 0;
    glReadPixels(column, row, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
    const double ahead = 2.0 * view.far * view.near /
                         (view.far + view.near - (2.0 * depth - 1) * (view.far - view.near));
    const double distance = ahead * std::hypot(ray.to[0], ray.to[1], ray.to[2]);
    errors_.push_back(std::abs(distance - hit.distance) / hit.distance);
  }
}

bool Check::tell() {
  std::ranges::sort(errors_);
  const auto at = [this](double share) {
    return errors_.empty() ? 0
                           : 100 * errors_[static_cast<std::size_t>(
                                       share * static_cast<double>(errors_.size() - 1))];
  };
  std::printf(
      "check: %d frames, %d rays, %d meet ground, %d holes; %d on the edge "
      "of land, %d not drawn yet\n",
      frames_, rays_, hits_, holes_, edges_, behind_);
  std::printf(
      "check: distances differ by %.3f %% (p50), %.3f %% (p99), %.3f %% (99.5 %%), %.1f %% "
      "(most)\n",
      at(0.5), at(0.99), at(0.995), at(1));
  return frames_ > 0 && hits_ > rays_ / 4 && holes_ == 0 && behind_ <= hits_ / 50 &&
         at(0.995) <= 100 * kAgrees;
}

}  // namespace flight
