#include "codec/raster_coder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <numeric>

#include "codec/bit_io.h"
#include "codec/predictor.h"
#include "codec/residual.h"
#include "codec/token_coder.h"
#include "codec/vector_clones.h"

namespace terrane::codec {
namespace {

constexpr std::size_t kMaxSize = 128;
constexpr unsigned kLanes = 4;
using Row = std::array<std::uint32_t, kMaxSize>;
using Tokens = std::array<std::uint8_t, kMaxTokens>;

/// Samples as base + scale * number, with the numbers as small as they can be.
struct Numbers {
  std::uint32_t base = 0;
  std::uint32_t scale = 1;
  std::unique_ptr<std::uint32_t[]> values;
};

template <typename Sample>
Numbers to_numbers(std::span<const Sample> samples) {
  Numbers numbers{.values = std::make_unique_for_overwrite<std::uint32_t[]>(samples.size())};
  Sample least = samples[0];
  for (const Sample sample : samples) least = std::min(least, sample);
  numbers.base = static_cast<std::uint32_t>(static_cast<std::int32_t>(least));
  std::uint32_t any_bits = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    numbers.values[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(samples[i])) - numbers.base;
    any_bits |= numbers.values[i];
  }
  // The power of two first, as it costs next to nothing; an odd factor shows itself absent within a few samples.
  const int shift = std::countr_zero(any_bits);
  std::uint32_t odd = 0;
  for (std::size_t i = 0; i < samples.size() && odd != 1; ++i) odd = std::gcd(odd, numbers.values[i] >> shift);
  numbers.scale = odd << shift;
  if (shift != 0) {
    for (std::size_t i = 0; i < samples.size(); ++i) numbers.values[i] >>= shift;
  }
  if (odd != 1) {
    for (std::size_t i = 0; i < samples.size(); ++i) numbers.values[i] /= odd;
  }
  return numbers;
}

/// Folded differences between row `y` and what is expected of it.
TERRANE_VECTOR_CLONES void fold_row(Predictor predictor, const std::uint32_t* values, std::size_t size, std::size_t y,
                                    std::uint32_t* folded) {
  const std::uint32_t* row = values + y * size;
  if (y == 0) {
    folded[0] = fold(row[0]);
    folded[1] = fold(row[1] - row[0]);
    for (std::size_t i = 2; i < size; ++i) {
      folded[i] = fold(predictor == Predictor::kFlat ? row[i] - row[i - 1] : row[i] - 2 * row[i - 1] + row[i - 2]);
    }
    return;
  }
  const std::uint32_t* above = row - size;
  const std::uint32_t* above2 = y > 1 ? above - size : nullptr;
  Row steps;
  expect_steps(predictor, above, above2, size, steps.data());
  folded[0] = fold(row[0] - expect_first(predictor, above, above2));
  for (std::size_t i = 1; i < size; ++i) folded[i] = fold(row[i] - row[i - 1] - steps[i]);
}

/// Row `y` from its folded differences; the inverse of fold_row.
TERRANE_VECTOR_CLONES void unfold_row(Predictor predictor, const std::uint32_t* folded, std::size_t size,
                                      const std::uint32_t* above, const std::uint32_t* above2, std::uint32_t* row) {
  if (above == nullptr) {
    std::uint32_t value = unfold(folded[0]);
    std::uint32_t step = 0;
    row[0] = value;
    for (std::size_t i = 1; i < size; ++i) {
      step = unfold(folded[i]) + (predictor == Predictor::kFlat ? 0 : step);
      row[i] = value += step;
    }
    return;
  }
  Row steps;
  expect_steps(predictor, above, above2, size, steps.data());
  steps[0] = expect_first(predictor, above, above2);
  for (std::size_t i = 0; i < size; ++i) steps[i] += unfold(folded[i]);
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i) row[i] = value += steps[i];
}

/// log2 to about 0.1, which is enough to compare with.
float rough_log2(std::uint32_t value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return static_cast<float>(bits) / static_cast<float>(1U << 23) - 127.f;
}

