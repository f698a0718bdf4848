#pragma once

#include <cstdint>
#include <span>

#include "worldgen/biome_table.h"
#include "worldgen/grid_context.h"

namespace terrane::worldgen {

class FieldArchive;

/// A climate of two noises, colder with height; for worlds that are about something else.
struct PlainClimate {
  noise::FractalNoise temperature, humidity;
  // 1/10 degC at height 0 where the noise is -1 and 1
  float temperature_low_d = 0, temperature_high_d = 0;
  float lapse_rate = 0;  // 1/10 degC per 1/16 block above height 0
};

/// Its fields, with their limits.
void fields(FieldArchive& archive, PlainClimate& climate);

/// The climate of a grid of samples whose ground lies at `height_q4`. All spans hold one value a
/// sample; the grid is one that a terrain may be given. A pure function. Threads: any. Blocks: no.
void fill_climate(const PlainClimate& climate, const GridContext& context,
                  std::span<const std::int32_t> height_q4, std::span<std::int16_t> temperature_d,
                  std::span<std::int16_t> humidity_d);

/// What the layers can be where heights are within `height_q4`.
[[nodiscard]] LayerRanges layer_ranges(const PlainClimate& climate, Interval height_q4);

}  // namespace terrane::worldgen
