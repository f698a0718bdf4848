#include "worldgen/structures/layout.h"

#include <algorithm>
#include <optional>

#include "worldgen/noise/hash.h"

namespace terrane::worldgen {

namespace {

// layouts, before it is given up to have as many rooms as the rule wants
constexpr int kAttempts = 8;
constexpr int kPiecesTried = 8;  // at one join

/// Random values that depend on the key and on how many were taken.
class Dice {
 public:
  explicit Dice(std::uint64_t key) : key_(key) {}

  /// Any of 0 to count - 1.
  std::uint32_t below(std::uint32_t count) {
    key_ = noise::combine(key_, 1);
    return static_cast<std::uint32_t>((key_ >> 32) * count >> 32);
  }

 private:
  std::uint64_t key_;
};

/// A closed door that nothing has been tried at.
struct Join {
  std::size_t room;
  std::size_t door;
};

bool overlap(int a, int a_size, int b, int b_size) { return a < b + b_size && b < a + a_size; }

int shared(int a, int a_size, int b, int b_size) {
  return std::min(a + a_size, b + b_size) - std::max(a, b);
}

class Builder {
 public:
  Builder(const StructureKind& kind, const StructureRule& rule, std::uint64_t key)
      : kind_(kind), rule_(rule), dice_(key) {
    for (const PieceRule& piece : rule.pieces)
      (piece.entrance ? entrances_ : inner_) += piece.weight;
  }

  Layout build(std::optional<Side> front) {
    const std::uint32_t spread = static_cast<std::uint32_t>(rule_.rooms_high - rule_.rooms_low) + 1;
    const std::size_t wanted = static_cast<std::size_t>(rule_.rooms_low) + dice_.below(spread);
    place_entrance(front);
    while (rooms_.size() < wanted && !joins_.empty() && inner_ > 0) extend();
    if (rooms_.size() < static_cast<std::size_t>(rule_.rooms_low)) return {};
    return finished();
  }

 private:
  [[nodiscard]] const Piece& piece_of(const LaidRoom& room) const {
    return kind_.pieces[room.piece];
  }

  std::uint8_t choose_piece(bool entrance) {
    std::uint32_t rest = dice_.below(entrance ? entrances_ : inner_);
    std::size_t piece = 0;
    for (;; ++piece) {
      if (rule_.pieces[piece].entrance != entrance) continue;
      if (rest < rule_.pieces[piece].weight) return static_cast<std::uint8_t>(piece);
      rest -= rule_.pieces[piece].weight;
    }
  }

  [[nodiscard]] LaidRoom turned_room(std::uint8_t piece, int turn) const {
    const Piece& form = kind_.pieces[piece];
    LaidRoom room;
    room.width = turned_width(form, turn);
    room.depth = turned_depth(form, turn);
    room.levels = form.levels;
    room.piece = piece;
    room.turn = static_cast<std::uint8_t>(turn);
    return room;
  }

  /// The block of a room's door.
  [[nodiscard]] Cell door_cell(const LaidRoom& room, std::size_t door) const {
    const Cell cell = turned_door(piece_of(room), piece_of(room).doors[door], room.turn);
    return {room.x + cell.x, room.y + cell.y};
  }
  [[nodiscard]] int door_level(const LaidRoom& room, std::size_t door) const {
    return room.level + piece_of(room).doors[door].level;
  }
  [[nodiscard]] Side door_side(const LaidRoom& room, std::size_t door) const {
    return turned(piece_of(room).doors[door].side, room.turn);
  }

  void place_entrance(std::optional<Side> front) {
    const std::uint8_t piece = choose_piece(true);
    int turn = static_cast<int>(dice_.below(4));
    if (front) turn = turn_to(kind_.pieces[piece].doors[0].side, *front);
    LaidRoom room = turned_room(piece, turn);
    room.level = -kind_.pieces[piece].doors[0].level;
    room.open_doors = 1;
    front_ = door_side(room, 0);
    outer_wall_ = door_cell(room, 0);
    anchor_ = beyond(outer_wall_, front_);
    min_ = {std::min(0, anchor_.x), std::min(0, anchor_.y)};
    max_ = {std::max(room.width - 1, anchor_.x), std::max(room.depth - 1, anchor_.y)};
    rooms_.push_back(room);
    add_joins(0, 1);
  }

  /// A room's doors from `first` on, but for those that never lead anywhere.
  void add_joins(std::size_t room, std::size_t first) {
    for (std::size_t door = first; door < piece_of(rooms_[room]).doors.size(); ++door) {
      if ((rooms_[room].open_doors >> door & 1) == 0 && dice_.below(100) >= rule_.walled_up)
        joins_.push_back({room, door});
    }
  }

  /// Takes one join and puts a room there if one fits.
  void extend() {
    const std::size_t chosen = dice_.below(static_cast<std::uint32_t>(joins_.size()));
    const Join join = joins_[chosen];
    joins_[chosen] = joins_.back();
    joins_.pop_back();
    if (rooms_[join.room].open_doors >> join.door & 1) return;  // opened since
    for (int k = 0; k < kPiecesTried; ++k) {
      const std::uint8_t piece = choose_piece(false);
      const std::size_t door =
          dice_.below(static_cast<std::uint32_t>(kind_.pieces[piece].doors.size()));
      LaidRoom room = joined(join, piece, door);
      if (!fits(room)) continue;
      rooms_[join.room].open_doors |= static_cast<std::uint8_t>(1u << join.door);
      room.open_doors = static_cast<std::uint8_t>(1u << door);
      min_ = {std::min(min_.x, room.x), std::min(min_.y, room.y)};
      max_ = {std::max(max_.x, room.x + room.width - 1), std::max(max_.y, room.y + room.depth - 1)};
      rooms_.push_back(room);
      open_what_faces();
      add_joins(rooms_.size() - 1, 0);
      return;
    }
  }

