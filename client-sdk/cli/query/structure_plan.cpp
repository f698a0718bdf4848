#include "cli/query/structure_plan.h"

#include <algorithm>
#include <limits>
#include <map>

#include "cli/map/drawing.h"

namespace terrane::cli {
namespace {

constexpr int kMargin = 1;  // blocks of nothing around a plan
// along an edge: what a server says is not to be believed blindly
constexpr std::int64_t kMaxBlocks = 512;

/// The block of a piece that a door is in.
std::pair<int, int> door_block(const Piece& piece, const Door& door) {
  switch (door.side) {
    case Side::kMinY: return {door.at, 0};
    case Side::kMaxX: return {piece.width - 1, door.at};
    case Side::kMaxY: return {door.at, piece.depth - 1};
    case Side::kMinX: return {0, door.at};
  }
  return {0, 0};
}

/// All storeys of one structure while they are drawn.
class Canvas {
 public:
  Canvas(const StructurePlan& plan, const StructureKind& kind) : kind_(kind) {
    from_ = {std::min(plan.structure.from.x, plan.structure.anchor.x) - kMargin,
             std::min(plan.structure.from.y, plan.structure.anchor.y) - kMargin};
    width_ = edge(from_.x, std::max(plan.structure.to.x, plan.structure.anchor.x));
    height_ = edge(from_.y, std::max(plan.structure.to.y, plan.structure.anchor.y));
    for (const Room& room : plan.rooms) lowest_q4_ = std::min(lowest_q4_, room.floor_q4);
  }

  [[nodiscard]] int level_of(const Room& room) const {
    const std::int64_t above = std::int64_t{room.floor_q4} - lowest_q4_;
    return static_cast<int>((above + kind_.storey_q4 / 2) / std::max(1, kind_.storey_q4));
  }

  void draw_room(const Room& room, const Piece& piece) {
    const bool walled = piece.width > 2 && piece.depth > 2;
    for (int k = 0; k < piece.levels; ++k) {
      for (int v = 0; v < piece.depth; ++v) {
        for (int u = 0; u < piece.width; ++u) {
          const bool edge = u == 0 || v == 0 || u == piece.width - 1 || v == piece.depth - 1;
          put(level_of(room) + k, turned_block(room, piece, u, v),
              walled && edge ? kWall : piece_letter(room.piece));
        }
      }
    }
  }

  void draw_doors(const Room& room, const Piece& piece) {
    for (std::size_t i = 0; i < piece.doors.size(); ++i) {
      if ((room.open_doors >> i & 1) == 0) continue;
      const auto [u, v] = door_block(piece, piece.doors[i]);
      put(level_of(room) + piece.doors[i].level, turned_block(room, piece, u, v), kDoor);
    }
  }

  void put(int level, BlockPos block, char what) {
    const std::int64_t x = block.x - from_.x;
    const std::int64_t y = block.y - from_.y;
    if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
    PlanLevel& storey = levels_.try_emplace(level, PlanLevel{level, from_, {}}).first->second;
    if (storey.rows.empty()) {
      storey.rows.assign(static_cast<std::size_t>(height_),
                         std::string(static_cast<std::size_t>(width_), kNothing));
    }
    storey.rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = what;
  }

  [[nodiscard]] std::vector<PlanLevel> levels() const {
    std::vector<PlanLevel> levels;
    for (const auto& [level, storey] : levels_) levels.push_back(storey);
    return levels;
  }

 private:
  static std::int64_t edge(std::int64_t from, std::int64_t to) {
    return std::clamp<std::int64_t>(to - from + 1 + kMargin, 1, kMaxBlocks);
  }

  const StructureKind& kind_;
  BlockPos from_;
  std::int64_t width_ = 0, height_ = 0;
  std::int32_t lowest_q4_ = std::numeric_limits<std::int32_t>::max();
  std::map<int, PlanLevel> levels_;
};

Color color_of(char what, const StructureKind& kind) {
  constexpr std::uint32_t kPaper = 0xf4f0e6, kInk = 0x3a3630, kLight = 0xfff3b0, kStart = 0xc0392b;
  if (what == kNothing) return from_rgb(kPaper);
  if (what == kWall) return from_rgb(kInk);
  if (what == kDoor) return from_rgb(kLight);
  if (what == kOutside) return from_rgb(kStart);
  const double shade = 0.35 + 0.11 * (what % 6);
  return mix(from_rgb(kind.color), from_rgb(kPaper), shade);
}

}  // namespace

BlockPos turned_block(const Room& room, const Piece& piece, int u, int v) {
  switch (room.turn % 4) {
    case 0: return {room.corner.x + u, room.corner.y + v};
    case 1: return {room.corner.x + piece.depth - 1 - v, room.corner.y + u};
    case 2: return {room.corner.x + piece.width - 1 - u, room.corner.y + piece.depth - 1 - v};
    default: return {room.corner.x + v, room.corner.y + piece.width - 1 - u};
  }
}

char piece_letter(std::size_t piece) {
  constexpr std::size_t kLetters = 26;
  const std::size_t at = piece % (2 * kLetters);
  return static_cast<char>(at < kLetters ? 'A' + at : 'a' + (at - kLetters));
}

std::vector<PlanLevel> plan_levels(const StructurePlan& plan, const StructureKind& kind) {
  Canvas canvas(plan, kind);
  for (const Room& room : plan.rooms) {
    if (room.piece < kind.pieces.size()) canvas.draw_room(room, kind.pieces[room.piece]);
  }
  for (const Room& room : plan.rooms) {  // after all walls: two rooms' walls meet at a door
    if (room.piece < kind.pieces.size()) canvas.draw_doors(room, kind.pieces[room.piece]);
  }
  if (!plan.rooms.empty()) {
    const Room& entrance = plan.rooms.front();
    const bool has_door =
        entrance.piece < kind.pieces.size() && !kind.pieces[entrance.piece].doors.empty();
    // the first door leads outside
    const int outside = has_door ? kind.pieces[entrance.piece].doors.front().level : 0;
    canvas.put(canvas.level_of(entrance) + outside, plan.structure.anchor, kOutside);
  }
  return canvas.levels();
}

Picture draw_plan(const std::vector<PlanLevel>& levels, const StructureKind& kind, int scale) {
  Picture small;
  for (const PlanLevel& level : levels) {
    small.width += static_cast<int>(level.rows.front().size());
    small.height = std::max(small.height, static_cast<int>(level.rows.size()));
  }
  small.rgb.reserve(static_cast<std::size_t>(small.width) * static_cast<std::size_t>(small.height) *
                    3);
  for (std::size_t y = 0; y < static_cast<std::size_t>(small.height); ++y) {
    for (const PlanLevel& level : levels) {
      for (const char what : level.rows[y]) {
        const std::uint32_t rgb = to_rgb(color_of(what, kind));
        for (const int shift : {16, 8, 0})
          small.rgb.push_back(static_cast<std::uint8_t>(rgb >> shift & 255));
      }
    }
  }
  return enlarged(small, scale);
}

}  // namespace terrane::cli
