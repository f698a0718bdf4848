#include <algorithm>
#include <cassert>
#include <optional>
#include <tuple>

#include "codec/byte_io.h"
#include "codec/object_coder.h"
#include "codec/offset.h"
#include "codec/zigzag.h"
#include "terrane/result_macros.h"

namespace terrane::codec {
namespace {

constexpr unsigned kTurnBits = 2;
constexpr std::uint32_t kTurnMask = (1U << kTurnBits) - 1;

tl::unexpected<Error> damaged(std::string what) {
  return fail(ErrorCode::kDataLoss, "structures: " + std::move(what));
}

/// The order of rooms. Two are never equal.
auto rank(const Room& room) { return std::tuple{room.structure.y, room.structure.x, room.index}; }

void append_difference(std::string& out, std::uint64_t difference) {
  const auto low = static_cast<std::uint32_t>(difference);
  assert(static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(low)}) == difference);
  append_varint(out, zigzag(low));
}

/// What append_difference wrote, as a number modulo 2^64.
std::optional<std::uint64_t> take_difference(std::string_view& payload) {
  const std::optional<std::uint32_t> number = take_varint(payload);
  if (!number) return std::nullopt;
  return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(unzigzag(*number))});
}

std::optional<std::uint8_t> take_u8(std::string_view& payload) {
  if (payload.empty()) return std::nullopt;
  const std::uint8_t value = load_u8(payload, 0);
  payload.remove_prefix(1);
  return value;
}

std::uint64_t to_unsigned(std::int64_t coordinate) {
  return static_cast<std::uint64_t>(coordinate);
}

BlockPos moved(BlockPos block, std::uint64_t x, std::uint64_t y) {
  return {static_cast<std::int64_t>(to_unsigned(block.x) + x),
          static_cast<std::int64_t>(to_unsigned(block.y) + y)};
}

void append_structure(std::string& out, const Structure& structure, std::uint64_t gap) {
  append_varint(out, static_cast<std::uint32_t>(gap));
  append_u8(out, structure.kind);
  append_varint(out, structure.rooms);
  append_difference(out, to_unsigned(structure.from.x) - to_unsigned(structure.anchor.x));
  append_difference(out, to_unsigned(structure.from.y) - to_unsigned(structure.anchor.y));
  append_varint(
      out, static_cast<std::uint32_t>(to_unsigned(structure.to.x) - to_unsigned(structure.from.x)));
  append_varint(
      out, static_cast<std::uint32_t>(to_unsigned(structure.to.y) - to_unsigned(structure.from.y)));
}

Result<void> take_structures(std::string_view& payload, Chunk& chunk) {
  const std::optional<std::uint32_t> count = take_varint(payload);
  const std::size_t most = std::min(most_objects(chunk.size), payload.size());
  if (!count || *count > most)
    return damaged("their number is cut off, or more than a chunk or the payload holds");
  const std::uint64_t across = blocks_across(chunk);
  chunk.structures.reserve(*count);
  std::uint64_t next = 0;
  for (std::uint32_t i = 0; i < *count; ++i) {
    const auto gap = take_varint(payload);
    const auto kind = take_u8(payload);
    const auto rooms = take_varint(payload);
    const auto from_x = take_difference(payload), from_y = take_difference(payload);
    const auto width = take_varint(payload), depth = take_varint(payload);
    if (!gap || !kind || !rooms || !from_x || !from_y || !width || !depth)
      return damaged("one is cut off");
    const std::uint64_t place = next + *gap;
    if (place >= across * across) return damaged("one lies behind the last block");
    if (*rooms > 0xffff)
      return damaged("one has " + std::to_string(*rooms) + " rooms, more than 65535");
    const BlockPos anchor = block_at(chunk, {place % across, place / across});
    const BlockPos from = moved(anchor, *from_x, *from_y);
    chunk.structures.push_back({.anchor = anchor,
                                .kind = *kind,
                                .rooms = static_cast<std::uint16_t>(*rooms),
                                .from = from,
                                .to = moved(from, *width, *depth)});
    next = place + 1;
  }
  return {};
}

/// Rooms of one structure and kind, whose first is `begin`.
std::size_t group_end(std::span<const Room> rooms, std::size_t begin) {
  const auto same = [&](const Room& room) {
    return room.structure == rooms[begin].structure && room.kind == rooms[begin].kind;
  };
  return static_cast<std::size_t>(std::ranges::find_if_not(rooms.subspan(begin), same) -
                                  rooms.begin());
}

void append_group(std::string& out, const Chunk& chunk, std::span<const Room> rooms,
                  std::int32_t& floor_q4) {
  const Offset structure = offset_in(chunk, rooms.front().structure);
  append_difference(out, structure.x);
  append_difference(out, structure.y);
  append_u8(out, rooms.front().kind);
  append_varint(out, static_cast<std::uint32_t>(rooms.size()));
  std::uint32_t next = 0;
  for (const Room& room : rooms) {
    const Offset corner = offset_in(chunk, room.corner);
    const std::uint64_t place = corner.y * blocks_across(chunk) + corner.x;
    assert(room.index >= next && place < most_objects(chunk.size) && room.turn <= kTurnMask);
    append_varint(out, room.index - next);
    append_varint(out, static_cast<std::uint32_t>(place) << kTurnBits | room.turn);
    append_varint(out, zigzag(static_cast<std::uint32_t>(room.floor_q4) -
                              static_cast<std::uint32_t>(floor_q4)));
    append_u8(out, room.piece);
    append_u8(out, room.open_doors);
    next = room.index + 1U;
    floor_q4 = room.floor_q4;
  }
}

