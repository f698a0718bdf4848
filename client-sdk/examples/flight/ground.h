// Ground and water: the tiles that are drawn, on the graphics card.
#pragma once
#include <vector>

#include "gl.h"
#include "terrane/terrane.h"
#include "view.h"

namespace flight {

class Ground {
 public:
  /// Takes the biomes' colours from the world.
  Ground(const terrane_world* world, const terrane_world_info& info);

  void put(const terrane_mesh_info& mesh);
  void hide(const terrane_tile& tile);
  /// Draws what the view sees; for a shadow, whatever is nearer than `reach` blocks.
  void draw(const View& view, float reach) const;
  void draw_water(const View& view) const;
  [[nodiscard]] std::size_t count() const { return drawn_; }

 private:
  struct Tile {
    terrane_tile tile{};
    terrane_block origin{};
    float width = 0, low = 0, high = 0;
    GLuint array = 0, water_array = 0;
    Buffer vertices, water_vertices, water_indices;
    GLsizei index_count = 0, water_index_count = 0;
  };
  struct IndexList {
    std::vector<std::uint32_t> indices;
    Buffer buffer;
  };
  const Buffer& indices_of(const terrane_mesh_info& mesh);
  std::size_t find(const terrane_tile& tile) const;
  static bool place(const View& view, const Tile& tile, float reach, GLint origin, GLint rest);

  const std::uint32_t chunk_size_;
  std::vector<Tile> tiles_;  // those that are drawn, and then spare ones with their buffers
  std::size_t drawn_ = 0;
  std::vector<IndexList> lists_;
  GLuint program_, water_program_;
  GLint origin_, rest_, water_origin_, water_rest_;
};

}  // namespace flight
