#include "codec/frequency_table.h"

#include <algorithm>
#include <bit>

#include "codec/bit_io.h"

namespace terrane::codec {
namespace {

constexpr unsigned kClassBits = 4;
constexpr unsigned kMantissaBits = 3;
constexpr std::uint32_t kRemainderClass = 15;  // marks the one token that has what the others leave
constexpr std::uint32_t kMaxClass = kFrequencyBits;

/// The nearest frequency that class and mantissa can say: kMantissaBits after the leading one.
std::uint32_t rounded(std::uint32_t frequency) {
  const auto width = static_cast<unsigned>(std::bit_width(frequency));
  if (width <= kMantissaBits + 1) return frequency;
  const unsigned dropped = width - kMantissaBits - 1;
  return (frequency + (1U << dropped >> 1)) >> dropped << dropped;
}

}  // namespace

FrequencyTable count_tokens(std::span<const std::uint8_t> tokens) {
  // Four counters a token: equal neighbours would wait for each other's store.
  std::array<std::array<std::uint32_t, 256>, 4> counts{};
  std::size_t i = 0;
  for (; i + 4 <= tokens.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k) ++counts[k][tokens[i + k]];
  }
  for (; i < tokens.size(); ++i) ++counts[0][tokens[i]];

  FrequencyTable table;
  unsigned& commonest = table.remainder;
  std::array<std::uint32_t, kTokenLimit> total{};
  for (unsigned token = 0; token < kTokenLimit; ++token) {
    total[token] = counts[0][token] + counts[1][token] + counts[2][token] + counts[3][token];
    if (total[token] > 0) table.count = token + 1;
    if (total[token] > total[commonest]) commonest = token;
  }
  const auto token_count = static_cast<std::uint32_t>(tokens.size());
  for (std::uint32_t target = kFrequencySum;; target -= target / 16) {  // until the rare tokens' minimum of 1 leaves room
    std::uint32_t others = 0;
    for (unsigned token = 0; token < table.count; ++token) {
      if (total[token] == 0 || token == commonest) continue;
      const std::uint32_t frequency = std::max(1U, (total[token] * target + token_count / 2) / token_count);
      table.frequency[token] = static_cast<std::uint16_t>(std::min(rounded(frequency), kFrequencySum / 2));
      others += table.frequency[token];
    }
    if (others >= kFrequencySum) continue;
    table.frequency[commonest] = static_cast<std::uint16_t>(kFrequencySum - others);
    return table;
  }
}

void write_frequencies(const FrequencyTable& table, std::string& out) {
  append_u8(out, static_cast<std::uint8_t>(table.count - 1));
  BitWriter bits(out);
  for (unsigned token = 0; token < table.count; ++token) {
    const std::uint32_t frequency = table.frequency[token];
    if (token == table.remainder) {
      bits.write(kRemainderClass, kClassBits);
      continue;
    }
    const auto width = static_cast<unsigned>(std::bit_width(frequency));
    bits.write(width, kClassBits);
    if (width < 2) continue;
    const unsigned mantissa_bits = std::min(width - 1, kMantissaBits);
    bits.write(frequency >> (width - 1 - mantissa_bits) & ((1U << mantissa_bits) - 1), mantissa_bits);
  }
  bits.finish();
}

Result<FrequencyTable> read_frequencies(std::string_view& bytes) {
  const auto damaged = [](std::string what) { return fail(ErrorCode::kDataLoss, "frequencies: " + std::move(what)); };
  if (bytes.empty()) return damaged("missing");
  FrequencyTable table;
  table.count = load_u8(bytes, 0) + 1U;
  if (table.count > kTokenLimit) {
    return damaged("of " + std::to_string(table.count) + " tokens, must be at most " + std::to_string(kTokenLimit));
  }
  bytes.remove_prefix(1);

  BitReader bits(bytes);
  std::uint32_t sum = 0;
  table.remainder = kTokenLimit;
  for (unsigned token = 0; token < table.count; ++token) {
    const std::uint32_t width = bits.read(kClassBits);
    if (width == kRemainderClass && table.remainder == kTokenLimit) {
      table.remainder = token;
      continue;
    }
    if (width > kMaxClass)
      return damaged("class " + std::to_string(width) + " of token " + std::to_string(token) + " is not allowed");
    if (width == 0) continue;
    const unsigned mantissa_bits = std::min(width - 1, kMantissaBits);
    table.frequency[token] =
        static_cast<std::uint16_t>((1U << mantissa_bits | bits.read(mantissa_bits)) << (width - 1 - mantissa_bits));
    sum += table.frequency[token];
  }
  if (bits.overrun()) return damaged("end too early");
  if (!bits.padding_is_zero()) return damaged("padding bits are not zero");
  if (table.remainder == kTokenLimit) return damaged("no token has the remainder");
  if (sum >= kFrequencySum) return damaged("sum is " + std::to_string(sum) + ", must be below " + std::to_string(kFrequencySum));
  table.frequency[table.remainder] = static_cast<std::uint16_t>(kFrequencySum - sum);
  bytes.remove_prefix(bits.bytes_read());
  return table;
}

}  // namespace terrane::codec
