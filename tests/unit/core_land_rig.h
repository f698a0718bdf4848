#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "chunk_handle.h"
#include "solids.h"
#include "terrane/chunk.h"
#include "terrane/terrane.h"
#include "world_handle.h"
#include "worldgen/generate.h"
#include "worlds/world_catalog.h"

/// Land and meshes as a game has them, by the C interface.
namespace terrane::core::test {

inline std::shared_ptr<const worldgen::World> world(const std::string& name) {
  static const worlds::WorldCatalog kCatalog = worlds::builtin_worlds().value();
  return kCatalog.at(name);
}

inline std::shared_ptr<const Chunk> generated(const Tile& tile, const std::string& name) {
  static std::map<std::pair<std::string, Tile>, std::shared_ptr<const Chunk>> made;
  auto& chunk = made[{name, tile}];
  if (!chunk)
    chunk = std::make_shared<const Chunk>(worldgen::generate(
        *world(name), 42, tile.coord, tile.lod, worldgen::noise::supported_targets().back()));
  return chunk;
}

/// A tile of `continents`, near whose lod-0 chunk (0, 0) there are a coast and hills.
inline std::shared_ptr<const Chunk> continents(const Tile& tile) {
  return generated(tile, "continents");
}

/// A world with its sizes, as terrane_world_open makes it of what a server says.
inline terrane_world as_opened(const std::string& name) {
  terrane_world opened;
  opened.generated = world(name);
  opened.described.placement_kinds = opened.generated->placement_kinds;
  opened.solids = solids_of(*opened.generated, opened.described.placement_kinds);
  return opened;
}

/// A block of `continents` in the midst of a forest.
inline BlockPos in_woods() {
  for (std::int64_t k = 0;; k += 8) {
    const auto chunk = continents({0, {k, 8}});
    if (chunk->placements.size() > 80) return chunk_origin({k, 8}, 64, 0);
  }
}

/// A chunk made by hand. @param height  of a block, 1/16 block
inline std::shared_ptr<Chunk> hand_made(
    const Tile& tile, int size,
    const std::function<std::int32_t(std::int64_t, std::int64_t)>& height) {
  auto chunk = std::make_shared<Chunk>();
  chunk->coord = tile.coord;
  chunk->lod = tile.lod;
  chunk->size = size;
  const BlockPos origin = chunk_origin(tile.coord, size, tile.lod);
  for (std::int64_t j = 0; j < size; ++j) {
    for (std::int64_t i = 0; i < size; ++i)
      chunk->height_q4.push_back(height(origin.x + (i << tile.lod), origin.y + (j << tile.lod)));
  }
  return chunk;
}

/// Of the chunks below.
inline constexpr int kSize = 16;

inline std::int32_t rough(std::int64_t x, std::int64_t y) {
  return static_cast<std::int32_t>(((x * 7919 + y * 104729) ^ (x * y)) & 255);
}

/// With water in its hollows, and biomes by height.
inline std::shared_ptr<Chunk> rough_chunk(const Tile& tile) {
  auto chunk = hand_made(tile, kSize, rough);
  chunk->water_q4.assign(kSize * kSize, 40);
  for (const std::int32_t height : chunk->height_q4)
    chunk->biome.push_back(static_cast<std::uint8_t>(height / 64));
  return chunk;
}

/// One mesh, copied out of the library.
struct Built {
  terrane_mesh_info info{};
  std::vector<terrane_vertex> vertices;
  std::vector<std::uint32_t> indices, ground;  // all; of the ground alone
  std::vector<terrane_water_vertex> water_vertices;
  std::vector<std::uint32_t> water_indices;
  int size = 0;
  int quarters = 0;  // that have triangles

  [[nodiscard]] std::int64_t spacing() const { return std::int64_t{1} << info.tile.lod; }
  [[nodiscard]] double z(std::int64_t i, std::int64_t j) const {
    return static_cast<double>(vertices[static_cast<std::size_t>(j * (size + 1) + i)].z);
  }
  /// Whether a place is of its, its edges included.
  [[nodiscard]] bool has(double x, double y) const {
    const double u = x - static_cast<double>(info.origin.x);
    const double v = y - static_cast<double>(info.origin.y);
    const auto span = static_cast<double>(spacing() * size);
    return u >= 0 && v >= 0 && u <= span && v <= span;
  }
  /// The ground's height at a place of its, by the triangle that holds it.
  [[nodiscard]] double height(double x, double y) const {
    const double u = (x - static_cast<double>(info.origin.x)) / static_cast<double>(spacing());
    const double v = (y - static_cast<double>(info.origin.y)) / static_cast<double>(spacing());
    const auto i = std::min<std::int64_t>(static_cast<std::int64_t>(std::floor(u)), size - 1);
    const auto j = std::min<std::int64_t>(static_cast<std::int64_t>(std::floor(v)), size - 1);
    const double a = u - static_cast<double>(i), b = v - static_cast<double>(j);
    const double from = z(i, j), to = z(i + 1, j + 1);
    return a >= b ? from + a * (z(i + 1, j) - from) + b * (to - z(i + 1, j))
                  : from + b * (z(i, j + 1) - from) + a * (to - z(i, j + 1));
  }
};

class Game {
 public:
  Game() {
    EXPECT_EQ(terrane_land_create(TERRANE_ABI_VERSION, &land_, nullptr), TERRANE_OK);
    EXPECT_EQ(terrane_mesh_create(TERRANE_ABI_VERSION, &mesh_, nullptr), TERRANE_OK);
  }
  ~Game() {
    terrane_mesh_destroy(mesh_);
    terrane_land_destroy(land_);
  }
  Game(const Game&) = delete;
  Game& operator=(const Game&) = delete;

