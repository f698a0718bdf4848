#include <algorithm>

#include "worldgen/noise/field.h"
#include "worldgen/noise/hash.h"
#include "worldgen/rounding.h"
#include "worldgen/terrain.h"

namespace terrane::worldgen {

namespace {

/// The line through (-1, low) and (1, high).
struct LinearMap {
  float middle, half;
  LinearMap(float low, float high) : middle((low + high) * 0.5f), half((high - low) * 0.5f) {}
  [[nodiscard]] std::int32_t operator()(float n) const { return round_to_int(middle + half * n); }
};

LinearMap height_map(const PerlinTerrain& t) { return {-t.amplitude_q4, t.amplitude_q4}; }
LinearMap temperature_map(const PerlinTerrain& t) {
  return {t.temperature_low_d, t.temperature_high_d};
}
LinearMap humidity_map() { return {0.0f, 1000.0f}; }

Interval range_of(const LinearMap& map) {
  const std::int32_t first = map(-1.0f), last = map(1.0f);
  return {std::min(first, last), std::max(first, last)};
}

template <typename T>
void fill_layer(const FractalNoise& spec, std::uint64_t key, const noise::SampleGrid& grid,
                noise::SimdTarget target, const LinearMap& map, std::span<T> out) {
  noise::Field field;
  field.fill(spec, key, grid, target);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(map(field[i]));
}

}  // namespace

LayerRanges layer_ranges(const PerlinTerrain& terrain) {
  return {range_of(height_map(terrain)), range_of(temperature_map(terrain)),
          range_of(humidity_map())};
}

void fill_terrain(const PerlinTerrain& terrain, std::uint64_t seed, const noise::SampleGrid& grid,
                  noise::SimdTarget target, const TerrainLayers& out) {
  using noise::stream_key;
  fill_layer(terrain.height, stream_key(seed, "perlin.height"), grid, target, height_map(terrain),
             out.height_q4);
  fill_layer(terrain.temperature, stream_key(seed, "perlin.temperature"), grid, target,
             temperature_map(terrain), out.temperature_d);
  fill_layer(terrain.humidity, stream_key(seed, "perlin.humidity"), grid, target, humidity_map(),
             out.humidity_d);
}

}  // namespace terrane::worldgen
