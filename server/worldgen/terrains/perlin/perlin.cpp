#include "worldgen/terrains/perlin/perlin.h"

#include <algorithm>

#include "worldgen/rounding.h"
#include "worldgen/shared_fields.h"

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

/// Fills `field` with a noise, and a layer with what becomes of it.
template <typename T>
void fill_layer(const noise::FractalNoise& spec, std::string_view stream,
                const GridContext& context, const LinearMap& map, float* field, std::span<T> out) {
  context.fill_noise(spec, stream, field);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(map(field[i]));
}

}  // namespace

void fields(FieldArchive& archive, PerlinTerrain& terrain) {
  constexpr float kHighest = 16 * 10000, kHottest = 10 * 200;
  archive.group("height", terrain.height);
  archive.group("temperature", terrain.temperature);
  archive.group("humidity", terrain.humidity);
  archive.number("amplitude", terrain.amplitude_q4, 0, kHighest);
  archive.number("temperature_low", terrain.temperature_low_d, -kHottest, kHottest);
  archive.number("temperature_high", terrain.temperature_high_d, -kHottest, kHottest);
}

std::int64_t widest_tile(const PerlinTerrain&) { return kAnyTile; }

LayerMask layers(const PerlinTerrain&) { return kCoreLayers; }

LayerRanges layer_ranges(const PerlinTerrain& terrain) {
  return {range_of(height_map(terrain)), range_of(temperature_map(terrain)),
          range_of(humidity_map())};
}

void fill_terrain(const PerlinTerrain& terrain, const GridContext& context, TerrainOutput& out) {
  const Scratch::Scope scope(*context.scratch);
  float* const field = context.field();
  fill_layer(terrain.height, "perlin.height", context, height_map(terrain), field, out.height_q4);
  fill_layer(terrain.temperature, "perlin.temperature", context, temperature_map(terrain), field,
             out.temperature_d);
  fill_layer(terrain.humidity, "perlin.humidity", context, humidity_map(), field, out.humidity_d);
}

}  // namespace terrane::worldgen
