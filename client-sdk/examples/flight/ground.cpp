#include "ground.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "shaders.h"

namespace flight {

using namespace shaders;

Ground::Ground(const terrane_world* world, const terrane_world_info& info)
    : chunk_size_(info.chunk_size),
      program_(make_program(kCommon + kGroundVertex, kCommon + kShadow + kGroundFragment)),
      water_program_(make_program(kCommon + kWaterVertex, kCommon + kWaterFragment)),
      origin_(glGetUniformLocation(program_, "origin")),
      rest_(glGetUniformLocation(program_, "origin_4096")),
      water_origin_(glGetUniformLocation(water_program_, "origin")),
      water_rest_(glGetUniformLocation(water_program_, "origin_4096")) {
  std::vector<float> colors(std::size_t{256} * 3, 0.5f);
  for (std::uint32_t k = 0; k < info.biomes; ++k) {
    terrane_kind_info biome{};
    biome.struct_size = sizeof biome;
    terrane_world_biome(world, k, &biome);
    for (std::uint32_t c = 0; c < 3; ++c) {
      const auto part = static_cast<float>(biome.color >> (16 - 8 * c) & 255);
      colors[3 * k + c] = std::pow(part / 255, 2.2f);
    }
  }
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB16F, 256, 1, 0, GL_RGB, GL_FLOAT, colors.data());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glUseProgram(program_);
  glUniform1i(glGetUniformLocation(program_, "shadows"), 1);
  tiles_.reserve(4096);
}

/// Tiles that leave out the same quarters have the same triangles: they share them.
const Buffer& Ground::indices_of(const terrane_mesh_info& mesh) {
  const std::span<const std::uint32_t> indices(mesh.indices, mesh.index_count);
  for (const IndexList& list : lists_) {
    if (std::ranges::equal(list.indices, indices)) return list.buffer;
  }
  IndexList& list = lists_.emplace_back();
  list.indices.assign(indices.begin(), indices.end());
  list.buffer.fill(GL_ELEMENT_ARRAY_BUFFER, mesh.indices, indices.size_bytes());
  return list.buffer;
}

std::size_t Ground::find(const terrane_tile& tile) const {
  std::size_t k = 0;
  while (k < drawn_ && (tiles_[k].tile.x != tile.x || tiles_[k].tile.y != tile.y ||
                        tiles_[k].tile.lod != tile.lod))
    ++k;
  return k;
}

void Ground::put(const terrane_mesh_info& mesh) {
  const std::size_t at = find(mesh.tile);
  if (at == tiles_.size()) {
    Tile& made = tiles_.emplace_back();
    glGenVertexArrays(1, &made.array);
    glGenVertexArrays(1, &made.water_array);
  }
  drawn_ = std::max(drawn_, at + 1);
  Tile& tile = tiles_[at];
  tile.tile = mesh.tile;
  tile.origin = mesh.origin;
  tile.width = static_cast<float>(chunk_size_ << mesh.tile.lod);
  tile.low = mesh.min_z;
  tile.high = mesh.max_z;
  glBindVertexArray(0);
  const Buffer& indices = indices_of(mesh);
  glBindVertexArray(tile.array);
  tile.vertices.fill(GL_ARRAY_BUFFER, mesh.vertices, mesh.vertex_count * sizeof(terrane_vertex));
  constexpr GLsizei kStride = sizeof(terrane_vertex);
  attribute(0, 3, kStride, offsetof(terrane_vertex, x));
  attribute(1, 3, kStride, offsetof(terrane_vertex, normal));
  glEnableVertexAttribArray(2);
  glVertexAttribIPointer(2, 4, GL_UNSIGNED_BYTE, kStride,
                         reinterpret_cast<const void*>(offsetof(terrane_vertex, biomes)));
  glEnableVertexAttribArray(3);
  glVertexAttribPointer(3, 4, GL_UNSIGNED_BYTE, GL_TRUE, kStride,
                        reinterpret_cast<const void*>(offsetof(terrane_vertex, weights)));
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices.id());
  tile.index_count = static_cast<GLsizei>(mesh.index_count);
  tile.water_index_count = static_cast<GLsizei>(mesh.water_index_count);
  if (tile.water_index_count == 0) return;
  glBindVertexArray(tile.water_array);
  tile.water_vertices.fill(GL_ARRAY_BUFFER, mesh.water_vertices,
                           mesh.water_vertex_count * sizeof(terrane_water_vertex));
  attribute(0, 4, sizeof(terrane_water_vertex), 0);
  tile.water_indices.fill(GL_ELEMENT_ARRAY_BUFFER, mesh.water_indices,
                          mesh.water_index_count * sizeof(std::uint32_t));
}

void Ground::hide(const terrane_tile& tile) {
  const std::size_t at = find(tile);
  if (at < drawn_) std::swap(tiles_[at], tiles_[--drawn_]);
}

/// Tells the shader where a tile lies. @return whether it is to be drawn
bool Ground::place(const View& view, const Tile& tile, float reach, GLint origin, GLint rest) {
  const Vec3 at = view.to(tile.origin);
  const Vec3 low{at[0], at[1], at[2] + tile.low};
  const Vec3 high{at[0] + tile.width, at[1] + tile.width, at[2] + tile.high};
  if (reach > 0) {
    if (std::max({low[0], low[1], -high[0], -high[1]}) > reach) return false;
  } else if (!view.sees(low, high)) {
    return false;
  }
  glUniform3f(origin, at[0], at[1], at[2]);
  glUniform2f(rest, static_cast<float>(tile.origin.x & 4095),
              static_cast<float>(tile.origin.y & 4095));
  return true;
}

void Ground::draw(const View& view, float reach) const {
  glUseProgram(program_);
  for (std::size_t k = 0; k < drawn_; ++k) {
    const Tile& tile = tiles_[k];
    if (!place(view, tile, reach, origin_, rest_)) continue;
    glBindVertexArray(tile.array);
    glDrawElements(GL_TRIANGLES, tile.index_count, GL_UNSIGNED_INT, nullptr);
  }
}

void Ground::draw_water(const View& view) const {
  glUseProgram(water_program_);
  for (std::size_t k = 0; k < drawn_; ++k) {
    const Tile& tile = tiles_[k];
    if (tile.water_index_count == 0 || !place(view, tile, 0, water_origin_, water_rest_)) continue;
    glBindVertexArray(tile.water_array);
    glDrawElements(GL_TRIANGLES, tile.water_index_count, GL_UNSIGNED_INT, nullptr);
  }
}

}  // namespace flight
