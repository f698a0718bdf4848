#include "drawing/marks.h"

#include <algorithm>

#include "drawing/color.h"

namespace terrane::drawing {
namespace {

constexpr double kCrownStrength = 0.85, kShadeStrength = 0.3;
constexpr std::uint32_t kShade = 0x14200f;
constexpr std::uint32_t kOutline = 0x2a2622;
constexpr std::int64_t kMarkReach = 2;  // pixels to each side; the outermost ones are the outline

class Pen {
 public:
  Pen(Picture& picture, BlockPos first, Lod lod) : picture_(picture), first_(first), lod_(lod) {}

  [[nodiscard]] std::int64_t column(std::int64_t x) const { return (x - first_.x) >> lod_; }
  [[nodiscard]] std::int64_t row(std::int64_t y) const { return (y - first_.y) >> lod_; }

  /// Mixes a colour into a pixel, if the picture has it.
  void dot(std::int64_t column, std::int64_t row, Color color, double strength) {
    if (column < 0 || row < 0 || column >= picture_.width || row >= picture_.height) return;
    std::uint8_t* const at = picture_.rgb.data() + (row * picture_.width + column) * 3;
    const Color below = from_rgb(std::uint32_t{at[0]} << 16 | std::uint32_t{at[1]} << 8 | at[2]);
    const std::uint32_t rgb = to_rgb(mix(below, color, strength));
    at[0] = static_cast<std::uint8_t>(rgb >> 16);
    at[1] = static_cast<std::uint8_t>(rgb >> 8 & 255);
    at[2] = static_cast<std::uint8_t>(rgb & 255);
  }

 private:
  Picture& picture_;
  const BlockPos first_;
  const Lod lod_;
};

/// A crown, or whatever it is, from above: a disc as wide as the thing, shaded away from the
/// north-west; a dot at coarser levels.
void draw_placement(Pen& pen, const Placement& placement, const PlacementKind& kind, Lod lod) {
  const double radius = lod == 0 ? kind.radius_q4 / 16.0 * placement.scale / 100 : 0;
  const auto reach = static_cast<std::int64_t>(radius);
  const Color color = from_rgb(kind.color);
  for (std::int64_t dy = -reach; dy <= reach; ++dy) {
    for (std::int64_t dx = -reach; dx <= reach; ++dx) {
      if (static_cast<double>(dx * dx + dy * dy) > radius * radius) continue;
      const bool shaded = static_cast<double>(dx + dy) > 0.7 * radius && reach > 0;
      pen.dot(pen.column(placement.anchor.x) + dx, pen.row(placement.anchor.y) + dy,
              shaded ? mix(color, from_rgb(kShade), kShadeStrength) : color, kCrownStrength);
    }
  }
}

void draw_room(Pen& pen, const Room& room, const StructureKind& kind) {
  if (room.piece >= kind.pieces.size()) return;
  const Piece& piece = kind.pieces[room.piece];
  const bool across = room.turn % 2 == 1;
  const std::int64_t width = across ? piece.depth : piece.width;
  const std::int64_t depth = across ? piece.width : piece.depth;
  for (std::int64_t y = 0; y < depth; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      const bool edge = x == 0 || y == 0 || x == width - 1 || y == depth - 1;
      pen.dot(pen.column(room.corner.x + x), pen.row(room.corner.y + y),
              from_rgb(edge ? kOutline : kind.color), 1);
    }
  }
}

void draw_mark(Pen& pen, BlockPos anchor, Color color) {
  for (std::int64_t dy = -kMarkReach; dy <= kMarkReach; ++dy) {
    for (std::int64_t dx = -kMarkReach; dx <= kMarkReach; ++dx) {
      const std::int64_t far = std::abs(dx) + std::abs(dy);
      if (far > kMarkReach) continue;  // a lozenge
      pen.dot(pen.column(anchor.x) + dx, pen.row(anchor.y) + dy,
              far == kMarkReach ? from_rgb(kOutline) : color, 1);
    }
  }
}

}  // namespace

void append(Objects& objects, const Chunk& chunk) {
  objects.placements.insert(objects.placements.end(), chunk.placements.begin(),
                            chunk.placements.end());
  objects.structures.insert(objects.structures.end(), chunk.structures.begin(),
                            chunk.structures.end());
  objects.rooms.insert(objects.rooms.end(), chunk.rooms.begin(), chunk.rooms.end());
}

void draw_marks(Picture& picture, std::span<const PlacementKind> placement_kinds,
                std::span<const StructureKind> structure_kinds, BlockPos first, Lod lod,
                const Objects& objects) {
  Pen pen(picture, first, lod);
  for (const Placement& placement : objects.placements) {
    if (placement.kind >= placement_kinds.size()) continue;
    draw_placement(pen, placement, placement_kinds[placement.kind], lod);
  }
  for (const Room& room : objects.rooms) {
    if (room.kind < structure_kinds.size()) draw_room(pen, room, structure_kinds[room.kind]);
  }
  for (const Structure& structure : objects.structures) {
    if (structure.kind >= structure_kinds.size()) continue;
    const Color color = from_rgb(structure_kinds[structure.kind].color);
    if (lod > 0) draw_mark(pen, structure.anchor, color);
  }
}

}  // namespace terrane::drawing