  /// The piece, with its door against the join.
  [[nodiscard]] LaidRoom joined(const Join& join, std::uint8_t piece, std::size_t door) const {
    const LaidRoom& from = rooms_[join.room];
    const Side side = door_side(from, join.door);
    const Door& own = kind_.pieces[piece].doors[door];
    LaidRoom room = turned_room(piece, turn_to(own.side, turned(side, 2)));
    const Cell target = beyond(door_cell(from, join.door), side),
               cell = turned_door(kind_.pieces[piece], own, room.turn);
    room.x = target.x - cell.x;
    room.y = target.y - cell.y;
    room.level = door_level(from, join.door) - own.level;
    return room;
  }

  /// Some doors of the last room happen to stand against closed doors of others: every second of
  /// them is opened.
  void open_what_faces() {
    LaidRoom& room = rooms_.back();
    for (std::size_t door = 0; door < piece_of(room).doors.size(); ++door) {
      if (room.open_doors >> door & 1) continue;
      const Side side = door_side(room, door);
      const Cell target = beyond(door_cell(room, door), side);
      for (std::size_t k = 0; k + 1 < rooms_.size(); ++k) {
        for (std::size_t other = 0; other < piece_of(rooms_[k]).doors.size(); ++other) {
          LaidRoom& facing = rooms_[k];
          if (facing.open_doors >> other & 1 || door_cell(facing, other) != target ||
              door_level(facing, other) != door_level(room, door) ||
              turned(door_side(facing, other), 2) != side) {
            continue;
          }
          if (dice_.below(100) < 50) continue;
          room.open_doors |= static_cast<std::uint8_t>(1u << door);
          facing.open_doors |= static_cast<std::uint8_t>(1u << other);
        }
      }
    }
  }

  [[nodiscard]] bool fits(const LaidRoom& room) const {
    if (room.level < -rule_.deepest || room.level + room.levels - 1 > rule_.highest) return false;
    if (std::max(max_.x, room.x + room.width - 1) - std::min(min_.x, room.x) >= rule_.extent)
      return false;
    if (std::max(max_.y, room.y + room.depth - 1) - std::min(min_.y, room.y) >= rule_.extent)
      return false;
    if (room.level + room.levels > 0 && is_before_the_entrance(room)) return false;
    for (const LaidRoom& other : rooms_) {
      if (overlap(room.x, room.width, other.x, other.width) &&
          overlap(room.y, room.depth, other.y, other.depth) &&
          overlap(room.level, room.levels, other.level, other.levels)) {
        return false;
      }
    }
    return room.level <= 0 || is_carried(room);
  }

  [[nodiscard]] bool is_before_the_entrance(const LaidRoom& room) const {
    switch (front_) {
      case Side::kMinY: return room.y < outer_wall_.y;
      case Side::kMaxX: return room.x + room.width - 1 > outer_wall_.x;
      case Side::kMaxY: return room.y + room.depth - 1 > outer_wall_.y;
      case Side::kMinX: break;
    }
    return room.x < outer_wall_.x;
  }

  /// Whether rooms lie below all of a room; as none overlap, their shares add up.
  [[nodiscard]] bool is_carried(const LaidRoom& room) const {
    int carried = 0;
    for (const LaidRoom& other : rooms_) {
      if (!overlap(other.level, other.levels, room.level - 1, 1)) continue;
      const int along_x = shared(room.x, room.width, other.x, other.width);
      const int along_y = shared(room.y, room.depth, other.y, other.depth);
      if (along_x > 0 && along_y > 0) carried += along_x * along_y;
    }
    return carried == room.width * room.depth;
  }

  /// What was built so far, from its corner.
  [[nodiscard]] Layout finished() const {
    Layout layout{
        rooms_, max_.x - min_.x + 1, max_.y - min_.y + 1, {anchor_.x - min_.x, anchor_.y - min_.y}};
    for (LaidRoom& room : layout.rooms) {
      room.x -= min_.x;
      room.y -= min_.y;
    }
    return layout;
  }

  const StructureKind& kind_;
  const StructureRule& rule_;
  Dice dice_;
  std::uint32_t entrances_ = 0, inner_ = 0;  // sums of weights
  std::vector<LaidRoom> rooms_;
  std::vector<Join> joins_;
  Side front_ = Side::kMinY;  // where the entrance's outside door is
  Cell outer_wall_, anchor_;  // the blocks at both sides of that door
  Cell min_, max_;            // what is covered, both included
};

}  // namespace

Layout lay_out(const StructureKind& kind, const StructureRule& rule, std::uint64_t key,
               std::optional<Side> front) {
  for (std::uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
    Layout layout = Builder(kind, rule, noise::combine(key, attempt)).build(front);
    if (!layout.rooms.empty()) return layout;
  }
  return {};
}

}  // namespace terrane::worldgen
