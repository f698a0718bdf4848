#include "codec/token_coder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

#include "codec/byte_io.h"
#include "codec/frequency_table.h"

namespace terrane::codec {
namespace {

constexpr std::uint64_t kLowestState = std::uint64_t{1} << 31;  // states lie in [2^31, 2^63)
constexpr unsigned kStateBits = 63;
constexpr unsigned kRoomBits = kStateBits - kFrequencyBits;
constexpr unsigned kWordBits = 32;
constexpr std::size_t kStateBytes = 8;
constexpr std::size_t kWordBytes = 4;
constexpr unsigned kMaxLanes = 4;

/// What coding one token does to a state.
struct EncodeStep {
  std::uint64_t reciprocal = 0;
  unsigned shift = 0;
  std::uint32_t frequency = 0;
  std::uint32_t complement = 0;  // kFrequencySum - frequency
  std::uint32_t start = 0;  // sum of the frequencies of smaller tokens, or what makes up for `reciprocal` where that is inexact
};

/// state / frequency, or one less where frequency is 1.
///
/// Multiplies by 2^k / frequency, rounded up by less than 1: exact while state * frequency <= 2^k. States are below frequency *
/// 2^kRoomBits here, so k = kRoomBits + 2 * log2(frequency), rounded up, will do; k is at least 64, the reciprocal below 2^64.
inline std::uint64_t quotient(std::uint64_t state, const EncodeStep& step) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(Wide{state} * step.reciprocal >> 64) >> step.shift;
}

EncodeStep encode_step(std::uint32_t frequency, std::uint32_t start) {
  EncodeStep step{.frequency = frequency, .complement = kFrequencySum - frequency, .start = start};
  if (frequency == 1) {
    step.reciprocal = ~std::uint64_t{0};
    step.start += step.complement;
    return step;
  }
  const auto log2 = static_cast<unsigned>(std::bit_width(frequency - 1));
  step.shift = std::max(kRoomBits + 2 * log2, 64U) - 64U;
  // 2^(64 + shift) / frequency, rounded up, in 64-bit arithmetic.
  const std::uint64_t whole = ~std::uint64_t{0} / frequency;
  const std::uint64_t rest = ~std::uint64_t{0} % frequency + 1;  // 2^64 = whole * frequency + rest
  step.reciprocal = (whole << step.shift) + ((rest << step.shift) + frequency - 1) / frequency;
  return step;
}

void fill_encode_steps(const FrequencyTable& table, std::array<EncodeStep, kTokenLimit>& steps) {
  std::uint32_t start = 0;
  for (unsigned token = 0; token < table.count; ++token) {
    const std::uint32_t frequency = table.frequency[token];
    if (frequency == 0) continue;
    steps[token] = encode_step(frequency, start);
    start += frequency;
  }
}

/// For each value of a state's low kFrequencyBits: whose share it is in, how large that is, and how far in. Kept as loads, which
/// cost less here than taking one number apart.
struct DecodeTable {
  struct Share {
    std::uint16_t frequency;
    std::uint16_t offset;
  };
  std::array<Share, kFrequencySum> shares;
  std::array<std::uint8_t, kFrequencySum> tokens;
};

void fill_decode_table(const FrequencyTable& frequencies, DecodeTable& table) {
  std::uint32_t start = 0;
  for (std::uint32_t token = 0; token < frequencies.count; ++token) {
    const std::uint16_t frequency = frequencies.frequency[token];
    for (std::uint16_t offset = 0; offset < frequency; ++offset) table.shares[start + offset] = {frequency, offset};
    std::memset(table.tokens.data() + start, static_cast<int>(token), frequency);
    start += frequency;
  }
}

/// Takes a token out of a state.
inline std::uint8_t take_token(const DecodeTable& table, std::uint64_t& state) {
  const std::size_t slot = state & (kFrequencySum - 1);
  state = table.shares[slot].frequency * (state >> kFrequencyBits) + table.shares[slot].offset;
  return table.tokens[slot];
}

inline void put_token(const EncodeStep& step, std::uint64_t& state) {
  state += quotient(state, step) * step.complement + step.start;
}

/// Puts two tokens into a state, the later one first; what the state gives off goes below `first_word`.
inline void put_pair(const EncodeStep& first, const EncodeStep& second, std::uint64_t& state, std::uint32_t* words,
                     std::size_t& first_word) {
  // Room for both at once: as for one token whose frequency is their product, out of kFrequencySum squared.
  const std::uint64_t last = (std::uint64_t{first.frequency * second.frequency} << (kStateBits - 2 * kFrequencyBits)) - 1;
  const bool full = last < state;
  words[first_word - 1] = static_cast<std::uint32_t>(state);
  first_word -= full;
  state = full ? state >> kWordBits : state;
  put_token(second, state);
  put_token(first, state);
}

template <unsigned kLanes>
void encode_lanes(std::span<const std::uint8_t> tokens, const FrequencyTable& table, std::string& out) {
  std::array<EncodeStep, kTokenLimit> steps;
  fill_encode_steps(table, steps);
  std::array<std::uint32_t, kMaxTokens / 2 + 1>
      words;  // at most one a pair; filled from the end, as the decoder goes the other way
  std::size_t first_word = words.size();
  std::array<std::uint64_t, kLanes> states;
  states.fill(kLowestState);
  static constexpr EncodeStep kNoToken{.frequency = kFrequencySum};
  std::size_t i = tokens.size();
  if (i % 2 != 0) --i, put_pair(steps[tokens[i]], kNoToken, states[i / 2 % kLanes], words.data(), first_word);
  const auto put = [&](std::size_t pair, unsigned lane) {
    put_pair(steps[tokens[2 * pair]], steps[tokens[2 * pair + 1]], states[lane], words.data(), first_word);
  };
  std::size_t pair = i / 2;
  for (; pair % kLanes != 0; --pair) put(pair - 1, (pair - 1) % kLanes);
  for (; pair != 0; pair -= kLanes) {
    for (unsigned lane = kLanes; lane-- > 0;) put(pair - kLanes + lane, lane);
  }
  const std::size_t offset = out.size();
  out.resize(offset + kStateBytes * kLanes + kWordBytes * (words.size() - first_word));
  char* to = out.data() + offset;
  for (const std::uint64_t state : states) store_little(to, state), to += kStateBytes;
  for (; first_word < words.size(); ++first_word, to += kWordBytes) store_little(to, words[first_word]);
}

template <unsigned kLanes>
Result<void> decode_lanes(std::string_view& bytes, const DecodeTable& table, std::span<std::uint8_t> tokens) {
  constexpr std::size_t kStatesBytes = kStateBytes * kLanes;
  if (bytes.size() < kStatesBytes) return fail(ErrorCode::kDataLoss, "tokens: end within the states");
  std::array<std::uint64_t, kLanes> states;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    states[lane] = load_little<std::uint64_t>(bytes.data() + kStateBytes * lane);
    if (states[lane] < kLowestState || states[lane] >> kStateBits != 0) {
      return fail(ErrorCode::kDataLoss, "tokens: state " + std::to_string(states[lane]) + " is out of range");
    }
  }
  const char* const words = bytes.data() + kStatesBytes;
  const std::size_t word_count = (bytes.size() - kStatesBytes) / kWordBytes;
  std::size_t word = 0;
  std::uint8_t* token = tokens.data();  // a plain local pointer: a store through the span would make the compiler reload the span
  std::uint8_t* const tokens_end = token + tokens.size();
  while (static_cast<std::size_t>(tokens_end - token) >= 2 * kLanes && word_count - word >= kLanes) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      std::uint64_t& state = states[lane];
      token[0] = take_token(table, state);
      token[1] = take_token(table, state);
      token += 2;
      const std::uint64_t refilled = state << kWordBits | load_little<std::uint32_t>(words + kWordBytes * word);
      const std::uint64_t low = state < kLowestState ? 1 : 0;  // as arithmetic: a branch would often be mispredicted
      state ^= (state ^ refilled) & (0U - low);
      word += low;
    }
  }
  for (unsigned lane = 0; token != tokens_end; lane = (lane + 1) % kLanes) {  // near the end, where words may run out
    std::uint64_t& state = states[lane];
    *token++ = take_token(table, state);
    if (token != tokens_end) *token++ = take_token(table, state);
    if (state >= kLowestState) continue;
    if (word == word_count) return fail(ErrorCode::kDataLoss, "tokens: end too early");
    state = state << kWordBits | load_little<std::uint32_t>(words + kWordBytes * word++);
  }
  for (const std::uint64_t state : states) {
    if (state != kLowestState) return fail(ErrorCode::kDataLoss, "tokens: do not end where they began");
  }
  bytes.remove_prefix(kStatesBytes + kWordBytes * word);
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
  DecodeTable shares;
  fill_decode_table(*table, shares);
  const Result<void> done = lanes == 1 ? decode_lanes<1>(bytes, shares, tokens) : decode_lanes<kMaxLanes>(bytes, shares, tokens);
  if (!done) return tl::unexpected(done.error());
  return table->count;
}

}  // namespace terrane::codec
