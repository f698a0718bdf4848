// Stage 4: what running water has cut into the slopes. Each octave is a lattice whose corners carry
// waves that run across the slope, each with a hashed phase, blended like gradient noise; the
// wave's own slope bends the next octave's, so gullies branch.

#include "hwy/highway.h"
#include "worldgen/noise/displaced_axis.h"
#include "worldgen/terrains/continents/swing.h"

HWY_BEFORE_NAMESPACE();
namespace terrane::worldgen::continents::HWY_NAMESPACE {

constexpr float kWavesPerCell = 1.4f;
// how much of an octave's slope turns the next: more branches, and creases where branches meet
constexpr float kBend = 0.5f;
// of what stands above the valley's floor: deeper gullies would have no way out
constexpr float kDeepestGully = 0.22f;
// slopes below this turn waves less and less, as they have no clear direction
constexpr float kLevel = 0.25f;

/// Lattice lines next to each sample of an axis: hashes, offset within the cell, and the far line's
/// weight.
struct GullyAxis {
  static constexpr int kSize = noise::DisplacedAxis::kSize;
  alignas(64) std::uint32_t near1[kSize], near2[kSize], far1[kSize], far2[kSize];
  alignas(64) float offset[kSize], weight[kSize];

  GullyAxis(const noise::AxisStart& start, std::int64_t den, std::uint64_t key, int count) {
    noise::DisplacedAxis axis;
    axis.fill(start, den, key, count, 0);
    for (int i = 0; i < noise::row_pitch(count); ++i) {
      const auto cell = static_cast<std::size_t>(axis.cell[i]);
      near1[i] = axis.hash1[cell];
      near2[i] = axis.hash2[cell];
      far1[i] = axis.hash1[cell + 1];
      far2[i] = axis.hash2[cell + 1];
      offset[i] = axis.offset[i];
      weight[i] = smooth(axis.offset[i]);
    }
  }
};

/// A lattice corner's wave at a point that lies (x, y) cells from it; (ax, ay) points across the
/// slope.
HWY_INLINE Wave corner_wave(std::uint32_t column1, std::uint32_t column2, std::uint32_t row1,
                            std::uint32_t row2, float x, float y, float ax, float ay) {
  const std::uint32_t hash = (column1 + row1) * (column2 + row2);
  const float shift =
      static_cast<float>(static_cast<std::int32_t>(hash >> 8)) * (1.0f / 16777216.0f);
  return wave_at((ax * x + ay * y) * kWavesPerCell + shift);
}

/// One octave: adds to height and slope. `depth` is each sample's, in blocks.
void add_gully_octave(const noise::Octave& octave, const GridContext& context,
                      const float* HWY_RESTRICT depth, float gain, const Surface& surface) {
  const noise::SampleGrid& grid = context.grid;
  const GullyAxis columns(noise::axis_start(octave, grid.origin.x, octave.offset_x, grid.stride),
                          octave.den, octave.key_x, grid.width);
  const GullyAxis rows(noise::axis_start(octave, grid.origin.y, octave.offset_y, grid.stride),
                       octave.den, octave.key_y, grid.height);
  const int pitch = noise::row_pitch(grid.width);
  const float steepness = gain * kWavesPerCell * noise::frequency_of(octave);
  for (int j = 0; j < grid.height; ++j) {
    const std::uint32_t near1 = rows.near1[j], near2 = rows.near2[j], far1 = rows.far1[j],
                        far2 = rows.far2[j];
    const float y = rows.offset[j], wy = rows.weight[j];
    float* HWY_RESTRICT height = surface.height + j * pitch;
    float* HWY_RESTRICT slope_x = surface.slope_x + j * pitch;
    float* HWY_RESTRICT slope_y = surface.slope_y + j * pitch;
    const float* HWY_RESTRICT row_depth = depth + j * pitch;
    for (int i = 0; i < grid.width; ++i) {
      const float length =
          root(slope_x[i] * slope_x[i] + slope_y[i] * slope_y[i] + kLevel * kLevel);
      const float ax = -slope_y[i] / length, ay = slope_x[i] / length;
      const float x = columns.offset[i], wx = columns.weight[i];
      const Wave a = corner_wave(columns.near1[i], columns.near2[i], near1, near2, x, y, ax, ay);
      const Wave b =
          corner_wave(columns.far1[i], columns.far2[i], near1, near2, x - 1.0f, y, ax, ay);
      const Wave c =
          corner_wave(columns.near1[i], columns.near2[i], far1, far2, x, y - 1.0f, ax, ay);
      const Wave d =
          corner_wave(columns.far1[i], columns.far2[i], far1, far2, x - 1.0f, y - 1.0f, ax, ay);
      const float value = mix(mix(a.value, b.value, wx), mix(c.value, d.value, wx), wy);
      const float slope = mix(mix(a.slope, b.slope, wx), mix(c.slope, d.slope, wx), wy);
      const float bend = kBend * row_depth[i] * steepness * slope;
      height[i] += row_depth[i] * gain * value;
      slope_x[i] += ax * bend;
      slope_y[i] += ay * bend;
    }
  }
}

void add_gullies(const ContinentsTerrain& terrain, const GridContext& context, const Uplift& uplift,
                 const Valleys& valleys, const Surface& surface) {
  const Gullies& gullies = terrain.gullies;
  float* depth = context.field();
  const int n = context.count();
  for (int i = 0; i < n; ++i) {
    const float slope =
        root(surface.slope_x[i] * surface.slope_x[i] + surface.slope_y[i] * surface.slope_y[i]);
    const float gentle = 1.0f - clamp01(slope / gullies.steep);
    const float mountainous = smooth(uplift.mountains[i] / (0.5f * terrain.relief.mountain_height));
    const float above_floor = larger(surface.height[i] - valleys.floor[i], 0.0f);
    depth[i] = smaller(gullies.depth * (1.0f - gentle * gentle) * mountainous,
                       kDeepestGully * above_floor) *
               smooth(valleys.distance[i] / (0.5f * terrain.drainage.bed_width));
  }
  float gain = 1;
  for (int k = 0; k < gullies.octaves; ++k) {
    context.stop_if_abandoned();
    const FractalNoise spec{gullies.frequency, gullies.octaves, 0.5f};
    add_gully_octave(noise::make_octave(spec, k, context.key("continents.gullies"), 1.0f), context,
                     depth, gain, surface);
    gain *= gullies.gain;
  }
}

}  // namespace terrane::worldgen::continents::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
