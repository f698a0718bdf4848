// What stands on the land: trees, boulders and buildings of the chunks in full detail, and forests
// of the others.
#pragma once
#include <array>
#include <vector>

#include "gl.h"
#include "shapes.h"
#include "terrane/terrane.h"
#include "view.h"

namespace flight {

class Things {
 public:
  Things(const terrane_world* world, const terrane_world_info& info);

  void put(const terrane_tile& tile, const terrane_chunk& chunk);
  /// The forest of a coarse tile, over what its mesh draws.
  void put_forest(const terrane_land* land, const terrane_tile& tile);
  void remove(const terrane_tile& tile);
  /// As Ground::draw.
  void draw(const View& view, float reach) const;

 private:
  struct Instance {
    float x, y, z;  // from the chunk's origin
    float turn;     // radians, 8 turns more for what is seen far; below 0: a box, not turned
    float size[3];
    float color;  // 0xRRGGBB
  };
  struct Chunk {
    terrane_tile tile{};
    terrane_block origin{};
    float low = 0, high = 0;
    Buffer instances;
    std::array<GLsizei, kShapes + 1> begins{};  // of each shape's instances
  };
  struct Kind {
    terrane_kind_info info{};
    Shape shape = kBox;
  };
  void add_placements(const terrane_chunk_info& chunk, const terrane_block& origin);
  void add_rooms(const terrane_chunk_info& chunk, const terrane_block& origin);
  Chunk& fresh(const terrane_tile& tile);
  void upload(Chunk& chunk);

  const terrane_world* const world_;
  const std::uint32_t chunk_size_;
  std::vector<Kind> kinds_;
  std::vector<terrane_kind_info> structures_;
  std::array<std::vector<Instance>, kShapes> made_;  // scratch, and so are these two
  std::vector<Instance> all_;
  std::array<terrane_box, 256> boxes_{};
  std::array<terrane_far_tree, 1024> trees_{};
  std::vector<Chunk> chunks_;  // those at hand, and then spare ones
  std::size_t count_ = 0;
  GLuint program_;
  GLint origin_;
  std::array<GLuint, kShapes> arrays_{};
  std::array<GLsizei, kShapes> vertex_counts_{};
};

}  // namespace flight
