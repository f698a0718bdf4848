// codec_rivals: the codec beside general compressors, with and without filters, PNG and LERC: mean
// bytes of a chunk's layers of samples, and microseconds to encode and to decode them, each layer
// by itself as in our sections. Usage: codec_rivals [chunks per world] [world…].

#include <lz4.h>
#include <png.h>
#include <zstd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <limits>

#include "bench/codec_chunks.h"
#include "bench/codec_filters.h"
#include "codec/chunk_codec.h"
#include "worlds/world_catalog.h"

#ifdef TERRANE_HAVE_LERC
#include <Lerc_c_api.h>
#endif

namespace {

using namespace terrane;
using bench::Plane;
using bench::Predict;
using bench::Shuffle;

constexpr std::size_t kMaxBytes = 1 << 16;  // more than any layer of 64 samples squared takes

/// Where coders that want room write to.
std::string& room() {
  static std::string bytes(kMaxBytes, '\0');
  return bytes;
}

/// A lossless coder of one plane. decode() gets a plane without its bytes.
struct Rival {
  std::string name;
  std::function<std::string(const Plane&)> encode;
  std::function<void(const std::string&, Plane&)> decode;
};

Rival zstd(const std::string& name, int level, Predict predict, Shuffle shuffle) {
  const std::shared_ptr<ZSTD_CCtx> to(ZSTD_createCCtx(), ZSTD_freeCCtx);
  const std::shared_ptr<ZSTD_DCtx> from(ZSTD_createDCtx(), ZSTD_freeDCtx);
  return {name,
          [=](const Plane& plane) {
            const std::string bytes = bench::filtered(plane, predict, shuffle);
            const std::size_t count = ZSTD_compressCCtx(to.get(), room().data(), kMaxBytes,
                                                        bytes.data(), bytes.size(), level);
            return std::string(room().data(), count);
          },
          [=](const std::string& bytes, Plane& plane) {
            std::string out(plane.size * plane.size * plane.width, '\0');
            ZSTD_decompressDCtx(from.get(), out.data(), out.size(), bytes.data(), bytes.size());
            bench::unfilter(std::move(out), predict, shuffle, plane);
          }};
}

Rival lz4(const std::string& name, Predict predict, Shuffle shuffle) {
  return {name,
          [=](const Plane& plane) {
            const std::string bytes = bench::filtered(plane, predict, shuffle);
            const int count =
                LZ4_compress_default(bytes.data(), room().data(), static_cast<int>(bytes.size()),
                                     static_cast<int>(kMaxBytes));
            return std::string(room().data(), static_cast<std::size_t>(count));
          },
          [=](const std::string& bytes, Plane& plane) {
            std::string out(plane.size * plane.size * plane.width, '\0');
            LZ4_decompress_safe(bytes.data(), out.data(), static_cast<int>(bytes.size()),
                                static_cast<int>(out.size()));
            bench::unfilter(std::move(out), predict, shuffle, plane);
          }};
}

std::string encode_png(const Plane& plane, int level) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  std::string out;
  png_set_write_fn(
      png, &out,
      [](png_structp p, png_bytep bytes, std::size_t count) {
        static_cast<std::string*>(png_get_io_ptr(p))
            ->append(reinterpret_cast<const char*>(bytes), count);
      },
      [](png_structp) {});
  png_set_compression_level(png, level);
  const auto size = static_cast<png_uint_32>(plane.size);
  png_set_IHDR(png, info, size, size, static_cast<int>(8 * plane.width), PNG_COLOR_TYPE_GRAY,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (plane.width == 2) png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_ALL_FILTERS);
  png_write_info(png, info);
  if (plane.width == 2) png_set_swap(png);
  const auto* row = reinterpret_cast<png_const_bytep>(plane.bytes.data());
  for (std::size_t y = 0; y < plane.size; ++y, row += plane.size * plane.width)
    png_write_row(png, row);
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return out;
}

void decode_png(const std::string& bytes, Plane& plane) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  std::string_view left = bytes;
  png_set_read_fn(png, &left, [](png_structp p, png_bytep to, std::size_t count) {
    auto& from = *static_cast<std::string_view*>(png_get_io_ptr(p));
    std::copy_n(from.begin(), count, to);
    from.remove_prefix(count);
  });
  png_read_info(png, info);
  if (plane.width == 2) png_set_swap(png);
  plane.bytes.resize(plane.size * plane.size * plane.width);
  auto* row = reinterpret_cast<png_bytep>(plane.bytes.data());
  for (std::size_t y = 0; y < plane.size; ++y, row += plane.size * plane.width)
    png_read_row(png, row, nullptr);
  png_destroy_read_struct(&png, &info, nullptr);
}

#ifdef TERRANE_HAVE_LERC
Rival lerc() {
  constexpr unsigned kUnsignedChar = 1, kShort = 2;
  return {"LERC",
          [](const Plane& plane) {
            unsigned written = 0;
            const int size = static_cast<int>(plane.size);
            lerc_encode(plane.bytes.data(), plane.width == 2 ? kShort : kUnsignedChar, 1, size,
                        size, 1, 0, nullptr, 0, reinterpret_cast<unsigned char*>(room().data()),
                        static_cast<unsigned>(kMaxBytes), &written);
            return std::string(room().data(), written);
          },
          [](const std::string& bytes, Plane& plane) {
            const int size = static_cast<int>(plane.size);
            plane.bytes.resize(plane.size * plane.size * plane.width);
            lerc_decode(reinterpret_cast<const unsigned char*>(bytes.data()),
                        static_cast<unsigned>(bytes.size()), 0, nullptr, 1, size, size, 1,
                        plane.width == 2 ? kShort : kUnsignedChar, plane.bytes.data());
          }};
}
#endif

