// What a player would see of a mesh that is wrong: cracks, holes, wrong shores, wrong colours.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "unit/core_land_rig.h"

namespace terrane::core::test {
namespace {

constexpr double kClose = 1e-3;  // blocks

/// A hilly coast of `continents`: found once, by looking for tiles with land and water.
BlockPos coast() {
  static const BlockPos found = [] {
    for (std::int64_t x = 0;; x += 7) {
      const auto chunk = continents({0, {x, -x / 3}});
      const auto [low, high] =
          std::minmax_element(chunk->height_q4.begin(), chunk->height_q4.end());
      std::size_t wet = 0;
      for (std::size_t k = 0; k < chunk->height_q4.size(); ++k)
        wet += chunk->water_q4[k] > chunk->height_q4[k] ? 1 : 0;
      if (*high - *low > 200 && wet > 400 && wet < 3000) return BlockPos{x * 64 + 32, -x / 3 * 64};
    }
  }();
  return found;
}

/// All that is drawn, as a game that follows the changes has it.
std::map<Tile, Built> drawn(Game& game) {
  std::map<Tile, Built> meshes;
  for (const terrane_change& change : game.changes()) {
    if (change.kind == TERRANE_DRAW) {
      meshes[tile_of(change.tile)] = game.build(tile_of(change.tile));
    } else {
      meshes.erase(tile_of(change.tile));
    }
  }
  return meshes;
}

using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// The edges with a triangle of the mesh on one side alone, with the triangle's third vertex.
std::map<Edge, std::uint32_t> outer_edges(const Built& mesh) {
  std::map<Edge, std::uint32_t> outer;
  for (std::size_t k = 0; k < mesh.ground.size(); k += 3) {
    for (std::size_t side = 0; side < 3; ++side) {
      const std::uint32_t a = mesh.ground[k + side], b = mesh.ground[k + (side + 1) % 3];
      const Edge edge{std::min(a, b), std::max(a, b)};
      if (outer.erase(edge) == 0) outer[edge] = mesh.ground[k + (side + 2) % 3];
    }
  }
  return outer;
}

/// Checks that whatever is drawn beyond each edge meets it. @return how many edges did
int expect_watertight(const Game& game, const std::map<Tile, Built>& meshes) {
  int met = 0;
  for (const auto& [tile, mesh] : meshes) {
    for (const auto& [edge, third] : outer_edges(mesh)) {
      const terrane_vertex &a = mesh.vertices[edge.first], &b = mesh.vertices[edge.second],
                           &inner = mesh.vertices[third];
      const double x = (double{a.x} + double{b.x}) / 2, y = (double{a.y} + double{b.y}) / 2;
      const auto origin_x = static_cast<double>(mesh.info.origin.x);
      const auto origin_y = static_cast<double>(mesh.info.origin.y);
      // a little beyond the middle of the edge, and a little within
      const double to_x = x > inner.x && a.x == b.x ? 0.25 : x < inner.x && a.x == b.x ? -0.25 : 0;
      const double to_y = y > inner.y && a.y == b.y ? 0.25 : y < inner.y && a.y == b.y ? -0.25 : 0;
      const auto finest = [&](double sign) {
        return game.finest({static_cast<std::int64_t>(std::floor(origin_x + x + sign * to_x)),
                            static_cast<std::int64_t>(std::floor(origin_y + y + sign * to_y))});
      };
      if (*finest(-1) != tile || finest(1) == nullptr) continue;
      const auto beyond = meshes.find(*finest(1));
      if (beyond == meshes.end()) {
        ADD_FAILURE() << "a hole beyond lod " << int{tile.lod};
        continue;
      }
      ++met;
      for (const double t : {0.0, 0.5, 1.0}) {
        const double at_x = origin_x + double{a.x} + t * (double{b.x} - double{a.x});
        const double at_y = origin_y + double{a.y} + t * (double{b.y} - double{a.y});
        if (!beyond->second.has(at_x, at_y)) continue;  // it lies along a part of the edge
        const double z = double{a.z} + t * (double{b.z} - double{a.z});
        EXPECT_NEAR(beyond->second.height(at_x, at_y), z, kClose)
            << "at " << at_x << ", " << at_y << " between lod " << int{tile.lod} << " and "
            << int{beyond->first.lod};
        if (testing::Test::HasFailure()) return met;
      }
    }
  }
  return met;
}

TEST(mesh, those_of_a_view_of_three_levels_meet_without_a_crack) {
  Game game;
  for (const Tile& tile : view(coast(), 64, {4, 4, 4})) game.put(continents(tile));
  const auto meshes = drawn(game);
  EXPECT_GT(expect_watertight(game, meshes), 10'000);
  for (const auto& [tile, mesh] : meshes) {
    const bool middle = std::abs(tile.coord.x - chunk_of(coast(), 64, tile.lod).x) < 4 &&
                        std::abs(tile.coord.y - chunk_of(coast(), 64, tile.lod).y) < 4;
    if (middle) {
      EXPECT_EQ(mesh.info.exact, 1u) << int{tile.lod};
    }
  }
}

TEST(mesh, those_at_hand_meet_whatever_others_are_missing) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    std::mt19937 random(seed);
    Game game;
    for (const Tile& tile : view(coast(), 64, {3, 2, 2, 2, 1})) {
      if (random() % 100 < 25 + 5 * seed) game.put(continents(tile));
    }
    EXPECT_GT(expect_watertight(game, drawn(game)), 500);
    if (HasFailure()) FAIL() << seed;
  }
}

TEST(mesh, levels_far_apart_and_of_small_chunks_meet) {
  const auto rough = [](std::int64_t x, std::int64_t y) {
    return static_cast<std::int32_t>(((x * 7919 + y * 104729) ^ (x * y)) & 1023);
  };
  for (unsigned seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    Game game;
    for (const Tile& tile : view({-5, 3}, 16, {1, 1, 0, 2, 0, 1, 1, 1})) {
      if (random() % 3 != 0) game.put(hand_made(tile, 16, rough));
    }
    EXPECT_GT(expect_watertight(game, drawn(game)), 50);
    if (HasFailure()) FAIL() << seed;
  }
}

TEST(mesh, quarters_that_finer_tiles_cover_have_no_triangles) {
  Game game;
  const auto flat = [](std::int64_t, std::int64_t) { return 16; };
  game.put(hand_made({1, {0, 0}}, 16, flat));
  EXPECT_EQ(game.build({1, {0, 0}}).quarters, 15);
  game.put(hand_made({0, {1, 0}}, 16, flat));
  const Built mesh = game.build({1, {0, 0}});
  EXPECT_EQ(mesh.quarters, 13);
  EXPECT_EQ(mesh.info.ground_index_count, 3u * 64 * 6);
  EXPECT_EQ(mesh.info.exact, 0u);
  EXPECT_EQ(mesh.vertices.size(), 17u * 17 + 8 * 9) << "skirts along eight halves of edges";
  EXPECT_EQ(mesh.indices.size() - mesh.ground.size(), 8u * 8 * 6);
}

TEST(mesh, triangles_face_up_and_skirts_outwards) {
  Game game;
  for (const Tile& tile : view(coast(), 64, {0, 1})) game.put(continents(tile));
  game.put(continents({0, chunk_of(coast(), 64, 0)}));
  for (const auto& [tile, mesh] : drawn(game)) {
    for (std::size_t k = 0; k < mesh.indices.size(); k += 3) {
      const terrane_vertex &a = mesh.vertices[mesh.indices[k]],
                           &b = mesh.vertices[mesh.indices[k + 1]],
                           &c = mesh.vertices[mesh.indices[k + 2]];
      const float ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
      const float vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
      const float up = ux * vy - uy * vx;
      if (k < mesh.ground.size()) {
        ASSERT_GT(up, 0);
        continue;
      }
      ASSERT_EQ(up, 0) << "skirts hang straight down";
      const float x = uy * vz - uz * vy, y = uz * vx - ux * vz;
      const auto middle = static_cast<float>(mesh.spacing() * 32);
      const float edge = 2 * middle;
      if (a.x == 0 && b.x == 0) {
        EXPECT_LT(x, 0);
      }
      if (a.x == edge && b.x == edge) {
        EXPECT_GT(x, 0);
      }
      if (a.y == 0 && b.y == 0 && c.y == 0) {
        EXPECT_LT(y, 0);
      }
      if (a.y == edge && b.y == edge && c.y == edge) {
        EXPECT_GT(y, 0);
      }
    }
    float low = mesh.vertices[mesh.indices[0]].z, high = low;
    for (const std::uint32_t index : mesh.indices) {
      low = std::min(low, mesh.vertices[index].z);
      high = std::max(high, mesh.vertices[index].z);
    }
    for (const auto& vertex : mesh.water_vertices) high = std::max(high, vertex.z);
    EXPECT_EQ(mesh.info.min_z, low);
    EXPECT_EQ(mesh.info.max_z, high);
  }
}

TEST(mesh, neighbours_have_the_same_normals_and_biomes_along_their_edge) {
  Game game;
  const ChunkCoord at = chunk_of(coast(), 64, 0);
  for (const Tile& tile : view(coast(), 64, {2})) game.put(continents(tile));
  const Built west = game.build({0, at}), east = game.build({0, {at.x + 1, at.y}});
  for (std::size_t j = 0; j <= 64; ++j) {
    const terrane_vertex &a = west.vertices[j * 65 + 64], &b = east.vertices[j * 65];
    EXPECT_EQ(a.z, b.z);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(a.normal[k], b.normal[k]) << j;
    for (int k = 0; k < 4; ++k) {
      EXPECT_EQ(a.biomes[k], b.biomes[k]) << j;
      EXPECT_EQ(a.weights[k], b.weights[k]) << j;
    }
  }
}

TEST(mesh, biomes_weigh_255_together_and_normals_have_length_one) {
  Game game;
  std::set<int> kinds;
  for (const Tile& tile : view(coast(), 64, {2, 2})) game.put(continents(tile));
  for (const auto& [tile, mesh] : drawn(game)) {
    for (const terrane_vertex& vertex : mesh.vertices) {
      ASSERT_EQ(vertex.weights[0] + vertex.weights[1] + vertex.weights[2] + vertex.weights[3], 255);
      for (int k = 0; k < 3; ++k) ASSERT_GE(vertex.weights[k], vertex.weights[k + 1]);
      const float* n = vertex.normal;
      ASSERT_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-5);
      ASSERT_GT(n[2], 0);
      kinds.insert(vertex.biomes[0]);
      if (vertex.weights[1] > 0) {
        ASSERT_NE(vertex.biomes[0], vertex.biomes[1]);
      }
    }
  }
  EXPECT_GT(kinds.size(), 2u);
}