  [[nodiscard]] terrane_land* land() const { return land_; }
  [[nodiscard]] terrane_mesh* mesh() const { return mesh_; }
  [[nodiscard]] const std::set<Tile>& at_hand() const { return at_hand_; }
  [[nodiscard]] int size() const { return size_; }

  terrane_code put(std::shared_ptr<const Chunk> chunk) {
    terrane_chunk handle(chunk);
    const terrane_code code = terrane_land_put(land_, &handle, nullptr);
    if (code == TERRANE_OK) at_hand_.insert({chunk->lod, chunk->coord}), size_ = chunk->size;
    return code;
  }
  void remove(const Tile& tile) {
    const terrane_tile c = to_c(tile);
    terrane_land_remove(land_, &c);
    at_hand_.erase(tile);
  }

  [[nodiscard]] std::vector<terrane_change> changes(std::size_t capacity = 100'000) {
    std::vector<terrane_change> changes(capacity);
    changes.resize(terrane_land_take_changes(land_, changes.data(), capacity));
    return changes;
  }

  [[nodiscard]] Built build(const Tile& tile) const {
    const terrane_tile c = to_c(tile);
    EXPECT_EQ(terrane_land_mesh(land_, &c, mesh_, nullptr), TERRANE_OK);
    return built();
  }
  /// The last mesh.
  [[nodiscard]] Built built() const {
    Built built;
    built.info.struct_size = sizeof built.info;
    terrane_mesh_get_info(mesh_, &built.info);
    const terrane_mesh_info& info = built.info;
    built.size = size_;
    built.vertices.assign(info.vertices, info.vertices + info.vertex_count);
    built.indices.assign(info.indices, info.indices + info.index_count);
    built.ground.assign(info.indices, info.indices + info.ground_index_count);
    built.water_vertices.assign(info.water_vertices, info.water_vertices + info.water_vertex_count);
    built.water_indices.assign(info.water_indices, info.water_indices + info.water_index_count);
    const auto half = static_cast<float>(built.spacing() * built.size) / 2;
    for (std::size_t k = 0; k < built.ground.size(); k += 3) {
      const terrane_vertex& a = built.vertices[built.ground[k]];
      built.quarters |= 1 << ((a.x < half ? 0 : 1) + (a.y < half ? 0 : 2));
    }
    if (!built.ground.empty()) {
      EXPECT_EQ(15 - static_cast<int>(info.left_out), built.quarters);
    }
    return built;
  }

  [[nodiscard]] terrane_ground ground(double x, double y) const {
    const double place[2] = {x, y};
    terrane_ground ground;
    terrane_land_ground(land_, place, 1, &ground);
    return ground;
  }

  /// The finest tile at hand at a block.
  [[nodiscard]] const Tile* finest(BlockPos block) const {
    for (Lod lod = 0; lod <= kMaxLod; ++lod) {
      const auto found = at_hand_.find({lod, chunk_of(block, size_, lod)});
      if (found != at_hand_.end()) return &*found;
    }
    return nullptr;
  }

 private:
  terrane_land* land_ = nullptr;
  terrane_mesh* mesh_ = nullptr;
  std::set<Tile> at_hand_;
  int size_ = 64;
};

inline Tile tile_of(const terrane_tile& tile) { return from_c(tile); }

/// All tiles at most `radii[lod]` from the one that holds a block, the finest level first.
inline std::vector<Tile> view(BlockPos centre, int size, const std::vector<int>& radii) {
  std::vector<Tile> tiles;
  for (Lod lod = 0; std::size_t{lod} < radii.size(); ++lod) {
    const ChunkCoord at = chunk_of(centre, size, lod);
    for (std::int64_t y = -radii[lod]; y <= radii[lod]; ++y) {
      for (std::int64_t x = -radii[lod]; x <= radii[lod]; ++x) {
        if (radii[lod] > 0) tiles.push_back({lod, {at.x + x, at.y + y}});
      }
    }
  }
  return tiles;
}

}  // namespace terrane::core::test
