#include "codec/residual_coder.h"

#include <algorithm>
#include <array>
#include <bit>

#include "codec/bit_io.h"
#include "codec/digit_coder.h"
#include "codec/vector_clones.h"
#include "terrane/result_macros.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace terrane::codec {
namespace {

// Sparse residuals: the token of a gap, and what is added to it where the residual is neither -1
// nor 1.
constexpr std::uint32_t kDirectGaps = 8;
constexpr unsigned kDirectGapBits = 3;
constexpr std::uint8_t kLarge = 32;
constexpr std::uint32_t kFirstLarge = 3;  // residuals
constexpr unsigned kLargeOrder = 1;

/// What a token says of its gap: the shortest one, and how many bits are added to it.
struct Gap {
  std::uint16_t least;
  std::uint16_t rest_bits;
};
constexpr std::array<Gap, kLarge> kGaps = [] {
  std::array<Gap, kLarge> gaps{};
  for (std::uint32_t token = 0; token < kLarge; ++token) {
    const std::uint32_t rest_bits =
        token < kDirectGaps ? 0 : (token - kDirectGaps) / 2 + kDirectGapBits - 1;
    const std::uint32_t least = token < kDirectGaps ? token : (2 | (token & 1)) << rest_bits;
    gaps[token] = {static_cast<std::uint16_t>(least), static_cast<std::uint16_t>(rest_bits)};
  }
  return gaps;
}();

/// Order of the Exp-Golomb code of what a digit base - 1 leaves unsaid.
constexpr unsigned escape_order(const Grouping& grouping) { return grouping.digits == 1 ? 3 : 1; }

// whose low bits fit in one call of a bit reader or writer
constexpr std::size_t kSamplesAtOnce = 4;
using Digits = std::array<std::uint8_t, kMaxDigits>;

template <typename Word>
[[gnu::always_inline]] inline void reduce(std::span<const Word> residuals, unsigned shift,
                                          unsigned largest, std::uint8_t* digits) {
  const auto most = static_cast<Word>(largest);
  const Word* __restrict const from = residuals.data();
  std::uint8_t* __restrict const to = digits;
  const auto reduce_all = [&](auto shifted) __attribute__((always_inline)) {
    for (std::size_t i = 0; i < residuals.size(); ++i)
      to[i] = static_cast<std::uint8_t>(std::min(shifted(from[i]), most));
  };
  if (shift == 0) {  // nearly always: shifts would be done in 32 bits
    reduce_all([](Word residual) { return residual; });
  } else {
    reduce_all([shift](Word residual) { return static_cast<Word>(residual >> shift); });
  }
}

/// Residuals without their low bits, or `largest` if that is less.
TERRANE_VECTOR_CLONES void to_digits(std::span<const std::uint32_t> residuals, unsigned shift,
                                     unsigned largest, std::uint8_t* digits) {
  reduce(residuals, shift, largest, digits);
}
TERRANE_VECTOR_CLONES void to_digits(std::span<const std::uint16_t> residuals, unsigned shift,
                                     unsigned largest, std::uint8_t* digits) {
  reduce(residuals, shift, largest, digits);
}

template <typename Word>
[[gnu::always_inline]] inline void widen(const std::uint8_t* digits, const Numbers<Word>& rows) {
  for (std::size_t y = 0; y < rows.size; ++y, digits += rows.size) {
    Word* const row = rows.row(y);
    for (std::size_t i = 0; i < rows.size; ++i) row[i] = digits[i];
  }
}

TERRANE_VECTOR_CLONES void from_digits(const std::uint8_t* digits,
                                       const Numbers<std::uint32_t>& rows) {
  widen(digits, rows);
}
TERRANE_VECTOR_CLONES void from_digits(const std::uint8_t* digits,
                                       const Numbers<std::uint16_t>& rows) {
  widen(digits, rows);
}

/// A bit for each of 64 digits, which are below 128, that is `wanted`, the first one's lowest.
std::uint64_t find_in_64(const std::uint8_t* digits, std::uint8_t wanted) {
  std::uint64_t found = 0;
#ifdef __SSE2__
  const __m128i all_wanted = _mm_set1_epi8(static_cast<char>(wanted));
  for (std::size_t i = 0; i < 64; i += 16) {
    const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(digits + i));
    const int equal = _mm_movemask_epi8(_mm_cmpeq_epi8(some, all_wanted));
    found |= static_cast<std::uint64_t>(equal) << i;
  }
#else
  constexpr std::uint64_t kEachByte = ~std::uint64_t{0} / 0xff;
  constexpr std::uint64_t kLowBits = 0x7f * kEachByte;
  // the top bits of eight bytes, multiplied, into the topmost byte
  constexpr std::uint64_t kGather = 0x0002040810204081;
  for (std::size_t i = 0; i < 64; i += 8) {
    const auto eight = load_little<std::uint64_t>(reinterpret_cast<const char*>(digits + i));
    const std::uint64_t differs = (eight ^ wanted * kEachByte) + kLowBits;
    found |= (~differs & ~kLowBits) * kGather >> 56 << i;
  }
#endif
  return found;
}

