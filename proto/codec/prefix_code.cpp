#include "codec/prefix_code.h"

#include <algorithm>
#include <bit>

#include "codec/bit_io.h"
#include "codec/vector_clones.h"
#include "codec/zigzag.h"

namespace terrane::codec {
namespace {

// what a length is compared with where there is none
constexpr std::uint32_t kAbsent = kMaxLength + 1;
constexpr std::uint32_t kFirstExpected = 3;
constexpr unsigned kSymbolBits = 8;

/// Sorts different numbers: counts for each how many are less, which has no branch that is hard to
/// predict, and takes little time for a hundred of them.
TERRANE_VECTOR_CLONES void sort_different(std::span<const std::uint32_t> numbers,
                                          std::uint32_t* sorted) {
  for (const std::uint32_t number : numbers) {
    std::uint32_t less = 0;
    for (const std::uint32_t other : numbers) less += other < number ? 1 : 0;
    sorted[less] = number;
  }
}

/// How many codes have each length.
using LengthCounts = std::array<std::uint32_t, kMaxSymbols>;

/// A. Moffat and J. Katajainen, "In-place calculation of minimum-redundancy codes" (1995).
/// @param weights  in growing order, at least two; destroyed
LengthCounts optimal_lengths(std::span<std::uint32_t> weights) {
  const std::size_t n = weights.size();
  // Join the two lightest until one is left; `weights` holds inner nodes in front, then their
  // parents' places.
  std::size_t leaf = 0;
  std::size_t root = 0;
  for (std::size_t next = 0; next + 1 < n; ++next) {
    const auto lightest = [&] {
      if (leaf >= n || (root < next && weights[root] < weights[leaf])) {
        const std::uint32_t weight = weights[root];
        weights[root++] = static_cast<std::uint32_t>(next);
        return weight;
      }
      return weights[leaf++];
    };
    const std::uint32_t first = lightest();
    weights[next] = first + lightest();
  }
  // From the root down: inner nodes' depths, and how many leaves are left at each depth.
  LengthCounts counts{};
  weights[n - 2] = 0;
  for (std::size_t next = n - 2; next-- > 0;) weights[next] = weights[weights[next]] + 1;
  std::size_t inner = n - 1;
  std::uint32_t places = 1;
  for (std::uint32_t depth = 0; places > 0; ++depth) {
    std::uint32_t used = 0;
    while (inner > 0 && weights[inner - 1] == depth) --inner, ++used;
    counts[depth] = places - used;
    places = 2 * used;
  }
  return counts;
}

/// Shortens what is longer than kMaxLength at the cost of the next rarer symbols.
void limit_lengths(LengthCounts& counts) {
  for (std::size_t length = kMaxLength + 1; length < counts.size(); ++length) {
    counts[kMaxLength] += counts[length];
    counts[length] = 0;
  }
  std::uint32_t room = 0;  // in codes of kMaxLength
  for (unsigned length = 1; length <= kMaxLength; ++length)
    room += counts[length] << (kMaxLength - length);
  for (; room > 1U << kMaxLength; --room) {
    --counts[kMaxLength];
    unsigned length = kMaxLength - 1;
    while (counts[length] == 0) --length;
    --counts[length];
    counts[length + 1] += 2;
  }
}

/// The symbol whose first digit other than 0 is one less.
constexpr unsigned parent(unsigned symbol, unsigned& place, unsigned base) {
  if (symbol >= place * base) place *= base;
  return symbol - place;
}

}  // namespace

PrefixCode fit_code(std::span<const std::uint32_t> counts) {
  std::array<std::uint32_t, kMaxSymbols> unsorted;  // count, then symbol
  std::size_t used = 0;
  for (std::uint32_t symbol = 0; symbol < counts.size(); ++symbol) {
    unsorted[used] = counts[symbol] << kSymbolBits | symbol;
    used += counts[symbol] != 0 ? 1 : 0;
  }
  if (used == 1) {  // a second symbol takes the other half of the codes
    const std::uint32_t only = unsorted[0];
    unsorted[used++] = (only & ((1U << kSymbolBits) - 1)) == 0 ? 1 : 0;
  }
  std::array<std::uint32_t, kMaxSymbols> sorted;
  sort_different(std::span(unsorted).first(used), sorted.data());
  std::array<std::uint32_t, kMaxSymbols> weights;
  for (std::size_t i = 0; i < used; ++i) weights[i] = sorted[i] >> kSymbolBits;
  LengthCounts lengths = optimal_lengths(std::span(weights).first(used));
  limit_lengths(lengths);

  PrefixCode code;
  std::size_t next = used;
  for (unsigned length = 1; length <= kMaxLength; ++length) {
    for (; lengths[length] > 0; --lengths[length]) {
      const std::uint32_t symbol = sorted[--next] & ((1U << kSymbolBits) - 1);
      code.length[symbol] = static_cast<std::uint8_t>(length);
      code.count = std::max(code.count, symbol + 1);
    }
  }
  return code;
}

std::array<std::uint16_t, kMaxSymbols> code_bits(const PrefixCode& code) {
  std::array<std::uint16_t, kMaxLength + 2> next{};
  for (unsigned symbol = 0; symbol < code.count; ++symbol) ++next[code.length[symbol] + 1U];
  next[0] = next[1] = 0;  // symbols without a code
  for (unsigned length = 1; length <= kMaxLength + 1; ++length) {
    next[length] = static_cast<std::uint16_t>((next[length] + next[length - 1]) << 1);
  }
  std::array<std::uint16_t, kMaxSymbols> bits;
  for (unsigned symbol = 0; symbol < code.count; ++symbol)
    bits[symbol] = next[code.length[symbol]]++;
  return bits;
}

void write_code(const PrefixCode& code, unsigned base, std::string& out) {
  append_u8(out, static_cast<std::uint8_t>(code.count - 1));
  BitWriter bits(out);
  const auto length_of = [&](unsigned symbol) {
    return code.length[symbol] != 0 ? code.length[symbol] : kAbsent;
  };
  unsigned place = 1;
  for (unsigned symbol = 0; symbol < code.count; ++symbol) {
    const std::uint32_t expected =
        symbol == 0 ? kFirstExpected : length_of(parent(symbol, place, base));
    const std::uint32_t shorter = expected - length_of(symbol);
    if (expected == kAbsent) {
      write_exp_golomb(bits, shorter, 0);
    } else {
      write_exp_golomb(bits, zigzag(shorter), 1);
    }
  }
  bits.finish();
}

Result<PrefixCode> read_code(std::string_view& bytes, unsigned base, unsigned symbols) {
  const auto damaged = [](std::string what) {
    return fail(ErrorCode::kDataLoss, "prefix code: " + std::move(what));
  };
  if (bytes.empty()) return damaged("missing");
  PrefixCode code;
  code.count = load_u8(bytes, 0) + 1U;
  if (code.count > symbols) {
    return damaged("of " + std::to_string(code.count) + " symbols, must be at most " +
                   std::to_string(symbols));
  }
  bytes.remove_prefix(1);

  BitReader bits(bytes);
  std::array<std::uint32_t, kMaxSymbols> lengths;
  std::uint32_t room = 0;
  unsigned place = 1;
  for (unsigned symbol = 0; symbol < code.count; ++symbol) {
    const std::uint32_t expected =
        symbol == 0 ? kFirstExpected : lengths[parent(symbol, place, base)];
    const bool known = expected != kAbsent;
    const auto said = static_cast<std::uint32_t>(bits.read_exp_golomb(known ? 1 : 0));
    const std::uint32_t length = expected - (known ? unzigzag(said) : said);
    if (length == 0 || length > kAbsent) {
      return damaged("the length of symbol " + std::to_string(symbol) + " must be 1 to " +
                     std::to_string(kMaxLength));
    }
    lengths[symbol] = length;
    code.length[symbol] = static_cast<std::uint8_t>(length == kAbsent ? 0 : length);
    room += (1U << kMaxLength) >> length;  // 0 if it is absent
  }
  if (bits.overrun()) return damaged("ends too early");
  if (!bits.padding_is_zero()) return damaged("padding bits are not zero");
  if (room != 1U << kMaxLength) return damaged("lengths do not fill it");
  bytes.remove_prefix(bits.bytes_read());
  return code;
}

}  // namespace terrane::codec
