#include "worlds/faultlines_preset.h"

#include <bit>
#include <string>

#include "terrane/result_macros.h"
#include "terrane/worldfile/v1/preset.pb.h"
#include "worlds/plain_climate_preset.h"

namespace terrane::worlds {

namespace {

Result<void> check(const worldfile::v1::FaultlinesTerrain& message,
                   const worldfile::v1::Preset& preset) {
  if (!std::has_single_bit(message.region())) {
    return fail(ErrorCode::kInvalidArgument,
                "faultlines.region: " + std::to_string(message.region()) +
                    " is not one of 256, 512, 1024, 2048, 4096");
  }
  if (message.reach() > message.region()) {
    return fail(ErrorCode::kInvalidArgument,
                "faultlines.reach: " + std::to_string(message.reach()) +
                    " is more than faultlines.region = " + std::to_string(message.region()));
  }
  const std::uint64_t widest = std::uint64_t{preset.chunk_size()} << preset.max_lod();
  if (widest > std::uint64_t{2} * message.region()) {
    return fail(ErrorCode::kInvalidArgument, "max_lod: its tiles span " + std::to_string(widest) +
                                                 " blocks, but 2 times faultlines.region = " +
                                                 std::to_string(2 * message.region()) +
                                                 " is the limit");
  }
  return {};
}

}  // namespace

Result<worldgen::FaultlinesTerrain> to_faultlines(const worldfile::v1::Preset& preset) {
  const worldfile::v1::FaultlinesTerrain& message = preset.faultlines();
  TERRANE_RETURN_IF_ERROR(check(message, preset));
  worldgen::FaultlinesTerrain terrain;
  terrain.region = message.region();
  terrain.lines = static_cast<int>(message.lines());
  terrain.reach = message.reach();
  terrain.scarp = static_cast<float>(message.scarp());
  terrain.baseline_q4 = static_cast<float>(16 * message.baseline());
  terrain.amplitude_q4 = static_cast<float>(16 * message.amplitude());
  terrain.contrast = static_cast<float>(message.contrast());
  TERRANE_ASSIGN_OR_RETURN(const auto climate,
                           to_plain_climate(message.climate(), "faultlines.climate"));
  terrain.climate = climate;
  return terrain;
}

}  // namespace terrane::worlds
