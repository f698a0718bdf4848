#include "worldgen/stamps/parameters.h"

#include <cstdlib>
#include <string>

#include "worldgen/field_archive.h"

namespace terrane::worldgen {

namespace {

/// A part that may be missing.
template <typename T, typename Fields>
void optional_fields(FieldArchive& archive, std::string_view name, std::optional<T>& value,
                     const Fields& describe) {
  bool is_there = value.has_value();
  archive.flag(name, is_there);
  if (archive.failed() || !is_there) return;
  if (!value) value.emplace();
  describe(*value);
}

void block_fields(FieldArchive& archive, std::string_view name, BlockPos& block) {
  archive.within(name, [&] {
    archive.number("x", block.x, -kFarthestStamp, kFarthestStamp);
    archive.number("y", block.y, -kFarthestStamp, kFarthestStamp);
  });
}

void height_field(FieldArchive& archive, std::string_view name, std::int32_t& height_q4) {
  archive.number(name, height_q4, -16 * kMaxStampHeight, 16 * kMaxStampHeight);
}

void fields(FieldArchive& archive, Stamp& stamp, std::size_t biomes, bool takes_water) {
  block_fields(archive, "at", stamp.from);
  block_fields(archive, "to", stamp.to);
  archive.require(std::abs(stamp.to.x - stamp.from.x) <= kLongestStamp &&
                      std::abs(stamp.to.y - stamp.from.y) <= kLongestStamp,
                  "to", "is more than " + std::to_string(kLongestStamp) + " blocks away");
  archive.number("radius", stamp.radius, 0, kLongestStamp);
  archive.number("falloff", stamp.falloff, 0, kLongestStamp);
  archive.number("roughness", stamp.roughness, 0, kRoughestStamp);
  archive.number("raise", stamp.raise_q4, -16 * kMaxRaise, 16 * kMaxRaise);
  optional_fields(archive, "flatten", stamp.flatten, [&](LineHeights& flatten) {
    height_field(archive, "flatten", flatten.from_q4);
    height_field(archive, "flatten_to", flatten.to_q4);
  });
  optional_fields(archive, "water", stamp.water_q4,
                  [&](std::int32_t& water_q4) { height_field(archive, "water", water_q4); });
  archive.require(!stamp.water_q4 || takes_water, "water", "this terrain has no layer of water");
  const std::int32_t shore = narrowest_shore(stamp.roughness);
  archive.require(!stamp.water_q4 || stamp.falloff >= shore, "falloff",
                  "is less than " + std::to_string(shore) +
                      " blocks, which a stamp with water needs for its shore");
  optional_fields(archive, "biome", stamp.biome, [&](std::uint8_t& biome) {
    archive.number("biome", biome, 0, static_cast<std::uint8_t>(biomes - 1));
  });
  archive.flag("clear", stamp.clear);
}

}  // namespace

void stamp_fields(FieldArchive& archive, std::vector<Stamp>& stamps, std::size_t biomes,
                  bool takes_water) {
  std::uint16_t version = kStampsVersion;
  archive.number("stamps_version", version, kStampsVersion, kStampsVersion);
  archive.list("stamps", stamps, 1, kMaxStamps,
               [&](Stamp& stamp) { fields(archive, stamp, biomes, takes_water); });
}

}  // namespace terrane::worldgen