/// Bits that some of the rows would take with this predictor, about.
float estimate(Predictor predictor, const std::uint32_t* values, std::size_t size) {
  constexpr std::uint32_t kEscape = 63;
  std::array<std::array<std::uint32_t, kEscape + 1>, 2> counts{};
  Row folded;
  float bits = 0;
  std::uint32_t total = 0;
  for (std::size_t y = 5; y < size; y += 8) {
    fold_row(predictor, values, size, y, folded.data());
    std::uint32_t any_bits = 0;
    for (std::size_t i = 0; i < size; ++i) any_bits |= folded[i];
    if (any_bits >= kEscape) {
      for (std::size_t i = 0; i < size; ++i) {
        if (folded[i] < kEscape) continue;
        bits += rough_log2(folded[i]);
        folded[i] = kEscape;
      }
    }
    for (std::size_t i = 0; i < size; i += 2) ++counts[0][folded[i]], ++counts[1][folded[i + 1]];
    total += static_cast<std::uint32_t>(size);
  }
  for (std::uint32_t folded_value = 0; folded_value <= kEscape; ++folded_value) {
    const std::uint32_t count = counts[0][folded_value] + counts[1][folded_value];
    if (count != 0) bits += static_cast<float>(count) * (rough_log2(total) - rough_log2(count));
  }
  return bits;
}

Predictor choose_predictor(const std::uint32_t* values, std::size_t size) {
  Predictor best = Predictor::kFlat;
  float best_bits = estimate(best, values, size);
  for (unsigned p = 1; p < kPredictorCount; ++p) {
    const float bits = estimate(static_cast<Predictor>(p), values, size);
    if (bits < best_bits) best = static_cast<Predictor>(p), best_bits = bits;
  }
  return best;
}

}  // namespace

template <typename Sample>
void encode_raster(std::span<const Sample> samples, std::size_t size, std::string& out) {
  const Numbers numbers = to_numbers(samples);
  const Predictor predictor = choose_predictor(numbers.values.get(), size);
  append_u8(out, static_cast<std::uint8_t>(predictor));
  append_varint(out, fold(numbers.base));
  append_varint(out, numbers.scale);

  Tokens tokens;
  std::string rests;
  BitWriter rest_writer(rests);
  Row folded;
  for (std::size_t y = 0; y < size; ++y) {
    fold_row(predictor, numbers.values.get(), size, y, folded.data());
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
}

template <typename Sample>
Result<void> decode_raster(std::string_view payload, std::size_t size, std::span<Sample> out) {
  const auto damaged = [](std::string what) { return fail(ErrorCode::kDataLoss, "raster: " + std::move(what)); };
  if (payload.empty() || load_u8(payload, 0) >= kPredictorCount) return damaged("unknown predictor");
  const auto predictor = static_cast<Predictor>(load_u8(payload, 0));
  payload.remove_prefix(1);
  const std::optional<std::uint32_t> base = take_varint(payload);
  const std::optional<std::uint32_t> scale = take_varint(payload);
  if (!base || !scale) return damaged("base or scale is cut off or exceeds 32 bits");

  Tokens tokens;
  const Result<unsigned> token_count = decode_tokens(payload, kLanes, std::span(tokens).first(out.size()));
  if (!token_count) return tl::unexpected(token_count.error());
  if (*token_count > kResidualTokens) return damaged("tokens up to " + std::to_string(*token_count - 1) + " have no meaning");

  BitReader rests(payload);
  std::array<Row, 3> rows;  // this one and the two above it
  for (std::size_t y = 0; y < size; ++y) {
    const std::uint8_t* row_tokens = tokens.data() + y * size;
    Row folded;
    for (std::size_t i = 0; i < size; ++i) folded[i] = row_tokens[i];
    if (*token_count > kDirectTokens) {
      for (std::size_t i = 0; i < size; ++i) {
        if (row_tokens[i] >= kDirectTokens) folded[i] = join(row_tokens[i], rests.read(rest_bits(row_tokens[i])));
      }
    }
    Row& row = rows[y % 3];
    unfold_row(predictor, folded.data(), size, y > 0 ? rows[(y - 1) % 3].data() : nullptr,
               y > 1 ? rows[(y - 2) % 3].data() : nullptr, row.data());
    Sample* row_out = out.data() + y * size;
    if (*scale == 1) {
      for (std::size_t i = 0; i < size; ++i) row_out[i] = static_cast<Sample>(unfold(*base) + row[i]);
    } else {
      for (std::size_t i = 0; i < size; ++i) row_out[i] = static_cast<Sample>(unfold(*base) + *scale * row[i]);
    }
  }
  if (rests.overrun()) return damaged("ends within the rests of large residuals");
  if (rests.bytes_read() != payload.size() || !rests.padding_is_zero()) return damaged("bytes follow the last residual");
  return {};
}

template void encode_raster<std::int32_t>(std::span<const std::int32_t>, std::size_t, std::string&);
template void encode_raster<std::int16_t>(std::span<const std::int16_t>, std::size_t, std::string&);
template Result<void> decode_raster<std::int32_t>(std::string_view, std::size_t, std::span<std::int32_t>);
template Result<void> decode_raster<std::int16_t>(std::string_view, std::size_t, std::span<std::int16_t>);

}  // namespace terrane::codec
