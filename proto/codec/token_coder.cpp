#include "codec/token_coder.h"

#include <array>
#include <cassert>

#include "codec/byte_io.h"
#include "codec/frequency_table.h"

namespace terrane::codec {
namespace {

constexpr std::uint32_t kLowestState = 1U << 15;  // states lie in [2^15, 2^31)
constexpr unsigned kWordBits = 16;
constexpr unsigned kMaxLanes = 4;

/// What coding one token does to a state, without a division: x / frequency = x * reciprocal >> 42, exact for every state below
/// `limit`, because the reciprocal's error is below 1 and limit * frequency at most 2^42.
struct EncodeStep {
  std::uint64_t reciprocal = 0;
  std::uint32_t limit = 0;       // a state from here on gives off a word first
  std::uint32_t start = 0;       // sum of the frequencies of smaller tokens
  std::uint32_t complement = 0;  // kFrequencySum - frequency
};
constexpr unsigned kReciprocalBits = 42;

std::array<EncodeStep, kTokenLimit> encode_steps(const FrequencyTable& table) {
  std::array<EncodeStep, kTokenLimit> steps;
  std::uint32_t start = 0;
  for (unsigned token = 0; token < table.count; ++token) {
    const std::uint32_t frequency = table.frequency[token];
    if (frequency == 0) continue;
    steps[token] = {.reciprocal = ((std::uint64_t{1} << kReciprocalBits) + frequency - 1) / frequency,
                    .limit = frequency << (31 - kFrequencyBits),
                    .start = start,
                    .complement = kFrequencySum - frequency};
    start += frequency;
  }
  return steps;
}

/// One entry for each value of a state's low kFrequencyBits: token, offset within the token's share and frequency, packed so
/// that a look-up is one load.
using DecodeTable = std::array<std::uint32_t, kFrequencySum>;
constexpr unsigned kOffsetShift = 8;
constexpr unsigned kFrequencyShift = 20;

void fill_decode_table(const FrequencyTable& table, DecodeTable& entries) {
  std::uint32_t* entry = entries.data();
  for (std::uint32_t token = 0; token < table.count; ++token) {
    const std::uint32_t frequency = table.frequency[token];
    const std::uint32_t base = token | frequency << kFrequencyShift;
    for (std::uint32_t offset = 0; offset < frequency; ++offset) entry[offset] = base | offset << kOffsetShift;
    entry += frequency;
  }
}

/// Takes the token out of a state; the state may need a word afterwards.
inline std::uint8_t take_token(const DecodeTable& entries, std::uint32_t& state) {
  const std::uint32_t entry = entries[state & (kFrequencySum - 1)];
  state = (entry >> kFrequencyShift) * (state >> kFrequencyBits) + ((entry >> kOffsetShift) & 0xfff);
  return static_cast<std::uint8_t>(entry);
}

template <unsigned kLanes>
void encode_lanes(std::span<const std::uint8_t> tokens, const FrequencyTable& table, std::string& out) {
  const std::array<EncodeStep, kTokenLimit> steps = encode_steps(table);
  std::array<std::uint16_t, kMaxTokens> words;  // at most one a token; filled from the end, as the decoder goes the other way
  std::size_t first_word = words.size();
  std::array<std::uint32_t, kLanes> states;
  states.fill(kLowestState);
  for (std::size_t i = tokens.size(); i-- > 0;) {
    const EncodeStep& step = steps[tokens[i]];
    std::uint32_t& state = states[i % kLanes];
    words[first_word - 1] = static_cast<std::uint16_t>(state);
    const bool full = state >= step.limit;
    first_word -= full;
    state = full ? state >> kWordBits : state;
    const auto quotient = static_cast<std::uint32_t>(state * step.reciprocal >> kReciprocalBits);
    state += quotient * step.complement + step.start;
  }
  for (const std::uint32_t state : states) append_u32(out, state);
  for (std::size_t i = first_word; i < words.size(); ++i) {
    append_u8(out, static_cast<std::uint8_t>(words[i]));
    append_u8(out, static_cast<std::uint8_t>(words[i] >> 8));
  }
}

template <unsigned kLanes>
Result<void> decode_lanes(std::string_view& bytes, const DecodeTable& entries, std::span<std::uint8_t> tokens) {
  if (bytes.size() < 4 * kLanes) return fail(ErrorCode::kDataLoss, "tokens: end within the states");
  std::array<std::uint32_t, kLanes> states;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    states[lane] = load_u32(bytes, 4 * lane);
    if (states[lane] < kLowestState || states[lane] >= kLowestState << kWordBits) {
      return fail(ErrorCode::kDataLoss, "tokens: state " + std::to_string(states[lane]) + " is out of range");
    }
  }
  std::size_t next = 4 * kLanes;
  std::size_t i = 0;
  for (; i + kLanes <= tokens.size() && next + 2 * kLanes <= bytes.size(); i += kLanes) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      tokens[i + lane] = take_token(entries, states[lane]);
      const std::uint32_t refilled = states[lane] << kWordBits | load_u16(bytes, next);
      const bool low = states[lane] < kLowestState;
      states[lane] = low ? refilled : states[lane];
      next += low ? 2 : 0;
    }
  }
  for (; i < tokens.size(); ++i) {  // near the end, where not every token can have a word
    std::uint32_t& state = states[i % kLanes];
    tokens[i] = take_token(entries, state);
    if (state >= kLowestState) continue;
    if (next + 2 > bytes.size()) return fail(ErrorCode::kDataLoss, "tokens: end too early");
    state = state << kWordBits | load_u16(bytes, next);
    next += 2;
  }
  for (const std::uint32_t state : states) {
    if (state != kLowestState) return fail(ErrorCode::kDataLoss, "tokens: do not end where they began");
  }
  bytes.remove_prefix(next);
  return {};
}

}  // namespace

void encode_tokens(std::span<const std::uint8_t> tokens, unsigned lanes, std::string& out) {
  assert(!tokens.empty() && tokens.size() <= kMaxTokens && (lanes == 1 || lanes == kMaxLanes));
  const FrequencyTable table = count_tokens(tokens);
  write_frequencies(table, out);
  lanes == 1 ? encode_lanes<1>(tokens, table, out) : encode_lanes<kMaxLanes>(tokens, table, out);
}

Result<unsigned> decode_tokens(std::string_view& bytes, unsigned lanes, std::span<std::uint8_t> tokens) {
  const Result<FrequencyTable> table = read_frequencies(bytes);
  if (!table) return tl::unexpected(table.error());
  DecodeTable entries;
  fill_decode_table(*table, entries);
  const Result<void> done =
      lanes == 1 ? decode_lanes<1>(bytes, entries, tokens) : decode_lanes<kMaxLanes>(bytes, entries, tokens);
  if (!done) return tl::unexpected(done.error());
  return table->count;
}

}  // namespace terrane::codec
