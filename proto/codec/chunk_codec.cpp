#include "codec/chunk_codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <span>
#include <vector>

#include "codec/container.h"
#include "codec/raw_coder.h"

namespace terrane::codec {
namespace {

template <typename Sample>
Coding encode_section(const std::vector<Sample>& samples, std::string& payload) {
  const bool constant = std::ranges::all_of(samples, [&](Sample sample) { return sample == samples.front(); });
  encode_raw(std::span<const Sample>(samples.data(), constant ? 1 : samples.size()), payload);
  return constant ? Coding::kConstant : Coding::kRaw;
}

template <typename Sample>
Result<void> decode_section(const Section& section, int log2_size, std::vector<Sample>& samples) {
  samples.resize(std::size_t{1} << (2 * log2_size));
  const std::span<Sample> out(samples);
  Result<void> done;
  switch (static_cast<Coding>(section.coding)) {
    case Coding::kConstant: done = decode_constant(section.payload, out); break;
    case Coding::kRaw: done = decode_raw(section.payload, out); break;
    default:
      done = fail(ErrorCode::kDataLoss, "coding " + std::to_string(section.coding) +
                                            " is unknown: the bytes come from a newer server; upgrade this program");
  }
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
    const Coding coding = encode_section(samples, payload);
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
  for (const Section& section : std::span(container->sections).first(container->section_count)) {
    if ((mask & LayerMask{1} << section.layer) == 0) continue;
    Result<void> done;
    switch (static_cast<Layer>(section.layer)) {
      case Layer::kHeight: done = decode_section(section, container->log2_size, chunk.height_q4); break;
      case Layer::kTemperature: done = decode_section(section, container->log2_size, chunk.temperature_d); break;
      case Layer::kHumidity: done = decode_section(section, container->log2_size, chunk.humidity_d); break;
      case Layer::kBiome: done = decode_section(section, container->log2_size, chunk.biome); break;
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
