#include "golden/codec/refused_vectors.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <utility>

#include "codec/byte_io.h"
#include "codec/chunk_codec.h"
#include "codec/container.h"
#include "codec/digit_coder.h"
#include "codec/object_coder.h"
#include "codec/region_coder.h"
#include "codec/residual_coder.h"
#include "unit/codec_chunks.h"

namespace terrane::test {
namespace {

using codec::Coding;

constexpr int kLog2Size = 4;  // chunks of 16 samples squared
constexpr int kSize = 1 << kLog2Size;
constexpr std::size_t kSamples = std::size_t{1} << (2 * kLog2Size);
constexpr std::size_t kRasterHead = 4;  // bytes before the residuals, as raster() has them

std::string bytes_of(std::initializer_list<unsigned> values) {
  std::string bytes;
  for (const unsigned value : values) bytes.push_back(static_cast<char>(value));
  return bytes;
}

/// A chunk of 16 samples squared with one section.
std::string frame(Layer layer, Coding coding, const std::string& payload, Lod lod = 0) {
  codec::Container container{
      .log2_size = kLog2Size, .lod = lod, .section_count = 1, .sections = {}};
  container.sections[0] = {static_cast<std::uint8_t>(layer), static_cast<std::uint8_t>(coding),
                           payload};
  return codec::write_container(container);
}

/// The bytes with one of them another.
std::string with(std::string bytes, std::size_t at, unsigned value) {
  bytes.at(at) = static_cast<char>(value);
  return bytes;
}

/// A raster of height whose residuals are all 0 but the first `count` ones.
std::string raster(unsigned predictor, unsigned narrow, std::initializer_list<std::uint32_t> first,
                   unsigned shift = 0) {
  constexpr unsigned kSparse = 3;
  std::string payload = bytes_of({predictor + 16 * kSparse, shift + 16 * narrow, 0, 1});
  std::array<std::uint32_t, kSamples> residuals{};
  std::copy(first.begin(), first.end(), residuals.begin());
  codec::encode_residuals(residuals, {codec::kSparse, 0}, payload);
  return payload;
}

/// Regions with the bytes 0, 1, … as their palette.
std::string regions(unsigned colours, const std::vector<std::uint8_t>& tokens,
                    const std::string& borders = {}) {
  std::string payload = bytes_of({colours - 1});
  for (unsigned colour = 0; colour < colours; ++colour) payload += bytes_of({colour});
  codec::append_varint(payload, static_cast<std::uint32_t>(tokens.size()));
  if (!tokens.empty()) codec::encode_digits(tokens, codec::kTokenGrouping, payload);
  return payload + borders;
}

/// The payload of a list.
std::string placements(const std::vector<Placement>& list, int size) {
  Chunk chunk;
  chunk.size = size;
  chunk.placements = list;
  std::string payload;
  codec::encode_placements(chunk, payload);
  return payload;
}

std::string structures(const Chunk& chunk) {
  std::string payload;
  codec::encode_structures(chunk, payload);
  return payload;
}

using Vectors = std::vector<RefusedVector>;

void add_frames(Vectors& out) {
  constexpr std::size_t kTable = codec::kHeaderBytes;
  const std::string good = codec::encode(only(hilly_chunk(kSize), kCoreLayers));
  const std::string cut = good.substr(0, good.size() - 1);
  out.push_back({"magic", "1: the magic is TRX", with(good, 2, 'X')});
  out.push_back({"version_1", "1: the format version is 1", with(good, 3, 1)});
  out.push_back({"size_8", "1: log2 of size is 3", with(good, 4, 3)});
  out.push_back({"lod_17", "1: the level of detail is 17", with(good, 5, 17)});
  out.push_back({"reserved", "1: the reserved byte is 1", with(good, 7, 1)});
  out.push_back({"table_cut_off", "1: the section table is cut off", good.substr(0, kTable + 9)});
  out.push_back({"payload_cut_off", "1: the last payload is a byte short", cut});
  out.push_back({"byte_behind", "1: a byte follows the last payload", good + '\0'});
  out.push_back({"checksum", "1: a bit of a payload differs, so the checksum does not match",
                 with(good, good.size() - 1, static_cast<unsigned char>(good.back()) ^ 16U)});
  out.push_back(
      {"lod_changed", "1: the level of detail differs, so no checksum matches", with(good, 5, 1)});
  codec::Container twice = *codec::read_container(good);
  twice.sections[1] = twice.sections[0];
  out.push_back({"layer_twice", "1: layer 1 comes twice", codec::write_container(twice)});
  const std::string flat = bytes_of({7});
  out.push_back(
      {"layer_0", "1: a layer's id is 0", frame(static_cast<Layer>(0), Coding::kConstant, flat)});
}

void add_codings(Vectors& out) {
  out.push_back({"constant_short", "4: a constant height of 3 bytes",
                 frame(Layer::kHeight, Coding::kConstant, "abc")});
  out.push_back({"raw_long", "4: a raw layer with a sample too many",
                 frame(Layer::kBiome, Coding::kRaw, std::string(kSamples + 1, '\1'))});
  out.push_back(
      {"coding_unknown", "4: coding 200", frame(Layer::kHeight, static_cast<Coding>(200), "abc")});
  out.push_back({"coding_of_another_layer", "4: a raster of biomes",
                 frame(Layer::kBiome, Coding::kRaster, raster(0, 1, {2}))});
}

void add_rasters(Vectors& out) {
  const auto height = [&](const char* name, const char* rule, const std::string& payload) {
    out.push_back({name, rule, frame(Layer::kHeight, Coding::kRaster, payload)});
  };
  height("predictor_8", "6: predictor 8", raster(8, 1, {2}));
  height("sparse_shift", "6: sparse residuals with a shift", raster(0, 1, {2}, 1));
  height("number_negative", "6: the first number is -1", raster(0, 1, {1}));
  height("number_large", "6: narrow, and a number is 513", raster(0, 1, {1022, 4}));
  height("base_long", "6: the base is a varint of 6 bytes",
         bytes_of({0x30, 0x10, 0x80, 0x80, 0x80, 0x80, 0x80, 0}) + raster(0, 1, {2}).substr(3));
  height("bytes_follow", "4: a byte follows a raster", raster(0, 1, {2}) + '\0');
  // three residuals: lengths, streams and rests all end within a byte
  const std::string padded = raster(0, 1, {2, 1, 2});
  height("rest_padding", "bits: the last padding bit of the residuals' bits is 1",
         with(padded, padded.size() - 1, static_cast<unsigned char>(padded.back()) | 0x80U));
  height(
      "stream_padding", "5: the last padding bit of a stream is 1",
      with(padded, padded.size() - 2, static_cast<unsigned char>(padded[padded.size() - 2]) | 1U));
  std::string behind = raster(0, 1, {});
  std::array<std::uint32_t, 4 * kSamples> larger{};  // of a square of 32 samples
  larger.back() = 2;
  behind.resize(kRasterHead);
  codec::encode_residuals(larger, {codec::kSparse, 0}, behind);
  height("sparse_behind", "6: a residual lies behind the last sample", behind);
  // two symbols of 3 bits each
  height("lengths", "5: the lengths of codes do not fill the code",
         raster(0, 1, {}).substr(0, kRasterHead) + bytes_of({1, 1, 5, 0, 0}));
}

void add_regions(Vectors& out) {
  constexpr std::uint8_t kSkip = 0, kExplicit = 1, kAtCandidate = 2, kOneBehind = 4;
  const auto biome = [&](const char* name, const char* rule, const std::string& payload) {
    out.push_back({name, rule, frame(Layer::kBiome, Coding::kRegions, payload)});
  };
  const std::vector<std::uint8_t> rows(kSize, kAtCandidate);  // of colour 0 throughout
  const auto first = [&](std::uint8_t token) {
    std::vector<std::uint8_t> tokens = rows;
    tokens.front() = token;
    return tokens;
  };
  std::vector<std::uint8_t> more = rows;
  more.push_back(kAtCandidate);
  std::vector<std::uint8_t> fewer = rows;
  fewer.pop_back();
  biome("palette_cut_off", "7: six colours, of which two are there", bytes_of({5, 0, 1}));
  biome("tokens_none", "7: there are no tokens", regions(1, {}));
  biome("tokens_missing", "7: the last row has no token", regions(1, fewer));
  biome("tokens_behind", "7: a token follows the last row", regions(1, more));
  biome("skip_of_nothing", "7: token 0 where `size` is the candidate", regions(1, first(kSkip)));
  biome("border_behind", "7: a border at size + 1", regions(1, first(kOneBehind)));
  // bits, lowest first: the place in 5, the colour in 1 or 2
  biome("border_same_colour", "7: a border at 3 between colours 0 and 0",
        regions(2, first(kExplicit), bytes_of({3})));
  biome("border_colour", "7: a border's colour is 3, and there are 3 colours",
        regions(3, first(kExplicit), bytes_of({3 + 3 * 32})));
  std::string partial = bytes_of({0, 0, 0xf8, 0xff});
  std::string mask;
  std::vector<std::uint8_t> twos(kSamples, 0);
  twos.back() = 2;
  if (!codec::encode_regions(twos, kSize, mask)) return;
  codec::append_varint(partial, static_cast<std::uint32_t>(mask.size()));
  partial += mask + raster(0, 1, {2});
  out.push_back({"partial_2", "8: a sample of the regions is 2",
                 frame(Layer::kWater, Coding::kPartial, partial)});
}

void add_lists(Vectors& out) {
  const auto add = [&](const char* name, const char* rule, Layer layer, Coding coding,
                       const std::string& payload, Lod lod = 0) {
    out.push_back({name, rule, frame(layer, coding, payload, lod)});
  };
  const Placement first{.anchor = {0, 0}, .kind = 3, .turn = 200, .scale = 100};
  const std::string two =
      placements({first, {.anchor = {15, 15}, .kind = 3, .turn = 7, .scale = 90}}, kSize);
  const std::string far =
      placements({first, {.anchor = {31, 31}, .kind = 3, .turn = 7, .scale = 90}}, 2 * kSize);
  constexpr std::size_t kLeastScaleAt = 6;
  add("placements_lod_1", "9: placements at lod 1", Layer::kPlacements, Coding::kPlacements, two,
      1);
  add("placement_behind", "9: a placement's place is 1023", Layer::kPlacements, Coding::kPlacements,
      far);
  add("placement_scale", "9: a placement's scale is 260", Layer::kPlacements, Coding::kPlacements,
      with(two, kLeastScaleAt, 250));
  add("placements_none", "9: there are no placements", Layer::kPlacements, Coding::kPlacements,
      with(two, 0, 0));

  Chunk chunk = only(full_chunk(kSize), layer_bit(Layer::kStructures));
  const std::string good = structures(chunk);
  add("rooms_lod_1", "10: rooms at lod 1", Layer::kStructures, Coding::kStructures, good, 1);
  add("structures_cut_off", "10: the last room is cut off", Layer::kStructures, Coding::kStructures,
      good.substr(0, good.size() - 1));
  std::rotate(chunk.rooms.begin(), chunk.rooms.begin() + 2, chunk.rooms.end());
  add("rooms_out_of_order", "10: a room's structure is before that of the room before it",
      Layer::kStructures, Coding::kStructures, structures(chunk));
  chunk.rooms.clear();
  add("structures_lod_5", "10: structures at lod 5", Layer::kStructures, Coding::kStructures,
      structures(chunk), 5);
}

}  // namespace

std::vector<RefusedVector> refused_vectors() {
  Vectors all;
  add_frames(all);
  add_codings(all);
  add_rasters(all);
  add_regions(all);
  add_lists(all);
  return all;
}

}  // namespace terrane::test
