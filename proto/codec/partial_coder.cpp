#include "codec/partial_coder.h"

#include <algorithm>
#include <array>

#include "codec/byte_io.h"
#include "codec/grouping.h"
#include "codec/raster_coder.h"
#include "codec/region_coder.h"
#include "terrane/result_macros.h"

namespace terrane::codec {
namespace {

using Mask = std::array<std::uint8_t, kMaxDigits>;  // 1 where the raster counts

tl::unexpected<Error> damaged(std::string what) {
  return fail(ErrorCode::kDataLoss, "partial: " + std::move(what));
}

/// Samples as they are expected where there are none, so that the raster is as smooth there as it
/// can be: as the one to the left, or as the row's first one, or as the row above.
/// @return false when all are the same, or there are none
bool fill_gaps(std::span<const std::int32_t> samples, std::size_t size, std::int32_t nothing,
               std::span<std::int32_t> out) {
  const auto is_number = [nothing](std::int32_t sample) { return sample != nothing; };
  const auto first = std::ranges::find_if(samples, is_number);
  if (first == samples.end()) return false;
  std::int32_t before = *first;
  bool differ = false;
  for (std::size_t row = 0; row < samples.size(); row += size) {
    const std::span<const std::int32_t> here = samples.subspan(row, size);
    if (row > 0) before = out[row - size];
    if (const auto begin = std::ranges::find_if(here, is_number); begin != here.end())
      before = *begin;
    for (std::size_t i = 0; i < size; ++i) {
      if (here[i] != nothing) before = here[i];
      out[row + i] = before;
      differ |= before != *first;
    }
  }
  return differ;
}

}  // namespace

bool encode_partial(std::span<const std::int32_t> samples, std::size_t size, std::int32_t nothing,
                    std::string& out) {
  std::array<std::int32_t, kMaxDigits> filled_buffer;
  const auto filled = std::span(filled_buffer).first(samples.size());
  if (!fill_gaps(samples, size, nothing, filled)) return false;
  Mask mask_buffer;
  const auto mask = std::span(mask_buffer).first(samples.size());
  std::ranges::transform(samples, mask.begin(),
                         [=](std::int32_t sample) { return std::uint8_t{sample != nothing}; });
  std::string regions;
  std::string raster;
  if (!encode_regions(mask, size, regions) ||
      !encode_raster(std::span<const std::int32_t>(filled), size, raster))
    return false;
  append_u32(out, static_cast<std::uint32_t>(nothing));
  append_varint(out, static_cast<std::uint32_t>(regions.size()));
  out.append(regions).append(raster);
  return true;
}

Result<void> decode_partial(std::string_view payload, std::size_t size,
                            std::span<std::int32_t> out) {
  if (payload.size() < sizeof(std::int32_t)) return damaged("cut off");
  const auto nothing = static_cast<std::int32_t>(load_u32(payload, 0));
  payload.remove_prefix(sizeof(std::int32_t));
  const std::optional<std::uint32_t> length = take_varint(payload);
  if (!length || *length > payload.size())
    return damaged("the length of its regions is cut off or exceeds what is left");
  Mask mask_buffer;
  const auto mask = std::span(mask_buffer).first(out.size());
  TERRANE_RETURN_IF_ERROR(decode_regions(payload.substr(0, *length), size, mask));
  TERRANE_RETURN_IF_ERROR(decode_raster(payload.substr(*length), size, out));
  std::uint8_t any_bits = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    any_bits = static_cast<std::uint8_t>(any_bits | mask[i]);
    if (mask[i] == 0) out[i] = nothing;
  }
  if (any_bits > 1) return damaged("a region is neither 0 nor 1");
  return {};
}

}  // namespace terrane::codec
