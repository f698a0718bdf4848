// Chunks and samples of terrane.h.
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "boundary.h"
#include "chunk_handle.h"
#include "codec/chunk_codec.h"
#include "local_land.h"
#include "terrane/result_macros.h"
#include "world_handle.h"

namespace terrane::core {
namespace {

// Lists are handed out as they are.
template <typename C, typename Cpp>
constexpr bool kSameLayout =
    sizeof(C) == sizeof(Cpp) &&
    alignof(C) == alignof(Cpp) && std::is_standard_layout_v<C>&& std::is_standard_layout_v<Cpp>;
static_assert(kSameLayout<terrane_block, BlockPos>);
static_assert(kSameLayout<terrane_placement, Placement> &&
              offsetof(terrane_placement, kind) == offsetof(Placement, kind) &&
              offsetof(terrane_placement, turn) == offsetof(Placement, turn) &&
              offsetof(terrane_placement, scale) == offsetof(Placement, scale));
static_assert(kSameLayout<terrane_structure, Structure> &&
              offsetof(terrane_structure, kind) == offsetof(Structure, kind) &&
              offsetof(terrane_structure, rooms) == offsetof(Structure, rooms) &&
              offsetof(terrane_structure, from) == offsetof(Structure, from) &&
              offsetof(terrane_structure, to) == offsetof(Structure, to));
static_assert(kSameLayout<terrane_room, Room> &&
              offsetof(terrane_room, floor_q4) == offsetof(Room, floor_q4) &&
              offsetof(terrane_room, structure) == offsetof(Room, structure) &&
              offsetof(terrane_room, index) == offsetof(Room, index) &&
              offsetof(terrane_room, kind) == offsetof(Room, kind) &&
              offsetof(terrane_room, piece) == offsetof(Room, piece) &&
              offsetof(terrane_room, turn) == offsetof(Room, turn) &&
              offsetof(terrane_room, open_doors) == offsetof(Room, open_doors));

template <typename T>
const T* data_of(const std::vector<T>& layer) {
  return layer.empty() ? nullptr : layer.data();
}

template <typename C, typename Cpp>
const C* list_of(const std::vector<Cpp>& list) {
  return reinterpret_cast<const C*>(list.data());
}

LayerMask mask_of(std::uint32_t layers) { return layers == 0 ? kAllLayers : layers; }

terrane_chunk* hold(Chunk&& chunk) {
  return new terrane_chunk(std::make_shared<const Chunk>(std::move(chunk)));
}

Result<Chunk> decode(std::string_view bytes, const Tile& tile, LayerMask layers) {
  TERRANE_ASSIGN_OR_RETURN(Chunk chunk, codec::decode(bytes, tile.coord, layers));
  if (chunk.lod == tile.lod) return chunk;
  return fail(ErrorCode::kDataLoss, "the bytes are a chunk of lod " + std::to_string(chunk.lod) +
                                        ", not of lod " + std::to_string(tile.lod));
}

}  // namespace
}  // namespace terrane::core

using namespace terrane;

void terrane_chunk_get_info(const terrane_chunk* chunk, terrane_chunk_info* info) {
  const Chunk& held = *chunk->chunk;
  core::give({.struct_size = 0,
              .size = static_cast<std::uint32_t>(held.size),
              .tile = core::to_c({held.lod, held.coord}),
              .height_q4 = core::data_of(held.height_q4),
              .temperature_d = core::data_of(held.temperature_d),
              .humidity_d = core::data_of(held.humidity_d),
              .biome = core::data_of(held.biome),
              .water_q4 = core::data_of(held.water_q4),
              .forest_p = core::data_of(held.forest_p),
              .rocks_p = core::data_of(held.rocks_p),
              .placements = core::list_of<terrane_placement>(held.placements),
              .placement_count = held.placements.size(),
              .structures = core::list_of<terrane_structure>(held.structures),
              .structure_count = held.structures.size(),
              .rooms = core::list_of<terrane_room>(held.rooms),
              .room_count = held.rooms.size()},
             info);
}

terrane_code terrane_chunk_generate(const terrane_world* world, uint64_t seed,
                                    const terrane_tile* tile, uint32_t layers,
                                    terrane_chunk** chunk, terrane_error* error) {
  return core::guarded(error, [&]() -> Result<void> {
    if (world == nullptr || tile == nullptr || chunk == nullptr)
      return fail(ErrorCode::kInvalidArgument, "world, tile or chunk is NULL");
    const Tile wanted = core::from_c(*tile);
    TERRANE_RETURN_IF_ERROR(core::check_tile(*world->generated, wanted));
    *chunk = core::hold(core::make_chunk(*world->generated, seed, wanted, core::mask_of(layers)));
    return {};
  });
}

terrane_code terrane_chunk_decode(uint32_t abi_version, const void* bytes, size_t size,
                                  const terrane_tile* tile, uint32_t layers, terrane_chunk** chunk,
                                  terrane_error* error) {
  return core::guarded(error, [&]() -> Result<void> {
    TERRANE_RETURN_IF_ERROR(core::check_abi(abi_version));
    if (bytes == nullptr || tile == nullptr || chunk == nullptr)
      return fail(ErrorCode::kInvalidArgument, "bytes, tile or chunk is NULL");
    TERRANE_ASSIGN_OR_RETURN(
        Chunk decoded, core::decode({static_cast<const char*>(bytes), size}, core::from_c(*tile),
                                    core::mask_of(layers)));
    *chunk = core::hold(std::move(decoded));
    return {};
  });
}

size_t terrane_chunk_encode(const terrane_chunk* chunk, void* buffer, size_t capacity) {
  try {
    const std::string bytes = codec::encode(*chunk->chunk);
    if (buffer != nullptr && bytes.size() <= capacity)
      std::memcpy(buffer, bytes.data(), bytes.size());
    return bytes.size();
  } catch (...) {  // no memory
    return 0;
  }
}

void terrane_chunk_retain(terrane_chunk* chunk) {
  chunk->references.fetch_add(1, std::memory_order_relaxed);
}

void terrane_chunk_release(terrane_chunk* chunk) {
  if (chunk != nullptr && chunk->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete chunk;
}

terrane_code terrane_world_sample(const terrane_world* world, uint64_t seed,
                                  const terrane_block* blocks, size_t count,
                                  terrane_sample* samples, terrane_error* error) {
  return core::guarded(error, [&]() -> Result<void> {
    if (world == nullptr || (count > 0 && (blocks == nullptr || samples == nullptr)))
      return fail(ErrorCode::kInvalidArgument, "world, blocks or samples is NULL");
    TERRANE_ASSIGN_OR_RETURN(
        const auto points,
        core::sample(*world->generated, seed, {reinterpret_cast<const BlockPos*>(blocks), count}));
    for (std::size_t i = 0; i < points.size(); ++i) {
      const PointSample& point = points[i];
      samples[i] = {point.height_q4, point.water_q4, point.temperature_d, point.humidity_d,
                    point.biome,     point.forest_p, point.rocks_p};
    }
    return {};
  });
}
