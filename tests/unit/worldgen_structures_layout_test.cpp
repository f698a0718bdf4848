// Ten thousand structures, looked at by an independently written inspector: it knows nothing but
// blocks, storeys and doors.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <queue>
#include <set>
#include <tuple>

#include "worldgen/structures/layout.h"
#include "worldgen_objects_rig.h"

namespace terrane::worldgen {
namespace {

struct Spot {
  int x, y, level;
  auto operator<=>(const Spot&) const = default;
};

/// A door: the block that it is in, and the block that it leads to.
struct Way {
  Spot from, to;
};

/// Points turned by quarter turns about the piece's middle, in half blocks: (x, y) becomes (-y, x),
/// from +x towards +y.
Spot turn_block(int x, int y, const Piece& piece, int turn) {
  int u = 2 * x + 1 - piece.width, v = 2 * y + 1 - piece.depth;
  for (int k = 0; k < turn; ++k) std::tie(u, v) = std::pair(-v, u);
  const int width = turn % 2 == 0 ? piece.width : piece.depth,
            depth = turn % 2 == 0 ? piece.depth : piece.width;
  return {(u + width - 1) / 2, (v + depth - 1) / 2, 0};
}

Way way_through(const LaidRoom& room, const Piece& piece, std::size_t index) {
  const Door& door = piece.doors[index];
  int x = door.at, y = door.at, out_x = 0, out_y = 0;
  if (door.side == Side::kMinY) y = 0, out_y = -1;
  if (door.side == Side::kMaxY) y = piece.depth - 1, out_y = 1;
  if (door.side == Side::kMinX) x = 0, out_x = -1;
  if (door.side == Side::kMaxX) x = piece.width - 1, out_x = 1;
  const Spot in = turn_block(x, y, piece, room.turn),
             out = turn_block(x + out_x, y + out_y, piece, room.turn);
  const int level = room.level + door.level;
  return {{room.x + in.x, room.y + in.y, level}, {room.x + out.x, room.y + out.y, level}};
}

class Inspector {
 public:
  Inspector(const StructureKind& kind, const StructureRule& rule, const Layout& layout)
      : kind_(kind), rule_(rule), layout_(layout) {}

  void inspect() {
    ASSERT_GE(layout_.rooms.size(), static_cast<std::size_t>(rule_.rooms_low));
    ASSERT_LE(layout_.rooms.size(), static_cast<std::size_t>(rule_.rooms_high));
    fill_spots();
    find_ways();
    expect_all_reached();
    expect_all_carried();
    expect_a_free_way_in();
  }

 private:
  const Piece& piece_of(const LaidRoom& room) const { return kind_.pieces[room.piece]; }

  void fill_spots() {
    std::set<int> xs{layout_.anchor.x}, ys{layout_.anchor.y};
    for (std::size_t k = 0; k < layout_.rooms.size(); ++k) {
      const LaidRoom& room = layout_.rooms[k];
      const Piece& piece = piece_of(room);
      ASSERT_EQ(rule_.pieces[room.piece].entrance, k == 0);
      ASSERT_GE(room.level, -rule_.deepest);
      ASSERT_LE(room.level + piece.levels - 1, k == 0 ? std::max(rule_.highest, 0) : rule_.highest);
      for (int level = 0; level < piece.levels; ++level) {
        for (int y = 0; y < piece.depth; ++y) {
          for (int x = 0; x < piece.width; ++x) {
            const Spot turned = turn_block(x, y, piece, room.turn);
            const Spot spot{room.x + turned.x, room.y + turned.y, room.level + level};
            ASSERT_TRUE(spots_.emplace(spot, k).second) << "rooms overlap";
            xs.insert(spot.x), ys.insert(spot.y);
          }
        }
      }
    }
    EXPECT_EQ(std::pair(*xs.begin(), *ys.begin()), std::pair(0, 0));
    EXPECT_EQ(std::pair(*xs.rbegin(), *ys.rbegin()),
              std::pair(layout_.width - 1, layout_.depth - 1));
    ASSERT_LE(layout_.width, rule_.extent);
    ASSERT_LE(layout_.depth, rule_.extent);
  }

  void find_ways() {
    for (std::size_t k = 0; k < layout_.rooms.size(); ++k) {
      const LaidRoom& room = layout_.rooms[k];
      for (std::size_t door = 0; door < piece_of(room).doors.size(); ++door) {
        if ((room.open_doors >> door & 1) == 0) continue;
        const Way way = way_through(room, piece_of(room), door);
        ways_.insert({way.from, way.to});
      }
      ASSERT_EQ(room.open_doors >> piece_of(room).doors.size(), 0);
    }
  }