/// Calls `body` with the index of each digit that is `wanted`, or of each that is not, in order.
/// Looks at 64 at once: each look's end is hard to predict.
template <bool kWanted, typename Body>
void for_each_digit(std::span<const std::uint8_t> digits, unsigned wanted, Body body) {
  for (std::size_t block = 0; block < digits.size(); block += 64) {
    std::uint64_t found = find_in_64(digits.data() + block, static_cast<std::uint8_t>(wanted));
    if (!kWanted) found = ~found;
    for (; found != 0; found &= found - 1)
      body(block + static_cast<std::size_t>(std::countr_zero(found)));
  }
}

template <typename Word>
void write_low_bits(std::span<const Word> residuals, unsigned shift, BitWriter& rests) {
  const std::uint64_t mask = (1U << shift) - 1;
  for (std::size_t i = 0; i < residuals.size(); i += kSamplesAtOnce) {
    std::uint64_t low = 0;
    for (std::size_t k = 0; k < kSamplesAtOnce; ++k)
      low |= (residuals[i + k] & mask) << (k * shift);
    rests.write(low, static_cast<unsigned>(kSamplesAtOnce * shift));
  }
}

/// Puts them below what is there.
template <typename Word>
void read_low_bits(BitReader& rests, unsigned shift, const Numbers<Word>& residuals) {
  const std::uint64_t mask = (1U << shift) - 1;
  for (std::size_t y = 0; y < residuals.size; ++y) {
    Word* const row = residuals.row(y);
    for (std::size_t i = 0; i < residuals.size; i += kSamplesAtOnce) {
      const std::uint64_t low = rests.read(static_cast<unsigned>(kSamplesAtOnce * shift));
      for (std::size_t k = 0; k < kSamplesAtOnce; ++k) {
        row[i + k] =
            static_cast<Word>(std::uint32_t{row[i + k]} << shift | (low >> (k * shift) & mask));
      }
    }
  }
}

template <typename Word>
void encode_dense(std::span<const Word> residuals, const Split& split, std::string& out,
                  BitWriter& rests) {
  const Grouping& grouping = kGroupings[split.grouping];
  const std::uint32_t largest = grouping.base - 1;
  Digits buffer;
  to_digits(residuals, split.shift, largest, buffer.data());
  const auto digits = std::span<const std::uint8_t>(buffer).first(residuals.size());
  encode_digits(digits, grouping, out);
  for_each_digit<true>(digits, largest, [&](std::size_t i) {
    write_exp_golomb(rests, (std::uint32_t{residuals[i]} >> split.shift) - largest,
                     escape_order(grouping));
  });
  if (split.shift > 0) write_low_bits(residuals, split.shift, rests);
}

