#include "terrane/height_field.h"

#include <algorithm>
#include <cstddef>

namespace terrane {
namespace {

constexpr int kMostAcross = 256;  // chunks: of the largest, 4 GiB of heights

}  // namespace

std::optional<HeightField> stitch_heights(const ChunkLookup& chunks, const Tile& from, int across) {
  if (across < 1 || across > kMostAcross) return std::nullopt;
  HeightField field;
  int chunk_size = 0;
  for (int row = 0; row <= across; ++row) {
    for (int column = 0; column <= across; ++column) {
      const auto chunk = chunks({from.lod, {from.coord.x + column, from.coord.y + row}});
      if (!chunk || chunk->height_q4.empty()) return std::nullopt;
      if (chunk_size == 0) {
        chunk_size = chunk->size;
        field = {chunk_origin(from.coord, chunk_size, from.lod),
                 1 << from.lod,
                 across * chunk_size + 1,
                 {}};
        field.heights_q4.resize(static_cast<std::size_t>(field.size) *
                                static_cast<std::size_t>(field.size));
      }
      if (chunk->size != chunk_size) return std::nullopt;
      const int wide = column < across ? chunk_size : 1, high = row < across ? chunk_size : 1;
      for (int j = 0; j < high; ++j) {
        const auto* source = chunk->height_q4.data() + std::ptrdiff_t{j} * chunk_size;
        const std::ptrdiff_t target = (std::ptrdiff_t{row} * chunk_size + j) * field.size +
                                      std::ptrdiff_t{column} * chunk_size;
        std::copy_n(source, wide, field.heights_q4.data() + target);
      }
    }
  }
  return field;
}

}  // namespace terrane