TEST(mesh, water_lies_over_wet_ground_and_meets_the_shore) {
  Game game;
  const Tile tile{0, chunk_of(coast(), 64, 0)};
  for (const Tile& each : view(coast(), 64, {1})) game.put(continents(each));
  const Built mesh = game.build(tile);
  const auto chunk = continents(tile);
  std::map<std::pair<float, float>, terrane_water_vertex> water;
  for (const auto& vertex : mesh.water_vertices)
    EXPECT_TRUE(water.emplace(std::pair{vertex.x, vertex.y}, vertex).second) << "twice";
  int wet = 0, dry = 0;
  for (std::size_t j = 0; j < 64; ++j) {
    for (std::size_t i = 0; i < 64; ++i) {
      const auto found = water.find({static_cast<float>(i), static_cast<float>(j)});
      const double ground = chunk->height_q4[j * 64 + i] / 16.0;
      const double level = chunk->water_q4[j * 64 + i] / 16.0;
      if (level > ground) {
        ++wet;
        ASSERT_NE(found, water.end());
        EXPECT_EQ(found->second.z, level);
        EXPECT_EQ(found->second.depth, level - ground);
      } else if (found != water.end()) {
        ++dry;
        EXPECT_LE(found->second.depth, 0);
      }
    }
  }
  EXPECT_GT(wet, 100);
  EXPECT_GT(dry, 10);
  for (std::size_t k = 0; k < mesh.water_indices.size(); k += 6) {
    float deepest = -1;
    for (std::size_t c = 0; c < 6; ++c)
      deepest = std::max(deepest, mesh.water_vertices[mesh.water_indices[k + c]].depth);
    EXPECT_GT(deepest, 0) << "each cell has a wet corner";
  }
}

