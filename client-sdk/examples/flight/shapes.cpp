#include "shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

namespace flight {
namespace {

struct Point {
  float x, y, z;
};
struct Ring {
  float radius, height;
};

void add(std::vector<ShapeVertex>& shape, Point a, Point b, Point c, float colored) {
  const Point u{b.x - a.x, b.y - a.y, b.z - a.z}, v{c.x - a.x, c.y - a.y, c.z - a.z};
  const Point n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  const float length = std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
  if (length < 1e-9f) return;
  for (const Point& p : {a, b, c})
    shape.push_back({p.x, p.y, p.z, colored, {n.x / length, n.y / length, n.z / length}});
}

/// Turns a profile around the axis, `uneven` by so much.
void add_turned(std::vector<ShapeVertex>& shape, std::initializer_list<Ring> rings, int sides,
                float uneven, float colored) {
  const auto at = [&](const Ring& ring, int side) {
    side %= sides;
    const float turn =
        2 * std::numbers::pi_v<float> * static_cast<float>(side) / static_cast<float>(sides);
    const float wild = std::sin(static_cast<float>(side) * 12.9f + ring.height * 78.2f);
    const float radius = ring.radius * (1 + uneven * wild);
    return Point{radius * std::cos(turn), radius * std::sin(turn),
                 ring.height + uneven * 0.15f * wild * (ring.radius > 0 ? 1.0f : 0.0f)};
  };
  for (const Ring* ring = rings.begin(); ring + 1 != rings.end(); ++ring) {
    for (int side = 0; side < sides; ++side) {
      const Point a = at(ring[0], side), b = at(ring[0], side + 1);
      const Point c = at(ring[1], side + 1), d = at(ring[1], side);
      add(shape, a, b, c, colored);
      add(shape, a, c, d, colored);
    }
  }
}

void add_box(std::vector<ShapeVertex>& shape) {
  const auto corner = [](int k) {
    return Point{static_cast<float>(k & 1), static_cast<float>(k >> 1 & 1),
                 static_cast<float>(k >> 2)};
  };
  constexpr std::array<std::array<int, 4>, 6> kSides{
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
  for (const auto& side : kSides) {
    add(shape, corner(side[0]), corner(side[1]), corner(side[2]), 1);
    add(shape, corner(side[0]), corner(side[2]), corner(side[3]), 1);
  }
}

/// Five cones within radius 1.
void add_group(std::vector<ShapeVertex>& shape) {
  for (int k = 0; k < 5; ++k) {
    const std::size_t begin = shape.size();
    add_turned(shape, {{0.42f, 0}, {0, 1}}, 5, 0, 1);
    const float turn = 2.5f * static_cast<float>(k), far = k == 0 ? 0 : 0.62f;
    const float high = 1 - 0.08f * static_cast<float>(k);
    for (std::size_t v = begin; v < shape.size(); ++v) {
      shape[v].x += far * std::cos(turn);
      shape[v].y += far * std::sin(turn);
      shape[v].z *= high;
    }
  }
}

}  // namespace

std::vector<ShapeVertex> make_shape(Shape shape) {
  std::vector<ShapeVertex> made;
  switch (shape) {
    case kConifer:
      add_turned(made, {{0.12f, -0.1f}, {0.08f, 0.3f}}, 5, 0, 0);
      add_turned(made, {{0, 0.2f}, {1, 0.14f}, {0.3f, 0.46f}, {0, 0.55f}}, 7, 0.12f, 1);
      add_turned(made, {{0, 0.44f}, {0.76f, 0.38f}, {0.2f, 0.7f}, {0, 0.78f}}, 7, 0.12f, 1);
      add_turned(made, {{0, 0.66f}, {0.5f, 0.62f}, {0, 1}}, 7, 0.12f, 1);
      break;
    case kBroadleaf:
      add_turned(made, {{0.11f, -0.1f}, {0.07f, 0.5f}}, 5, 0, 0);
      add_turned(made,
                 {{0, 0.3f}, {0.62f, 0.36f}, {1, 0.56f}, {0.84f, 0.8f}, {0.4f, 0.96f}, {0, 1}}, 8,
                 0.14f, 1);
      break;
    case kPalm:
      add_turned(made, {{0.12f, -0.1f}, {0.07f, 0.88f}}, 5, 0, 0);
      add_turned(made, {{0, 0.86f}, {1, 0.74f}, {0.5f, 0.93f}, {0, 1}}, 9, 0.4f, 1);
      break;
    case kBush:
      add_turned(made, {{0.7f, -0.1f}, {1, 0.4f}, {0.6f, 0.85f}, {0, 1}}, 6, 0.2f, 1);
      break;
    case kSnag:
      add_turned(made, {{0.16f, -0.1f}, {0.08f, 0.6f}, {0, 1}}, 5, 0.1f, 1);
      add_turned(made, {{0, 0.42f}, {0.7f, 0.66f}, {0, 0.5f}}, 3, 0.3f, 1);
      break;
    case kRock:
      add_turned(made, {{0.9f, -0.3f}, {1, 0.35f}, {0.62f, 0.85f}, {0, 1}}, 6, 0.22f, 1);
      break;
    case kConifers: add_group(made); break;
    case kCanopy:
      add_turned(made, {{0.9f, -0.1f}, {1, 0.4f}, {0.6f, 0.85f}, {0, 1}}, 6, 0.2f, 1);
      break;
    case kBox:
    case kShapes: add_box(made); break;
  }
  return made;
}

Shape shape_of(const terrane_kind_info& kind) {
  const int red = static_cast<int>(kind.color >> 16),
            green = static_cast<int>(kind.color >> 8 & 255),
            blue = static_cast<int>(kind.color & 255);
  if (std::max({red, green, blue}) - std::min({red, green, blue}) < 32) return kRock;
  if (std::string_view(kind.name).find("palm") != std::string_view::npos) return kPalm;
  if (red > green) return kSnag;
  if (kind.height_q4 <= 2 * 16 || kind.radius_q4 <= 8) return kBush;
  return 2 * kind.height_q4 >= 13 * kind.radius_q4 ? kConifer : kBroadleaf;
}

}  // namespace flight
