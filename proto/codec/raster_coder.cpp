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
constexpr std::uint32_t kNumberLimit = 1U << (31 - kWeightBits);  // numbers below it survive their sums in 1/16
using Row = std::array<std::uint32_t, kMaxSize>;
using Tokens = std::array<std::uint8_t, kMaxTokens>;

/// Samples as base + scale * number, with the numbers as small as they can be, in padded rows.
struct Numbers {
  explicit Numbers(std::size_t row_size)
      : size(row_size),
        stride(row_size + kPadLeft + kPadRight),
        values(std::make_unique_for_overwrite<std::uint32_t[]>(row_size * stride)) {}

  [[nodiscard]] std::uint32_t* row(std::size_t y) const { return values.get() + y * stride + kPadLeft; }

  std::size_t size, stride;
  std::uint32_t base = 0;
  std::uint32_t scale = 1;
  std::uint32_t limit = 0;  // no number is above it
  std::unique_ptr<std::uint32_t[]> values;
};

/// The largest odd number that divides all `numbers`, given that not all are even.
std::uint32_t odd_factor(const Numbers& numbers) {
  std::uint32_t factor = 0;
  for (std::size_t y = 0; y < numbers.size; ++y) {
    for (std::size_t i = 0; i < numbers.size; ++i) {
      factor = std::gcd(factor, numbers.row(y)[i]);
      if (factor == 1) return 1;  // which shows itself within a few samples
    }
  }
  return factor;
}

template <typename Sample>
Numbers to_numbers(std::span<const Sample> samples, std::size_t size) {
  Numbers numbers(size);
  Sample least = samples[0];
  for (const Sample sample : samples) least = std::min(least, sample);
  numbers.base = static_cast<std::uint32_t>(static_cast<std::int32_t>(least));
  std::uint32_t any_bits = 0;
  for (std::size_t y = 0; y < size; ++y) {
    const Sample* from = samples.data() + y * size;
    std::uint32_t* row = numbers.row(y);
    for (std::size_t i = 0; i < size; ++i) {
      row[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(from[i])) - numbers.base;
      any_bits |= row[i];
    }
  }
  const int shift = std::countr_zero(any_bits);
  for (std::size_t y = 0; shift != 0 && y < size; ++y) {
    for (std::size_t i = 0; i < size; ++i) numbers.row(y)[i] >>= shift;
  }
  const std::uint32_t odd = odd_factor(numbers);
  for (std::size_t y = 0; odd != 1 && y < size; ++y) {
    for (std::size_t i = 0; i < size; ++i) numbers.row(y)[i] /= odd;
  }
  numbers.scale = odd << shift;
  numbers.limit = (any_bits >> shift) / odd;
  for (std::size_t y = 0; y < size; ++y) pad_row(numbers.row(y), size);
  return numbers;
}

TERRANE_VECTOR_CLONES void fold_differences(const std::uint32_t* row, const std::uint32_t* sums, std::uint32_t left,
                                            std::size_t size, std::uint32_t* folded) {
  for (std::size_t i = 1; i < size; ++i) folded[i] = fold(row[i] - sixteenth(left * row[i - 1] + sums[i]));
}

/// Folded differences between row `y` and what is expected of it.
void fold_row(unsigned predictor, const Numbers& numbers, std::size_t y, std::uint32_t* folded) {
  const std::uint32_t* row = numbers.row(y);
  if (y == 0) {
    folded[0] = fold(row[0]);
    folded[1] = fold(row[1] - row[0]);
    for (std::size_t i = 2; i < numbers.size; ++i) {
      folded[i] = fold(predictor == 0 ? row[i] - row[i - 1] : row[i] - 2 * row[i - 1] + row[i - 2]);
    }
    return;
  }
  const std::uint32_t* above = numbers.row(y - 1);
  const std::uint32_t* above2 = y > 1 ? numbers.row(y - 2) : above;
  Row sums;
  sum_above(predictor, above, above2, numbers.size, sums.data());
  fold_differences(row, sums.data(), static_cast<std::uint32_t>(kPredictors[predictor].left), numbers.size, folded);
  folded[0] = fold(row[0] - expect_first(predictor, above, above2));
}

