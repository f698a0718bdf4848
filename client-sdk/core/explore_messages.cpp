#include "explore_messages.h"

#include <bit>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <utility>

namespace terrane::client {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::pbf_writer;

// More than any server puts into one message: they take many times their bytes.
constexpr std::size_t kMaxParts = 65536;
constexpr std::size_t kMaxBlocks = explore::kMaxTilesInMessage;

constexpr auto kVarint = pbf_wire_type::varint;
constexpr auto kFixed64 = pbf_wire_type::fixed64;
constexpr auto kBytes = pbf_wire_type::length_delimited;

/// A field of another wire type than the schema's is an unknown field.
constexpr std::uint32_t field(std::uint32_t number, pbf_wire_type type) {
  return protozero::tag_and_type(number, type);
}

std::string_view view_of(protozero::data_view view) { return {view.data(), view.size()}; }

void read_coord(pbf_reader message, ChunkCoord& coord) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case field(1, kVarint): coord.x = message.get_sint64(); break;
      case field(2, kVarint): coord.y = message.get_sint64(); break;
      default: message.skip();
    }
  }
}

ChunkMessage read_chunk(pbf_reader message) {
  ChunkMessage chunk;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case field(1, kBytes): read_coord(message.get_message(), chunk.tile.coord); break;
      case field(2, kBytes): chunk.encoded = view_of(message.get_view()); break;
      case field(3, kVarint): chunk.tile.lod = message.get_uint32(); break;
      default: message.skip();
    }
  }
  return chunk;
}

FailureMessage read_failure(pbf_reader message) {
  FailureMessage failure;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case field(1, kBytes): read_coord(message.get_message(), failure.tile.coord); break;
      case field(2, kVarint): failure.code = message.get_int32(); break;
      case field(3, kBytes): failure.message = view_of(message.get_view()); break;
      case field(4, kVarint): failure.tile.lod = message.get_uint32(); break;
      default: message.skip();
    }
  }
  return failure;
}

explore::TileBlock read_block(pbf_reader message) {
  explore::TileBlock block;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case field(1, kVarint): block.lod = message.get_uint32(); break;
      case field(2, kVarint): block.x = message.get_sint64(); break;
      case field(3, kVarint): block.y = message.get_sint64(); break;
      case field(4, kVarint): block.width = message.get_uint32(); break;
      case field(5, kVarint): block.height = message.get_uint32(); break;
      case field(6, kBytes): block.bits = view_of(message.get_view()); break;
      default: message.skip();
    }
  }
  return block;
}

void read_welcome(pbf_reader message, WelcomeMessage& welcome) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case field(1, kFixed64): welcome.fingerprint = message.get_fixed64(); break;
      case field(2, kVarint): welcome.chunk_size = message.get_uint32(); break;
      case field(3, kVarint): welcome.format = message.get_uint32(); break;
      case field(4, kVarint): welcome.heartbeat_ms = message.get_uint32(); break;
      default: message.skip();
    }
  }
}

void read_go_away(pbf_reader message, std::uint32_t& resume_after_ms) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case field(1, kVarint): resume_after_ms = message.get_uint32(); break;
      default: message.skip();
    }
  }
}

/// A message that occurs again adds to what was read of it.
template <typename T>
T& ensure(std::optional<T>& value) {
  return value ? *value : value.emplace();
}

/// @return false when there are too many parts
bool read_fields(pbf_reader message, ResponseMessage& response) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case field(1, kBytes): response.chunks.push_back(read_chunk(message.get_message())); break;
      case field(2, kBytes):
        response.failures.push_back(read_failure(message.get_message()));
        break;
      case field(3, kVarint): response.batch = message.get_uint64(); break;
      case field(5, kBytes):
        response.out_of_range.push_back(read_block(message.get_message()));
        break;
      case field(6, kBytes): read_welcome(message.get_message(), ensure(response.welcome)); break;
      case field(7, kBytes):
        read_go_away(message.get_message(), ensure(response.resume_after_ms));
        break;
      case field(8, kBytes):
        response.world_changed = true;
        message.skip();
        break;
      case field(9, kVarint): response.ending = message.get_bool(); break;
      default: message.skip();
    }
    if (response.chunks.size() + response.failures.size() > kMaxParts ||
        response.out_of_range.size() > kMaxBlocks)
      return false;
  }
  return true;
}

void add_number(pbf_writer& message, std::uint32_t tag, double value) {
  if (std::bit_cast<std::uint64_t>(value) != 0) message.add_double(tag, value);  // as protobuf does
}

