// How fast chunks are made: `lattice_fbm/<octaves>/<target>` is bare fractal noise on a 64 x 64
// grid, wavelengths 8,192 blocks down to 4 with 12 octaves; `chunk/<world>/<target>` is a whole
// chunk with all layers, `_lod<n>` the same at a coarser level of detail; `land/<world>/<target>`
// is the same without forests, rocks, placements and structures, and `land_and_structures`,
// `land_and_placements` add one of them (forests and rocks go with placements);
// `chunk_with_stamps/<number>/continents` is one with stamps that level all of it. Items are
// samples.
// TERRANE_SIMD chooses one target.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "worldgen/generate.h"
#include "worldgen/noise/fractal_noise.h"
#include "worldgen/noise/simd_target.h"
#include "worlds/world_catalog.h"

namespace {

namespace noise = terrane::worldgen::noise;

constexpr int kSize = 64;

void lattice_fbm(benchmark::State& state, int octaves, std::int64_t stride,
                 noise::SimdTarget target) {
  const noise::FractalNoise spec{{1, 4u << (octaves - 1)}, octaves, 0.5f};
  alignas(64) static float buffer[kSize * kSize];
  const std::span<float> out(buffer);
  std::int64_t chunk = 0;
  for (auto _ : state) {
    const std::int64_t span = kSize * stride;
    noise::fill_fractal_noise(spec, 42, {{++chunk * span, -3 * span}, stride, kSize, kSize}, target,
                              out);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kSize * kSize);
}

void chunk(benchmark::State& state, const terrane::worldgen::World& world, terrane::Lod lod,
           noise::SimdTarget target) {
  std::int64_t x = 0;
  std::int64_t samples = 0;
  for (auto _ : state) {
    const auto made = terrane::worldgen::generate(world, 42, {++x % 4096, -3}, lod, target);
    samples += static_cast<std::int64_t>(made.biome.size());
    benchmark::DoNotOptimize(made.biome.data());
  }
  state.SetItemsProcessed(samples);
}

/// A world as it is, and without some of what stands in it.
std::vector<std::pair<std::string, terrane::worldgen::World>> variants_of(
    const terrane::worldgen::World& world) {
  std::vector<std::pair<std::string, terrane::worldgen::World>> variants{{"chunk", world}};
  if (!world.placements && !world.structures) return variants;
  variants.emplace_back("land", world);
  variants.back().second.placements.reset();
  variants.back().second.structures.reset();
  variants.emplace_back("land_and_structures", world);
  variants.back().second.placements.reset();
  variants.emplace_back("land_and_placements", world);
  variants.back().second.structures.reset();
  return variants;
}

/// A world with stamps that level whatever is around its origin.
terrane::worldgen::World with_stamps(const terrane::worldgen::World& world, int count) {
  terrane::worldgen::Stamp stamp;
  stamp.to = {300'000, 0};
  stamp.radius = 8000;
  stamp.falloff = 8000;
  stamp.flatten.emplace();
  terrane::worldgen::World stamped = world;
  stamped.stamps = {std::vector(static_cast<std::size_t>(count), stamp), world.ranges.height_q4};
  return stamped;
}

}  // namespace

int main(int argc, char** argv) {
  const auto catalog = terrane::worlds::builtin_worlds();
  if (!catalog) return 1;
  std::vector<noise::SimdTarget> targets = noise::supported_targets();
  if (const char* forced = std::getenv("TERRANE_SIMD")) {
    const auto target = noise::choose_target(forced);
    if (!target)
      return std::fprintf(stderr, "TERRANE_SIMD: %s\n", target.error().message.c_str()), 2;
    targets = {*target};
  }
  for (const noise::SimdTarget target : targets) {
    const std::string name(to_string(target));
    for (const int octaves : {1, 4, 12}) {
      benchmark::RegisterBenchmark(("lattice_fbm/" + std::to_string(octaves) + "/" + name).c_str(),
                                   lattice_fbm, octaves, 1, target)
          ->Unit(benchmark::kMicrosecond);
    }
    for (const auto& [world_name, world] : *catalog) {
      for (const terrane::Lod lod : {terrane::Lod{0}, world->max_lod}) {
        const std::string suffix = lod == 0 ? "" : "_lod" + std::to_string(lod);
        for (const auto& [stages, variant] : variants_of(*world)) {
          benchmark::RegisterBenchmark((stages + suffix + "/" + world_name + "/" + name).c_str(),
                                       chunk, variant, lod, target)
              ->Unit(benchmark::kMicrosecond);
        }
      }
    }
    for (const int count : {1, 10}) {
      benchmark::RegisterBenchmark(
          ("chunk_with_stamps/" + std::to_string(count) + "/continents/" + name).c_str(), chunk,
          with_stamps(*catalog->at("continents"), count), terrane::Lod{0}, target)
          ->Unit(benchmark::kMicrosecond);
    }
    benchmark::RegisterBenchmark(("lattice_fbm_lod8/12/" + name).c_str(), lattice_fbm, 12, 256,
                                 target)
        ->Unit(benchmark::kMicrosecond);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
