#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

#include "codec/bit_io.h"
#include "codec/byte_io.h"
#include "codec/object_coder.h"
#include "codec/offset.h"
#include "terrane/result_macros.h"

namespace terrane::codec {
namespace {

constexpr unsigned kMaxGapOrder = 14;
constexpr unsigned kByteBits = 8;

tl::unexpected<Error> damaged(std::string what) {
  return fail(ErrorCode::kDataLoss, "placements: " + std::move(what));
}

/// Numbers that lie from `least` to 2^bits - 1 above it.
struct Span {
  std::uint8_t least = 0;
  unsigned bits = 0;
};

template <typename Field>
Span span_of(std::span<const Placement> placements, Field field) {
  const auto [least, most] = std::ranges::minmax(placements, {}, field);
  return {least.*field,
          static_cast<unsigned>(std::bit_width(static_cast<unsigned>(most.*field - least.*field)))};
}

/// The kinds that occur, growing.
struct Kinds {
  std::size_t count = 0;
  std::array<std::uint8_t, 256> kinds;
  std::array<std::uint8_t, 256> index_of;
};

Kinds kinds_of(std::span<const Placement> placements) {
  std::array<bool, 256> occurs{};
  for (const Placement& placement : placements) occurs[placement.kind] = true;
  Kinds kinds;
  for (std::size_t kind = 0; kind < occurs.size(); ++kind) {
    if (!occurs[kind]) continue;
    kinds.index_of[kind] = static_cast<std::uint8_t>(kinds.count);
    kinds.kinds[kinds.count++] = static_cast<std::uint8_t>(kind);
  }
  return kinds;
}

/// Of distances that are as good as random: the power of two below their mean.
unsigned gap_order(std::size_t count, std::size_t places) {
  const std::size_t mean = places / count;
  return std::min(static_cast<unsigned>(std::bit_width(mean) - 1), kMaxGapOrder);
}

/// What stands before the bits.
struct Plan {
  std::size_t count = 0;
  unsigned gap_order = 0;
  std::string_view kinds;
  Span turn, scale;
};

Result<Plan> take_plan(std::string_view& payload, std::size_t places) {
  Plan plan;
  const std::optional<std::uint32_t> count = take_varint(payload);
  if (!count) return damaged("their number is cut off or exceeds 32 bits");
  // Each takes a bit at least: what is allocated for them is in proportion to the bytes that came.
  if (*count == 0 || *count > places || *count > kByteBits * payload.size()) {
    return damaged(std::to_string(*count) + " of them, must be 1 to " + std::to_string(places) +
                   " and fit the payload");
  }
  plan.count = *count;
  if (payload.size() < 2 || payload.size() < 6U + load_u8(payload, 1) + 1U)
    return damaged("end before the first one");
  plan.gap_order = load_u8(payload, 0);
  plan.kinds = payload.substr(2, load_u8(payload, 1) + std::size_t{1});
  payload.remove_prefix(2 + plan.kinds.size());
  plan.turn = {load_u8(payload, 0), load_u8(payload, 1)};
  plan.scale = {load_u8(payload, 2), load_u8(payload, 3)};
  payload.remove_prefix(4);
  if (plan.gap_order > kMaxGapOrder || plan.turn.bits > kByteBits || plan.scale.bits > kByteBits) {
    return damaged("an order or a number of bits is too large");
  }
  return plan;
}

}  // namespace

void encode_placements(const Chunk& chunk, std::string& out) {
  const std::size_t places = most_objects(chunk.size);
  const std::span<const Placement> placements(chunk.placements);
  assert(chunk.lod == 0 && !placements.empty() && placements.size() <= places);
  const Kinds kinds = kinds_of(placements);
  const Span turn = span_of(placements, &Placement::turn);
  const Span scale = span_of(placements, &Placement::scale);
  const unsigned order = gap_order(placements.size(), places);
  const auto kind_bits = static_cast<unsigned>(std::bit_width(kinds.count - 1));
  append_varint(out, static_cast<std::uint32_t>(placements.size()));
  append_u8(out, static_cast<std::uint8_t>(order));
  append_u8(out, static_cast<std::uint8_t>(kinds.count - 1));
  out.append(reinterpret_cast<const char*>(kinds.kinds.data()), kinds.count);
  for (const Span& span : {turn, scale}) {
    append_u8(out, span.least);
    append_u8(out, static_cast<std::uint8_t>(span.bits));
  }
  BitWriter bits(out);
  std::uint64_t next = 0;  // the first place that is left
  for (const Placement& placement : placements) {
    const Offset offset = offset_in(chunk, placement.anchor);
    const std::uint64_t place = offset.y * static_cast<std::uint64_t>(chunk.size) + offset.x;
    assert(place >= next && place < places);
    write_exp_golomb(bits, static_cast<std::uint32_t>(place - next), order);
    bits.write(kinds.index_of[placement.kind], kind_bits);
    bits.write(static_cast<std::uint64_t>(placement.turn - turn.least), turn.bits);
    bits.write(static_cast<std::uint64_t>(placement.scale - scale.least), scale.bits);
    next = place + 1;
  }
  bits.finish();
}

Result<void> decode_placements(std::string_view payload, Chunk& chunk) {
  if (chunk.lod != 0)
    return damaged("a chunk of lod " + std::to_string(chunk.lod) + " can't hold any");
  const std::size_t places = most_objects(chunk.size);
  TERRANE_ASSIGN_OR_RETURN(const Plan plan, take_plan(payload, places));
  const auto kind_bits = static_cast<unsigned>(std::bit_width(plan.kinds.size() - 1));
  chunk.placements.reserve(plan.count);
  BitReader bits(payload);
  std::uint64_t next = 0;
  for (std::size_t i = 0; i < plan.count; ++i) {
    const std::uint64_t place = next + bits.read_exp_golomb(plan.gap_order);
    const std::uint64_t kind = bits.read(kind_bits);
    const std::uint64_t turn = plan.turn.least + bits.read(plan.turn.bits);
    const std::uint64_t scale = plan.scale.least + bits.read(plan.scale.bits);
    if (place >= places) return damaged("one lies behind the last block");
    if (kind >= plan.kinds.size() || turn > 0xff || scale > 0xff)
      return damaged("a kind, turn or scale is too large");
    const auto size = static_cast<std::uint64_t>(chunk.size);
    chunk.placements.push_back({.anchor = block_at(chunk, {place % size, place / size}),
                                .kind = load_u8(plan.kinds, kind),
                                .turn = static_cast<std::uint8_t>(turn),
                                .scale = static_cast<std::uint8_t>(scale)});
    next = place + 1;
  }
  if (bits.overrun()) return damaged("end within the bits");
  if (bits.bytes_read() != payload.size() || !bits.padding_is_zero())
    return damaged("bytes follow the last one");
  return {};
}

}  // namespace terrane::codec
