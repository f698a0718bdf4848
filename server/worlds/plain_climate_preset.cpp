#include "worlds/plain_climate_preset.h"

#include "terrane/result_macros.h"
#include "worlds/noise_preset.h"

namespace terrane::worlds {

Result<worldgen::PlainClimate> to_plain_climate(const worldfile::v1::PlainClimate& climate,
                                                const std::string& path) {
  TERRANE_ASSIGN_OR_RETURN(const auto temperature,
                           checked_noise(climate.temperature(), path + ".temperature"));
  TERRANE_ASSIGN_OR_RETURN(const auto humidity,
                           checked_noise(climate.humidity(), path + ".humidity"));
  worldgen::PlainClimate out;
  out.temperature = temperature;
  out.humidity = humidity;
  out.temperature_low_d = static_cast<float>(10 * climate.temperature_low());
  out.temperature_high_d = static_cast<float>(10 * climate.temperature_high());
  out.lapse_rate = static_cast<float>(climate.lapse_rate() * 10 / (100 * 16));
  return out;
}

}  // namespace terrane::worlds