/// The first row from its folded differences; the inverse of fold_row.
void unfold_first_row(unsigned predictor, const std::uint32_t* folded, std::size_t size, std::uint32_t* row) {
  row[0] = unfold(folded[0]);
  std::uint32_t step = 0;
  for (std::size_t i = 1; i < size; ++i) {
    step = unfold(folded[i]) + (predictor == 0 ? 0 : step);
    row[i] = row[i - 1] + step;
  }
}

TERRANE_VECTOR_CLONES void widen(const std::uint8_t* tokens, std::size_t size, std::uint32_t* folded) {
  for (std::size_t i = 0; i < size; ++i) folded[i] = tokens[i];
}

TERRANE_VECTOR_CLONES void to_samples(const std::uint32_t* row, std::uint32_t base, std::uint32_t scale, std::size_t size,
                                      std::int32_t* out) {
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::int32_t>(base + scale * row[i]);
}

TERRANE_VECTOR_CLONES void to_samples(const std::uint32_t* row, std::uint32_t base, std::uint32_t scale, std::size_t size,
                                      std::int16_t* out) {
  // In 16 bits from the start, which are the low ones of the sum.
  for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::int16_t>(base + scale * (row[i] & 0xffffU));
}

/// Adds the residuals to the sums above, in 1/16.
TERRANE_VECTOR_CLONES void add_residuals(const std::uint32_t* folded, std::size_t size, std::uint32_t* sums) {
  for (std::size_t i = 1; i < size; ++i) sums[i] += unfold(folded[i]) << kWeightBits;
}

/// A later row from its folded differences; the inverse of fold_row.
void unfold_row(unsigned predictor, const std::uint32_t* folded, std::size_t size, const std::uint32_t* above,
                const std::uint32_t* above2, std::uint32_t* row) {
  Row sums;
  sum_above(predictor, above, above2, size, sums.data());
  add_residuals(folded, size, sums.data());
  std::uint32_t value = expect_first(predictor, above, above2) + unfold(folded[0]);
  row[0] = value;
  // The only part that can't be done side by side: as few steps from sample to sample as possible.
  if (kPredictors[predictor].left == 16) {
    for (std::size_t i = 1; i < size; ++i) row[i] = value = sixteenth(16 * value + sums[i]);
  } else {
    for (std::size_t i = 1; i < size; ++i) row[i] = value = sixteenth(8 * value + sums[i]);
  }
}

/// log2 to about 0.1, which is enough to compare with.
float rough_log2(std::uint32_t value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return static_cast<float>(bits) / static_cast<float>(1U << 23) - 127.f;
}

/// Bits that some of the rows would take with this predictor, about.
float estimate(unsigned predictor, const Numbers& numbers) {
  constexpr std::uint32_t kEscape = 63;
  std::array<std::array<std::uint32_t, kEscape + 1>, 2> counts{};
  Row folded;
  float bits = 0;
  std::uint32_t total = 0;
  for (std::size_t y = numbers.size / 8; y < numbers.size; y += numbers.size / 4) {
    fold_row(predictor, numbers, y, folded.data());
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

unsigned choose_predictor(const Numbers& numbers) {
  unsigned best = 0;
  float best_bits = estimate(best, numbers);
  for (unsigned predictor = 1; predictor < kPredictors.size(); ++predictor) {
    const float bits = estimate(predictor, numbers);
    if (bits < best_bits) best = predictor, best_bits = bits;
  }
  return best;
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
    fold_row(predictor, numbers, y, folded.data());
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
  std::array<std::array<std::uint32_t, kPadLeft + kMaxSize + kPadRight>, 3> rows;  // this one and the two above it
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
    const std::uint32_t* above = rows[(y + 2) % 3].data() + kPadLeft;
    if (y == 0) {
      unfold_first_row(predictor, folded.data(), size, row);
    } else {
      unfold_row(predictor, folded.data(), size, above, y > 1 ? rows[(y + 1) % 3].data() + kPadLeft : above, row);
    }
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
