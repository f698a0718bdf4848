#include "codec/raw_coder.h"

#include <algorithm>
#include <type_traits>

#include "codec/byte_io.h"

namespace terrane::codec {
namespace {

template <typename Sample>
Sample load_sample(std::string_view payload, std::size_t offset) {
  std::make_unsigned_t<Sample> bits = 0;
  for (std::size_t byte = 0; byte < sizeof(Sample); ++byte) {
    bits = static_cast<std::make_unsigned_t<Sample>>(
        bits | static_cast<unsigned>(load_u8(payload, offset + byte)) << (8 * byte));
  }
  return static_cast<Sample>(bits);
}

tl::unexpected<Error> wrong_length(std::size_t is, std::size_t expected) {
  return fail(ErrorCode::kDataLoss, "payload has " + std::to_string(is) +
                                        " bytes, its coding needs exactly " +
                                        std::to_string(expected));
}

}  // namespace

template <typename Sample>
void encode_raw(std::span<const Sample> samples, std::string& out) {
  for (const Sample sample : samples) {
    for (std::size_t byte = 0; byte < sizeof(Sample); ++byte) {
      append_u8(out, static_cast<std::uint8_t>(static_cast<std::make_unsigned_t<Sample>>(sample) >>
                                               (8 * byte)));
    }
  }
}

template <typename Sample>
Result<void> decode_raw(std::string_view payload, std::span<Sample> out) {
  if (payload.size() != out.size_bytes()) return wrong_length(payload.size(), out.size_bytes());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = load_sample<Sample>(payload, i * sizeof(Sample));
  return {};
}

template <typename Sample>
Result<void> decode_constant(std::string_view payload, std::span<Sample> out) {
  if (payload.size() != sizeof(Sample)) return wrong_length(payload.size(), sizeof(Sample));
  std::ranges::fill(out, load_sample<Sample>(payload, 0));
  return {};
}

template void encode_raw<std::int32_t>(std::span<const std::int32_t>, std::string&);
template void encode_raw<std::int16_t>(std::span<const std::int16_t>, std::string&);
template void encode_raw<std::uint8_t>(std::span<const std::uint8_t>, std::string&);
template Result<void> decode_raw<std::int32_t>(std::string_view, std::span<std::int32_t>);
template Result<void> decode_raw<std::int16_t>(std::string_view, std::span<std::int16_t>);
template Result<void> decode_raw<std::uint8_t>(std::string_view, std::span<std::uint8_t>);
template Result<void> decode_constant<std::int32_t>(std::string_view, std::span<std::int32_t>);
template Result<void> decode_constant<std::int16_t>(std::string_view, std::span<std::int16_t>);
template Result<void> decode_constant<std::uint8_t>(std::string_view, std::span<std::uint8_t>);

}  // namespace terrane::codec
