#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

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

std::vector<fs::path> vectors_in(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".bin") paths.push_back(entry.path());
  }
  return paths;
}

TEST(codec_vectors, every_vector_decodes_to_its_samples) {
  const std::vector<fs::path> paths = vectors_in(TERRANE_CODEC_VECTORS);
  for (const fs::path& path : paths) {
    const Result<Chunk> chunk = decode(read_file(path), {});
    ASSERT_TRUE(chunk) << path << ": " << chunk.error().message;
    EXPECT_EQ(as_text(*chunk), read_file(fs::path(path).replace_extension(".txt"))) << path;
  }
  EXPECT_GE(paths.size(), 5U);
}

TEST(codec_vectors, every_vector_is_encoded_to_the_same_bytes_again) {
  for (const fs::path& path : vectors_in(TERRANE_CODEC_VECTORS)) {
    if (path.stem() == "unknown_layer") continue;  // which decoding drops
    const std::string bytes = read_file(path);
    EXPECT_EQ(encode(decode(bytes, {}).value()), bytes) << path;
  }
}

TEST(codec_vectors, what_must_be_refused_is_refused_for_a_reason_that_is_written_down) {
  const fs::path folder = fs::path(TERRANE_CODEC_VECTORS) / "refused";
  const std::string reasons = '\n' + read_file(folder / "reasons.txt");
  const std::vector<fs::path> paths = vectors_in(folder);
  for (const fs::path& path : paths) {
    const Result<Chunk> chunk = decode(read_file(path), {});
    EXPECT_FALSE(chunk) << path << " was decoded";
    EXPECT_NE(reasons.find('\n' + path.stem().string() + ": "), std::string::npos) << path;
  }
  EXPECT_GE(paths.size(), 30U);
}

}  // namespace
}  // namespace terrane::codec
