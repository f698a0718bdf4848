#include "worldgen/terrains/classic/classic.h"

#include <algorithm>
#include <cstdlib>

#include "worldgen/rounding.h"
#include "worldgen/shared_fields.h"

// After the noises are quantised everything is integers: heights in blocks, the others in tenths.

namespace terrane::worldgen {

namespace {

constexpr std::int32_t kHighest = 255;        // blocks
constexpr std::int32_t kWarmestHeight = 130;  // blocks: it gets colder above and below

std::int32_t temperature_at(std::int32_t noise_thousandths, std::int32_t height) {
  return noise_thousandths - 500 + 200 - 3 * std::abs(height - kWarmestHeight);
}

/// 1.3 f(t), where f(t) = 2t - 23 above 23, 2 below 2, else t.
std::int32_t humidity_from_temperature(std::int32_t temperature_d) {
  const std::int32_t warm = std::max(temperature_d, 2 * temperature_d - 230);
  return divide_rounded(13 * std::max(warm, 20), 10);
}

std::int32_t humidity_at(std::int32_t noise_thousandths, std::int32_t temperature_d) {
  return noise_thousandths - 500 + humidity_from_temperature(temperature_d);
}

/// A noise from [-1, 1] to integers of [0, top]: stretched around the middle, clamped.
struct UnitMap {
  float scale, top;
  [[nodiscard]] std::int32_t operator()(float n) const {
    const float unit = std::min(std::max(0.5f + scale * n, 0.0f), 1.0f);
    return round_to_int(top * unit);
  }
};

}  // namespace

void fields(FieldArchive& archive, ClassicTerrain& terrain) {
  archive.group("height", terrain.height);
  archive.group("temperature", terrain.temperature);
  archive.group("humidity", terrain.humidity);
  archive.number("stretch", terrain.stretch, 0, 10);
}

std::int64_t widest_tile(const ClassicTerrain&) { return kAnyTile; }

LayerMask layers(const ClassicTerrain&) { return kCoreLayers; }

LayerRanges layer_ranges(const ClassicTerrain&) {
  const Interval temperature{temperature_at(0, kHighest), temperature_at(1000, kWarmestHeight)};
  return {{0, kHighest * 16},
          {std::min(temperature.min, temperature_at(0, 0)), temperature.max},
          {humidity_at(0, std::min(temperature.min, temperature_at(0, 0))),
           humidity_at(1000, temperature.max)}};
}

void fill_terrain(const ClassicTerrain& terrain, const GridContext& context, TerrainOutput& out) {
  const Scratch::Scope scope(*context.scratch);
  const std::size_t count = out.height_q4.size();
  const UnitMap blocks{0.5f * terrain.stretch, static_cast<float>(kHighest)};
  const UnitMap thousandths{0.5f * terrain.stretch, 1000.0f};
  float* const field = context.field();
  context.fill_noise(terrain.height, "classic.height", field);
  for (std::size_t i = 0; i < count; ++i) out.height_q4[i] = 16 * blocks(field[i]);
  context.fill_noise(terrain.temperature, "classic.temperature", field);
  for (std::size_t i = 0; i < count; ++i) {
    out.temperature_d[i] =
        static_cast<std::int16_t>(temperature_at(thousandths(field[i]), out.height_q4[i] / 16));
  }
  context.fill_noise(terrain.humidity, "classic.humidity", field);
  for (std::size_t i = 0; i < count; ++i) {
    out.humidity_d[i] =
        static_cast<std::int16_t>(humidity_at(thousandths(field[i]), out.temperature_d[i]));
  }
}

}  // namespace terrane::worldgen