Result<Room> take_room(std::string_view& payload, const Chunk& chunk, std::uint32_t next,
                       std::int32_t floor_q4) {
  const auto gap = take_varint(payload);
  const auto place = take_varint(payload);
  const auto climb = take_varint(payload);
  const auto piece = take_u8(payload);
  const auto open_doors = take_u8(payload);
  if (!gap || !place || !climb || !piece || !open_doors) return damaged("a room is cut off");
  const std::uint64_t index = std::uint64_t{next} + *gap;
  const std::uint64_t block = *place >> kTurnBits;
  if (index > 0xffff || block >= most_objects(chunk.size))
    return damaged("a room's index or place is too large");
  const std::uint64_t across = blocks_across(chunk);
  return Room{.corner = block_at(chunk, {block % across, block / across}),
              .floor_q4 = static_cast<std::int32_t>(static_cast<std::uint32_t>(floor_q4) +
                                                    unzigzag(*climb)),
              .structure = {},
              .index = static_cast<std::uint16_t>(index),
              .kind = 0,
              .piece = *piece,
              .turn = static_cast<std::uint8_t>(*place & kTurnMask),
              .open_doors = *open_doors};
}

/// @param left  how many rooms are still to come
Result<void> take_group(std::string_view& payload, Chunk& chunk, std::size_t left,
                        std::int32_t& floor_q4) {
  const auto x = take_difference(payload), y = take_difference(payload);
  const auto kind = take_u8(payload);
  const auto count = take_varint(payload);
  if (!x || !y || !kind || !count || *count == 0 || *count > left)
    return damaged("a group of rooms is cut off, empty or too large");
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < *count; ++i) {
    TERRANE_ASSIGN_OR_RETURN(Room room, take_room(payload, chunk, next, floor_q4));
    room.structure = block_at(chunk, {*x, *y});
    room.kind = *kind;
    if (!chunk.rooms.empty() && rank(chunk.rooms.back()) >= rank(room))
      return damaged("rooms are out of order");
    next = room.index + 1U;
    floor_q4 = room.floor_q4;
    chunk.rooms.push_back(room);
  }
  return {};
}

Result<void> take_rooms(std::string_view& payload, Chunk& chunk) {
  const std::optional<std::uint32_t> count = take_varint(payload);
  const std::size_t most = std::min(chunk.lod == 0 ? most_objects(chunk.size) : 0, payload.size());
  if (!count || *count > most)
    return damaged("the number of rooms is cut off, or more than a chunk or the payload holds");
  chunk.rooms.reserve(*count);
  std::int32_t floor_q4 = 0;
  while (chunk.rooms.size() < *count) {
    TERRANE_RETURN_IF_ERROR(take_group(payload, chunk, *count - chunk.rooms.size(), floor_q4));
  }
  return {};
}

}  // namespace

void encode_structures(const Chunk& chunk, std::string& out) {
  assert(chunk.lod <= kMaxStructureLod && (chunk.lod == 0 || chunk.rooms.empty()));
  assert(std::max(chunk.structures.size(), chunk.rooms.size()) <= most_objects(chunk.size));
  const std::uint64_t across = blocks_across(chunk);
  append_varint(out, static_cast<std::uint32_t>(chunk.structures.size()));
  std::uint64_t next = 0;
  for (const Structure& structure : chunk.structures) {
    const Offset anchor = offset_in(chunk, structure.anchor);
    const std::uint64_t place = anchor.y * across + anchor.x;
    assert(place >= next && anchor.x < across && anchor.y < across);
    append_structure(out, structure, place - next);
    next = place + 1;
  }
  const std::span<const Room> rooms(chunk.rooms);
  append_varint(out, static_cast<std::uint32_t>(rooms.size()));
  std::int32_t floor_q4 = 0;
  for (std::size_t begin = 0; begin < rooms.size();) {
    const std::size_t end = group_end(rooms, begin);
    append_group(out, chunk, rooms.subspan(begin, end - begin), floor_q4);
    begin = end;
  }
}

Result<void> decode_structures(std::string_view payload, Chunk& chunk) {
  if (chunk.lod > kMaxStructureLod)
    return damaged("a chunk of lod " + std::to_string(chunk.lod) + " can't hold any");
  TERRANE_RETURN_IF_ERROR(take_structures(payload, chunk));
  TERRANE_RETURN_IF_ERROR(take_rooms(payload, chunk));
  if (!payload.empty()) return damaged("bytes follow the last one");
  return {};
}

}  // namespace terrane::codec
