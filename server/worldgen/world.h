#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "terrane/coord.h"

/// A world as the generator reads it: plain values, checked by server/worlds. Immutable once built; share freely.
namespace terrane::worldgen {

/// `cells` lattice cells in `blocks` blocks.
struct Frequency {
  std::uint32_t cells = 1;   // 1 … 1,024
  std::uint32_t blocks = 1;  // 1 … 2^20
};

/// Fractal sum of gradient noise, divided by its largest possible value: [-1, 1].
struct FractalNoise {
  Frequency frequency;
  int octaves = 1;    // 1 … 16; octave k has 2^k times the frequency
  float gain = 0.5f;  // and gain^k times the amplitude
};

/// The `perlin` world: three independent noises, each mapped linearly onto a layer.
struct PerlinTerrain {
  FractalNoise height, temperature, humidity;
  float amplitude_q4 = 0;                             // height where the noise is 1, 1/16 block
  float temperature_low_d = 0, temperature_high_d = 0;  // 1/10 degC where the noise is -1 and 1
};

/// The `classic` world: height shapes temperature, temperature shapes humidity.
struct ClassicTerrain {
  FractalNoise height, temperature, humidity;
  float stretch = 1;  // factor that makes the noise fill [0.02, 0.98]
};

/// Closed interval of stored integers.
struct Interval {
  std::int32_t min = std::numeric_limits<std::int32_t>::min();
  std::int32_t max = std::numeric_limits<std::int32_t>::max();
};

/// One row of the biome table.
struct Biome {
  std::string name;
  std::uint32_t color = 0;  // 0xRRGGBB
  Interval height_q4, temperature_d, humidity_d;
};

/// What a layer of this world can hold.
struct LayerRange {
  std::int32_t min = 0;
  std::int32_t max = 0;
};

struct World {
  std::string name, title, description;
  WorldFingerprint fingerprint = 0;
  int chunk_size = 64;
  Lod max_lod = 0;
  std::int32_t sea_level_q4 = 0;
  LayerRange height_range, temperature_range, humidity_range;
  std::vector<Biome> biomes;  // at most 256
  std::variant<PerlinTerrain, ClassicTerrain> terrain;
};

}  // namespace terrane::worldgen
