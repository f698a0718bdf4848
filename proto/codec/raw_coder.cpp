#include "codec/raw_coder.h"

#include <array>
#include <type_traits>

#include "codec/byte_io.h"

namespace terrane::codec {
namespace {

tl::unexpected<Error> wrong_length(std::size_t is, std::size_t expected) {
  return fail(ErrorCode::kDataLoss, "payload has " + std::to_string(is) +
                                        " bytes, its coding needs exactly " +
                                        std::to_string(expected));
}

}  // namespace

template <typename Sample>
void encode_raw(std::span<const Sample> samples, std::string& out) {
  for (const Sample sample : samples) {
    std::array<char, sizeof(Sample)> bytes;
    store_little(bytes.data(), static_cast<std::make_unsigned_t<Sample>>(sample));
    out.append(bytes.data(), bytes.size());
  }
}

template <typename Sample>
Result<void> decode_raw(std::string_view payload, std::span<Sample> out) {
  if (payload.size() != out.size_bytes()) return wrong_length(payload.size(), out.size_bytes());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<Sample>(
        load_little<std::make_unsigned_t<Sample>>(payload.data() + i * sizeof(Sample)));
  return {};
}

template void encode_raw<std::int32_t>(std::span<const std::int32_t>, std::string&);
template void encode_raw<std::int16_t>(std::span<const std::int16_t>, std::string&);
template void encode_raw<std::uint8_t>(std::span<const std::uint8_t>, std::string&);
template Result<void> decode_raw<std::int32_t>(std::string_view, std::span<std::int32_t>);
template Result<void> decode_raw<std::int16_t>(std::string_view, std::span<std::int16_t>);
template Result<void> decode_raw<std::uint8_t>(std::string_view, std::span<std::uint8_t>);

}  // namespace terrane::codec