TEST(mesh, water_of_neighbours_meets) {
  Game game;
  const ChunkCoord at = chunk_of(coast(), 64, 0);
  for (const Tile& tile : view(coast(), 64, {2})) game.put(continents(tile));
  const Built one = game.build({0, at});
  int shared = 0;
  for (const ChunkCoord to : {ChunkCoord{1, 0}, {0, 1}, {-1, 0}, {0, -1}}) {
    const Built other = game.build({0, {at.x + to.x, at.y + to.y}});
    for (const auto& a : one.water_vertices) {
      for (const auto& b : other.water_vertices) {
        if (a.x != b.x + 64 * static_cast<float>(to.x) ||
            a.y != b.y + 64 * static_cast<float>(to.y))
          continue;
        ++shared;
        EXPECT_EQ(a.z, b.z) << a.x << ", " << a.y;
        EXPECT_EQ(a.depth, b.depth);
      }
    }
  }
  EXPECT_GT(shared, 10);
}

TEST(mesh, is_right_far_out_at_every_level_and_size) {
  const auto slope = [](std::int64_t x, std::int64_t y) {
    return static_cast<std::int32_t>((x >> 3) % 1000 + (y >> 4) % 500);
  };
  for (const int size : {16, 32, 64, 128}) {
    for (const Lod lod : {Lod{0}, Lod{7}, kMaxLod}) {
      const std::int64_t far = max_chunk_coord(lod);
      for (const ChunkCoord coord :
           {ChunkCoord{far, far}, {-far, far}, {-far, -far}, {0, 0}, {-1, -1}}) {
        Game game;
        EXPECT_EQ(game.put(hand_made({lod, coord}, size, slope)), TERRANE_OK);
        EXPECT_EQ(game.put(hand_made({lod, {coord.x > 0 ? coord.x - 1 : coord.x + 1, coord.y}},
                                     size, slope)),
                  TERRANE_OK);
        const Built mesh = game.build({lod, coord});
        const BlockPos origin = chunk_origin(coord, size, lod);
        EXPECT_EQ(mesh.info.origin.x, origin.x);
        EXPECT_EQ(mesh.info.origin.y, origin.y);
        EXPECT_EQ(mesh.ground.size(), static_cast<std::size_t>(size * size * 6));
        EXPECT_EQ(mesh.z(3, 2),
                  slope(origin.x + 3 * mesh.spacing(), origin.y + 2 * mesh.spacing()) / 16.0);
        EXPECT_EQ(mesh.vertices[static_cast<std::size_t>(size)].x,
                  static_cast<float>(size * mesh.spacing()));
        EXPECT_EQ(game.changes().size(), 2u);
      }
    }
  }
}

