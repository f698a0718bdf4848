#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "terrane/result_macros.h"
#include "terrane/worldfile/v1/preset.pb.h"
#include "worlds/objects_preset.h"
#include "worlds/preset_values.h"

namespace terrane::worlds {

namespace {

std::string item(const std::string& list, int i) { return list + "[" + std::to_string(i) + "]"; }

Result<Door> read_door(const worldfile::v1::Door& door, const worldfile::v1::Piece& piece,
                       const std::string& path) {
  const bool along_x =
      door.side() == worldfile::v1::Door::min_y || door.side() == worldfile::v1::Door::max_y;
  const std::uint32_t length = along_x ? piece.width() : piece.depth();
  if (door.at() >= length) {
    return wrong(path + ".at: " + std::to_string(door.at()) +
                 " is beyond the wall, which has blocks 0 to " + std::to_string(length - 1));
  }
  if (door.level() >= piece.levels()) {
    return wrong(path + ".level: " + std::to_string(door.level()) +
                 " is above the piece, which has storeys 0 to " +
                 std::to_string(piece.levels() - 1));
  }
  return Door{static_cast<Side>(door.side()), static_cast<std::uint8_t>(door.at()),
              static_cast<std::uint8_t>(door.level())};
}

Result<Piece> read_piece(const worldfile::v1::Piece& message,
                         const worldfile::v1::StructureKind& kind, const std::string& path) {
  if (message.doors_size() > 8) {
    return wrong(path + ".doors: " + std::to_string(message.doors_size()) +
                 " doors; at most 8 are allowed");
  }
  if (std::max(message.width(), message.depth()) > kind.extent()) {
    return wrong(path + "." + (message.width() > kind.extent() ? "width" : "depth") + ": " +
                 std::to_string(std::max(message.width(), message.depth())) +
                 " is more than the kind's extent, " + std::to_string(kind.extent()));
  }
  Piece piece{message.name(),
              static_cast<std::uint8_t>(message.width()),
              static_cast<std::uint8_t>(message.depth()),
              static_cast<std::uint8_t>(message.levels()),
              {}};
  for (int i = 0; i < message.doors_size(); ++i) {
    TERRANE_ASSIGN_OR_RETURN(const auto door,
                             read_door(message.doors(i), message, item(path + ".doors", i)));
    for (const Door& other : piece.doors) {
      if (other.side == door.side && other.at == door.at && other.level == door.level) {
        return wrong(item(path + ".doors", i) + ".at: there is a door already");
      }
    }
    piece.doors.push_back(door);
  }
  return piece;
}

/// An entrance fits into its kind all by itself, the block before its door included.
Result<void> check_entrance(const worldfile::v1::Piece& piece,
                            const worldfile::v1::StructureKind& kind, const std::string& path) {
  if (std::max(piece.width(), piece.depth()) >= kind.extent()) {
    return wrong(path +
                 ".entrance: with the block before its door it is longer than the kind's extent, " +
                 std::to_string(kind.extent()));
  }
  const std::uint32_t below = piece.doors(0).level(), above = piece.levels() - 1 - below;
  if (below > kind.deepest()) {
    return wrong(path + ".entrance: it has " + std::to_string(below) +
                 " storeys below its first door, but deepest is " + std::to_string(kind.deepest()));
  }
  if (static_cast<std::int32_t>(above) > std::max(kind.highest(), 0)) {
    return wrong(path + ".entrance: it has " + std::to_string(above) +
                 " storeys above its first door, but highest is " + std::to_string(kind.highest()));
  }
  return {};
}

Result<void> read_pieces(const worldfile::v1::StructureKind& message, const std::string& path,
                         StructureKind& kind, worldgen::StructureRule& rule) {
  if (message.pieces_size() > 255) {
    return wrong(path + ".pieces: " + std::to_string(message.pieces_size()) +
                 " pieces; at most 255 are allowed");
  }
  bool has_entrance = false;
  for (int i = 0; i < message.pieces_size(); ++i) {
    const worldfile::v1::Piece& piece = message.pieces(i);
    const std::string piece_path = item(path + ".pieces", i);
    TERRANE_ASSIGN_OR_RETURN(auto read, read_piece(piece, message, piece_path));
    if (piece.entrance()) {
      TERRANE_RETURN_IF_ERROR(check_entrance(piece, message, piece_path));
      has_entrance = true;
    }
    kind.pieces.push_back(std::move(read));
    rule.pieces.push_back({piece.weight(), piece.entrance()});
  }
  if (!has_entrance)
    return wrong(path + ".pieces: none is an entrance; give one \"entrance\": true");
  return {};
}

Result<void> read_limits(const worldfile::v1::StructureKind& message, const std::string& path,
                         worldgen::StructureRule& rule) {
  TERRANE_ASSIGN_OR_RETURN(const auto height, to_interval(message.height(), 16, path + ".height"));
  TERRANE_ASSIGN_OR_RETURN(const auto temperature,
                           to_interval(message.temperature(), 10, path + ".temperature"));
  TERRANE_ASSIGN_OR_RETURN(const auto humidity,
                           to_interval(message.humidity(), 10, path + ".humidity"));
  rule.height_q4 = height;
  rule.temperature_d = temperature;
  rule.humidity_d = humidity;
  return {};
}

Result<void> read_surroundings(const worldfile::v1::StructureKind& message, const std::string& path,
                               worldgen::StructureRule& rule) {
  if (!message.has_surroundings()) return {};
  const worldfile::v1::Surroundings& around = message.surroundings();
  if (!std::has_single_bit(around.distance())) {
    return wrong(path + ".distance: " + std::to_string(around.distance()) +
                 " is not one of 16, 32, 64, 128");
  }
  rule.surroundings.distance = static_cast<int>(around.distance());
  rule.surroundings.water = around.water();
  TERRANE_ASSIGN_OR_RETURN(const auto relief, to_interval(around.relief(), 16, path + ".relief"));
  TERRANE_ASSIGN_OR_RETURN(const auto summit, to_interval(around.summit(), 16, path + ".summit"));
  rule.surroundings.relief_q4 = relief;
  rule.surroundings.summit_q4 = summit;
  return {};
}

Result<void> read_kind(const worldfile::v1::StructureKind& message,
                       const worldfile::v1::Structures& all, const std::string& path,
                       StructureKind& kind, worldgen::StructureRule& rule) {
  TERRANE_ASSIGN_OR_RETURN(const auto color, to_color(message.color(), path + ".color"));
  if (message.rooms_low() > message.rooms_high()) {
    return wrong(path + ".rooms_low: " + std::to_string(message.rooms_low()) +
                 " is more than rooms_high, " + std::to_string(message.rooms_high()));
  }
  const std::uint32_t needed = message.extent() + 2 * (message.skirt() + worldgen::kSiteStep);
  if (needed > all.region()) {
    return wrong(path + ".extent: " + std::to_string(message.extent()) + " with a skirt of " +
                 std::to_string(message.skirt()) + " needs " + std::to_string(needed) +
                 " blocks, more than structures.region, " + std::to_string(all.region()));
  }
  kind.name = message.name();
  kind.color = color;
  kind.storey_q4 = static_cast<std::int32_t>(std::lround(message.storey() * 16));
  rule.share = static_cast<std::uint32_t>(std::lround(message.chance() * 100));
  rule.rooms_low = static_cast<int>(message.rooms_low());
  rule.rooms_high = static_cast<int>(message.rooms_high());
  rule.extent = static_cast<int>(message.extent());
  rule.skirt = static_cast<int>(message.skirt());
  rule.deepest = static_cast<int>(message.deepest());
  rule.highest = message.highest();
  rule.walled_up = message.walled_up();
  rule.unevenness_q4 = static_cast<std::int32_t>(std::lround(message.unevenness() * 16));
  TERRANE_RETURN_IF_ERROR(read_limits(message, path, rule));
  TERRANE_RETURN_IF_ERROR(read_surroundings(message, path + ".surroundings", rule));
  return read_pieces(message, path, kind, rule);
}

Result<std::uint8_t> kind_named(const std::string& name, const std::vector<StructureKind>& kinds,
                                const std::string& path) {
  const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                 [&](const StructureKind& one) { return one.name == name; });
  if (kind != kinds.end()) return static_cast<std::uint8_t>(kind - kinds.begin());
  return wrong(path + ": no kind of structures.kinds has the name \"" + name + "\"");
}

/// Reads a kind's village, once all kinds are known.
Result<void> read_village(const worldfile::v1::Village& message, const worldgen::World& world,
                          const std::string& path, worldgen::VillageRule& rule) {
  if (message.homes_low() > message.homes_high()) {
    return wrong(path + ".homes_low: " + std::to_string(message.homes_low()) +
                 " is more than homes_high, " + std::to_string(message.homes_high()));
  }
  if (message.lane_width() % 2 == 0) {
    return wrong(path + ".lane_width: " + std::to_string(message.lane_width()) +
                 " is even; lanes have a block in their middle");
  }
  for (const auto& [list, size] :
       {std::pair{"homes", message.homes_size()}, std::pair{"fields", message.fields_size()}}) {
    if (size <= 255) continue;
    return wrong(path + "." + list + ": " + std::to_string(size) + "; at most 255 are allowed");
  }
  if (message.field_depth() > 0 && message.fields().empty())
    return wrong(path + ".fields: none, but field_depth is not 0");
  rule.homes_low = static_cast<int>(message.homes_low());
  rule.homes_high = static_cast<int>(message.homes_high());
  rule.lot = static_cast<int>(message.lot());
  rule.lane_width = static_cast<int>(message.lane_width());
  rule.field_depth = static_cast<int>(message.field_depth());
  rule.field_slope_p = static_cast<int>(message.field_slope());
  TERRANE_ASSIGN_OR_RETURN(rule.lane_biome,
                           biome_named(message.lane_biome(), world.biomes, path + ".lane_biome"));
  for (int i = 0; i < message.fields_size(); ++i) {
    TERRANE_ASSIGN_OR_RETURN(const auto biome, biome_named(message.fields(i).biome(), world.biomes,
                                                           item(path + ".fields", i) + ".biome"));
    rule.fields.push_back({biome, message.fields(i).weight()});
  }
  for (int i = 0; i < message.homes_size(); ++i) {
    TERRANE_ASSIGN_OR_RETURN(const auto kind,
                             kind_named(message.homes(i).kind(), world.structure_kinds,
                                        item(path + ".homes", i) + ".kind"));
    rule.homes.push_back({kind, message.homes(i).weight()});
  }
  return {};
}

/// Villages of all kinds, which name each other.
Result<void> read_villages(const worldfile::v1::Structures& message, const worldgen::World& world,
                           worldgen::StructureRules& rules) {
  for (int i = 0; i < message.kinds_size(); ++i) {
    if (!message.kinds(i).has_village()) continue;
    worldgen::StructureRule& rule = rules.kinds[static_cast<std::size_t>(i)];
    TERRANE_RETURN_IF_ERROR(read_village(message.kinds(i).village(), world,
                                         item("structures.kinds", i) + ".village",
                                         rule.village.emplace()));
  }
  for (std::size_t i = 0; i < rules.kinds.size(); ++i) {
    if (!rules.kinds[i].village) continue;
    if (const auto problem = worldgen::village_problem(rules.kinds[i], rules, world.chunk_size))
      return wrong(item("structures.kinds", static_cast<int>(i)) + ".village." + *problem);
  }
  return {};
}

}  // namespace

