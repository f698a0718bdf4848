#include "worlds/continents_preset.h"

#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "terrane/result_macros.h"
#include "terrane/worldfile/v1/preset.pb.h"
#include "worldgen/terrains/continents/ranking.h"
#include "worlds/noise_preset.h"

namespace terrane::worlds {

namespace {

using worldgen::noise::FractalNoise;
namespace continents = worldgen::continents;

/// Reads several noises, and keeps the first error.
class NoiseReader {
 public:
  explicit NoiseReader(std::string path) : path_(std::move(path)) {}

  FractalNoise operator()(const worldfile::v1::FractalNoise& noise, const char* field) {
    const auto read = checked_noise(noise, path_ + field);
    if (!read && !error_) error_ = read.error();
    return read ? *read : FractalNoise{};
  }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  std::string path_;
  std::optional<Error> error_;
};

Result<worldgen::Curve> floor_curve(const worldfile::v1::ContinentsLand& land) {
  const std::string path = "continents.land.floor";
  std::vector<worldgen::CurvePoint> points;
  for (const worldfile::v1::CurvePoint& point : land.floor()) {
    if (!points.empty() && !(point.at() > points.back().x && point.value() >= points.back().y)) {
      return fail(ErrorCode::kInvalidArgument,
                  path + "[" + std::to_string(points.size()) +
                      "]: `at` must be greater than the point before, and `value` no smaller: "
                      "water flows down this curve");
    }
    points.push_back({point.at(), point.value()});
  }
  if (points.size() < 2 || points.front().x != -1 || points.back().x != 1) {
    return fail(ErrorCode::kInvalidArgument,
                path + ": must begin with a point at -1 and end with one at 1");
  }
  return worldgen::curve_through(points);
}

Result<continents::Land> to_land(const worldfile::v1::ContinentsLand& land) {
  NoiseReader noise("continents.land.");
  continents::Land out;
  out.shape = noise(land.shape(), "shape");
  out.warp = noise(land.warp(), "warp");
  out.coast = noise(land.coast(), "coast");
  if (noise.error()) return tl::unexpected(*noise.error());
  out.warp_amplitude = static_cast<float>(land.warp_amplitude());
  out.coast_amplitude = static_cast<float>(land.coast_amplitude());
  TERRANE_ASSIGN_OR_RETURN(auto floor, floor_curve(land));
  out.floor = floor;
  out.inland = worldgen::rank_inland(out, land.land_share());
  return out;
}

Result<continents::Drainage> to_drainage(const worldfile::v1::ContinentsDrainage& drainage,
                                         const worldfile::v1::Preset& preset) {
  const std::string path = "continents.drainage.";
  if (!std::has_single_bit(drainage.spacing())) {
    return fail(ErrorCode::kInvalidArgument, path +
                                                 "spacing: " + std::to_string(drainage.spacing()) +
                                                 " is not one of 256, 512, 1024, 2048, 4096");
  }
  const std::uint64_t widest = std::uint64_t{preset.chunk_size()} << preset.max_lod();
  if (widest > std::uint64_t{64} * drainage.spacing()) {
    return fail(ErrorCode::kInvalidArgument,
                "max_lod: its tiles span " + std::to_string(widest) + " blocks, but 64 times " +
                    path + "spacing = " + std::to_string(64 * drainage.spacing()) +
                    " is the limit");
  }
  NoiseReader noise(path);
  continents::Drainage out;
  out.spacing = static_cast<int>(drainage.spacing());
  out.levels = static_cast<int>(drainage.levels());
  if (drainage.spacing() << 2 * (drainage.levels() - 1) > 1u << 16) {
    return fail(ErrorCode::kInvalidArgument,
                path + "levels: " + std::to_string(drainage.levels()) +
                    ": the coarsest nodes would be more than 65536 blocks apart");
  }
  out.trunk_height = static_cast<float>(drainage.trunk_height());
  out.swing = static_cast<float>(drainage.swing());
  out.stream_slope = static_cast<float>(drainage.stream_slope());
  out.jitter = static_cast<float>(drainage.jitter());
  out.reach = static_cast<float>(drainage.reach() * drainage.spacing());
  out.meander = noise(drainage.meander(), "meander");
  out.meander_amplitude = static_cast<float>(drainage.meander_amplitude());
  out.bed_width = static_cast<float>(drainage.bed_width());
  if (noise.error()) return tl::unexpected(*noise.error());
  return out;
}

Result<continents::Rivers> to_rivers(const worldfile::v1::ContinentsRivers& rivers) {
  const std::string path = "continents.rivers.";
  if (rivers.smallest_lake() > rivers.largest_lake()) {
    return fail(ErrorCode::kInvalidArgument,
                path + "smallest_lake: is larger than " + path + "largest_lake");
  }
  continents::Rivers out;
  out.width = static_cast<float>(rivers.width());
  out.widest = static_cast<float>(rivers.widest());
  out.bank_height = static_cast<float>(rivers.bank_height());
  out.lake_share = static_cast<float>(rivers.lake_share());
  out.smallest_lake = static_cast<float>(rivers.smallest_lake());
  out.largest_lake = static_cast<float>(rivers.largest_lake());
  out.roads_from = static_cast<float>(rivers.roads_from());
  return out;
}

Result<continents::Relief> to_relief(const worldfile::v1::ContinentsRelief& relief) {
  NoiseReader noise("continents.relief.");
  continents::Relief out;
  out.mountain_mask = noise(relief.mountain_mask(), "mountain_mask");
  out.mountain_regions = noise(relief.mountain_regions(), "mountain_regions");
  out.region_threshold = static_cast<float>(relief.region_threshold());
  out.region_range = static_cast<float>(relief.region_range());
  out.plain_steepness = static_cast<float>(relief.plain_steepness());
  out.hill_steepness = static_cast<float>(relief.hill_steepness());
  out.mountain_threshold = static_cast<float>(relief.mountain_threshold());
  out.mountain_range = static_cast<float>(relief.mountain_range());
  out.mountain_height = static_cast<float>(relief.mountain_height());
  out.ridges = noise(relief.ridges(), "ridges");
  out.ridge_share = static_cast<float>(relief.ridge_share());
  out.hill_mask = noise(relief.hill_mask(), "hill_mask");
  out.hills = noise(relief.hills(), "hills");
  out.hill_height_low = static_cast<float>(relief.hill_height_low());
  out.hill_height_high = static_cast<float>(relief.hill_height_high());
  out.seabed_height = static_cast<float>(relief.seabed_height());
  out.valley_width = static_cast<float>(relief.valley_width());
  out.valley_widening = static_cast<float>(relief.valley_widening());
  if (noise.error()) return tl::unexpected(*noise.error());
  return out;
}

Result<continents::Gullies> to_gullies(const worldfile::v1::ContinentsGullies& gullies) {
  continents::Gullies out;
  out.frequency = {gullies.frequency().cells(), gullies.frequency().blocks()};
  out.octaves = static_cast<int>(gullies.octaves());
  if (out.octaves > 0 && !is_valid(FractalNoise{out.frequency, out.octaves, 0.5f})) {
    return fail(
        ErrorCode::kInvalidArgument,
        "continents.gullies: the finest octave has more than one cell a block; use fewer octaves "
        "or a lower frequency");
  }
  out.gain = static_cast<float>(gullies.gain());
  out.depth = static_cast<float>(gullies.depth());
  out.steep = static_cast<float>(gullies.steep() / 100);
  return out;
}

Result<continents::Landforms> to_landforms(const worldfile::v1::ContinentsLandforms& landforms) {
  NoiseReader noise("continents.landforms.");
  continents::Landforms out;
  out.regions = noise(landforms.regions(), "regions");
  out.crests = noise(landforms.crests(), "crests");
  if (noise.error()) return tl::unexpected(*noise.error());
  out.threshold = static_cast<float>(landforms.threshold());
  out.humidity = static_cast<float>(landforms.humidity());
  out.table_height = static_cast<float>(landforms.table_height());
  out.layer = static_cast<float>(landforms.layer());
  out.dune_height = static_cast<float>(landforms.dune_height());
  out.dune_length = static_cast<int>(landforms.dune_length());
  return out;
}

Result<continents::Climate> to_climate(const worldfile::v1::ContinentsClimate& climate) {
  NoiseReader noise("continents.climate.");
  continents::Climate out;
  out.temperature = noise(climate.temperature(), "temperature");
  out.temperature_low = static_cast<float>(climate.temperature_low());
  out.temperature_high = static_cast<float>(climate.temperature_high());
  out.lapse_rate = static_cast<float>(climate.lapse_rate() / 100);
  out.humidity = noise(climate.humidity(), "humidity");
  out.humidity_low = static_cast<float>(climate.humidity_low());
  out.humidity_high = static_cast<float>(climate.humidity_high());
  out.coast_humidity = static_cast<float>(climate.coast_humidity());
  out.rain_shadow = static_cast<float>(climate.rain_shadow());
  out.wind_reach = static_cast<int>(climate.wind_reach());
  out.border = noise(climate.border(), "border");
  out.border_temperature = static_cast<float>(climate.border_temperature());
  out.border_humidity = static_cast<float>(climate.border_humidity());
  out.border_height = static_cast<float>(climate.border_height() / 100);
  if (noise.error()) return tl::unexpected(*noise.error());
  return out;
}

Result<continents::Ground> to_ground(const worldfile::v1::ContinentsGround& ground) {
  NoiseReader noise("continents.ground.");
  continents::Ground out;
  out.roughness = noise(ground.roughness(), "roughness");
  out.amplitude_low = static_cast<float>(ground.amplitude_low());
  out.amplitude_high = static_cast<float>(ground.amplitude_high());
  if (noise.error()) return tl::unexpected(*noise.error());
  return out;
}

}  // namespace

Result<worldgen::ContinentsTerrain> to_continents(const worldfile::v1::Preset& preset) {
  const worldfile::v1::ContinentsTerrain& message = preset.continents();
  worldgen::ContinentsTerrain terrain;
  TERRANE_ASSIGN_OR_RETURN(terrain.drainage, to_drainage(message.drainage(), preset));
  TERRANE_ASSIGN_OR_RETURN(terrain.rivers, to_rivers(message.rivers()));
  TERRANE_ASSIGN_OR_RETURN(terrain.relief, to_relief(message.relief()));
  TERRANE_ASSIGN_OR_RETURN(terrain.gullies, to_gullies(message.gullies()));
  if (message.has_landforms()) {
    TERRANE_ASSIGN_OR_RETURN(terrain.landforms, to_landforms(message.landforms()));
  }
  TERRANE_ASSIGN_OR_RETURN(terrain.climate, to_climate(message.climate()));
  TERRANE_ASSIGN_OR_RETURN(terrain.ground, to_ground(message.ground()));
  TERRANE_ASSIGN_OR_RETURN(terrain.land, to_land(message.land()));
  return terrain;
}

}  // namespace terrane::worlds
