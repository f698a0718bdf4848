#include "worldgen/structures/parameters.h"

#include <algorithm>
#include <bit>
#include <string>

#include "worldgen/shared_fields.h"

namespace terrane::worldgen {

namespace {

constexpr int kMaxExtent = 128, kMaxPiece = 64;  // blocks
constexpr int kMaxStoreys = 16, kMaxLevels = 8;  // storeys
constexpr std::size_t kMaxPieces = 255, kMaxDoors = 8, kMaxKinds = 255;
constexpr std::uint32_t kAllShares = 10000;
constexpr int kMaxHomes = 64;

void door_fields(FieldArchive& archive, Door& door, const Piece& piece) {
  archive.choice("side", door.side, Side::kMinX);
  const bool along_x = door.side == Side::kMinY || door.side == Side::kMaxY;
  archive.number("at", door.at, 0, kMaxPiece);
  archive.require(door.at < (along_x ? piece.width : piece.depth), "at", "is beyond the wall");
  archive.number("level", door.level, 0, kMaxLevels);
  archive.require(door.level < piece.levels, "level", "is above the piece");
}

void piece_fields(FieldArchive& archive, Piece& piece, PieceRule& piece_rule,
                  const StructureRule& rule) {
  archive.number("width", piece.width, 1, kMaxPiece);
  archive.number("depth", piece.depth, 1, kMaxPiece);
  archive.number("levels", piece.levels, 1, kMaxLevels);
  archive.number("weight", piece_rule.weight, 1, 1000);
  archive.flag("entrance", piece_rule.entrance);
  archive.list("doors", piece.doors, 1, kMaxDoors,
               [&](Door& door) { door_fields(archive, door, piece); });
  if (archive.failed()) return;
  const int longest = std::max(piece.width, piece.depth);
  archive.require(longest <= rule.extent, "width", "is more than the kind's extent");
  if (!piece_rule.entrance) return;
  // It fits by itself, the block before its door included.
  const int below = piece.doors[0].level, above = piece.levels - 1 - below;
  archive.require(longest < rule.extent, "entrance", "does not fit into the kind's extent");
  archive.require(below <= rule.deepest && above <= std::max(rule.highest, 0), "entrance",
                  "has more storeys than the kind");
}

void surroundings_fields(FieldArchive& archive, SurroundingsRule& rule) {
  archive.number("distance", rule.distance, 0, kMostSurroundings);
  archive.require(rule.distance == 0 || (rule.distance >= kLeastSurroundings &&
                                         std::has_single_bit(static_cast<unsigned>(rule.distance))),
                  "distance", "is none of 0, 16, 32, 64, 128");
  archive.flag("water", rule.water);
  archive.group("relief", rule.relief_q4);
  archive.group("summit", rule.summit_q4);
}

void village_fields(FieldArchive& archive, VillageRule& rule) {
  archive.number("homes_low", rule.homes_low, 1, kMaxHomes);
  archive.number("homes_high", rule.homes_high, rule.homes_low, kMaxHomes);
  archive.number("lot", rule.lot, 16, 256);
  archive.number("lane_width", rule.lane_width, 1, 15);
  archive.require(rule.lane_width % 2 == 1, "lane_width", "is even");
  archive.number("lane_biome", rule.lane_biome, 0, 255);
  archive.number("field_depth", rule.field_depth, 0, 256);
  archive.number("field_slope", rule.field_slope_p, 0, 1000);
  const auto choice = [&](Choice& one) {
    archive.number("id", one.id, 0, 255);
    archive.number("weight", one.weight, 1, 1000);
  };
  archive.list("fields", rule.fields, rule.field_depth > 0 ? 1 : 0, kMaxKinds, choice);
  archive.list("homes", rule.homes, 1, kMaxKinds, choice);
}

void kind_fields(FieldArchive& archive, StructureRule& rule, StructureKind& kind, int region) {
  archive.number("share", rule.share, 0, kAllShares);
  archive.number("rooms_low", rule.rooms_low, 1, 64);
  archive.number("rooms_high", rule.rooms_high, rule.rooms_low, 64);
  archive.number("extent", rule.extent, 2, kMaxExtent);
  archive.number("skirt", rule.skirt, 1, kMaxSkirt);
  archive.require(rule.extent + 2 * (rule.skirt + kSiteStep) <= region, "extent",
                  "does not fit into a region");
  archive.number("deepest", rule.deepest, 0, kMaxStoreys);
  archive.number("highest", rule.highest, -1, kMaxStoreys);
  archive.number("walled_up", rule.walled_up, 0, 100);
  archive.number("unevenness", rule.unevenness_q4, 0, 1600);
  archive.group("height", rule.height_q4);
  archive.group("temperature", rule.temperature_d);
  archive.group("humidity", rule.humidity_d);
  archive.within("surroundings", [&] { surroundings_fields(archive, rule.surroundings); });
  bool has_village = rule.village.has_value();
  archive.flag("has_village", has_village);
  if (has_village && archive.reads()) rule.village.emplace();
  if (has_village) archive.within("village", [&] { village_fields(archive, *rule.village); });
  archive.number("storey", kind.storey_q4, 16, 64 * 16);
  std::size_t next = 0;
  archive.list("pieces", kind.pieces, 1, kMaxPieces, [&](Piece& piece) {
    if (archive.reads()) rule.pieces.emplace_back();
    piece_fields(archive, piece, rule.pieces[next++], rule);
  });
  archive.require(std::any_of(rule.pieces.begin(), rule.pieces.end(),
                              [](const PieceRule& piece) { return piece.entrance; }),
                  "pieces", "none is an entrance");
}

/// What must hold between a village and the kinds of its homes.
void require_village(FieldArchive& archive, const StructureRule& rule, const StructureRules& rules,
                     int chunk_size) {
  if (!rule.village || archive.failed()) return;
  const auto problem = village_problem(rule, rules, chunk_size);
  archive.require(!problem, "village", problem.value_or(""));
}

}  // namespace

std::optional<std::string> village_problem(const StructureRule& rule, const StructureRules& rules,
                                           int chunk_size) {
  int most_rooms = 0;
  for (std::size_t i = 0; i < rule.village->homes.size(); ++i) {
    const std::uint8_t id = rule.village->homes[i].id;
    const std::string path = "homes[" + std::to_string(i) + "].kind: ";
    if (id >= rules.kinds.size()) return path + "there is no such kind";
    if (rules.kinds[id].village) return path + "this kind has a village itself";
    most_rooms = std::max(most_rooms, rules.kinds[id].rooms_high);
  }
  // what a chunk may hold; a village may lie within one
  const int rooms = rule.rooms_high + rule.village->homes_high * most_rooms;
  if (rooms > chunk_size * chunk_size) {
    return "homes_high: with it the village may have " + std::to_string(rooms) +
           " rooms, more than chunk_size squared, " + std::to_string(chunk_size * chunk_size);
  }
  const int least = lot_sizes(*rule.village, rule, rules.kinds).least;
  if (rule.village->lot < least) {
    return "lot: " + std::to_string(rule.village->lot) + " is less than " + std::to_string(least) +
           ", which the longest extent, its skirt and the lane need";
  }
  const int span = rule.extent + 2 * margin_of(rule, rules.kinds);
  if (span > rules.region) {
    return "homes_high: with it the village may span " + std::to_string(span) +
           " blocks, more than structures.region, " + std::to_string(rules.region);
  }
  return std::nullopt;
}

int margin_of(const StructureRule& rule, const std::vector<StructureRule>& kinds) {
  const int skirt = rule.skirt + kSiteStep;
  return rule.village ? std::max(skirt, village_reach(*rule.village, rule, kinds)) : skirt;
}

void structure_fields(FieldArchive& archive, StructureRules& rules,
                      std::vector<StructureKind>& kinds, int chunk_size) {
  archive.number("region", rules.region, 128, 4096);
  archive.require(std::has_single_bit(static_cast<unsigned>(rules.region)), "region",
                  std::to_string(rules.region) + " is not a power of two");
  std::uint32_t shares = 0;
  std::size_t next = 0;
  archive.list("kinds", kinds, 1, kMaxKinds, [&](StructureKind& kind) {
    if (archive.reads()) rules.kinds.emplace_back();
    StructureRule& rule = rules.kinds[next++];
    kind_fields(archive, rule, kind, rules.region);
    shares += rule.share;
  });
  for (const StructureRule& rule : rules.kinds) require_village(archive, rule, rules, chunk_size);
  archive.require(shares <= kAllShares, "share", "all kinds' are more than 10,000 together");
}

void require_biomes(FieldArchive& archive, const StructureRules& rules, std::size_t biomes) {
  for (const StructureRule& rule : rules.kinds) {
    if (!rule.village) continue;
    archive.require(rule.village->lane_biome < biomes, "lane_biome", "is none of the biomes");
    for (const Choice& field : rule.village->fields)
      archive.require(field.id < biomes, "fields", "one is none of the biomes");
  }
}

std::int64_t widest_tile(const StructureRules& rules) { return std::int64_t{16} * rules.region; }

}  // namespace terrane::worldgen