TEST(mesh, chunks_without_biomes_and_water_have_a_plain_mesh) {
  Game game;
  game.put(hand_made({0, {0, 0}}, 16, [](std::int64_t x, std::int64_t) {
    return static_cast<std::int32_t>(x * 16);
  }));
  const Built mesh = game.build({0, {0, 0}});
  EXPECT_TRUE(mesh.water_indices.empty());
  EXPECT_EQ(mesh.z(16, 16), 15) << "the last sample, where no tile has the next";
  for (const terrane_vertex& vertex : mesh.vertices) {
    EXPECT_EQ(vertex.weights[0], 255);
    EXPECT_EQ(vertex.biomes[0], 0);
  }
  EXPECT_FLOAT_EQ(mesh.vertices[5].normal[0], -std::sqrt(0.5f));
  EXPECT_FLOAT_EQ(mesh.vertices[5].normal[2], std::sqrt(0.5f));
}

TEST(mesh, heights_that_no_world_has_do_no_harm) {
  Game game;
  std::mt19937 random(3);
  for (const Tile& tile : view({0, 0}, 16, {1, 1})) {
    auto chunk = hand_made(
        tile, 16, [&](std::int64_t, std::int64_t) { return static_cast<std::int32_t>(random()); });
    for (int k = 0; k < 256; ++k) {
      chunk->water_q4.push_back(static_cast<std::int32_t>(random()));
      chunk->biome.push_back(static_cast<std::uint8_t>(random()));
    }
    EXPECT_EQ(game.put(chunk), TERRANE_OK);
  }
  for (const auto& [tile, mesh] : drawn(game)) {
    for (const std::uint32_t index : mesh.indices) ASSERT_LT(index, mesh.vertices.size());
    for (const terrane_vertex& vertex : mesh.vertices) ASSERT_TRUE(std::isfinite(vertex.z));
    for (const std::uint32_t index : mesh.water_indices)
      ASSERT_LT(index, mesh.water_vertices.size());
  }
  for (int k = -30; k < 30; ++k) EXPECT_TRUE(std::isfinite(game.ground(k, 0.3 * k).water));
}

}  // namespace
}  // namespace terrane::core::test