  /// Every open door leads to an open door, but for the one that leads outside; and all rooms can
  /// be walked to from there.
  void expect_all_reached() {
    const Way outside = way_through(layout_.rooms[0], piece_of(layout_.rooms[0]), 0);
    ASSERT_EQ(outside.to, (Spot{layout_.anchor.x, layout_.anchor.y, 0}));
    ASSERT_TRUE(ways_.contains({outside.from, outside.to}));
    ASSERT_FALSE(spots_.contains(outside.to)) << "a room stands on the anchor";
    std::map<std::size_t, std::vector<std::size_t>> next;
    for (const auto& [from, to] : ways_) {
      if (to == outside.to) continue;
      ASSERT_TRUE(spots_.contains(to)) << "an open door leads nowhere";
      ASSERT_TRUE(ways_.contains({to, from})) << "an open door leads into a wall";
      next[spots_.at(from)].push_back(spots_.at(to));
    }
    std::set<std::size_t> reached{0};
    std::queue<std::size_t> at({0});
    for (; !at.empty(); at.pop()) {
      for (const std::size_t room : next[at.front()]) {
        if (reached.insert(room).second) at.push(room);
      }
    }
    ASSERT_EQ(reached.size(), layout_.rooms.size()) << "rooms can't be reached";
  }

  void expect_all_carried() {
    for (const auto& [spot, room] : spots_) {
      ASSERT_TRUE(spot.level <= 0 || spots_.contains({spot.x, spot.y, spot.level - 1}))
          << "a room floats";
    }
  }

  void expect_a_free_way_in() {
    const Way outside = way_through(layout_.rooms[0], piece_of(layout_.rooms[0]), 0);
    const int dx = outside.to.x - outside.from.x, dy = outside.to.y - outside.from.y;
    for (int k = 0; k < rule_.extent; ++k) {
      for (int level = 0; level <= std::max(rule_.highest, 0); ++level) {
        ASSERT_FALSE(spots_.contains({outside.to.x + k * dx, outside.to.y + k * dy, level}))
            << "a room stands before the door";
      }
    }
  }

  const StructureKind& kind_;
  const StructureRule& rule_;
  const Layout& layout_;
  std::map<Spot, std::size_t> spots_;  // rooms by the blocks they fill
  std::set<std::pair<Spot, Spot>> ways_;
};

/// Whether some piece has doors on two storeys.
bool has_stairs(const StructureKind& kind) {
  return std::any_of(kind.pieces.begin(), kind.pieces.end(), [](const Piece& piece) {
    return std::any_of(piece.doors.begin(), piece.doors.end(),
                       [&](const Door& door) { return door.level != piece.doors.front().level; });
  });
}

TEST(layouts, are_connected_carried_and_free_of_overlaps_ten_thousand_times) {
  const World& world = default_world();
  int laid = 0, failed = 0;
  std::vector<std::size_t> rooms(world.structure_kinds.size()),
      levels(world.structure_kinds.size());
  for (std::uint64_t key = 0; laid < 10000; ++key) {
    const std::size_t kind = key % world.structure_kinds.size();
    const StructureRule& rule = world.structures->kinds[kind];
    const Layout layout = lay_out(world.structure_kinds[kind], rule, key);
    if (layout.rooms.empty()) {
      ++failed;
      continue;
    }
    ++laid;
    Inspector(world.structure_kinds[kind], rule, layout).inspect();
    if (HasFatalFailure()) FAIL() << world.structure_kinds[kind].name << " of key " << key;
    rooms[kind] += layout.rooms.size();
    for (const LaidRoom& room : layout.rooms) levels[kind] += room.level != 0 ? 1u : 0u;
  }
  for (std::size_t kind = 0; kind < rooms.size(); ++kind) {
    std::printf("check structures: %s: %.1f rooms, %.1f of them not on the ground floor\n",
                world.structure_kinds[kind].name.c_str(), 3e-4 * static_cast<double>(rooms[kind]),
                3e-4 * static_cast<double>(levels[kind]));
    EXPECT_EQ(levels[kind] > 0, has_stairs(world.structure_kinds[kind]))
        << "of no use in " << world.structure_kinds[kind].name;
  }
  EXPECT_LT(failed, laid / 100) << "the pieces of some kind hardly fit";
}

TEST(layouts, differ_by_key_and_repeat_for_the_same) {
  const World& world = default_world();
  const auto describe = [&](std::uint64_t key) {
    const Layout layout = lay_out(world.structure_kinds[0], world.structures->kinds[0], key);
    std::vector<std::tuple<int, int, int, int, int>> all;
    for (const LaidRoom& room : layout.rooms)
      all.emplace_back(room.x, room.y, room.level, room.piece, room.turn);
    return all;
  };
  std::set<std::vector<std::tuple<int, int, int, int, int>>> different;
  for (std::uint64_t key = 0; key < 200; ++key) {
    EXPECT_EQ(describe(key), describe(key));
    different.insert(describe(key));
  }
  EXPECT_GT(different.size(), 190u);
}

TEST(layouts, of_pieces_that_can_not_fit_are_empty) {
  StructureKind kind{"tight", 0, 64, {{"only", 5, 5, 1, {{Side::kMinY, 2, 0}}}}};
  StructureRule rule;
  rule.rooms_low = rule.rooms_high = 2;
  rule.pieces = {{1, true}};
  EXPECT_TRUE(lay_out(kind, rule, 1).rooms.empty());
  rule.rooms_low = rule.rooms_high = 1;
  EXPECT_EQ(lay_out(kind, rule, 1).rooms.size(), 1u);
}

}  // namespace
}  // namespace terrane::worldgen
