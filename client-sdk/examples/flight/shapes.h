// Low-poly trees, boulders and boxes, each within radius 1 and height 1.
#pragma once
#include <cstdint>
#include <vector>

#include "terrane/terrane.h"

namespace flight {

struct ShapeVertex {
  float x, y, z;
  float is_colored;  // 1: has its kind's colour; 0: is wood
  float normal[3];
};

enum Shape : std::uint8_t {
  kConifer,
  kBroadleaf,
  kPalm,
  kBush,
  kSnag,
  kRock,
  kBox,
  kConifers,  // several, from afar
  kCanopy,    // of several others
  kShapes
};

/// Triangles, flat-shaded: (b - a) x (c - a), reckoned in x, y and z, points outwards.
std::vector<ShapeVertex> make_shape(Shape shape);

/// What a kind of placement looks like, as far as its colour, size and name tell.
Shape shape_of(const terrane_kind_info& kind);

}  // namespace flight
