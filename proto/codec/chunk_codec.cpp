#include "codec/chunk_codec.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <span>
#include <type_traits>
#include <vector>

#include "codec/container.h"
#include "codec/object_coder.h"
#include "codec/partial_coder.h"
#include "codec/raster_coder.h"
#include "codec/raw_coder.h"
#include "codec/region_coder.h"

namespace terrane::codec {
namespace {

constexpr std::size_t kLayers = 9;

template <typename Sample>
bool all_equal(std::span<const Sample> samples) {
  return std::ranges::all_of(samples, [&](Sample sample) { return sample == samples.front(); });
}

/// Takes `payload` if it was `written` and is smaller than the samples themselves.
template <typename Sample>
Coding or_raw(bool written, Coding coding, std::span<const Sample> samples, std::string& payload) {
  if (written && payload.size() < samples.size_bytes()) return coding;
  payload.clear();
  encode_raw(samples, payload);
  return Coding::kRaw;
}

/// Appends the smaller of two payloads, or the one that there is.
Coding append_smaller(Coding a, const std::string* of_a, Coding b, const std::string* of_b,
                      std::string& payload) {
  const bool first = of_b == nullptr || (of_a != nullptr && of_a->size() <= of_b->size());
  payload += *(first ? of_a : of_b);
  return first ? a : b;
}

/// Land and climate: nearly always smooth.
template <typename Sample>
Coding encode_smooth(std::span<const Sample> samples, std::size_t size, std::string& payload) {
  return or_raw(encode_raster(samples, size, payload), Coding::kRaster, samples, payload);
}

Coding encode_biomes(std::span<const std::uint8_t> samples, std::size_t size,
                     std::string& payload) {
  return or_raw(encode_regions(samples, size, payload), Coding::kRegions, samples, payload);
}

/// Water: still in a lake and in the sea, so that regions take next to nothing; a steep river has
/// more heights than pay.
Coding encode_water(std::span<const std::int32_t> samples, std::size_t size, std::string& payload) {
  const std::size_t little = samples.size() / 16;
  std::string regions;
  const bool fits_regions = encode_regions(samples, size, regions);
  if (fits_regions && regions.size() <= little) {
    payload += regions;
    return Coding::kRegions;
  }
  std::string other;
  Coding coding = Coding::kPartial;
  bool fits_other = encode_partial(samples, size, kNoWater, other);
  if (!fits_other && !fits_regions) {
    coding = Coding::kRaster;
    fits_other = encode_raster(samples, size, other);
  }
  if (!fits_regions && !fits_other) return or_raw(false, coding, samples, payload);
  coding = append_smaller(Coding::kRegions, fits_regions ? &regions : nullptr, coding,
                          fits_other ? &other : nullptr, payload);
  return or_raw(true, coding, samples, payload);
}

/// Densities: smooth, or patches, or smooth within patches. A few rows say how many borders there
/// are.
Coding encode_density(std::span<const std::uint8_t> samples, std::size_t size,
                      std::string& payload) {
  constexpr std::size_t kStep = 4;  // rows
  std::size_t changes = 0;
  for (std::size_t row = 0; row < samples.size(); row += kStep * size) {
    for (std::size_t i = row + 1; i < row + size; ++i)
      changes += samples[i] != samples[i - 1] ? 1 : 0;
  }
  const std::size_t seen = samples.size() / kStep;
  std::string regions;
  const bool patchy = changes < seen / 8 && encode_regions(samples, size, regions);
  const bool smooth = !patchy || changes > seen / 64;
  std::string raster;
  if (smooth && !encode_raster(samples, size, raster))
    return or_raw(false, Coding::kRaw, samples, payload);
  const Coding coding = append_smaller(Coding::kRegions, patchy ? &regions : nullptr,
                                       Coding::kRaster, smooth ? &raster : nullptr, payload);
  return or_raw(true, coding, samples, payload);
}

template <typename Sample>
Coding encode_section(Layer layer, std::span<const Sample> samples, std::size_t size,
                      std::string& payload) {
  if (all_equal(samples)) {
    encode_raw(samples.first(1), payload);
    return Coding::kConstant;
  }
  if constexpr (std::is_same_v<Sample, std::uint8_t>) {
    return layer == Layer::kBiome ? encode_biomes(samples, size, payload)
                                  : encode_density(samples, size, payload);
  } else if constexpr (std::is_same_v<Sample, std::int32_t>) {
    return layer == Layer::kWater ? encode_water(samples, size, payload)
                                  : encode_smooth(samples, size, payload);
  } else {
    return encode_smooth(samples, size, payload);
  }
}

/// Which codings a layer can have beside constant and raw. FORMAT.md, "Codings".
bool may_have(Layer layer, Coding coding) {
  switch (coding) {
    case Coding::kConstant:
    case Coding::kRaw: return layer != Layer::kPlacements && layer != Layer::kStructures;
    case Coding::kRaster: return layer <= Layer::kRocks && layer != Layer::kBiome;
    case Coding::kRegions: return layer >= Layer::kBiome && layer <= Layer::kRocks;
    case Coding::kPartial: return layer == Layer::kWater;
    case Coding::kPlacements: return layer == Layer::kPlacements;
    case Coding::kStructures: return layer == Layer::kStructures;
  }
  return false;
}

template <typename Sample>
Result<void> decode_payload(const Section& section, std::size_t size, std::span<Sample> out) {
  const auto coding = static_cast<Coding>(section.coding);
  if (coding == Coding::kConstant) return decode_constant(section.payload, out);
  if (coding == Coding::kRaw) return decode_raw(section.payload, out);
  if (coding == Coding::kRaster) return decode_raster(section.payload, size, out);
  if constexpr (!std::is_same_v<Sample, std::int16_t>) {
    if (coding == Coding::kRegions) return decode_regions(section.payload, size, out);
  }
  if constexpr (std::is_same_v<Sample, std::int32_t>) {
    if (coding == Coding::kPartial) return decode_partial(section.payload, size, out);
  }
  return fail(ErrorCode::kInternal, "a coding that the layer may not have");
}

template <typename Sample>
Result<void> decode_samples(const Section& section, std::size_t size,
                            std::vector<Sample>& samples) {
  samples.resize(size * size);
  return decode_payload(section, size, std::span(samples));
}

Result<void> decode_known(const Section& section, Chunk& chunk) {
  const auto size = static_cast<std::size_t>(chunk.size);
  switch (static_cast<Layer>(section.layer)) {
    case Layer::kHeight: return decode_samples(section, size, chunk.height_q4);
    case Layer::kTemperature: return decode_samples(section, size, chunk.temperature_d);
    case Layer::kHumidity: return decode_samples(section, size, chunk.humidity_d);
    case Layer::kBiome: return decode_samples(section, size, chunk.biome);
    case Layer::kWater: return decode_samples(section, size, chunk.water_q4);
    case Layer::kForest: return decode_samples(section, size, chunk.forest_p);
    case Layer::kRocks: return decode_samples(section, size, chunk.rocks_p);
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
  std::array<std::string, kLayers> payloads;

  const auto next_payload = [&]() -> std::string& { return payloads[container.section_count]; };
  const auto add_section = [&](Layer layer, Coding coding) {
    container.sections[container.section_count] = {
        static_cast<std::uint8_t>(layer), static_cast<std::uint8_t>(coding), next_payload()};
    ++container.section_count;
  };
  const auto add = [&](Layer layer, const auto& samples) {
    if (samples.empty()) return;
    assert(samples.size() == std::size_t{1} << (2 * container.log2_size));
    add_section(layer, encode_section(layer, std::span(samples),
                                      static_cast<std::size_t>(chunk.size), next_payload()));
  };
  add(Layer::kHeight, chunk.height_q4);
  add(Layer::kTemperature, chunk.temperature_d);
  add(Layer::kHumidity, chunk.humidity_d);
  add(Layer::kBiome, chunk.biome);
  add(Layer::kWater, chunk.water_q4);
  add(Layer::kForest, chunk.forest_p);
  add(Layer::kRocks, chunk.rocks_p);
  if (!chunk.placements.empty()) {
    encode_placements(chunk, next_payload());
    add_section(Layer::kPlacements, Coding::kPlacements);
  }
  if (!chunk.structures.empty() || !chunk.rooms.empty()) {
    encode_structures(chunk, next_payload());
    add_section(Layer::kStructures, Coding::kStructures);
  }
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
    if (const Result<void> done = decode_section(section, chunk); !done)
      return tl::unexpected(done.error());
  }
  return chunk;
}

Result<std::string> select_layers(std::string_view bytes, LayerMask mask) {
  Result<Container> container = read_container(bytes);
  if (!container) return tl::unexpected(container.error());
  const auto first = container->sections.begin();
  const auto last = std::remove_if(
      first, first + static_cast<std::ptrdiff_t>(container->section_count),
      [mask](const Section& section) { return (mask & LayerMask{1} << section.layer) == 0; });
  container->section_count = static_cast<std::size_t>(last - first);
  return write_container(*container);
}

}  // namespace terrane::codec
