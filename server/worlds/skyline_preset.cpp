#include "worlds/skyline_preset.h"

#include <cmath>
#include <cstdio>
#include <string>

#include "terrane/result_macros.h"
#include "terrane/worldfile/v1/preset.pb.h"
#include "worlds/plain_climate_preset.h"

namespace terrane::worlds {

namespace {

using worldgen::HeightQ16;
using worldgen::SkylineMethod;
using worldgen::SkylineTerrain;
using SkylineMessage = worldfile::v1::SkylineTerrain;

HeightQ16 to_height(double blocks) { return std::llround(blocks * 65536); }

std::string text(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.10g", value);
  return buffer;
}

SkylineMethod to_method(SkylineMessage::Method method) {
  switch (method) {
    case SkylineMessage::random_offsets: return SkylineMethod::kRandomOffsets;
    case SkylineMessage::height_dependent_offsets: return SkylineMethod::kHeightDependentOffsets;
    case SkylineMessage::interpolated: return SkylineMethod::kInterpolated;
    case SkylineMessage::superposed: break;
  }
  return SkylineMethod::kSuperposed;
}

/// What walks ask of each other's numbers.
Result<void> check_walk(const SkylineMessage& message, const SkylineTerrain& terrain) {
  if (terrain.method == SkylineMethod::kHeightDependentOffsets) {
    const double least = std::max({2 * message.amplitude(), message.up(), message.down()});
    if (message.cap() < least) {
      return fail(ErrorCode::kInvalidArgument,
                  "skyline.cap: " + text(message.cap()) +
                      " is less than twice the amplitude, up or down: at least " + text(least) +
                      " is needed");
    }
  }
  if (!can_reach_anchors(terrain)) {
    const double steps = terrain.method == SkylineMethod::kHeightDependentOffsets ? 4 : 2;
    const double wanted =
        std::ceil(steps * message.amplitude() / std::min(message.up(), message.down()));
    return fail(ErrorCode::kInvalidArgument,
                "skyline.anchor_steps: " + std::to_string(message.anchor_steps()) +
                    " steps are too few to get from one anchor to the next: at least " +
                    text(wanted) +
                    " are needed, or a smaller amplitude, or larger steps (the smaller of up and "
                    "down counts)");
  }
  return {};
}

}  // namespace

Result<worldgen::SkylineTerrain> to_skyline(const worldfile::v1::Preset& preset) {
  const SkylineMessage& message = preset.skyline();
  SkylineTerrain terrain;
  terrain.method = to_method(message.method());
  terrain.interpolation = message.interpolation() == SkylineMessage::linear
                              ? worldgen::SkylineInterpolation::kLinear
                              : worldgen::SkylineInterpolation::kCosine;
  terrain.step = message.step();
  terrain.baseline = to_height(message.baseline());
  terrain.amplitude = to_height(message.amplitude());
  terrain.up = to_height(message.up());
  terrain.down = to_height(message.down());
  terrain.cap = to_height(message.cap());
  terrain.anchor_steps = message.anchor_steps();
  terrain.octaves = static_cast<int>(message.octaves());
  const bool walk = terrain.method == SkylineMethod::kRandomOffsets ||
                    terrain.method == SkylineMethod::kHeightDependentOffsets;
  TERRANE_RETURN_IF_ERROR(walk ? check_walk(message, terrain) : Result<void>{});
  TERRANE_ASSIGN_OR_RETURN(const auto climate,
                           to_plain_climate(message.climate(), "skyline.climate"));
  terrain.climate = climate;
  return terrain;
}

}  // namespace terrane::worlds
