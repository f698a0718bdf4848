#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "terrane/result_macros.h"
#include "terrane/worldfile/v1/preset.pb.h"
#include "worldgen/placement/density.h"
#include "worlds/noise_preset.h"
#include "worlds/objects_preset.h"
#include "worlds/preset_values.h"

namespace terrane::worlds {

namespace {

using KindsByName = std::map<std::string, std::uint8_t>;
using Shares = std::vector<worldgen::KindShare>;

std::string item(const std::string& list, int i) { return list + "[" + std::to_string(i) + "]"; }

Result<KindsByName> read_kinds(const worldfile::v1::Placements& placements, worldgen::World& world,
                               worldgen::PlacementRules& rules) {
  KindsByName by_name;
  if (placements.kinds_size() > 255) {
    return wrong("placements.kinds: " + std::to_string(placements.kinds_size()) +
                 " kinds; at most 255 are allowed");
  }
  for (int i = 0; i < placements.kinds_size(); ++i) {
    const worldfile::v1::PlacementKind& kind = placements.kinds(i);
    const std::string path = item("placements.kinds", i);
    TERRANE_ASSIGN_OR_RETURN(const auto color, to_color(kind.color(), path + ".color"));
    if (kind.smallest() > kind.largest()) {
      return wrong(path + ".smallest: " + std::to_string(kind.smallest()) +
                   " is more than largest, " + std::to_string(kind.largest()));
    }
    if (!by_name.emplace(kind.name(), static_cast<std::uint8_t>(i)).second) {
      return wrong(path + ".name: '" + kind.name() + "' is another kind's name already");
    }
    world.placement_kinds.push_back({kind.name(), color,
                                     static_cast<std::int32_t>(std::lround(kind.radius() * 16)),
                                     static_cast<std::int32_t>(std::lround(kind.height() * 16))});
    rules.scales.push_back(
        {static_cast<std::uint8_t>(kind.smallest()), static_cast<std::uint8_t>(kind.largest())});
  }
  return by_name;
}

Result<worldgen::DensityRule> read_density(const worldfile::v1::Density& density,
                                           const std::vector<double>& means,
                                           const std::string& path) {
  TERRANE_ASSIGN_OR_RETURN(const auto patches, checked_noise(density.patches(), path + ".patches"));
  if (density.gentle() >= density.steep()) {
    return wrong(path + ".gentle: " + std::to_string(density.gentle()) +
                 " is not less than steep, " + std::to_string(density.steep()));
  }
  return worldgen::make_density(patches, means, density.edge() / 100,
                                static_cast<int>(density.gentle()),
                                static_cast<int>(density.steep()));
}

/// The kinds of one row's list.
Result<Shares> read_shares(const google::protobuf::RepeatedPtrField<worldfile::v1::KindShare>& list,
                           double density, const KindsByName& kinds, const std::string& row,
                           const std::string& field, const std::string& density_field) {
  const std::string path = row + "." + field;
  if (density > 0 && list.empty())
    return wrong(path + ": is missing; say which kinds stand there, as " + density_field +
                 " is more than 0");
  Shares shares;
  std::uint32_t sum = 0;
  for (int i = 0; i < list.size(); ++i) {
    const auto found = kinds.find(list[i].kind());
    if (found == kinds.end()) {
      return wrong(item(path, i) + ".kind: '" + list[i].kind() +
                   "' is not the name of one of placements.kinds");
    }
    sum += list[i].weight();
    shares.push_back({found->second, sum});
  }
  return shares;
}

/// Biomes say nothing of what a world without `placements` can't have.
Result<void> check_bare(const worldfile::v1::Preset& preset) {
  for (int i = 0; i < preset.biomes_size(); ++i) {
    const worldfile::v1::Biome& row = preset.biomes(i);
    const char* const given = row.forest() > 0          ? "forest"
                              : row.rocks() > 0         ? "rocks"
                              : row.trees_size() > 0    ? "trees"
                              : row.boulders_size() > 0 ? "boulders"
                                                        : nullptr;
    if (given != nullptr)
      return wrong(item("biomes", i) + "." + given +
                   ": needs `placements` in the file, which says how things stand");
  }
  return {};
}

}  // namespace

Result<void> read_placements(const worldfile::v1::Preset& preset, worldgen::World& world) {
  if (!preset.has_placements()) return check_bare(preset);
  const worldfile::v1::Placements& message = preset.placements();
  if (message.distance() > message.cell()) {
    return wrong("placements.distance: " + std::to_string(message.distance()) +
                 " is more than cell, " + std::to_string(message.cell()));
  }
  worldgen::PlacementRules rules;
  rules.cell = static_cast<int>(message.cell());
  rules.distance = static_cast<int>(message.distance());
  rules.border_humidity_d = static_cast<int>(std::lround(message.border_humidity() * 10));
  rules.border_temperature_d = static_cast<int>(std::lround(message.border_temperature() * 10));
  TERRANE_ASSIGN_OR_RETURN(const auto kinds, read_kinds(message, world, rules));
  std::vector<double> forest, rocks;
  for (int i = 0; i < preset.biomes_size(); ++i) {
    const worldfile::v1::Biome& row = preset.biomes(i);
    const std::string path = item("biomes", i);
    TERRANE_ASSIGN_OR_RETURN(
        auto trees, read_shares(row.trees(), row.forest(), kinds, path, "trees", "forest"));
    TERRANE_ASSIGN_OR_RETURN(
        auto boulders, read_shares(row.boulders(), row.rocks(), kinds, path, "boulders", "rocks"));
    rules.trees.push_back(std::move(trees));
    rules.boulders.push_back(std::move(boulders));
    forest.push_back(row.forest());
    rocks.push_back(row.rocks());
  }
  TERRANE_ASSIGN_OR_RETURN(auto forest_rule,
                           read_density(message.forest(), forest, "placements.forest"));
  TERRANE_ASSIGN_OR_RETURN(auto rocks_rule,
                           read_density(message.rocks(), rocks, "placements.rocks"));
  rules.forest = std::move(forest_rule);
  rules.rocks = std::move(rocks_rule);
  world.placements = std::move(rules);
  return {};
}

}  // namespace terrane::worlds