std::vector<Rival> rivals() {
  std::vector<Rival> all;
  const auto nothing = Shuffle::kNothing;
  all.push_back(zstd("zstd -3", 3, Predict::kNothing, nothing));
  all.push_back(zstd("zstd -19", 19, Predict::kNothing, nothing));
  all.push_back(zstd("left + zstd -3", 3, Predict::kLeft, nothing));
  all.push_back(zstd("left + zstd -19", 19, Predict::kLeft, nothing));
  all.push_back(zstd("left + bytes + zstd -3", 3, Predict::kLeft, Shuffle::kBytes));
  all.push_back(zstd("left + bytes + zstd -19", 19, Predict::kLeft, Shuffle::kBytes));
  all.push_back(zstd("plane + bytes + zstd -3", 3, Predict::kPlane, Shuffle::kBytes));
  all.push_back(zstd("plane + bytes + zstd -19", 19, Predict::kPlane, Shuffle::kBytes));
  all.push_back(zstd("left + bits + zstd -3", 3, Predict::kLeft, Shuffle::kBits));
  all.push_back(lz4("left + bytes + LZ4", Predict::kLeft, Shuffle::kBytes));
  all.push_back(lz4("left + bits + LZ4", Predict::kLeft, Shuffle::kBits));
  const auto png = [](int level) {
    return [level](const Plane& plane) { return encode_png(plane, level); };
  };
  all.push_back({"PNG, level 6", png(6), decode_png});
  all.push_back({"PNG, level 9", png(9), decode_png});
#ifdef TERRANE_HAVE_LERC
  all.push_back(lerc());
#endif
  return all;
}

/// Processor time, the least of some runs: others use this machine as well.
template <typename Body>
double microseconds(Body body) {
  constexpr int kRuns = 3;
  double least = std::numeric_limits<double>::max();
  for (int run = 0; run < kRuns; ++run) {
    const std::clock_t begin = std::clock();
    body();
    const auto took = static_cast<double>(std::clock() - begin);
    least = std::min(least, took * 1e6 / CLOCKS_PER_SEC);
  }
  return least;
}

void print_row(const std::string& name, double bytes, double encode, double decode,
               std::size_t chunks) {
  const auto count = static_cast<double>(chunks);
  std::printf("| %s | %.0f | %.1f | %.1f |\n", name.c_str(), bytes / count, encode / count,
              decode / count);
}

void print_ours(const std::vector<Chunk>& chunks) {
  std::vector<std::string> encoded(chunks.size());
  const double encode = microseconds([&] {
    for (std::size_t i = 0; i < chunks.size(); ++i) encoded[i] = codec::encode(chunks[i]);
  });
  bool same = true;
  const double decode = microseconds([&] {
    for (std::size_t i = 0; i < chunks.size(); ++i)
      same &= codec::decode(encoded[i], chunks[i].coord)->height_q4 == chunks[i].height_q4;
  });
  double bytes = 0;
  for (const std::string& one : encoded) bytes += static_cast<double>(one.size());
  print_row(same ? "Terrane" : "Terrane (WRONG)", bytes, encode, decode, chunks.size());
}

void print_rival(const Rival& rival, const std::vector<Plane>& planes, std::size_t chunks) {
  std::vector<std::string> encoded(planes.size());
  const double encode = microseconds([&] {
    for (std::size_t i = 0; i < planes.size(); ++i) encoded[i] = rival.encode(planes[i]);
  });
  std::vector<Plane> decoded(planes.size());
  for (std::size_t i = 0; i < planes.size(); ++i)
    decoded[i] = {planes[i].width, planes[i].size, {}};
  const double decode = microseconds([&] {
    for (std::size_t i = 0; i < planes.size(); ++i) rival.decode(encoded[i], decoded[i]);
  });
  double bytes = 0;
  bool same = true;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    bytes += static_cast<double>(encoded[i].size());
    same &= decoded[i].bytes == planes[i].bytes;
  }
  print_row(same ? rival.name : rival.name + " (WRONG)", bytes, encode, decode, chunks);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 200;
  const Result<worlds::WorldCatalog> catalog = worlds::builtin_worlds();
  if (!catalog || count == 0) {
    std::cerr << (catalog ? "usage: codec_rivals [chunks per world] [world...]"
                          : catalog.error().message)
              << '\n';
    return 1;
  }
  const std::vector<Rival> all = rivals();
  const std::vector<std::string> wanted(argv + std::min(argc, 2), argv + argc);
  for (const auto& [name, world] : *catalog) {
    if (!wanted.empty() && std::ranges::find(wanted, name) == wanted.end()) continue;
    std::vector<Chunk> chunks = bench::scattered_chunks(*world, 0, count);
    std::vector<Plane> planes;
    for (Chunk& chunk : chunks) {
      chunk.placements.clear();  // lists: rivals have nothing for them
      chunk.structures.clear();
      chunk.rooms.clear();
      for (Plane& plane : bench::planes_of(chunk)) planes.push_back(std::move(plane));
    }
    std::printf(
        "\n%s, %zu chunks\n\n| coder | bytes | encode, µs | decode, µs |\n"
        "|---|---|---|---|\n",
        name.c_str(), count);
    print_ours(chunks);
    for (const Rival& rival : all) print_rival(rival, planes, count);
  }
}
