// codec_sizes: bytes per chunk and layer in each built-in world, ours beside zstd -19, 16-bit PNG
// and LERC of the same samples, and the share of chunks that fit one overflow page of the store.
// Usage: codec_sizes [chunks per world] [lod].

#include <png.h>
#include <zstd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <span>

#include "bench/codec_chunks.h"
#include "codec/chunk_codec.h"
#include "worlds/world_catalog.h"

#ifdef TERRANE_HAVE_LERC
#include <Lerc_c_api.h>
#endif

namespace {

using namespace terrane;

constexpr std::size_t kFrameBytes = 8;
// one overflow page of LMDB less the store's own header
constexpr std::size_t kPageBytes = 4080 - 16;

/// Samples as 16-bit numbers, as small as a fair rival would take them; biomes stay bytes.
struct Raster {
  std::vector<std::int16_t> wide;
  std::vector<std::uint8_t> narrow;
  [[nodiscard]] std::span<const std::byte> bytes() const {
    return narrow.empty() ? std::as_bytes(std::span(wide)) : std::as_bytes(std::span(narrow));
  }
};

Raster raster_of(const Chunk& chunk, Layer layer) {
  switch (layer) {
    case Layer::kHeight: return {{chunk.height_q4.begin(), chunk.height_q4.end()}, {}};
    case Layer::kTemperature: return {chunk.temperature_d, {}};
    case Layer::kHumidity: return {chunk.humidity_d, {}};
    case Layer::kBiome: return {{}, chunk.biome};
    case Layer::kWater: return {{chunk.water_q4.begin(), chunk.water_q4.end()}, {}};
    case Layer::kForest: return {{}, chunk.forest_p};
    case Layer::kRocks: return {{}, chunk.rocks_p};
    case Layer::kPlacements:
    case Layer::kStructures: break;  // lists: nothing to compare with
  }
  return {};
}

std::size_t zstd_bytes(const Raster& raster) {
  std::vector<char> out(ZSTD_compressBound(raster.bytes().size()));
  return ZSTD_compress(out.data(), out.size(), raster.bytes().data(), raster.bytes().size(), 19);
}

std::size_t png_bytes(const Raster& raster, std::size_t size) {
  std::vector<std::uint16_t> pixels;
  for (const std::int16_t sample : raster.wide)
    pixels.push_back(static_cast<std::uint16_t>(sample + 32768));
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  std::size_t written = 0;
  png_set_write_fn(
      png, &written,
      [](png_structp p, png_bytep, std::size_t count) {
        *static_cast<std::size_t*>(png_get_io_ptr(p)) += count;
      },
      [](png_structp) {});
  png_set_compression_level(png, 9);
  const int depth = raster.narrow.empty() ? 16 : 8;
  png_set_IHDR(png, info, static_cast<png_uint_32>(size), static_cast<png_uint_32>(size), depth,
               PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  if (depth == 16) png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_ALL_FILTERS);
  png_write_info(png, info);
  if (depth == 16) png_set_swap(png);
  for (std::size_t y = 0; y < size; ++y) {
    const void* row = depth == 16 ? static_cast<const void*>(pixels.data() + y * size)
                                  : raster.narrow.data() + y * size;
    png_write_row(png, static_cast<png_const_bytep>(row));
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return written;
}

std::size_t lerc_bytes([[maybe_unused]] const Raster& raster, [[maybe_unused]] int size) {
#ifdef TERRANE_HAVE_LERC
  unsigned bytes = 0;
  constexpr unsigned kShort = 2, kUnsignedChar = 1;
  const bool narrow = !raster.narrow.empty();
  if (lerc_computeCompressedSize(raster.bytes().data(), narrow ? kUnsignedChar : kShort, 1, size,
                                 size, 1, 0, nullptr, 0, &bytes) == 0) {
    return bytes;
  }
#endif
  return 0;
}

/// Sums over the chunks of one world.
struct Totals {
  double ours = 0, zstd = 0, png = 0, lerc = 0;
};

void print_sizes(const std::string& name, const std::vector<Chunk>& chunks, Lod lod) {
  static constexpr const char* kNames[] = {"",           "height",    "temperature", "humidity",
                                           "biome",      "water",     "forest",      "rocks",
                                           "placements", "structures"};
  const std::size_t count = chunks.size();
  Totals totals[10];
  std::vector<std::size_t> sizes;
  for (const Chunk& chunk : chunks) {
    const std::string encoded = codec::encode(chunk);
    sizes.push_back(encoded.size());
    for (int id = 1; id <= 9; ++id) {
      const auto layer = static_cast<Layer>(id);
      Totals& sums = totals[id];
      sums.ours += static_cast<double>(
          codec::select_layers(encoded, layer_bit(layer)).value().size() - kFrameBytes);
      const Raster raster = raster_of(chunk, layer);
      if (raster.bytes().empty()) continue;
      sums.zstd += static_cast<double>(zstd_bytes(raster));
      sums.png += static_cast<double>(png_bytes(raster, static_cast<std::size_t>(chunk.size)));
      sums.lerc += static_cast<double>(lerc_bytes(raster, chunk.size));
    }
  }
  const auto n = static_cast<double>(count);
  std::printf("%s, lod %d, %zu chunks of %d samples squared; mean bytes\n", name.c_str(), lod,
              count, chunks.front().size);
  std::printf("  %-12s %9s %9s %9s %9s\n", "layer", "terrane", "zstd -19", "PNG", "LERC");
  Totals all{.ours = kFrameBytes * n};
  for (int layer = 1; layer <= 9; ++layer) {
    const Totals& sums = totals[layer];
    if (sums.ours == 0) continue;  // a layer that the world does not have
    std::printf("  %-12s %9.0f %9.0f %9.0f %9.0f\n", kNames[layer], sums.ours / n, sums.zstd / n,
                sums.png / n, sums.lerc / n);
    all = {all.ours + sums.ours, all.zstd + sums.zstd, all.png + sums.png, all.lerc + sums.lerc};
  }
  std::printf("  %-12s %9.0f %9.0f %9.0f %9.0f\n", "all", all.ours / n, all.zstd / n, all.png / n,
              all.lerc / n);
  std::ranges::sort(sizes);
  const auto fitting = std::ranges::upper_bound(sizes, kPageBytes) - sizes.begin();
  std::printf("  median %zu, 95th percentile %zu, largest %zu; within %zu bytes: %.1f %%\n\n",
              sizes[sizes.size() / 2], sizes[sizes.size() * 95 / 100], sizes.back(), kPageBytes,
              100 * static_cast<double>(fitting) / n);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 400;
  const auto lod = static_cast<Lod>(argc > 2 ? std::atoi(argv[2]) : 0);
  const Result<worlds::WorldCatalog> catalog = worlds::builtin_worlds();
  if (!catalog || count == 0) {
    std::cerr << (catalog ? "usage: codec_sizes [chunks per world] [lod]" : catalog.error().message)
              << '\n';
    return 1;
  }
  for (const auto& [name, world] : *catalog) {
    if (lod <= world->max_lod) print_sizes(name, bench::scattered_chunks(*world, lod, count), lod);
  }
  print_sizes("synthetic chunks with every layer", bench::dressed_chunks(count), 0);
}
