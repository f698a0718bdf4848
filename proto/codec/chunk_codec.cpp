#include "codec/chunk_codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <span>
#include <type_traits>
#include <vector>

#include "codec/container.h"
#include "codec/raster_coder.h"
#include "codec/raw_coder.h"
#include "codec/region_coder.h"

namespace terrane::codec {
namespace {

/// Appends the coding that suits a layer's kind of sample; samples that it can't shrink go as they are.
template <typename Sample>
Coding encode_section(std::span<const Sample> samples, std::size_t size, std::string& payload) {
  if (std::ranges::all_of(samples, [&](Sample sample) { return sample == samples.front(); })) {
    encode_raw(samples.first(1), payload);
    return Coding::kConstant;
  }
  if constexpr (std::is_same_v<Sample, std::uint8_t>) {
    if (encode_regions(samples, size, payload) && payload.size() < samples.size_bytes()) return Coding::kRegions;
  } else {
    if (encode_raster(samples, size, payload) && payload.size() < samples.size_bytes()) return Coding::kRaster;
  }
  payload.clear();
  encode_raw(samples, payload);
  return Coding::kRaw;
}

template <typename Sample>
Result<void> decode_payload(const Section& section, std::size_t size, std::span<Sample> out) {
  const auto coding = static_cast<Coding>(section.coding);
  if (coding == Coding::kConstant) return decode_constant(section.payload, out);
  if (coding == Coding::kRaw) return decode_raw(section.payload, out);
  if constexpr (std::is_same_v<Sample, std::uint8_t>) {
    if (coding == Coding::kRegions) return decode_regions(section.payload, size, out);
  } else {
    if (coding == Coding::kRaster) return decode_raster(section.payload, size, out);
  }
  return fail(ErrorCode::kDataLoss, "coding " + std::to_string(section.coding) +
                                        " is unknown: the bytes come from a newer server; upgrade this program");
}

template <typename Sample>
Result<void> decode_section(const Section& section, std::size_t size, std::vector<Sample>& samples) {
  samples.resize(size * size);
  const Result<void> done = decode_payload(section, size, std::span(samples));
  if (done) return done;
  return fail(done.error().code,
              "encoded chunk: section of layer " + std::to_string(section.layer) + ": " + done.error().message);
}

}  // namespace

std::string encode(const Chunk& chunk) {
  assert(std::has_single_bit(static_cast<unsigned>(chunk.size)) && chunk.size >= kMinChunkSize && chunk.size <= kMaxChunkSize);
  assert(chunk.lod <= kMaxLod);
  Container container;
  container.log2_size = std::countr_zero(static_cast<unsigned>(chunk.size));
  container.lod = chunk.lod;
  std::array<std::string, 4> payloads;

  const auto add = [&](Layer layer, const auto& samples) {
    if (samples.empty()) return;
    assert(samples.size() == std::size_t{1} << (2 * container.log2_size));
    std::string& payload = payloads[container.section_count];
    const Coding coding = encode_section(std::span(samples), static_cast<std::size_t>(chunk.size), payload);
    container.sections[container.section_count++] = {static_cast<std::uint8_t>(layer), static_cast<std::uint8_t>(coding),
                                                     payload};
  };
  add(Layer::kHeight, chunk.height_q4);
  add(Layer::kTemperature, chunk.temperature_d);
  add(Layer::kHumidity, chunk.humidity_d);
  add(Layer::kBiome, chunk.biome);
  return write_container(container);
}

Result<Chunk> decode(std::string_view bytes, ChunkCoord coord, LayerMask mask) {
  const Result<Container> container = read_container(bytes);
  if (!container) return tl::unexpected(container.error());

  Chunk chunk;
  chunk.coord = coord;
  chunk.lod = container->lod;
  chunk.size = 1 << container->log2_size;
  const auto size = static_cast<std::size_t>(chunk.size);
  for (const Section& section : std::span(container->sections).first(container->section_count)) {
    if ((mask & LayerMask{1} << section.layer) == 0) continue;
    Result<void> done;
    switch (static_cast<Layer>(section.layer)) {
      case Layer::kHeight: done = decode_section(section, size, chunk.height_q4); break;
      case Layer::kTemperature: done = decode_section(section, size, chunk.temperature_d); break;
      case Layer::kHumidity: done = decode_section(section, size, chunk.humidity_d); break;
      case Layer::kBiome: done = decode_section(section, size, chunk.biome); break;
      default: break;  // a layer of a later version, which this one has no place for
    }
    if (!done) return tl::unexpected(done.error());
  }
  return chunk;
}

Result<std::string> select_layers(std::string_view bytes, LayerMask mask) {
  Result<Container> container = read_container(bytes);
  if (!container) return tl::unexpected(container.error());
  const auto first = container->sections.begin();
  const auto last = std::remove_if(first, first + static_cast<std::ptrdiff_t>(container->section_count),
                                   [mask](const Section& section) { return (mask & LayerMask{1} << section.layer) == 0; });
  container->section_count = static_cast<std::size_t>(last - first);
  return write_container(*container);
}

}  // namespace terrane::codec
