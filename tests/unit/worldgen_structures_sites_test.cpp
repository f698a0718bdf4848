// Structures in their places: on dry ground that is levelled, and the same for all who ask.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "worldgen_objects_rig.h"

namespace terrane::worldgen {
namespace {

constexpr std::int64_t kFar = std::int64_t{1} << 45;  // blocks

/// Calls `visit` with every block of a room's plan.
template <typename Visit>
void each_block(const Room& room, const World& world, Visit visit) {
  for (int y = 0; y < depth_of(room, world); ++y) {
    for (int x = 0; x < width_of(room, world); ++x)
      visit(BlockPos{room.corner.x + x, room.corner.y + y});
  }
}

std::int32_t top_of(const Room& room, const World& world) {
  const StructureKind& kind = world.structure_kinds[room.kind];
  return room.floor_q4 + kind.pieces[room.piece].levels * kind.storey_q4;
}

/// The height of the outside door's floor.
std::int32_t ground_floor(const std::vector<Room>& rooms, const World& world) {
  const StructureKind& kind = world.structure_kinds[rooms[0].kind];
  return rooms[0].floor_q4 + kind.pieces[rooms[0].piece].doors[0].level * kind.storey_q4;
}

/// Where rooms of the ground floor stand.
std::set<std::pair<std::int64_t, std::int64_t>> level_blocks(const std::vector<Room>& rooms,
                                                             std::int32_t floor,
                                                             const World& world) {
  std::set<std::pair<std::int64_t, std::int64_t>> blocks;
  for (const Room& room : rooms) {
    if (room.floor_q4 <= floor && top_of(room, world) > floor)
      each_block(room, world, [&](BlockPos block) { blocks.insert({block.x, block.y}); });
  }
  return blocks;
}

void expect_on_level_dry_ground(const Structure& structure, const World& world, Chunks& chunks) {
  const auto rooms = rooms_of(world, kSeed, structure.anchor, fastest());
  ASSERT_EQ(rooms.size(), structure.rooms);
  const std::int32_t floor = ground_floor(rooms, world);
  EXPECT_EQ(chunks.height_q4(structure.anchor), floor) << "a step before the door";
  EXPECT_EQ(floor % 16, 0);
  const std::set<std::pair<std::int64_t, std::int64_t>> built = level_blocks(rooms, floor, world);
  for (const Room& room : rooms) {
    each_block(room, world, [&](BlockPos block) {
      const std::int32_t ground = chunks.height_q4(block);
      ASSERT_LE(chunks.water_q4(block), ground) << "drowned";
      ASSERT_TRUE(block.x >= structure.from.x && block.y >= structure.from.y &&
                  block.x <= structure.to.x && block.y <= structure.to.y);
      if (room.floor_q4 > floor) return;  // upper storeys stand on others
      if (top_of(room, world) > floor) {
        ASSERT_EQ(ground, floor) << "the ground is not level";
      } else if (block != structure.anchor && !built.contains({block.x, block.y})) {
        ASSERT_GE(ground, top_of(room, world) + 8) << "a cellar looks out of the ground";
      }
    });
  }
}

TEST(structures, stand_on_level_dry_ground) {
  const World& world = default_world();
  Chunks chunks(world);
  std::set<int> kinds;
  const auto found = structures_around(world, {0, 0}, 20);
  ASSERT_GT(found.size(), 40u);
  for (const Structure& structure : found) {
    kinds.insert(structure.kind);
    expect_on_level_dry_ground(structure, world, chunks);
    if (HasFatalFailure()) FAIL() << structure.anchor.x << "," << structure.anchor.y;
  }
  EXPECT_EQ(kinds.size(), world.structure_kinds.size()) << "some kind has no place in this world";
}

/// Where the pieces meet the land there is no cliff: the ground just outside is within the skirt's
/// reach of the floor.
TEST(structures, ground_goes_over_into_the_land_without_a_cliff) {
  const World& world = default_world();
  Chunks chunks(world);
  for (const Structure& structure : structures_around(world, {0, 0}, 8)) {
    std::int32_t worst = 0;
    for (std::int64_t y = structure.from.y - 12; y <= structure.to.y + 12; ++y) {
      for (std::int64_t x = structure.from.x - 12; x <= structure.to.x + 12; ++x) {
        worst = std::max(worst, std::abs(chunks.height_q4({x, y}) - chunks.height_q4({x + 1, y})));
      }
    }
    EXPECT_LT(worst, 3 * 16) << structure.anchor.x << "," << structure.anchor.y;
  }
}

auto by_y_then_x = [](const Structure& a, const Structure& b) {
  return std::tie(a.anchor.y, a.anchor.x) < std::tie(b.anchor.y, b.anchor.x);
};

/// What the chunks around hold is what structures_within and rooms_of say, whatever the chunks'
/// size.
TEST(structures, are_the_same_from_every_chunk_that_they_touch) {
  for (const int size : {64, 16, 128}) {
    World world = default_world();
    world.chunk_size = size;
    int looked_at = 0;
    for (const Structure& structure : structures_around(world, {4000, -3000}, 6)) {
      if (++looked_at > 12) break;
      const std::vector<Room> expected = rooms_of(world, kSeed, structure.anchor, fastest());
      std::vector<Room> rooms;
      std::vector<Structure> structures;
      const ChunkCoord first = chunk_of({structure.from.x - 1, structure.from.y - 1}, size, 0);
      const ChunkCoord last = chunk_of({structure.to.x + 1, structure.to.y + 1}, size, 0);
      for (std::int64_t y = last.y; y >= first.y; --y) {  // backwards: order does not matter
        for (std::int64_t x = last.x; x >= first.x; --x) {
          const Chunk chunk = make(world, {x, y});
          rooms.insert(rooms.end(), chunk.rooms.begin(), chunk.rooms.end());
          structures.insert(structures.end(), chunk.structures.begin(), chunk.structures.end());
          for (const Room& room : chunk.rooms)
            EXPECT_EQ(chunk_of(room.corner, size, 0), chunk.coord);
        }
      }
      std::erase_if(rooms, [&](const Room& room) { return room.structure != structure.anchor; });
      std::sort(rooms.begin(), rooms.end(),
                [](const Room& a, const Room& b) { return a.index < b.index; });
      EXPECT_EQ(rooms, expected) << "chunks of " << size;
      EXPECT_EQ(std::count(structures.begin(), structures.end(), structure), 1)
          << "chunks of " << size;
    }
    EXPECT_GT(looked_at, 3);
  }
}

TEST(structures, of_coarse_chunks_are_those_of_the_area) {
  const World& world = default_world();
  int seen = 0;
  for (Lod lod = 0; lod <= world.max_lod; ++lod) {
    for (std::int64_t k = 0; k < 24; ++k) {
      const ChunkCoord coord{k % 6 - 3, k / 6 - 2};
      const Chunk chunk = make(world, coord, lod);
      if (lod > kMaxStructureLod) {
        EXPECT_TRUE(chunk.structures.empty());
        continue;
      }
      const std::int64_t span = std::int64_t{world.chunk_size} << lod;
      const BlockPos from = chunk_origin(coord, world.chunk_size, lod);
      const auto expected =
          structures_within(world, kSeed, from, {from.x + span - 1, from.y + span - 1}, fastest());
      EXPECT_EQ(chunk.structures, expected) << "lod " << int{lod};
      EXPECT_TRUE(std::is_sorted(chunk.structures.begin(), chunk.structures.end(), by_y_then_x));
      EXPECT_TRUE(lod == 0 || chunk.rooms.empty());
      seen += static_cast<int>(expected.size());
    }
  }
  EXPECT_GT(seen, 0);
}

TEST(structures, levelled_ground_is_the_same_at_every_level_of_detail_and_in_points) {
  const World& world = default_world();
  Chunks chunks(world);
  int levelled = 0;
  for (const Structure& structure : structures_around(world, {0, 0}, 5)) {
    std::vector<BlockPos> points;
    for (Lod lod = 1; lod <= world.max_lod; ++lod) {
      const Chunk coarse = make(world, chunk_of(structure.anchor, world.chunk_size, lod), lod);
      const BlockPos origin = chunk_origin(coarse.coord, coarse.size, lod);
      for (std::size_t k = 0; k < coarse.height_q4.size(); ++k) {
        const auto size = static_cast<std::size_t>(coarse.size);
        const BlockPos block{origin.x + (static_cast<std::int64_t>(k % size) << lod),
                             origin.y + (static_cast<std::int64_t>(k / size) << lod)};
        if (block.x < structure.from.x - 9 || block.y < structure.from.y - 9 ||
            block.x > structure.to.x + 9 || block.y > structure.to.y + 9)
          continue;
        ASSERT_EQ(coarse.height_q4[k], chunks.height_q4(block)) << "lod " << int{lod};
        ASSERT_EQ(coarse.forest_p[k], chunks.at(block).forest_p[chunks.index(block)])
            << "lod " << int{lod};
        points.push_back(block);
        ++levelled;
      }
    }
    for (const BlockPos point : points) {
      ASSERT_EQ(sample_points(world, kSeed, {&point, 1}, fastest())[0].height_q4,
                chunks.height_q4(point));
    }
  }
  EXPECT_GT(levelled, 1000);
}

TEST(structures, are_found_in_the_same_way_at_negative_and_far_coordinates) {
  const World& world = default_world();
  for (const BlockPos centre :
       {BlockPos{-50000, -70000}, {kFar, -kFar}, {-kFar, kFar}, {kFar, kFar}}) {
    Chunks chunks(world);
    const auto found = structures_around(world, centre, 14);
    for (std::size_t k = 0; k < std::min<std::size_t>(found.size(), 6); ++k) {
      expect_on_level_dry_ground(found[k], world, chunks);
      const Chunk& chunk = chunks.at(found[k].anchor);
      EXPECT_EQ(std::count(chunk.structures.begin(), chunk.structures.end(), found[k]), 1);
    }
    EXPECT_EQ(make(world, chunk_of(centre, world.chunk_size, 0)),
              make(world, chunk_of(centre, world.chunk_size, 0)));
  }
}

TEST(structures, do_not_stand_where_none_has_its_anchor) {
  const World& world = default_world();
  for (const Structure& structure : structures_around(world, {0, 0}, 4)) {
    EXPECT_TRUE(
        rooms_of(world, kSeed, {structure.anchor.x + 1, structure.anchor.y}, fastest()).empty());
    EXPECT_TRUE(rooms_of(world, kSeed + 1, structure.anchor, fastest()).empty());
  }
}

TEST(structures, of_seeds_that_differ_in_their_top_bits_have_other_places) {
  const World& world = default_world();
  std::set<std::pair<std::int64_t, std::int64_t>> anchors;
  std::size_t count = 0;
  for (int bit = 47; bit < 64; ++bit) {
    for (const Structure& structure :
         structures_around(world, {0, 0}, 6, bit == 47 ? 1 : 1 | std::uint64_t{1} << bit)) {
      anchors.insert({structure.anchor.x, structure.anchor.y});
      ++count;
    }
  }
  EXPECT_GT(count, 60u);
  EXPECT_GT(anchors.size(), count * 99 / 100);
}

}  // namespace
}  // namespace terrane::worldgen
