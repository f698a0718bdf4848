#include "codec/chunk_hash.h"

#define XXH_INLINE_ALL  // no library beside ours: terrane_core
#include <xxhash.h>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace terrane::codec {
namespace {

/// Little-endian.
template <typename T>
void append(std::vector<unsigned char>& out, T value) {
  const auto bits = static_cast<std::uint64_t>(static_cast<std::make_unsigned_t<T>>(value));
  for (std::size_t i = 0; i < sizeof(T); ++i)
    out.push_back(static_cast<unsigned char>(bits >> (8 * i)));
}

template <typename T>
void append_layer(std::vector<unsigned char>& out, Layer layer, const std::vector<T>& samples) {
  if (samples.empty()) return;
  append(out, static_cast<std::uint8_t>(layer));
  append(out, static_cast<std::uint32_t>(samples.size()));
  for (const T sample : samples) append(out, sample);
}

void append(std::vector<unsigned char>& out, BlockPos block) {
  append(out, block.x);
  append(out, block.y);
}

void append_placements(std::vector<unsigned char>& out, const std::vector<Placement>& placements) {
  if (placements.empty()) return;
  append(out, static_cast<std::uint8_t>(Layer::kPlacements));
  append(out, static_cast<std::uint32_t>(placements.size()));
  for (const Placement& placement : placements) {
    append(out, placement.anchor);
    for (const std::uint8_t value : {placement.kind, placement.turn, placement.scale})
      append(out, value);
  }
}

void append_structures(std::vector<unsigned char>& out, const Chunk& chunk) {
  if (chunk.structures.empty() && chunk.rooms.empty()) return;
  append(out, static_cast<std::uint8_t>(Layer::kStructures));
  append(out, static_cast<std::uint32_t>(chunk.structures.size()));
  for (const Structure& structure : chunk.structures) {
    append(out, structure.anchor);
    append(out, structure.kind);
    append(out, structure.rooms);
    append(out, structure.from);
    append(out, structure.to);
  }
  append(out, static_cast<std::uint32_t>(chunk.rooms.size()));
  for (const Room& room : chunk.rooms) {
    append(out, room.corner);
    append(out, room.floor_q4);
    append(out, room.structure);
    append(out, room.index);
    for (const std::uint8_t value : {room.kind, room.piece, room.turn, room.open_doors})
      append(out, value);
  }
}

}  // namespace

std::uint64_t hash_chunk(const Chunk& chunk) {
  std::vector<unsigned char> bytes;
  bytes.reserve(chunk.height_q4.size() * 15 + 40);
  append_layer(bytes, Layer::kHeight, chunk.height_q4);
  append_layer(bytes, Layer::kTemperature, chunk.temperature_d);
  append_layer(bytes, Layer::kHumidity, chunk.humidity_d);
  append_layer(bytes, Layer::kBiome, chunk.biome);
  append_layer(bytes, Layer::kWater, chunk.water_q4);
  append_layer(bytes, Layer::kForest, chunk.forest_p);
  append_layer(bytes, Layer::kRocks, chunk.rocks_p);
  append_placements(bytes, chunk.placements);
  append_structures(bytes, chunk);
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace terrane::codec
