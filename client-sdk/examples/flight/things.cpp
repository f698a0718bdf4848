#include "things.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "shaders.h"

namespace flight {
namespace {

constexpr float kStretch = 40;  // blocks: how far things may reach out of their chunk
constexpr float kTurn = 2 * std::numbers::pi_v<float>;
constexpr float kIsSeenFar = 8 * kTurn;  // added to the turn of what does not shrink with distance

float turn_of(std::uint8_t turn, bool is_seen_far) {
  return static_cast<float>(turn) * kTurn / 256 + (is_seen_far ? kIsSeenFar : 0);
}

template <typename T>
std::size_t find(const std::vector<T>& chunks, std::size_t count, const terrane_tile& tile) {
  std::size_t k = 0;
  while (k < count && (chunks[k].tile.x != tile.x || chunks[k].tile.y != tile.y ||
                       chunks[k].tile.lod != tile.lod))
    ++k;
  return k;
}

/// A colour between two, as 0xRRGGBB.
float mixed(std::uint32_t a, std::uint32_t b, double share) {
  std::uint32_t sum = 0;
  for (int shift = 0; shift <= 16; shift += 8) {
    const double part = (a >> shift & 255) * (1 - share) + (b >> shift & 255) * share;
    sum |= static_cast<std::uint32_t>(part) << shift;
  }
  return static_cast<float>(sum);
}

float color_of(std::uint8_t part, std::uint32_t kind) {
  if (part == TERRANE_BOX_ROOF) return static_cast<float>(kind);
  return part == TERRANE_BOX_FLOOR ? mixed(kind, 0x6b4f35, 0.8) : mixed(kind, 0xd9ccb4, 0.7);
}

}  // namespace

Things::Things(const terrane_world* world, const terrane_world_info& info)
    : world_(world),
      chunk_size_(info.chunk_size),
      program_(make_program(shaders::kCommon + shaders::kThingVertex,
                            shaders::kCommon + shaders::kShadow + shaders::kThingFragment)),
      origin_(glGetUniformLocation(program_, "origin")) {
  glUseProgram(program_);
  glUniform1i(glGetUniformLocation(program_, "shadows"), 1);
  kinds_.resize(info.placement_kinds);
  for (std::uint32_t k = 0; k < info.placement_kinds; ++k) {
    kinds_[k].info.struct_size = sizeof(terrane_kind_info);
    terrane_world_placement_kind(world, k, &kinds_[k].info);
    kinds_[k].shape = shape_of(kinds_[k].info);
  }
  structures_.resize(info.structure_kinds);
  for (std::uint32_t k = 0; k < info.structure_kinds; ++k) {
    structures_[k].struct_size = sizeof(terrane_kind_info);
    terrane_world_structure_kind(world, k, &structures_[k]);
  }
  for (std::size_t k = 0; k < kShapes; ++k) {
    const std::vector<ShapeVertex> shape = make_shape(static_cast<Shape>(k));
    vertex_counts_[k] = static_cast<GLsizei>(shape.size());
    glGenVertexArrays(1, &arrays_[k]);
    glBindVertexArray(arrays_[k]);
    Buffer().fill(GL_ARRAY_BUFFER, shape.data(), shape.size() * sizeof(ShapeVertex));
    attribute(0, 4, sizeof(ShapeVertex), 0);
    attribute(1, 3, sizeof(ShapeVertex), offsetof(ShapeVertex, normal));
  }
  chunks_.reserve(4096);
}

void Things::put(const terrane_tile& tile, const terrane_chunk& chunk) {
  terrane_chunk_info info{};
  info.struct_size = sizeof info;
  terrane_chunk_get_info(&chunk, &info);
  remove(tile);
  if (info.placement_count + info.room_count == 0) return;
  Chunk& put = fresh(tile);
  add_placements(info, put.origin);
  add_rooms(info, put.origin);
  upload(put);
}

void Things::put_forest(const terrane_land* land, const terrane_tile& tile) {
  remove(tile);
  // as many as there are at the first level, and then groups of them
  const std::size_t most = tile.lod == 1 ? trees_.size() : trees_.size() / 4;
  const std::size_t count = terrane_land_far_trees(land, world_, &tile, trees_.data(), most);
  if (count == 0) return;
  Chunk& put = fresh(tile);
  for (std::size_t k = 0; k < count; ++k) {
    const terrane_far_tree& tree = trees_[k];
    const Kind& kind = kinds_[tree.kind];
    const float radius = tree.radius * std::sqrt(tree.trees);
    made_[kind.shape == kConifer ? kConifers : kCanopy].push_back(
        {tree.x,
         tree.y,
         tree.z,
         turn_of(tree.turn, true),
         {radius, radius, tree.height},
         static_cast<float>(kind.info.color)});
  }
  upload(put);
}

/// A chunk without anything yet.
Things::Chunk& Things::fresh(const terrane_tile& tile) {
  if (count_ == chunks_.size()) chunks_.emplace_back();
  Chunk& chunk = chunks_[count_++];
  chunk.tile = tile;
  const std::int64_t wide = std::int64_t{chunk_size_} << tile.lod;
  chunk.origin = {tile.x * wide, tile.y * wide};
  for (auto& instances : made_) instances.clear();
  return chunk;
}

void Things::remove(const terrane_tile& tile) {
  const std::size_t at = find(chunks_, count_, tile);
  if (at < count_) std::swap(chunks_[at], chunks_[--count_]);
}

void Things::add_placements(const terrane_chunk_info& chunk, const terrane_block& origin) {
  for (std::size_t k = 0; k < chunk.placement_count; ++k) {
    const terrane_placement& placed = chunk.placements[k];
    const Kind& kind = kinds_[placed.kind];
    const std::int64_t i = placed.anchor.x - origin.x, j = placed.anchor.y - origin.y;
    const float unit = static_cast<float>(placed.scale) / 1600;
    const float radius = static_cast<float>(kind.info.radius_q4) * unit;
    made_[kind.shape].push_back({static_cast<float>(i),
                                 static_cast<float>(j),
                                 static_cast<float>(chunk.height_q4[j * chunk.size + i]) / 16,
                                 turn_of(placed.turn, kind.shape != kRock),
                                 {radius, radius, static_cast<float>(kind.info.height_q4) * unit},
                                 static_cast<float>(kind.info.color)});
  }
}

void Things::add_rooms(const terrane_chunk_info& chunk, const terrane_block& origin) {
  for (std::size_t k = 0; k < chunk.room_count; ++k) {
    const terrane_room& room = chunk.rooms[k];
    const std::size_t count =
        std::min(terrane_room_boxes(world_, &room, boxes_.data(), boxes_.size()), boxes_.size());
    for (std::size_t b = 0; b < count; ++b) {
      const terrane_box& box = boxes_[b];
      made_[kBox].push_back({static_cast<float>(box.from.x - origin.x),
                             static_cast<float>(box.from.y - origin.y),
                             box.bottom,
                             -1,
                             {static_cast<float>(box.to.x - box.from.x),
                              static_cast<float>(box.to.y - box.from.y), box.top - box.bottom},
                             color_of(box.part, structures_[room.kind].color)});
    }
  }
}

void Things::upload(Chunk& chunk) {
  all_.clear();
  chunk.low = 1e9f;
  chunk.high = -1e9f;
  for (std::size_t k = 0; k < kShapes; ++k) {
    all_.insert(all_.end(), made_[k].begin(), made_[k].end());
    chunk.begins[k + 1] = static_cast<GLsizei>(all_.size());
  }
  for (const Instance& instance : all_) {
    chunk.low = std::min(chunk.low, instance.z - 1);
    chunk.high = std::max(chunk.high, instance.z + instance.size[2]);
  }
  chunk.instances.fill(GL_ARRAY_BUFFER, all_.data(), all_.size() * sizeof(Instance));
}

void Things::draw(const View& view, float reach) const {
  glUseProgram(program_);
  for (std::size_t k = 0; k < count_; ++k) {
    const Chunk& chunk = chunks_[k];
    const float wide = static_cast<float>(chunk_size_ << chunk.tile.lod) + kStretch;
    const Vec3 at = view.to(chunk.origin);
    const Vec3 low{at[0] - kStretch, at[1] - kStretch, at[2] + chunk.low};
    const Vec3 high{at[0] + wide, at[1] + wide, at[2] + chunk.high};
    if (reach > 0 ? std::max({low[0], low[1], -high[0], -high[1]}) > reach : !view.sees(low, high))
      continue;
    glUniform3f(origin_, at[0], at[1], at[2]);
    for (std::size_t s = 0; s < kShapes; ++s) {
      const GLsizei count = chunk.begins[s + 1] - chunk.begins[s];
      if (count == 0) continue;
      glBindVertexArray(arrays_[s]);
      glBindBuffer(GL_ARRAY_BUFFER, chunk.instances.id());
      const std::size_t begin = static_cast<std::size_t>(chunk.begins[s]) * sizeof(Instance);
      attribute(2, 4, sizeof(Instance), begin, 1);
      attribute(3, 4, sizeof(Instance), begin + offsetof(Instance, size), 1);
      glDrawArraysInstanced(GL_TRIANGLES, 0, vertex_counts_[s], count);
    }
  }
}

}  // namespace flight
