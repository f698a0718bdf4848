#include "codec/raster_coder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "codec/bit_io.h"
#include "codec/numbers.h"
#include "codec/predictor.h"
#include "codec/residual.h"
#include "codec/token_coder.h"
#include "codec/vector_clones.h"

namespace terrane::codec {
namespace {

constexpr unsigned kLanes = 4;
using Row = std::array<std::uint32_t, kMaxRowSize>;
using Tokens = std::array<std::uint8_t, kMaxTokens>;

/// log2 to about 0.1, which is enough to compare with.
float rough_log2(std::uint32_t value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return static_cast<float>(bits) / static_cast<float>(1U << 23) - 127.f;
}

/// Bits that every `step`-th row from `first_row` on would take with this predictor, about.
float estimate(unsigned predictor, const Numbers& numbers, std::size_t first_row, std::size_t step) {
  constexpr std::uint32_t kEscape = 63;
  std::array<std::array<std::uint32_t, kEscape + 1>, 2> counts{};
  Row folded;
  float bits = 0;
  std::uint32_t total = 0;
  for (std::size_t y = first_row; y < numbers.size; y += step) {
    fold_row(predictor, numbers.row(y), numbers.row_above(y, 1), numbers.row_above(y, 2), numbers.size, folded.data());
    std::uint32_t any_bits = 0;
    for (std::size_t i = 0; i < numbers.size; ++i) any_bits |= folded[i];
    if (any_bits >= kEscape) {
      for (std::size_t i = 0; i < numbers.size; ++i) {
        if (folded[i] < kEscape) continue;
        bits += rough_log2(folded[i]);
        folded[i] = kEscape;
      }
    }
    for (std::size_t i = 0; i < numbers.size; i += 2) ++counts[0][folded[i]], ++counts[1][folded[i + 1]];
    total += static_cast<std::uint32_t>(numbers.size);
  }
  for (std::uint32_t value = 0; value <= kEscape; ++value) {
    const std::uint32_t count = counts[0][value] + counts[1][value];
    if (count != 0) bits += static_cast<float>(count) * (rough_log2(total) - rough_log2(count));
  }
  return bits;
}

/// A few rows find the two best predictors, some more decide between them.
unsigned choose_predictor(const Numbers& numbers) {
  const std::size_t quarter = numbers.size / 4;
  unsigned best = 0;
  unsigned second = 0;
  std::array<float, kPredictors.size()> bits;
  for (unsigned predictor = 0; predictor < kPredictors.size(); ++predictor) {
    bits[predictor] = estimate(predictor, numbers, quarter / 2, quarter);
    if (predictor == 0) continue;
    if (bits[predictor] < bits[best]) {
      second = std::exchange(best, predictor);
    } else if (second == best || bits[predictor] < bits[second]) {
      second = predictor;
    }
  }
  const float best_bits = estimate(best, numbers, 1, quarter / 2);
  return estimate(second, numbers, 1, quarter / 2) < best_bits ? second : best;
}

TERRANE_VECTOR_CLONES void widen(const std::uint8_t* tokens, std::size_t size, std::uint32_t* folded) {
  for (std::size_t i = 0; i < size; ++i) folded[i] = tokens[i];
}

}  // namespace

template <typename Sample>
bool encode_raster(std::span<const Sample> samples, std::size_t size, std::string& out) {
  const Numbers numbers = to_numbers(samples, size);
  if (numbers.limit >= kNumberLimit) return false;
  const unsigned predictor = choose_predictor(numbers);
  append_u8(out, static_cast<std::uint8_t>(predictor));
  append_varint(out, fold(numbers.base));
  append_varint(out, numbers.scale);

  Tokens tokens;
  std::string rests;
  BitWriter rest_writer(rests);
  Row folded;
  for (std::size_t y = 0; y < size; ++y) {
    fold_row(predictor, numbers.row(y), numbers.row_above(y, 1), numbers.row_above(y, 2), numbers.size, folded.data());
    std::uint8_t* row_tokens = tokens.data() + y * size;
    std::uint32_t any_bits = 0;
    for (std::size_t i = 0; i < size; ++i) {
      any_bits |= folded[i];
      row_tokens[i] = static_cast<std::uint8_t>(folded[i]);
    }
    if (any_bits < kDirectTokens) continue;
    for (std::size_t i = 0; i < size; ++i) {
      const TokenAndRest split_up = split(folded[i]);
      row_tokens[i] = split_up.token;
      rest_writer.write(split_up.rest, split_up.rest_bits);
    }
  }
  rest_writer.finish();
  encode_tokens(std::span(tokens).first(samples.size()), kLanes, out);
  out += rests;
  return true;
}

template <typename Sample>
Result<void> decode_raster(std::string_view payload, std::size_t size, std::span<Sample> out) {
  const auto damaged = [](std::string what) { return fail(ErrorCode::kDataLoss, "raster: " + std::move(what)); };
  if (payload.empty() || load_u8(payload, 0) >= kPredictors.size()) return damaged("unknown predictor");
  const unsigned predictor = load_u8(payload, 0);
  payload.remove_prefix(1);
  const std::optional<std::uint32_t> base = take_varint(payload);
  const std::optional<std::uint32_t> scale = take_varint(payload);
  if (!base || !scale) return damaged("base or scale is cut off or exceeds 32 bits");

  Tokens tokens;
  const Result<unsigned> token_count = decode_tokens(payload, kLanes, std::span(tokens).first(out.size()));
  if (!token_count) return tl::unexpected(token_count.error());
  if (*token_count > kResidualTokens) return damaged("tokens up to " + std::to_string(*token_count - 1) + " have no meaning");

  BitReader rests(payload);
  std::array<std::array<std::uint32_t, kPadLeft + kMaxRowSize + kPadRight>, 3> rows;  // this one and the two above it
  for (std::size_t y = 0; y < size; ++y) {
    const std::uint8_t* row_tokens = tokens.data() + y * size;
    Row folded;
    widen(row_tokens, size, folded.data());
    if (*token_count > kDirectTokens) {
      for (std::size_t i = 0; i < size; ++i) {
        if (row_tokens[i] >= kDirectTokens) folded[i] = join(row_tokens[i], rests.read(rest_bits(row_tokens[i])));
      }
    }
    std::uint32_t* row = rows[y % 3].data() + kPadLeft;
    const std::uint32_t* above = y > 0 ? rows[(y + 2) % 3].data() + kPadLeft : nullptr;
    const std::uint32_t* above2 = y > 1 ? rows[(y + 1) % 3].data() + kPadLeft : nullptr;
    unfold_row(predictor, folded.data(), above, above2, size, row);
    pad_row(row, size);
    to_samples(row, unfold(*base), *scale, size, out.data() + y * size);
  }
  if (rests.overrun()) return damaged("ends within the rests of large residuals");
  if (rests.bytes_read() != payload.size() || !rests.padding_is_zero()) return damaged("bytes follow the last residual");
  return {};
}

template bool encode_raster<std::int32_t>(std::span<const std::int32_t>, std::size_t, std::string&);
template bool encode_raster<std::int16_t>(std::span<const std::int16_t>, std::size_t, std::string&);
template Result<void> decode_raster<std::int32_t>(std::string_view, std::size_t, std::span<std::int32_t>);
template Result<void> decode_raster<std::int16_t>(std::string_view, std::size_t, std::span<std::int16_t>);

}  // namespace terrane::codec
