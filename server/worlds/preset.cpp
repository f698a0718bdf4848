#include "worlds/preset.h"

#include <bit>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "terrane/result_macros.h"
#include "terrane/worldfile/v1/preset.pb.h"
#include "worldgen/compiled_world.h"
#include "worlds/continents_preset.h"
#include "worlds/faultlines_preset.h"
#include "worlds/json.h"
#include "worlds/message_from_json.h"
#include "worlds/noise_preset.h"
#include "worlds/objects_preset.h"
#include "worlds/preset_values.h"
#include "worlds/resource_isles_preset.h"
#include "worlds/skyline_preset.h"

namespace terrane::worlds {

namespace {

worldgen::FractalNoise to_noise(const worldfile::v1::FractalNoise& noise) {
  return {{noise.frequency().cells(), noise.frequency().blocks()},
          static_cast<int>(noise.octaves()),
          static_cast<float>(noise.gain())};
}

}  // namespace

Result<worldgen::FractalNoise> checked_noise(const worldfile::v1::FractalNoise& noise,
                                             const std::string& path) {
  const worldgen::FractalNoise result = to_noise(noise);
  if (worldgen::noise::is_valid(result)) return result;
  return fail(ErrorCode::kInvalidArgument, path + ": the finest of " +
                                               std::to_string(noise.octaves()) +
                                               " octaves has more than one cell a block; " +
                                               "use fewer octaves or a lower frequency (cells * "
                                               "2^(octaves - 1) must not exceed blocks)");
}

namespace {

/// Reads three noises of a terrain message into a terrain value.
template <typename Terrain, typename Message>
Result<Terrain> with_noises(const Message& message, const std::string& path) {
  TERRANE_ASSIGN_OR_RETURN(const auto height, checked_noise(message.height(), path + ".height"));
  TERRANE_ASSIGN_OR_RETURN(const auto temperature,
                           checked_noise(message.temperature(), path + ".temperature"));
  TERRANE_ASSIGN_OR_RETURN(const auto humidity,
                           checked_noise(message.humidity(), path + ".humidity"));
  Terrain terrain;
  terrain.height = height;
  terrain.temperature = temperature;
  terrain.humidity = humidity;
  return terrain;
}

template <typename Terrain>
Result<worldgen::Terrain> as_terrain(Result<Terrain> terrain) {
  return std::move(terrain).map([](Terrain&& read) { return worldgen::Terrain(std::move(read)); });
}

Result<worldgen::Terrain> to_terrain(const worldfile::v1::Preset& preset) {
  switch (preset.terrain_case()) {
    case worldfile::v1::Preset::kPerlin: {
      TERRANE_ASSIGN_OR_RETURN(auto terrain,
                               with_noises<worldgen::PerlinTerrain>(preset.perlin(), "perlin"));
      terrain.amplitude_q4 = static_cast<float>(preset.perlin().amplitude() * 16);
      terrain.temperature_low_d = static_cast<float>(preset.perlin().temperature_low() * 10);
      terrain.temperature_high_d = static_cast<float>(preset.perlin().temperature_high() * 10);
      return terrain;
    }
    case worldfile::v1::Preset::kClassic: {
      TERRANE_ASSIGN_OR_RETURN(auto terrain,
                               with_noises<worldgen::ClassicTerrain>(preset.classic(), "classic"));
      terrain.stretch = static_cast<float>(preset.classic().stretch());
      return terrain;
    }
    case worldfile::v1::Preset::kContinents: return as_terrain(to_continents(preset));
    case worldfile::v1::Preset::kSkyline: return as_terrain(to_skyline(preset));
    case worldfile::v1::Preset::kFaultlines: return as_terrain(to_faultlines(preset));
    case worldfile::v1::Preset::kResourceIsles: return as_terrain(to_resource_isles(preset));
    case worldfile::v1::Preset::TERRAIN_NOT_SET: break;
  }
  std::string kinds;
  const auto& oneof = *worldfile::v1::Preset::descriptor()->FindOneofByName("terrain");
  for (int i = 0; i < oneof.field_count(); ++i)
    kinds += (i == 0 ? "" : ", ") + oneof.field(i)->name();
  return fail(ErrorCode::kInvalidArgument, "terrain: is missing; give one of " + kinds);
}

Result<worldgen::Biome> to_biome(const worldfile::v1::Biome& row, const std::string& path) {
  TERRANE_ASSIGN_OR_RETURN(const auto color, to_color(row.color(), path + ".color"));
  worldgen::Biome biome;
  biome.name = row.name();
  biome.color = color;
  TERRANE_ASSIGN_OR_RETURN(const auto height, to_interval(row.height(), 16, path + ".height"));
  TERRANE_ASSIGN_OR_RETURN(const auto temperature,
                           to_interval(row.temperature(), 10, path + ".temperature"));
  TERRANE_ASSIGN_OR_RETURN(const auto humidity,
                           to_interval(row.humidity(), 10, path + ".humidity"));
  biome.height_q4 = height;
  biome.temperature_d = temperature;
  biome.humidity_d = humidity;
  TERRANE_ASSIGN_OR_RETURN(const auto slope, to_interval(row.slope(), 1, path + ".slope"));
  TERRANE_ASSIGN_OR_RETURN(const auto inland, to_interval(row.inland(), 10, path + ".inland"));
  biome.priority = static_cast<int>(row.priority());
  biome.water = static_cast<worldgen::FreshWater>(row.water());
  biome.slope_p = slope;
  biome.inland_p = inland;
  return biome;
}

constexpr int kMaxBiomes = 256;

Result<void> check_name(const std::string& name) {
  if (name.empty() || name.size() > 64 ||
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos) {
    return fail(ErrorCode::kInvalidArgument,
                "name: '" + name + "' must be 1 to 64 characters of a-z, 0-9 and _");
  }
  if (name == "f" || name == "realms") {  // what stands at a name's place in URLs
    return fail(ErrorCode::kInvalidArgument,
                "name: '" + name + "' means something else in URLs: choose another");
  }
  return {};
}

/// All that a preset says: parameters, names and colours.
Result<worldgen::World> describe(const worldfile::v1::Preset& preset) {
  TERRANE_RETURN_IF_ERROR(check_name(preset.name()));
  if (!std::has_single_bit(preset.chunk_size())) {
    return fail(ErrorCode::kInvalidArgument, "chunk_size: " + std::to_string(preset.chunk_size()) +
                                                 " is not one of 16, 32, 64, 128");
  }
  worldgen::World world;
  world.name = preset.name();
  world.title = preset.title();
  world.description = preset.description();
  world.chunk_size = static_cast<int>(preset.chunk_size());
  world.max_lod = static_cast<Lod>(preset.max_lod());
  world.sea_level_q4 = static_cast<std::int32_t>(std::lround(preset.sea_level() * 16));
  TERRANE_ASSIGN_OR_RETURN(world.terrain, to_terrain(preset));
  if (preset.biomes_size() > kMaxBiomes) {
    return fail(ErrorCode::kInvalidArgument,
                "biomes: " + std::to_string(preset.biomes_size()) + " rows; 1 to 256 are allowed");
  }
  for (int i = 0; i < preset.biomes_size(); ++i) {
    TERRANE_ASSIGN_OR_RETURN(auto biome,
                             to_biome(preset.biomes(i), "biomes[" + std::to_string(i) + "]"));
    world.biomes.push_back(std::move(biome));
  }
  TERRANE_ASSIGN_OR_RETURN(world.placement_kinds, resource_kinds(preset));
  TERRANE_RETURN_IF_ERROR(read_placements(preset, world));
  TERRANE_RETURN_IF_ERROR(read_structures(preset, world));
  TERRANE_RETURN_IF_ERROR(read_stamps(preset, world));
  return world;
}

/// The generator reads nothing but the compiled world.
Result<worldgen::World> to_world(const worldfile::v1::Preset& preset) {
  TERRANE_ASSIGN_OR_RETURN(worldgen::World described, describe(preset));
  const std::vector<std::byte> compiled = worldgen::compile_world(described);
  TERRANE_ASSIGN_OR_RETURN(worldgen::World world, worldgen::load_compiled_world(compiled));
  worldgen::take_appearance(world, std::move(described));
  return world;
}

}  // namespace

Result<worldgen::World> parse_preset(std::string_view json, std::string_view file) {
  const auto in_file = [&](const std::string& message, const std::string& place = "") {
    return fail(ErrorCode::kInvalidArgument, std::string(file) + ": " + message + place);
  };
  const auto root = parse_json(json);
  if (!root) return in_file(root.error().message);
  worldfile::v1::Preset preset;
  auto world = read_message(*root, "", preset).and_then([&] { return to_world(preset); });
  if (world) return world;
  const std::string& message = world.error().message;  // begins with the field's path
  return in_file(
      message,
      " (line " + std::to_string(line_of(*root, message.substr(0, message.find(": ")))) + ")");
}

}  // namespace terrane::worlds
