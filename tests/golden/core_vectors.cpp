// The codec's vectors through terrane.h, decoded and encoded again, and damaged bytes for every
// function that takes some: errors, and no crash. It links terrane_core and nothing else, so that
// it can be built by any compiler for any processor.
//   core_vectors FILE…   vectors of codec/: a .bin with its .txt beside it; without one it must be
//                        refused
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/terrane.h"

namespace {

/// How many bytes of each file are damaged, one after the other.
constexpr std::size_t kDamaged = 200;

int failures = 0;

void expect(bool holds, const std::string& file, const char* what) {
  if (holds) return;
  std::printf("%s: %s\n", file.c_str(), what);
  ++failures;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

template <typename Sample>
void write_layer(std::ostream& out, const char* name, const Sample* samples, std::size_t size) {
  if (samples == nullptr) return;
  out << name << '\n';
  for (std::size_t i = 0; i < size * size; ++i)
    out << int{samples[i]} << ((i + 1) % size == 0 ? '\n' : ' ');
}

/// A chunk of the tile (0, 0) as the .txt files have it.
std::string to_text(const terrane_chunk_info& chunk) {
  std::ostringstream out;
  const auto at = [&](terrane_block block) -> std::ostream& {
    return out << ' ' << block.x << ' ' << block.y;
  };
  out << "size " << chunk.size << "\nlod " << chunk.tile.lod << '\n';
  write_layer(out, "height", chunk.height_q4, chunk.size);
  write_layer(out, "temperature", chunk.temperature_d, chunk.size);
  write_layer(out, "humidity", chunk.humidity_d, chunk.size);
  write_layer(out, "biome", chunk.biome, chunk.size);
  write_layer(out, "water", chunk.water_q4, chunk.size);
  write_layer(out, "forest", chunk.forest_p, chunk.size);
  write_layer(out, "rocks", chunk.rocks_p, chunk.size);
  for (std::size_t i = 0; i < chunk.placement_count; ++i) {
    const terrane_placement& p = chunk.placements[i];
    out << "placement";
    at(p.anchor) << ' ' << int{p.kind} << ' ' << int{p.turn} << ' ' << int{p.scale} << '\n';
  }
  for (std::size_t i = 0; i < chunk.structure_count; ++i) {
    const terrane_structure& s = chunk.structures[i];
    out << "structure";
    at(s.anchor) << ' ' << int{s.kind} << ' ' << s.rooms;
    at(s.from);
    at(s.to) << '\n';
  }
  for (std::size_t i = 0; i < chunk.room_count; ++i) {
    const terrane_room& r = chunk.rooms[i];
    out << "room";
    at(r.corner) << ' ' << r.floor_q4;
    at(r.structure) << ' ' << r.index << ' ' << int{r.kind} << ' ' << int{r.piece} << ' '
                    << int{r.turn} << ' ' << int{r.open_doors} << '\n';
  }
  return out.str();
}

terrane_code decode(std::string_view bytes, std::uint32_t lod, terrane_chunk** chunk) {
  const terrane_tile tile{0, 0, lod, 0};
  terrane_error error{sizeof error, TERRANE_OK, ""};
  return terrane_chunk_decode(TERRANE_ABI_VERSION, bytes.data(), bytes.size(), &tile,
                              TERRANE_ALL_LAYERS, chunk, &error);
}

void check_vector(const std::string& file, const std::string& bytes, const std::string& text) {
  std::uint32_t size = 0, lod = 0;
  std::sscanf(text.c_str(), "size %u lod %u", &size, &lod);
  terrane_chunk* chunk = nullptr;
  expect(decode(bytes, lod, &chunk) == TERRANE_OK, file, "not decoded");
  if (chunk == nullptr) return;
  terrane_chunk_info info{};
  info.struct_size = sizeof info;
  terrane_chunk_get_info(chunk, &info);
  expect(to_text(info) == text, file, "other samples");
  std::string again(terrane_chunk_encode(chunk, nullptr, 0), '\0');
  expect(terrane_chunk_encode(chunk, again.data(), again.size()) == again.size(), file,
         "of two lengths, encoded again");
  terrane_chunk_release(chunk);
  terrane_chunk* second = nullptr;
  expect(decode(again, lod, &second) == TERRANE_OK, file, "not decoded again");
  terrane_chunk_release(second);
}

terrane_explorer* make_explorer() {
  terrane_explore_options options{};
  options.struct_size = sizeof options;
  options.world = "vectors";
  terrane_explorer* explorer = nullptr;
  if (terrane_explorer_create(TERRANE_ABI_VERSION, &options, &explorer, nullptr) != TERRANE_OK)
    std::abort();
  return explorer;
}

/// Nobody's chunk, world or message.
void check_refused(const std::string& file, std::string_view bytes) {
  terrane_chunk* chunk = nullptr;
  expect(decode(bytes, 0, &chunk) == TERRANE_DATA_LOSS && chunk == nullptr, file, "taken");
  terrane_world* world = nullptr;
  terrane_error error{sizeof error, TERRANE_OK, ""};
  expect(terrane_world_open(TERRANE_ABI_VERSION, bytes.data(), bytes.size(), &world, &error) ==
                 TERRANE_INVALID_ARGUMENT &&
             world == nullptr && error.message[0] != '\0',
         file, "taken for a world");
  terrane_explorer* const explorer = make_explorer();  // another one, as damage ends it
  terrane_explorer_opened(explorer, nullptr);
  expect(terrane_explorer_receive(explorer, bytes.data(), bytes.size(), 0, nullptr) ==
             TERRANE_DATA_LOSS,
         file, "taken for a message");
  terrane_explorer_destroy(explorer);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: core_vectors FILE...\n");
    return 2;
  }
  for (int i = 1; i < argc; ++i) {
    const std::string file = argv[i];
    const std::string bytes = read_file(file);
    const std::string text = read_file(file.substr(0, file.size() - 4) + ".txt");
    expect(!bytes.empty(), file, "can't be read");
    if (!text.empty()) {
      check_vector(file, bytes, text);
    } else {
      check_refused(file, bytes);
    }
    for (std::size_t at = 0; at < bytes.size() && at < kDamaged; ++at) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
      check_refused(file, damaged);
      if (at > 0) check_refused(file, std::string_view(bytes).substr(0, at));
    }
  }
  std::printf("%d files, %d failures\n", argc - 1, failures);
  return failures == 0 ? 0 : 1;
}
