#include "codec/chunk_codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <span>

#include "codec/container.h"
#include "codec/layer_coder.h"
#include "codec/object_coder.h"
#include "terrane/result_macros.h"

namespace terrane::codec {
namespace {

constexpr auto kLayers = static_cast<std::size_t>(Layer::kStructures);  // the last one

Result<void> decode_known(const Section& section, Chunk& chunk) {
  const auto size = static_cast<std::size_t>(chunk.size);
  switch (static_cast<Layer>(section.layer)) {
    case Layer::kHeight: return decode_layer(section, size, chunk.height_q4);
    case Layer::kTemperature: return decode_layer(section, size, chunk.temperature_d);
    case Layer::kHumidity: return decode_layer(section, size, chunk.humidity_d);
    case Layer::kBiome: return decode_layer(section, size, chunk.biome);
    case Layer::kWater: return decode_layer(section, size, chunk.water_q4);
    case Layer::kForest: return decode_layer(section, size, chunk.forest_p);
    case Layer::kRocks: return decode_layer(section, size, chunk.rocks_p);
    case Layer::kPlacements: return decode_placements(section.payload, chunk);
    case Layer::kStructures: return decode_structures(section.payload, chunk);
  }
  return {};
}

Result<void> decode_section(const Section& section, Chunk& chunk) {
  if (section.layer > kLayers) return {};  // of a later version, which this one has no place for
  Result<void> done =
      may_have(static_cast<Layer>(section.layer), static_cast<Coding>(section.coding))
          ? decode_known(section, chunk)
          : fail(ErrorCode::kDataLoss,
                 "coding " + std::to_string(section.coding) +
                     " is unknown: the bytes come from a newer server; upgrade this program");
  if (done) return done;
  return fail(done.error().code, "encoded chunk: section of layer " +
                                     std::to_string(section.layer) + ": " + done.error().message);
}

}  // namespace

std::string encode(const Chunk& chunk) {
  assert(std::has_single_bit(static_cast<unsigned>(chunk.size)) && chunk.size >= kMinChunkSize &&
         chunk.size <= kMaxChunkSize);
  assert(chunk.lod <= kMaxLod);
  Container container;
  container.log2_size = std::countr_zero(static_cast<unsigned>(chunk.size));
  container.lod = chunk.lod;
  // All payloads, one behind the other: those of a chunk of 64 samples squared nearly always fit.
  constexpr std::size_t kUsualBytes = 4096;
  std::string payloads;
  payloads.reserve(kUsualBytes);
  std::array<std::size_t, kLayers> ends;

  const auto end_section = [&](Layer layer, Coding coding) {
    container.sections[container.section_count] = {
        static_cast<std::uint8_t>(layer), static_cast<std::uint8_t>(coding), {}};
    ends[container.section_count++] = payloads.size();
  };
  const auto add = [&](Layer layer, const auto& samples) {
    if (samples.empty()) return;
    assert(samples.size() == std::size_t{1} << (2 * container.log2_size));
    end_section(layer, encode_layer(layer, std::span(samples), static_cast<std::size_t>(chunk.size),
                                    payloads));
  };
  add(Layer::kHeight, chunk.height_q4);
  add(Layer::kTemperature, chunk.temperature_d);
  add(Layer::kHumidity, chunk.humidity_d);
  add(Layer::kBiome, chunk.biome);
  add(Layer::kWater, chunk.water_q4);
  add(Layer::kForest, chunk.forest_p);
  add(Layer::kRocks, chunk.rocks_p);
  if (!chunk.placements.empty()) {
    encode_placements(chunk, payloads);
    end_section(Layer::kPlacements, Coding::kPlacements);
  }
  if (!chunk.structures.empty() || !chunk.rooms.empty()) {
    encode_structures(chunk, payloads);
    end_section(Layer::kStructures, Coding::kStructures);
  }
  std::size_t begin = 0;
  for (std::size_t i = 0; i < container.section_count; begin = ends[i++])
    container.sections[i].payload = std::string_view(payloads).substr(begin, ends[i] - begin);
  return write_container(container);
}

Result<Chunk> decode(std::string_view bytes, ChunkCoord coord, LayerMask mask) {
  TERRANE_ASSIGN_OR_RETURN(const Container container, read_container(bytes));
  Chunk chunk;
  chunk.coord = coord;
  chunk.lod = container.lod;
  chunk.size = 1 << container.log2_size;
  for (const Section& section : std::span(container.sections).first(container.section_count)) {
    if ((mask & LayerMask{1} << section.layer) == 0) continue;
    TERRANE_RETURN_IF_ERROR(decode_section(section, chunk));
  }
  return chunk;
}

Result<std::string> select_layers(std::string_view bytes, LayerMask mask) {
  TERRANE_ASSIGN_OR_RETURN(Container container, read_container(bytes));
  const auto first = container.sections.begin();
  const auto last = std::remove_if(
      first, first + static_cast<std::ptrdiff_t>(container.section_count),
      [mask](const Section& section) { return (mask & LayerMask{1} << section.layer) == 0; });
  container.section_count = static_cast<std::size_t>(last - first);
  return write_container(container);
}

}  // namespace terrane::codec
