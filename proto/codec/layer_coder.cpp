#include "codec/layer_coder.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "codec/partial_coder.h"
#include "codec/raster_coder.h"
#include "codec/raw_coder.h"
#include "codec/region_coder.h"
#include "codec/vector_clones.h"
#include "terrane/result_macros.h"

namespace terrane::codec {
namespace {

/// Whether each sample is like the one before it.
template <typename Sample>
bool all_equal(std::span<const Sample> samples) {
  return std::memcmp(samples.data(), samples.data() + 1, samples.size_bytes() - sizeof(Sample)) ==
         0;
}

/// Keeps what was appended from `begin` on if it is `coded` and smaller than the samples
/// themselves, which otherwise take its place.
template <typename Sample>
Coding or_raw(bool coded, Coding coding, std::span<const Sample> samples, std::size_t begin,
              std::string& out) {
  if (coded && out.size() - begin < samples.size_bytes()) return coding;
  out.resize(begin);
  encode_raw(samples, out);
  return Coding::kRaw;
}

/// Of what was appended from `begin` and from `middle` on, keeps the smaller one.
/// @return whether that is the second one
bool keep_smaller(std::size_t begin, std::size_t middle, std::string& out) {
  const bool second = out.size() - middle < middle - begin;
  if (second) {
    out.erase(begin, middle - begin);
  } else {
    out.resize(middle);
  }
  return second;
}

/// Ground and climate: nearly always smooth.
template <typename Sample>
Coding encode_smooth(std::span<const Sample> samples, std::size_t size, std::string& out) {
  const std::size_t begin = out.size();
  return or_raw(encode_raster(samples, size, out), Coding::kRaster, samples, begin, out);
}

Coding encode_biomes(std::span<const std::uint8_t> samples, std::size_t size, std::string& out) {
  const std::size_t begin = out.size();
  return or_raw(encode_regions(samples, size, out), Coding::kRegions, samples, begin, out);
}

/// Water: still in a lake and in the sea, so that regions take next to nothing; a steep river has
/// more heights than pay.
Coding encode_water(std::span<const std::int32_t> samples, std::size_t size, std::string& out) {
  const std::size_t little = samples.size() / 16;
  const std::size_t begin = out.size();
  const bool fits_regions = encode_regions(samples, size, out);
  const std::size_t middle = out.size();
  if (fits_regions && middle - begin <= little) return Coding::kRegions;
  Coding coding = Coding::kPartial;
  bool fits_other = encode_partial(samples, size, kNoWater, out);
  if (!fits_other && !fits_regions) {
    coding = Coding::kRaster;
    fits_other = encode_raster(samples, size, out);
  }
  if (fits_regions && (!fits_other || !keep_smaller(begin, middle, out))) coding = Coding::kRegions;
  return or_raw(fits_regions || fits_other, coding, samples, begin, out);
}

/// How a layer of bytes changes along some of its rows.
struct Changes {
  std::uint32_t count = 0;  // samples that differ from the one before
  std::uint32_t sum = 0;    // of the differences
};

constexpr std::size_t kRowStep = 4;  // every fourth row is looked at

TERRANE_VECTOR_CLONES Changes changes_along_rows(std::span<const std::uint8_t> samples,
                                                 std::size_t size) {
  Changes changes;
  for (std::size_t row = 0; row < samples.size(); row += kRowStep * size) {
    const std::uint8_t* const here = samples.data() + row;
    std::uint16_t count = 0;
    std::uint16_t sum = 0;  // at most 127 * 255
    for (std::size_t i = 1; i < size; ++i) {
      const int difference = here[i] - here[i - 1];
      count = static_cast<std::uint16_t>(count + (difference != 0 ? 1 : 0));
      sum = static_cast<std::uint16_t>(sum + (difference < 0 ? -difference : difference));
    }
    changes.count += count;
    changes.sum += sum;
  }
  return changes;
}

/// Densities: smooth, or patches with sharp edges. The limits are where, in layers of the world
/// `continents` at lod 0, one coding is nearly always the smaller one: a raster where many samples
/// change, or some by no more than a step; regions where the changes are large. Between them both
/// are tried.
Coding encode_density(std::span<const std::uint8_t> samples, std::size_t size, std::string& out) {
  constexpr std::uint32_t kLarge = 12;      // percent, on average
  constexpr std::uint32_t kTwiceStep = 11;  // halves of a percent: hardly more than a step, of 5
  const Changes changes = changes_along_rows(samples, size);
  const std::size_t looked_at = samples.size() / kRowStep;
  const bool many = changes.count >= looked_at / 4;
  const bool some = changes.count >= looked_at / 16;
  const bool steps = 2 * changes.sum < kTwiceStep * changes.count;
  const bool try_regions = !many && !(some && steps);
  const bool try_raster = !try_regions || changes.sum < kLarge * changes.count;
  const std::size_t begin = out.size();
  const bool fits_regions = try_regions && encode_regions(samples, size, out);
  const std::size_t middle = out.size();
  const bool fits_raster = (try_raster || !fits_regions) && encode_raster(samples, size, out);
  const bool raster = fits_raster && (!fits_regions || keep_smaller(begin, middle, out));
  return or_raw(fits_regions || fits_raster, raster ? Coding::kRaster : Coding::kRegions, samples,
                begin, out);
}

template <typename Sample>
Result<void> decode_samples(const Section& section, std::size_t size, std::span<Sample> out) {
  const auto coding = static_cast<Coding>(section.coding);
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

}  // namespace

template <typename Sample>
Coding encode_layer(Layer layer, std::span<const Sample> samples, std::size_t size,
                    std::string& out) {
  if (all_equal(samples)) {
    encode_raw(samples.first(1), out);
    return Coding::kConstant;
  }
  if constexpr (std::is_same_v<Sample, std::uint8_t>) {
    return layer == Layer::kBiome ? encode_biomes(samples, size, out)
                                  : encode_density(samples, size, out);
  } else if constexpr (std::is_same_v<Sample, std::int32_t>) {
    return layer == Layer::kWater ? encode_water(samples, size, out)
                                  : encode_smooth(samples, size, out);
  } else {
    return encode_smooth(samples, size, out);
  }
}

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
Result<void> decode_layer(const Section& section, std::size_t size, std::vector<Sample>& samples) {
  if (static_cast<Coding>(section.coding) == Coding::kConstant) {
    Sample sample{};
    TERRANE_RETURN_IF_ERROR(decode_raw(section.payload, std::span(&sample, 1)));
    samples.assign(size * size, sample);
    return {};
  }
  samples.resize(size * size);
  return decode_samples(section, size, std::span(samples));
}

template Coding encode_layer<std::int32_t>(Layer, std::span<const std::int32_t>, std::size_t,
                                           std::string&);
template Coding encode_layer<std::int16_t>(Layer, std::span<const std::int16_t>, std::size_t,
                                           std::string&);
template Coding encode_layer<std::uint8_t>(Layer, std::span<const std::uint8_t>, std::size_t,
                                           std::string&);
template Result<void> decode_layer<std::int32_t>(const Section&, std::size_t,
                                                 std::vector<std::int32_t>&);
template Result<void> decode_layer<std::int16_t>(const Section&, std::size_t,
                                                 std::vector<std::int16_t>&);
template Result<void> decode_layer<std::uint8_t>(const Section&, std::size_t,
                                                 std::vector<std::uint8_t>&);

}  // namespace terrane::codec
