// Writes the codec's test vectors: encoded chunks as <name>.bin, their samples as <name>.txt; and
// in the folder refused/ bytes that a decoder must refuse, with the reasons in reasons.txt.
// Usage: codec_write_vectors DIRECTORY. Only when the format or the encoder's choices change:
// vectors of released formats stay as they are.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "codec/chunk_codec.h"
#include "codec/container.h"
#include "golden/codec/refused_vectors.h"
#include "unit/codec_chunks.h"
#include "unit/codec_text.h"

namespace {

using namespace terrane;
using namespace terrane::test;

template <typename Sample>
void write_layer(std::ostream& out, const char* name, const std::vector<Sample>& samples,
                 std::size_t size) {
  if (samples.empty()) return;
  out << name << '\n';
  for (std::size_t i = 0; i < samples.size(); ++i)
    out << int{samples[i]} << ((i + 1) % size == 0 ? '\n' : ' ');
}

void write_vector(const std::string& path, const Chunk& chunk, const std::string& bytes) {
  std::ofstream(path + ".bin", std::ios::binary) << bytes;
  std::ofstream text(path + ".txt");
  const auto size = static_cast<std::size_t>(chunk.size);
  text << "size " << chunk.size << "\nlod " << int{chunk.lod} << '\n';
  write_layer(text, "height", chunk.height_q4, size);
  write_layer(text, "temperature", chunk.temperature_d, size);
  write_layer(text, "humidity", chunk.humidity_d, size);
  write_layer(text, "biome", chunk.biome, size);
  write_layer(text, "water", chunk.water_q4, size);
  write_layer(text, "forest", chunk.forest_p, size);
  write_layer(text, "rocks", chunk.rocks_p, size);
  test::write_objects(text, chunk);
}

/// The chunk, and after it a section of a layer and a coding that this version does not know.
std::string with_unknown_layer(const Chunk& chunk) {
  const std::string bytes = codec::encode(chunk);
  codec::Container container = *codec::read_container(bytes);
  container.sections[container.section_count++] = {
      .layer = 31, .coding = 200, .payload = "of a later version"};
  return codec::write_container(container);
}

/// Two slopes that meet, for the worked example of FORMAT.md.
Chunk example_chunk() {
  return only(
      make_chunk(16, 0,
                 [](int i, int j) {
                   return PointSample{.height_q4 = 16 * (i < 8 ? i : 8) + 16 * (j / 4),
                                      .temperature_d = 215,
                                      .humidity_d = 0,
                                      .biome = static_cast<std::uint8_t>(i + j < 16 ? 2 : 5)};
                 }),
      layer_bit(Layer::kHeight) | layer_bit(Layer::kTemperature) | layer_bit(Layer::kBiome));
}

/// Steep and rough: large residuals in height, a bowl in temperature, a staircase in humidity.
Chunk rough_chunk(int size) {
  std::mt19937 random(3);
  return make_chunk(size, 1, [&](int i, int j) {
    return PointSample{
        .height_q4 = 900 * i - 700 * j + static_cast<std::int32_t>(random() % 5000),
        .temperature_d = static_cast<std::int16_t>(5 * i * i + 7 * j * j * j / 3 + i * j),
        .humidity_d = static_cast<std::int16_t>(i / 9 * 40 + j / 7),
        .biome = static_cast<std::uint8_t>(random() % 3)};
  });
}

/// A river with more heights than a palette has, and none beside it.
Chunk steep_water_chunk() {
  Chunk chunk;
  chunk.size = 32;
  for (int j = 0; j < 32; ++j) {
    for (int i = 0; i < 32; ++i)
      chunk.water_q4.push_back(i > 5 + j / 4 && i < 22 + j / 4 ? 4000 - 17 * j - i / 2 : kNoWater);
  }
  return chunk;
}

/// A forest's soft edge, which is a raster of bytes, and placements of one kind.
Chunk forest_chunk() {
  Chunk chunk;
  chunk.size = 16;
  for (int j = 0; j < 16; ++j) {
    for (int i = 0; i < 16; ++i)
      chunk.forest_p.push_back(static_cast<std::uint8_t>(3 * i + i * j / 4));
  }
  chunk.placements = {{.anchor = {0, 0}, .kind = 3, .turn = 200, .scale = 100},
                      {.anchor = {15, 15}, .kind = 3, .turn = 7, .scale = 90}};
  return chunk;
}

/// Rows that know nothing of each other, and a saddle.
Chunk torn_chunk() {
  std::mt19937 random(4);
  int value = 0;
  return only(make_chunk(16, 0,
                         [&](int i, int j) {
                           value = i == 0 ? static_cast<int>(random() % 2000)
                                          : value + static_cast<int>(random() % 41) - 20;
                           return PointSample{.height_q4 = value,
                                              .temperature_d = static_cast<std::int16_t>(
                                                  i * i * j + 2 * i * j * j),
                                              .humidity_d = 0,
                                              .biome = 0};
                         }),
              layer_bit(Layer::kHeight) | layer_bit(Layer::kTemperature));
}

void write_refused(const std::string& directory) {
  std::filesystem::create_directories(directory);
  std::ofstream reasons(directory + "reasons.txt");
  for (const RefusedVector& vector : refused_vectors()) {
    std::ofstream(directory + vector.name + ".bin", std::ios::binary) << vector.bytes;
    reasons << vector.name << ": " << vector.rule << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: codec_write_vectors DIRECTORY\n";
    return 2;
  }
  const std::string directory = std::string(argv[1]) + '/';
  const auto write = [&](const std::string& name, const Chunk& chunk) {
    write_vector(directory + name, chunk, codec::encode(chunk));
  };
  write("example", example_chunk());
  write("hills_32", hilly_chunk(32, 2));
  write("smooth_32", smooth_chunk(32));
  write("extremes_16", extreme_chunk(16, 16));
  write("rough_16", rough_chunk(16));
  write("rough_64", only(rough_chunk(64), layer_bit(Layer::kHeight)));
  write("torn_16", torn_chunk());
  write("random_16", random_chunk(16, 1));
  write("humidity_only", only(hilly_chunk(16, 0, 4), layer_bit(Layer::kHumidity)));
  write("flat_16", make_chunk(16, 8, [](int, int) {
          return PointSample{
              .height_q4 = -160, .temperature_d = -200, .humidity_d = 1000, .biome = 255};
        }));
  write("bands_128", only(smooth_chunk(128), layer_bit(Layer::kBiome)));
  write("full_32", full_chunk(32));
  write("full_64", full_chunk(64));
  write("structures_16", only(full_chunk(16, 4), layer_bit(Layer::kStructures)));
  write("steep_water_32", steep_water_chunk());
  write("forest_16", forest_chunk());
  write("nothing", only(hilly_chunk(16), 0));
  write_vector(directory + "unknown_layer", hilly_chunk(16, 5, 2),
               with_unknown_layer(hilly_chunk(16, 5, 2)));
  write_refused(directory + "refused/");
}
