// codec_bench: microseconds to encode and to decode chunks of the built-in worlds, and synthetic
// ones that have every layer. `encode/<world>/<layers>`, `decode/<world>/<layers>`.

#include <benchmark/benchmark.h>

#include <iostream>

#include "bench/codec_chunks.h"
#include "codec/chunk_codec.h"
#include "worlds/world_catalog.h"

namespace {

using namespace terrane;

constexpr std::size_t kChunks = 64;

struct Layers {
  const char* name;
  LayerMask mask;
};
constexpr Layers kLayers[] = {{"all", kAllLayers},
                              {"core", kCoreLayers},
                              {"height", layer_bit(Layer::kHeight)},
                              {"temperature", layer_bit(Layer::kTemperature)},
                              {"humidity", layer_bit(Layer::kHumidity)},
                              {"biome", layer_bit(Layer::kBiome)},
                              {"water", layer_bit(Layer::kWater)},
                              {"forest", layer_bit(Layer::kForest)},
                              {"rocks", layer_bit(Layer::kRocks)},
                              {"placements", layer_bit(Layer::kPlacements)},
                              {"structures", layer_bit(Layer::kStructures)}};

/// The encoded chunks of a world, cut to some layers.
std::vector<std::string> encoded_chunks(const std::vector<Chunk>& chunks, LayerMask mask) {
  std::vector<std::string> encoded;
  for (const Chunk& chunk : chunks)
    encoded.push_back(codec::select_layers(codec::encode(chunk), mask).value());
  return encoded;
}

void bench_encode(benchmark::State& state, const std::vector<Chunk>& all, LayerMask mask) {
  std::vector<Chunk> chunks;
  for (const std::string& bytes : encoded_chunks(all, mask))
    chunks.push_back(codec::decode(bytes, {}).value());
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(codec::encode(chunks[i++ % chunks.size()]));
}

void bench_decode(benchmark::State& state, const std::vector<Chunk>& all, LayerMask mask) {
  const std::vector<std::string> encoded = encoded_chunks(all, mask);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(codec::decode(encoded[i++ % encoded.size()], {}));
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const Result<worlds::WorldCatalog> catalog = worlds::builtin_worlds();
  if (!catalog) {
    std::cerr << catalog.error().message << '\n';
    return 1;
  }
  for (const auto& [name, world] : *catalog) {
    const auto chunks = bench::scattered_chunks(*world, 0, kChunks);
    for (const Layers& layers : kLayers) {
      if (layers.mask != kAllLayers && (layers.mask & ~world->layers) != 0) continue;
      const std::string suffix = "/" + name + "/" + layers.name;
      benchmark::RegisterBenchmark(("encode" + suffix).c_str(), bench_encode, chunks, layers.mask)
          ->Unit(benchmark::kMicrosecond);
      benchmark::RegisterBenchmark(("decode" + suffix).c_str(), bench_decode, chunks, layers.mask)
          ->Unit(benchmark::kMicrosecond);
    }
  }
  const std::vector<Chunk> dressed = bench::dressed_chunks(kChunks);
  for (const Layers& layers : kLayers) {
    const std::string suffix = std::string("/synthetic/") + layers.name;
    benchmark::RegisterBenchmark(("encode" + suffix).c_str(), bench_encode, dressed, layers.mask)
        ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(("decode" + suffix).c_str(), bench_decode, dressed, layers.mask)
        ->Unit(benchmark::kMicrosecond);
  }
  benchmark::RunSpecifiedBenchmarks();
}
