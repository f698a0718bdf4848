#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "terrane/result_macros.h"
#include "terrane/worldfile/v1/preset.pb.h"
#include "worlds/objects_preset.h"
#include "worlds/preset_values.h"

namespace terrane::worlds {

namespace {

constexpr int kMaxPlaces = 4096;

BlockPos to_block(const worldfile::v1::Block& block) { return {block.x(), block.y()}; }

std::int32_t to_q4(double blocks) { return static_cast<std::int32_t>(std::lround(blocks * 16)); }

Result<void> check(const worldfile::v1::Stamp& stamp, const worldgen::World& world,
                   const std::string& path) {
  const BlockPos from = to_block(stamp.at());
  const BlockPos to = to_block(stamp.has_to() ? stamp.to() : stamp.at());
  for (const auto& [axis, way] :
       {std::pair{"x", std::abs(to.x - from.x)}, std::pair{"y", std::abs(to.y - from.y)}}) {
    if (way <= worldgen::kLongestStamp) continue;
    return wrong(path + ".to." + axis + ": is " + std::to_string(way) + " blocks from at." + axis +
                 "; at most " + std::to_string(worldgen::kLongestStamp) +
                 " are allowed: let several stamps follow each other");
  }
  if (stamp.has_flatten_to() && !stamp.has_to())
    return wrong(path + ".flatten_to: needs to, the line's end that it is the height of");
  if (stamp.has_flatten_to() && !stamp.has_flatten())
    return wrong(path + ".flatten_to: needs flatten, the height at the line's beginning");
  if (!stamp.has_water()) return {};
  if ((layers(world.terrain) & layer_bit(Layer::kWater)) == 0) {
    return wrong(path + ".water: " + std::string(traits_of(world.terrain).name) +
                 " has no layer of water");
  }
  const std::int32_t shore =
      worldgen::narrowest_shore(static_cast<std::int32_t>(stamp.roughness()));
  if (std::cmp_greater_equal(stamp.falloff(), shore)) return {};
  return wrong(path + ".falloff: " + std::to_string(stamp.falloff()) + " is below " +
               std::to_string(shore) + " blocks, which a stamp with water needs for its shore");
}

Result<worldgen::Stamp> to_stamp(const worldfile::v1::Stamp& message, const worldgen::World& world,
                                 const std::string& path) {
  TERRANE_RETURN_IF_ERROR(check(message, world, path));
  worldgen::Stamp stamp;
  stamp.from = to_block(message.at());
  stamp.to = message.has_to() ? to_block(message.to()) : stamp.from;
  stamp.radius = static_cast<std::int32_t>(message.radius());
  stamp.falloff = static_cast<std::int32_t>(message.falloff());
  stamp.roughness = static_cast<std::int32_t>(message.roughness());
  stamp.raise_q4 = to_q4(message.lift());
  if (message.has_flatten()) {
    const double end = message.has_flatten_to() ? message.flatten_to() : message.flatten();
    stamp.flatten = {to_q4(message.flatten()), to_q4(end)};
  }
  if (message.has_water()) stamp.water_q4 = to_q4(message.water());
  if (message.has_biome()) {
    TERRANE_ASSIGN_OR_RETURN(stamp.biome,
                             biome_named(message.biome(), world.biomes, path + ".biome"));
  }
  stamp.clear = message.clear();
  return stamp;
}

template <typename List>
Result<void> check_count(const char* name, const List& list, std::size_t most) {
  if (static_cast<std::size_t>(list.size()) <= most) return {};
  return wrong(std::string(name) + ": " + std::to_string(list.size()) + " of them; at most " +
               std::to_string(most) + " are allowed");
}

}  // namespace

Result<void> read_stamps(const worldfile::v1::Preset& preset, worldgen::World& world) {
  TERRANE_RETURN_IF_ERROR(check_count("stamps", preset.stamps(), worldgen::kMaxStamps));
  TERRANE_RETURN_IF_ERROR(check_count("places", preset.places(), kMaxPlaces));
  const worldgen::TerrainTraits traits = traits_of(world.terrain);
  if (preset.stamps_size() > 0 && !traits.takes_objects)
    return wrong("stamps: " + std::string(traits.name) + " takes none");
  std::vector<worldgen::Stamp> stamps;
  for (int i = 0; i < preset.stamps_size(); ++i) {
    TERRANE_ASSIGN_OR_RETURN(stamps.emplace_back(), to_stamp(preset.stamps(i), world,
                                                             "stamps[" + std::to_string(i) + "]"));
  }
  world.stamps = worldgen::Stamps(std::move(stamps), layer_ranges(world.terrain).height_q4);
  for (int i = 0; i < preset.places_size(); ++i) {
    const worldfile::v1::NamedPlace& place = preset.places(i);
    if (place.name().find_first_of("\n\t") != std::string::npos)
      return wrong("places[" + std::to_string(i) + "].name: is on one line, without tabs");
    world.places.push_back({place.name(), to_block(place.at()), place.spawn()});
  }
  return {};
}

}  // namespace terrane::worlds
