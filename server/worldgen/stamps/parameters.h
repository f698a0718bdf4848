#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "terrane/coord.h"

/// Authored land: what a world file says of places, as the generator reads it.
namespace terrane::worldgen {

class FieldArchive;

/// Of the stage that applies stamps: grows whenever a change to the code changes any sample.
inline constexpr int kStampsVersion = 1;

/// Heights that the ground becomes at both ends of a line, 1/16 block.
struct LineHeights {
  std::int32_t from_q4 = 0, to_q4 = 0;
};

/// One place that somebody has shaped: all blocks within `radius` of the line from `from` to `to`,
/// and around them a margin of `falloff` blocks in which its effect dwindles. What it sets and does
/// not blend (water, biome, what grows there) ends half-way through the margin.
struct Stamp {
  BlockPos from, to;                     // the same: a point
  std::int32_t radius = 0, falloff = 0;  // blocks
  std::int32_t roughness = 0;            // blocks: its outline wanders so far in and out at most
  std::int32_t raise_q4 = 0;             // 1/16 block: how much higher the ground becomes
  std::optional<LineHeights> flatten;
  std::optional<std::int32_t> water_q4;  // 1/16 block: the height of a pool's surface
  std::optional<std::uint8_t> biome;
  bool clear = false;  // nothing grows, lies or is built there
};

inline constexpr std::size_t kMaxStamps = 16384;
inline constexpr std::int64_t kFarthestStamp = std::int64_t{1} << 40;  // blocks, either axis
inline constexpr std::int32_t kLongestStamp = 16384;  // blocks: line along an axis, radius, margin
inline constexpr std::int32_t kMaxRaise = 4096, kMaxStampHeight = 16384;  // blocks
inline constexpr std::int32_t kRoughestStamp = 64;                        // blocks

/// Blocks: how wide the margin of a pool must be, as its shore lies there, with ground on both
/// sides of it.
[[nodiscard]] constexpr std::int32_t narrowest_shore(std::int32_t roughness) {
  return 8 + roughness;
}

/// The stamps of a world with so many biomes, with their limits.
/// @param takes_water  whether its chunks have the layer
void stamp_fields(FieldArchive& archive, std::vector<Stamp>& stamps, std::size_t biomes,
                  bool takes_water);

}  // namespace terrane::worldgen
