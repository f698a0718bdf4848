// clang-format off: the order of these matters
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "worldgen/terrains/faultlines/faultlines.cpp"
#include "hwy/foreach_target.h"  // compiles this file once per instruction set
#include "worldgen/terrains/faultlines/faultlines-inl.h"
// clang-format on

#if HWY_ONCE

#include <bit>
#include <cmath>

#include "worldgen/noise/hash.h"
#include "worldgen/noise/per_target.h"
#include "worldgen/shared_fields.h"

namespace terrane::worldgen {

namespace {

/// A line of a region: a hashed centre, and a normal at a hashed angle. Sine and cosine on a
/// quarter turn are the polynomials of the gradient noise.
Faultline make_line(const FaultlinesTerrain& terrain, std::uint64_t region_key, int index,
                    BlockPos corner) {
  const std::uint64_t h = noise::line_hash(region_key, index);
  const auto within = static_cast<std::uint64_t>(terrain.region - 1);  // a region is a power of two
  Faultline line;
  line.centre = {corner.x + static_cast<std::int64_t>(h & within),
                 corner.y + static_cast<std::int64_t>((h >> 12) & within)};
  const float t =
      static_cast<float>(static_cast<std::int32_t>(static_cast<std::uint32_t>(h >> 32) << 2)) *
      (1.0f / 2147483648.0f);
  const float t2 = t * t;
  const float sine = t * (t2 * (t2 * 0.00242710740f + -0.0807140009f) + 0.785394235f);
  const float cosine = t2 * (t2 * 0.0153718725f + -0.308245153f) + 0.999990039f;
  switch (h >> 62) {
    case 0: line.normal_x = cosine, line.normal_y = sine; break;
    case 1: line.normal_x = -sine, line.normal_y = cosine; break;
    case 2: line.normal_x = -cosine, line.normal_y = -sine; break;
    default: line.normal_x = sine, line.normal_y = -cosine; break;
  }
  return line;
}

/// What makes sums so large that their standard deviation is `contrast`: a line adds +-1/2 times a
/// weight whose square is 1/5 on average over the circle that it reaches.
float scale_of(const FaultlinesTerrain& terrain) {
  const float reach = static_cast<float>(terrain.reach) / static_cast<float>(terrain.region);
  const float felt = static_cast<float>(terrain.lines) * 3.14159274f * reach * reach;
  return terrain.contrast / std::sqrt(felt / 20.0f);
}

/// From a value to the nearest between two limits.
std::int64_t distance(std::int64_t value, std::int64_t low, std::int64_t high) {
  return std::max({low - value, value - high, std::int64_t{0}});
}

void dispatch(const FaultlinesTerrain& terrain, const std::vector<Faultline>& lines,
              const GridContext& context, float* sums) {
  const float factor = scale_of(terrain);
  TERRANE_CALL_TARGET(context.target, fill_faultlines(terrain, lines, factor, context, sums));
}

}  // namespace

std::vector<Faultline> faultlines_within(const FaultlinesTerrain& terrain, std::uint64_t seed,
                                         BlockPos from, BlockPos to) {
  const std::int64_t size = terrain.region, reach = terrain.reach;
  const std::uint64_t key = noise::stream_key(seed, "faultlines.lines");
  std::vector<Faultline> lines;
  for (std::int64_t ry = floor_div(from.y - reach, size); ry <= floor_div(to.y + reach, size);
       ++ry) {
    const std::uint64_t row_key = noise::combine(key, static_cast<std::uint64_t>(ry));
    for (std::int64_t rx = floor_div(from.x - reach, size); rx <= floor_div(to.x + reach, size);
         ++rx) {
      const std::uint64_t region_key = noise::combine(row_key, static_cast<std::uint64_t>(rx));
      for (int k = 0; k < terrain.lines; ++k) {
        const Faultline line = make_line(terrain, region_key, k, {rx * size, ry * size});
        const std::int64_t dx = distance(line.centre.x, from.x, to.x),
                           dy = distance(line.centre.y, from.y, to.y);
        if (dx < reach && dy < reach && dx * dx + dy * dy < reach * reach) lines.push_back(line);
      }
    }
  }
  return lines;
}

void fields(FieldArchive& archive, FaultlinesTerrain& terrain) {
  constexpr float kHighest = 16 * 10000;
  archive.number("region", terrain.region, 256, 4096);
  archive.require(std::has_single_bit(static_cast<std::uint64_t>(terrain.region)), "region",
                  std::to_string(terrain.region) + " is not a power of two");
  archive.number("lines", terrain.lines, 1, 1024);
  archive.number("reach", terrain.reach, 16, 4096);
  archive.require(terrain.reach <= terrain.region, "reach", "is more than region");
  archive.number("scarp", terrain.scarp, 1, 4096);
  archive.number("baseline", terrain.baseline_q4, -kHighest, kHighest);
  archive.number("amplitude", terrain.amplitude_q4, 0, kHighest);
  archive.number("contrast", terrain.contrast, 0.001f, 10);
  archive.group("climate", terrain.climate);
}

std::int64_t widest_tile(const FaultlinesTerrain& terrain) { return 2 * terrain.region; }

LayerMask layers(const FaultlinesTerrain&) { return kCoreLayers; }

LayerRanges layer_ranges(const FaultlinesTerrain& terrain) {
  // t / sqrt(1 + t^2) may be rounded to a hair more than 1.
  return layer_ranges(terrain.climate,
                      {round_to_int(terrain.baseline_q4 - terrain.amplitude_q4) - 1,
                       round_to_int(terrain.baseline_q4 + terrain.amplitude_q4) + 1});
}

void fill_terrain(const FaultlinesTerrain& terrain, const GridContext& context,
                  TerrainOutput& out) {
  const noise::SampleGrid& grid = context.grid;
  const BlockPos last{grid.origin.x + (grid.width - 1) * grid.stride,
                      grid.origin.y + (grid.height - 1) * grid.stride};
  const Scratch::Scope scope(*context.scratch);
  float* const sums = context.field();
  dispatch(terrain, faultlines_within(terrain, context.seed, grid.origin, last), context, sums);
  for (std::size_t i = 0; i < out.height_q4.size(); ++i) out.height_q4[i] = round_to_int(sums[i]);
  fill_climate(terrain.climate, context, out.height_q4, out.temperature_d, out.humidity_d);
}

}  // namespace terrane::worldgen

#endif  // HWY_ONCE
