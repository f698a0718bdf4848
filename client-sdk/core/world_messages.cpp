#include "world_messages.h"

#include <limits>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <utility>

#include "terrane/utf8.h"

namespace terrane::core {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

constexpr auto kVarint = pbf_wire_type::varint;
constexpr auto kFixed64 = pbf_wire_type::fixed64;
constexpr auto kBytes = pbf_wire_type::length_delimited;

// More than a server may say: parts take many times their bytes.
constexpr std::size_t kMostKinds = 256, kMostPieces = 256, kMostDoors = 8, kMostPlaces = 4096;

/// What a message says that no world has.
struct Strange {
  const char* what;
};

constexpr std::uint32_t field(std::uint32_t number, pbf_wire_type type) {
  return protozero::tag_and_type(number, type);
}

template <typename T>
T& another(std::vector<T>& list, std::size_t most, const char* what) {
  if (list.size() >= most) throw Strange{what};
  return list.emplace_back();
}

std::uint8_t small(std::uint32_t value, const char* what) {
  if (value > std::numeric_limits<std::uint8_t>::max()) throw Strange{what};
  return static_cast<std::uint8_t>(value);
}

std::string text_of(pbf_reader& message) {
  std::string text = message.get_string();
  if (!is_utf8(text)) throw Strange{"a name or text that is no UTF-8"};
  return text;
}

BlockPos read_block(pbf_reader message) {
  BlockPos block;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case field(1, kVarint): block.x = message.get_sint64(); break;
      case field(2, kVarint): block.y = message.get_sint64(); break;
      default: message.skip();
    }
  }
  return block;
}

void read_biome(pbf_reader message, BiomeInfo& biome) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case field(1, kVarint): biome.id = message.get_uint32(); break;
      case field(2, kBytes): biome.name = text_of(message); break;
      case field(3, kVarint): biome.color = message.get_uint32(); break;
      default: message.skip();
    }
  }
}

void read_placement_kind(pbf_reader message, PlacementKind& kind) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case field(2, kBytes): kind.name = text_of(message); break;
      case field(3, kVarint): kind.color = message.get_uint32(); break;
      case field(4, kVarint): kind.radius_q4 = message.get_sint32(); break;
      case field(5, kVarint): kind.height_q4 = message.get_sint32(); break;
      default: message.skip();
    }
  }
}

void read_door(pbf_reader message, Door& door) {
  std::uint32_t side = 0;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case field(1, kVarint): side = message.get_uint32(); break;
      case field(2, kVarint): door.at = small(message.get_uint32(), "a door out of reach"); break;
      case field(3, kVarint):
        door.level = small(message.get_uint32(), "a door out of reach");
        break;
      default: message.skip();
    }
  }
  if (side < 1 || side > 4) throw Strange{"a door that is on no side"};
  door.side = static_cast<Side>(side - 1);
}

void read_piece(pbf_reader message, Piece& piece) {
  constexpr const char* kLarge = "a piece of more than 255 blocks";
  while (message.next()) {
    switch (message.tag_and_type()) {
      case field(1, kBytes): piece.name = text_of(message); break;
      case field(2, kVarint): piece.width = small(message.get_uint32(), kLarge); break;
      case field(3, kVarint): piece.depth = small(message.get_uint32(), kLarge); break;
      case field(4, kVarint): piece.levels = small(message.get_uint32(), kLarge); break;
      case field(5, kBytes):
        read_door(message.get_message(), another(piece.doors, kMostDoors, "a piece of 9 doors"));
        break;
      default: message.skip();
    }
  }
}

void read_structure_kind(pbf_reader message, StructureKind& kind) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case field(2, kBytes): kind.name = text_of(message); break;
      case field(3, kVarint): kind.color = message.get_uint32(); break;
      case field(4, kVarint): kind.storey_q4 = message.get_sint32(); break;
      case field(5, kBytes):
        read_piece(message.get_message(),
                   another(kind.pieces, kMostPieces, "a kind of 257 pieces"));
        break;
      default: message.skip();
    }
  }
}

void read_description(pbf_reader message, World& world) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case field(1, kBytes): world.name = text_of(message); break;
      case field(2, kBytes): world.title = text_of(message); break;
      case field(3, kBytes): world.description = text_of(message); break;
      case field(4, kFixed64): world.fingerprint = message.get_fixed64(); break;
      case field(7, kVarint): world.sea_level_q4 = message.get_sint32(); break;
      case field(9, kBytes):
        read_biome(message.get_message(), another(world.biomes, kMostKinds, "257 biomes"));
        break;
      case field(10, kBytes):
        read_placement_kind(message.get_message(),
                            another(world.placement_kinds, kMostKinds, "257 kinds of placements"));
        break;
      case field(11, kBytes):
        read_structure_kind(message.get_message(),
                            another(world.structure_kinds, kMostKinds, "257 kinds of structures"));
        break;
      default: message.skip();
    }
  }
}

void read_place(pbf_reader message, NamedPlace& place) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case field(1, kBytes): place.name = text_of(message); break;
      case field(2, kBytes): place.block = read_block(message.get_message()); break;
      case field(3, kVarint): place.spawn = message.get_bool(); break;
      default: message.skip();
    }
  }
}

WorldMessage read_fields(pbf_reader message) {
  WorldMessage read;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case field(1, kBytes): read_description(message.get_message(), read.world); break;
      case field(3, kBytes): {
        const auto view = message.get_view();
        read.compiled = std::as_bytes(std::span(view.data(), view.size()));
        break;
      }
      case field(4, kBytes):
        read_place(message.get_message(), another(read.world.places, kMostPlaces, "4,097 places"));
        break;
      default: message.skip();
    }
  }
  return read;
}

}  // namespace

Result<WorldMessage> read_world(std::span<const std::byte> bytes) {
  const std::string size = std::to_string(bytes.size()) + " bytes";
  try {
    return read_fields(pbf_reader(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  } catch (const protozero::exception& damage) {
    return fail(ErrorCode::kInvalidArgument, size +
                                                 " that are no world: neither a compiled world "
                                                 "nor a GetWorldResponse: " +
                                                 damage.what());
  } catch (const Strange& strange) {
    return fail(ErrorCode::kInvalidArgument, size + " that describe " + strange.what);
  }
}

}  // namespace terrane::core