template <typename Word>
Result<void> decode_dense(std::string_view& bytes, const Split& split, BitReader& rests,
                          const Numbers<Word>& residuals, std::uint64_t& most) {
  const Grouping& grouping = kGroupings[split.grouping];
  Digits buffer;
  const auto digits = std::span(buffer).first(residuals.size * residuals.size);
  TERRANE_RETURN_IF_ERROR(decode_digits(bytes, grouping, digits));
  rests = BitReader(bytes);
  from_digits(digits.data(), residuals);
  const std::uint32_t largest = grouping.base - 1;
  for_each_digit<true>(digits, largest, [&](std::size_t i) {
    const std::uint64_t value = largest + rests.read_exp_golomb(escape_order(grouping));
    most = std::max(most, value << split.shift);
    residuals.at(i) = static_cast<Word>(value);
  });
  if (split.shift > 0) read_low_bits(rests, split.shift, residuals);
  return {};
}

template <typename Word>
void encode_sparse(std::span<const Word> residuals, std::string& out, BitWriter& rests) {
  constexpr unsigned kMark = 127;  // enough to see which are 0
  Digits marks;
  to_digits(residuals, 0, kMark, marks.data());
  Digits tokens;
  std::size_t count = 0;
  std::size_t from = 0;
  const auto say = [&](std::size_t i) {
    const auto gap = static_cast<std::uint32_t>(i - from);
    std::uint32_t token = gap;
    unsigned rest_bits = 0;
    if (gap >= kDirectGaps) {
      rest_bits = static_cast<unsigned>(std::bit_width(gap)) - 2;
      token = kDirectGaps + 2 * (rest_bits + 1 - kDirectGapBits) + (gap >> rest_bits & 1);
    }
    const std::uint32_t rest = gap & ((1U << rest_bits) - 1);
    const bool large = residuals[i] >= kFirstLarge;
    if (large) {
      rests.write(rest, rest_bits);
      write_exp_golomb(rests, residuals[i] - kFirstLarge, kLargeOrder);
    } else {
      rests.write(rest | (residuals[i] - 1U) << rest_bits, rest_bits + 1);
    }
    tokens[count++] = static_cast<std::uint8_t>(token + (large ? kLarge : 0));
    from = i + 1;
  };
  for_each_digit<false>(std::span<const std::uint8_t>(marks).first(residuals.size()), 0, say);
  append_varint(out, static_cast<std::uint32_t>(count));
  if (count > 0)
    encode_digits(std::span<const std::uint8_t>(tokens).first(count), kSparseGrouping, out);
}

/// Tokens of residuals that are -1 or 1, whose bits fit in one look at a bit reader.
constexpr std::size_t kTokensAtOnce = 4;
static_assert(kTokensAtOnce * (kGaps.back().rest_bits + 1U) <= BitReader::kPeekBits);

bool none_is_large(const std::uint8_t* tokens) {
  constexpr std::uint32_t kEachByte = ~std::uint32_t{0} / 0xff;
  const auto all = load_little<std::uint32_t>(reinterpret_cast<const char*>(tokens));
  return (all & kLarge * kEachByte) == 0;
}

/// Puts residuals where tokens say. @return false where that is behind the last one
template <typename Word>
[[gnu::always_inline]] inline bool place_all(std::span<const std::uint8_t> tokens,
                                             const Numbers<Word>& residuals, BitReader& rests,
                                             std::uint64_t& most) {
  const std::size_t samples = residuals.size * residuals.size;
  BitReader reader = rests;  // which the compiler can keep in registers
  std::size_t at = 0;
  const auto put = [&](std::uint64_t gap, std::uint64_t value) __attribute__((always_inline)) {
    at += gap;
    if (at >= samples) return false;
    residuals.at(at++) = static_cast<Word>(value);
    return true;
  };
  for (std::size_t next = 0; next < tokens.size();) {
    if (next + kTokensAtOnce <= tokens.size() && none_is_large(&tokens[next])) {
      const std::uint64_t ahead = reader.peek();
      unsigned taken = 0;
      for (const std::uint8_t token : tokens.subspan(next, kTokensAtOnce)) {
        const Gap gap = kGaps[token];
        const std::uint64_t both = ahead >> taken;
        const std::uint64_t rest = both & ((std::uint64_t{1} << gap.rest_bits) - 1);
        if (!put(gap.least + rest, 1 + (both >> gap.rest_bits & 1))) return false;
        taken += gap.rest_bits + 1U;
      }
      reader.skip(taken);
      next += kTokensAtOnce;
    } else {
      const std::uint8_t token = tokens[next++];
      const Gap gap = kGaps[token % kLarge];
      const std::uint64_t rest = reader.read(gap.rest_bits);
      const std::uint64_t value =
          token < kLarge ? 1 + reader.read(1) : kFirstLarge + reader.read_exp_golomb(kLargeOrder);
      most = std::max(most, value);
      if (!put(gap.least + rest, value)) return false;
    }
  }
  rests = reader;
  return true;
}