Result<void> read_structures(const worldfile::v1::Preset& preset, worldgen::World& world) {
  if (!preset.has_structures()) return {};
  const worldfile::v1::Structures& message = preset.structures();
  if (!std::has_single_bit(message.region())) {
    return wrong("structures.region: " + std::to_string(message.region()) +
                 " is not one of 128, 256, 512, 1024, 2048, 4096");
  }
  const std::uint64_t widest = std::uint64_t{preset.chunk_size()} << preset.max_lod();
  if (widest > std::uint64_t{16} * message.region()) {
    return wrong("max_lod: its tiles span " + std::to_string(widest) +
                 " blocks, but 16 times structures.region = " +
                 std::to_string(16 * message.region()) + " is the limit");
  }
  if (message.kinds_size() > 255) {
    return wrong("structures.kinds: " + std::to_string(message.kinds_size()) +
                 " kinds; at most 255 are allowed");
  }
  worldgen::StructureRules rules;
  rules.region = static_cast<int>(message.region());
  std::uint32_t chances = 0;
  for (int i = 0; i < message.kinds_size(); ++i) {
    const std::string path = item("structures.kinds", i);
    StructureKind kind;
    worldgen::StructureRule rule;
    TERRANE_RETURN_IF_ERROR(read_kind(message.kinds(i), message, path, kind, rule));
    chances += rule.share;
    if (chances > 10000)
      return wrong(
          path + ".chance: with this the chances of all kinds are more than 100 percent together");
    world.structure_kinds.push_back(std::move(kind));
    rules.kinds.push_back(std::move(rule));
  }
  TERRANE_RETURN_IF_ERROR(read_villages(message, world, rules));
  world.structures = std::move(rules);
  return {};
}

}  // namespace terrane::worlds
