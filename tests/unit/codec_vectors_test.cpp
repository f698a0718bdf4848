#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "codec/chunk_codec.h"
#include "unit/codec_text.h"

namespace terrane::codec {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return std::move(content).str();
}

template <typename Sample>
void write_layer(std::ostream& out, const char* name, const std::vector<Sample>& samples,
                 std::size_t size) {
  if (samples.empty()) return;
  out << name << '\n';
  for (std::size_t i = 0; i < samples.size(); ++i)
    out << int{samples[i]} << ((i + 1) % size == 0 ? '\n' : ' ');
}

/// A chunk as the vectors' .txt files have it.
std::string as_text(const Chunk& chunk) {
  std::ostringstream out;
  const auto size = static_cast<std::size_t>(chunk.size);
  out << "size " << chunk.size << "\nlod " << int{chunk.lod} << '\n';
  write_layer(out, "height", chunk.height_q4, size);
  write_layer(out, "temperature", chunk.temperature_d, size);
  write_layer(out, "humidity", chunk.humidity_d, size);
  write_layer(out, "biome", chunk.biome, size);
  write_layer(out, "water", chunk.water_q4, size);
  write_layer(out, "forest", chunk.forest_p, size);
  write_layer(out, "rocks", chunk.rocks_p, size);
  test::write_objects(out, chunk);
  return std::move(out).str();
}

TEST(codec_vectors, every_vector_decodes_to_its_samples) {
  std::size_t count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(TERRANE_CODEC_VECTORS)) {
    if (entry.path().extension() != ".bin") continue;
    ++count;
    const Result<Chunk> chunk = decode(read_file(entry.path()), {});
    ASSERT_TRUE(chunk) << entry.path() << ": " << chunk.error().message;
    EXPECT_EQ(as_text(*chunk), read_file(fs::path(entry.path()).replace_extension(".txt")))
        << entry.path();
  }
  EXPECT_GE(count, 5U);
}

}  // namespace
}  // namespace terrane::codec