TERRANE_VECTOR_CLONES bool place(std::span<const std::uint8_t> tokens,
                                 const Numbers<std::uint32_t>& residuals, BitReader& rests,
                                 std::uint64_t& most) {
  return place_all(tokens, residuals, rests, most);
}
TERRANE_VECTOR_CLONES bool place(std::span<const std::uint8_t> tokens,
                                 const Numbers<std::uint16_t>& residuals, BitReader& rests,
                                 std::uint64_t& most) {
  return place_all(tokens, residuals, rests, most);
}

template <typename Word>
Result<void> decode_sparse(std::string_view& bytes, BitReader& rests,
                           const Numbers<Word>& residuals, std::uint64_t& most) {
  const auto damaged = [](std::string what) {
    return fail(ErrorCode::kDataLoss, "residuals: " + std::move(what));
  };
  const std::size_t samples = residuals.size * residuals.size;
  const std::optional<std::uint32_t> count = take_varint(bytes);
  if (!count || *count > samples)
    return damaged("their number is cut off or more than " + std::to_string(samples));
  Digits buffer;
  const auto tokens = std::span(buffer).first(*count);
  if (*count > 0) {
    TERRANE_RETURN_IF_ERROR(decode_digits(bytes, kSparseGrouping, tokens));
  }
  std::fill_n(residuals.values.get(), residuals.size * residuals.stride, Word{0});
  rests = BitReader(bytes);
  if (!place(tokens, residuals, rests, most)) return damaged("they go on behind the last sample");
  return {};
}

template <typename Word>
void encode(std::span<const Word> residuals, const Split& split, std::string& out) {
  std::string bytes;
  BitWriter rests(bytes);
  if (split.grouping == kSparse) {
    encode_sparse(residuals, out, rests);
  } else {
    encode_dense(residuals, split, out, rests);
  }
  rests.finish();
  out += bytes;
}

template <typename Word>
Result<void> decode(std::string_view bytes, const Split& split, unsigned limit_bits,
                    const Numbers<Word>& residuals) {
  const auto damaged = [](std::string what) {
    return fail(ErrorCode::kDataLoss, "residuals: " + std::move(what));
  };
  BitReader rests(bytes);
  std::uint64_t most = 0;
  TERRANE_RETURN_IF_ERROR(split.grouping == kSparse
                              ? decode_sparse(bytes, rests, residuals, most)
                              : decode_dense(bytes, split, rests, residuals, most));
  if (most >> limit_bits != 0) return damaged("one is not below 2^" + std::to_string(limit_bits));
  if (rests.overrun()) return damaged("end within the rests");
  if (rests.bytes_read() != bytes.size() || !rests.padding_is_zero())
    return damaged("bytes follow the last one");
  return {};
}

}  // namespace

void encode_residuals(std::span<const std::uint32_t> residuals, const Split& split,
                      std::string& out) {
  encode(residuals, split, out);
}
void encode_residuals(std::span<const std::uint16_t> residuals, const Split& split,
                      std::string& out) {
  encode(residuals, split, out);
}

Result<void> decode_residuals(std::string_view bytes, const Split& split, unsigned limit_bits,
                              const Numbers<std::uint32_t>& residuals) {
  return decode(bytes, split, limit_bits, residuals);
}
Result<void> decode_residuals(std::string_view bytes, const Split& split, unsigned limit_bits,
                              const Numbers<std::uint16_t>& residuals) {
  return decode(bytes, split, limit_bits, residuals);
}

}  // namespace terrane::codec