void add_block(pbf_writer message, const explore::TileBlock& block) {
  if (block.lod > 0) message.add_uint32(1, block.lod);
  if (block.x != 0) message.add_sint64(2, block.x);
  if (block.y != 0) message.add_sint64(3, block.y);
  if (block.width > 1) message.add_uint32(4, block.width);
  if (block.height > 1) message.add_uint32(5, block.height);
  if (!block.bits.empty()) message.add_bytes(6, block.bits);
}

/// The one tile (0, 0, 0) is a message without a field, which a nested writer would leave out.
bool is_empty(const explore::TileBlock& block) {
  return block.lod == 0 && block.x == 0 && block.y == 0 && block.width <= 1 && block.height <= 1 &&
         block.bits.empty();
}

void add_move(pbf_writer message, const MoveMessage& move) {
  message.add_uint64(1, move.number);
  add_number(message, 2, move.pose.x);
  add_number(message, 3, move.pose.y);
  add_number(message, 4, move.pose.velocity_x);
  add_number(message, 5, move.pose.velocity_y);
  add_number(message, 6, move.pose.direction_x);
  add_number(message, 7, move.pose.direction_y);
  for (const explore::TileBlock& block : move.have) {
    if (is_empty(block)) {
      message.add_message(8, std::string());
    } else {
      add_block({message, 8}, block);
    }
  }
}

void add_world(pbf_writer message, const WorldRef& world) {
  const bool is_realm = !world.realm.empty();
  if (!is_realm) message.add_string(1, world.name);
  if (!is_realm && world.seed != 0) message.add_fixed64(2, world.seed);
  if (world.fingerprint) message.add_fixed64(3, *world.fingerprint);
  if (is_realm) message.add_string(4, world.realm);
}

/// The numbers of the layers, which are those of the schema's; none for all of them.
std::vector<std::int32_t> layers_of(LayerMask mask) {
  std::vector<std::int32_t> layers;
  for (auto layer = Layer::kHeight; mask != kAllLayers && layer <= Layer::kStructures;
       layer = static_cast<Layer>(static_cast<int>(layer) + 1)) {
    if ((mask & layer_bit(layer)) != 0) layers.push_back(static_cast<std::int32_t>(layer));
  }
  return layers;
}

}  // namespace

Result<ResponseMessage> read_response(std::string_view bytes) {
  ResponseMessage response;
  try {
    if (read_fields(pbf_reader(bytes.data(), bytes.size()), response)) return response;
  } catch (const protozero::exception& damage) {
    return fail(ErrorCode::kDataLoss, "the server sent " + std::to_string(bytes.size()) +
                                          " bytes that are no ExploreResponse: " + damage.what());
  }
  return fail(ErrorCode::kDataLoss, "the server sent more than " + std::to_string(kMaxParts) +
                                        " chunks or " + std::to_string(kMaxBlocks) +
                                        " blocks of tiles in one message");
}

std::string write_hello(const ExploreOptions& options, const HelloMessage& says) {
  std::string bytes;
  pbf_writer request(bytes);
  {
    pbf_writer hello(request, 1);
    add_world({hello, 1}, options.world);
    const auto layers = layers_of(options.layers);
    hello.add_packed_enum(2, layers.begin(), layers.end());
    const std::vector<std::uint32_t> distances(options.view_distances.begin(),
                                               options.view_distances.end());
    hello.add_packed_uint32(3, distances.begin(), distances.end());
    hello.add_packed_uint32(4, &says.format, &says.format + 1);
    add_move({hello, 5}, says.move);
    if (!says.token.empty()) hello.add_string(6, says.token.data(), says.token.size());
    if (says.makes_chunks) hello.add_bool(7, true);
  }
  return bytes;
}

std::string write_move(const MoveMessage& move) {
  std::string bytes;
  pbf_writer request(bytes);
  add_move({request, 2}, move);
  return bytes;
}

std::string write_ack(std::uint64_t batch, std::uint64_t chunk_ns) {
  std::string bytes;
  pbf_writer request(bytes);
  {
    pbf_writer ack(request, 3);
    ack.add_uint64(1, batch);
    if (chunk_ns != 0) ack.add_uint64(2, chunk_ns);
  }
  return bytes;
}

std::string write_made(const Tile& tile, std::uint32_t hash) {
  std::string bytes;
  pbf_writer request(bytes);
  {
    pbf_writer made(request, 5);
    if (tile.lod > 0) made.add_uint32(1, tile.lod);
    if (tile.coord.x != 0) made.add_sint64(2, tile.coord.x);
    if (tile.coord.y != 0) made.add_sint64(3, tile.coord.y);
    made.add_fixed32(4, hash);
  }
  return bytes;
}

}  // namespace terrane::client
