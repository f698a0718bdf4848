#include "worldgen/plain_climate.h"

#include <algorithm>

#include "worldgen/rounding.h"
#include "worldgen/shared_fields.h"

namespace terrane::worldgen {

namespace {

constexpr std::int32_t kColdest = -2731;  // 1/10 degC

std::int32_t temperature_at(const PlainClimate& climate, float noise, std::int32_t height_q4) {
  const float middle = (climate.temperature_low_d + climate.temperature_high_d) * 0.5f;
  const float half = (climate.temperature_high_d - climate.temperature_low_d) * 0.5f;
  const float colder = climate.lapse_rate * static_cast<float>(std::max(height_q4, 0));
  return std::max(round_to_int((middle + half * noise) - colder), kColdest);
}

}  // namespace

void fields(FieldArchive& archive, PlainClimate& climate) {
  constexpr float kHottest = 10 * 200;
  archive.group("temperature", climate.temperature);
  archive.group("humidity", climate.humidity);
  archive.number("temperature_low", climate.temperature_low_d, -kHottest, kHottest);
  archive.number("temperature_high", climate.temperature_high_d, -kHottest, kHottest);
  archive.number("lapse_rate", climate.lapse_rate, 0, 1);
}

LayerRanges layer_ranges(const PlainClimate& climate, Interval height_q4) {
  const std::int32_t ends[] = {
      temperature_at(climate, -1, height_q4.min), temperature_at(climate, 1, height_q4.min),
      temperature_at(climate, -1, height_q4.max), temperature_at(climate, 1, height_q4.max)};
  const auto [coldest, warmest] = std::minmax_element(std::begin(ends), std::end(ends));
  return {height_q4, {*coldest, *warmest}, {0, 1000}};
}

void fill_climate(const PlainClimate& climate, const GridContext& context,
                  std::span<const std::int32_t> height_q4, std::span<std::int16_t> temperature_d,
                  std::span<std::int16_t> humidity_d) {
  const Scratch::Scope scope(*context.scratch);
  float* const field = context.field();
  context.fill_noise(climate.temperature, "plain_climate.temperature", field);
  for (std::size_t i = 0; i < height_q4.size(); ++i) {
    temperature_d[i] = static_cast<std::int16_t>(temperature_at(climate, field[i], height_q4[i]));
  }
  context.fill_noise(climate.humidity, "plain_climate.humidity", field);
  for (std::size_t i = 0; i < height_q4.size(); ++i) {
    humidity_d[i] = static_cast<std::int16_t>(round_to_int(500.0f + 500.0f * field[i]));
  }
}

}  // namespace terrane::worldgen
