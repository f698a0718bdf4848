#include "codec/digit_coder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <memory>

#include "codec/byte_io.h"
#include "codec/prefix_code.h"
#include "codec/vector_clones.h"
#include "terrane/result_macros.h"

namespace terrane::codec {
namespace {

// bits that one load of 8 bytes has at least, and symbols that fit in them
constexpr unsigned kAheadBits = 57;
constexpr std::size_t kBatch = kAheadBits / kMaxLength;
constexpr unsigned kMaxStreams = 4;
constexpr std::size_t kLookAhead = 16;  // bytes behind a stream that a reader may look at
constexpr std::size_t kLengthBytes = 2;
constexpr std::size_t kMaxStreamBytes = (kMaxDigits / kMaxStreams * kMaxLength + 7) / 8;

using Symbols = std::array<std::uint8_t, kMaxDigits>;

/// Symbols of two digits each.
TERRANE_VECTOR_CLONES void join_digits(const std::uint8_t* digits, unsigned base, std::size_t count,
                                       std::uint8_t* symbols) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto two = load_little<std::uint16_t>(reinterpret_cast<const char*>(digits) + 2 * i);
    symbols[i] = static_cast<std::uint8_t>((two & 0xffU) * base + (two >> 8));
  }
}

/// One byte a symbol: the digits themselves where each is one.
std::span<const std::uint8_t> to_symbols(std::span<const std::uint8_t> digits,
                                         const Grouping& grouping, Symbols& symbols) {
  if (grouping.digits == 1) return digits;
  const std::size_t count = digits.size() / 2;
  join_digits(digits.data(), grouping.base, count, symbols.data());
  return std::span(symbols).first(count);
}

PrefixCode count_symbols(std::span<const std::uint8_t> symbols, unsigned kinds) {
  // Four counters a symbol: equal neighbours would wait for each other's store.
  std::array<std::array<std::uint32_t, kMaxSymbols>, 4> counts;
  for (auto& some : counts) std::fill_n(some.begin(), kinds, 0U);
  std::size_t i = 0;
  for (; i + 4 <= symbols.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k) ++counts[k][symbols[i + k]];
  }
  for (; i < symbols.size(); ++i) ++counts[0][symbols[i]];
  for (std::size_t kind = 0; kind < kinds; ++kind)
    counts[0][kind] += counts[1][kind] + counts[2][kind] + counts[3][kind];
  return fit_code(std::span(counts[0]).first(kinds));
}

struct Word {
  std::uint16_t bits;
  std::uint16_t length;
};

/// Writes one stream, highest bits first. @return behind its last byte, after which up to 8 are
/// overwritten
TERRANE_VECTOR_CLONES char* write_stream(std::span<const std::uint8_t> symbols,
                                         const std::array<Word, kMaxSymbols>& words, char* to) {
  std::uint64_t pending = 0;
  unsigned pending_bits = 0;
  const auto put = [&](std::uint8_t symbol) {
    pending = pending << words[symbol].length | words[symbol].bits;
    pending_bits += words[symbol].length;
  };
  const auto flush = [&] {
    store_big(to, pending << 1 << (63 - pending_bits));
    to += pending_bits / 8;
    pending_bits %= 8;
  };
  std::size_t i = 0;
  for (; i + kBatch <= symbols.size(); i += kBatch) {
    for (std::size_t k = 0; k < kBatch; ++k) put(symbols[i + k]);
    flush();
  }
  for (; i < symbols.size(); ++i) put(symbols[i]);
  flush();
  return pending_bits > 0 ? to + 1 : to;
}

// of the entries that are filled at once
constexpr std::size_t kFill = 8;

/// What the next `bits` bits, as many as the longest code has, begin with: a code's length and,
/// above it, its digits, a byte each.
struct DecodeTable {
  unsigned bits = 0;
  std::array<std::uint32_t, (std::size_t{1} << kMaxLength) + kFill> entries;
};

constexpr unsigned kLengthField = 8;
constexpr std::uint32_t kLengthMask = (1U << kLengthField) - 1;

/// Entries of all symbols, those that have no code first, then in order of their codes.
/// @return how many have no code
std::size_t sort_entries(const PrefixCode& code, const Grouping& grouping,
                         std::array<std::uint32_t, kMaxSymbols>& sorted) {
  std::array<std::size_t, kMaxLength + 2> places{};  // behind the symbols of shorter codes
  for (unsigned symbol = 0; symbol < code.count; ++symbol) ++places[code.length[symbol] + 1U];
  const std::size_t without = places[1];
  for (unsigned length = 1; length <= kMaxLength; ++length) places[length] += places[length - 1];
  const unsigned base = grouping.digits == 2 ? grouping.base : kMaxSymbols;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  for (unsigned symbol = 0; symbol < code.count; ++symbol) {
    const unsigned length = code.length[symbol];
    const std::uint32_t value = grouping.digits == 2 ? first | second << 8 : symbol;
    sorted[places[length]++] = value << kLengthField | length;
    if (++second == base) second = 0, ++first;
  }
  return without;
}

void fill_table(const PrefixCode& code, const Grouping& grouping, DecodeTable& table) {
  std::array<std::uint32_t, kMaxSymbols> sorted;
  const std::size_t without = sort_entries(code, grouping, sorted);
  table.bits = sorted[code.count - 1] & kLengthMask;
  std::uint32_t* to = table.entries.data();
  for (std::size_t i = without; i < code.count; ++i) {
    // more than it takes: the next one overwrites that
    const std::size_t count = std::size_t{1} << (table.bits - (sorted[i] & kLengthMask));
    for (std::size_t filled = 0; filled < count; filled += kFill)
      std::fill_n(to + filled, kFill, sorted[i]);
    to += count;
  }
}

/// Symbols whose bits lie at the top of `ahead`. @return how many bits they took
template <unsigned kDigits>
TERRANE_INLINE unsigned read_symbols(const std::uint32_t* entries, unsigned shift,
                                     std::size_t count, std::uint64_t& ahead, std::uint8_t* out) {
  std::uint32_t lengths = 0;  // their sum is in the length's field
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint32_t entry = entries[ahead >> shift];
    ahead <<= entry % 64;  // as lengths are below 64
    lengths += entry;
    if constexpr (kDigits == 1) out[k] = static_cast<std::uint8_t>(entry >> kLengthField);
    if constexpr (kDigits == 2)
      store_little(out + 2 * k, static_cast<std::uint16_t>(entry >> kLengthField));
  }
  return lengths & kLengthMask;
}

/// Where the streams are being read, in bits.
using Places = std::array<std::size_t, kMaxStreams>;

/// Four streams of `count` symbols side by side. Reads up to 8 bytes behind the longest codes of
/// all.
template <unsigned kDigits>
TERRANE_INLINE void read_streams(const DecodeTable& table, const char* bytes, std::size_t count,
                                 Places& places, std::uint8_t* out) {
  // which the compiler can keep in registers
  const std::uint32_t* const entries = table.entries.data();
  const unsigned shift = 64 - table.bits;
  const std::size_t stride = kDigits * count;
  Places local = places;
  const auto read_each = [&](std::size_t batch) TERRANE_INLINE_LAMBDA {
    for (std::size_t stream = 0; stream < kMaxStreams; ++stream) {
      std::size_t& bit = local[stream];
      std::uint64_t ahead = load_big(bytes + bit / 8) << (bit % 8);
      bit += read_symbols<kDigits>(entries, shift, batch, ahead, out + stream * stride);
    }
    out += kDigits * batch;
  };
  for (; count >= kBatch; count -= kBatch) read_each(kBatch);
  read_each(count);
  places = local;
}

/// One stream, of symbols of one digit, which has nothing beside it to do while a symbol waits for
/// the one before: the next bits are loaded while there are 64 ahead. Reads up to kLookAhead bytes
/// behind the longest codes of all.
template <std::size_t kSymbols>
TERRANE_INLINE std::size_t read_stream(const DecodeTable& table, const char* bytes,
                                       std::size_t count, std::uint8_t* out) {
  const std::uint32_t* const entries = table.entries.data();
  const unsigned shift = 64 - table.bits;
  std::size_t bit = 0;
  std::uint64_t ahead = load_big(bytes);
  for (; count >= kSymbols; count -= kSymbols, out += kSymbols) {
    const std::uint64_t next = load_big(bytes + bit / 8 + 8) << (bit % 8);
    const unsigned taken = read_symbols<1>(entries, shift, kSymbols, ahead, out);
    ahead |= next >> (64 - taken);
    bit += taken;
  }
  return bit + read_symbols<1>(entries, shift, count, ahead, out);
}

TERRANE_VECTOR_CLONES void read_all(const DecodeTable& table, const Grouping& grouping,
                                    const char* bytes, std::size_t count, Places& places,
                                    std::uint8_t* out) {
  constexpr std::size_t kLargeBatch = 8;
  if (grouping.streams == 1) {
    const bool fits = kLargeBatch * table.bits <= kAheadBits;
    places[0] = fits ? read_stream<kLargeBatch>(table, bytes, count, out)
                     : read_stream<kBatch>(table, bytes, count, out);
  } else if (grouping.digits == 1) {
    read_streams<1>(table, bytes, count, places, out);
  } else {
    read_streams<2>(table, bytes, count, places, out);
  }
}

}  // namespace

void encode_digits(std::span<const std::uint8_t> digits, const Grouping& grouping,
                   std::string& out) {
  assert(!digits.empty() && digits.size() <= kMaxDigits &&
         digits.size() % (grouping.digits * grouping.streams) == 0);
  Symbols symbol_buffer;
  const std::span<const std::uint8_t> symbols = to_symbols(digits, grouping, symbol_buffer);
  const PrefixCode code = count_symbols(symbols, grouping.symbols());
  write_code(code, grouping.base, out);
  const std::array<std::uint16_t, kMaxSymbols> bits = code_bits(code);
  std::array<Word, kMaxSymbols> words;
  for (unsigned symbol = 0; symbol < code.count; ++symbol)
    words[symbol] = {bits[symbol], code.length[symbol]};

  std::array<char, kMaxStreams * kMaxStreamBytes + 8> streams;
  char* end = streams.data();
  const std::size_t count = symbols.size() / grouping.streams;
  for (unsigned stream = 0; stream < grouping.streams; ++stream) {
    char* const begin = end;
    end = write_stream(symbols.subspan(stream * count, count), words, begin);
    if (stream + 1 == grouping.streams) break;
    char length[kLengthBytes];
    store_little(length, static_cast<std::uint16_t>(end - begin));
    out.append(length, kLengthBytes);
  }
  out.append(streams.data(), static_cast<std::size_t>(end - streams.data()));
}

Result<void> decode_digits(std::string_view& bytes, const Grouping& grouping,
                           std::span<std::uint8_t> digits) {
  const auto damaged = [](std::string what) {
    return fail(ErrorCode::kDataLoss, "symbols: " + std::move(what));
  };
  TERRANE_ASSIGN_OR_RETURN(const PrefixCode code,
                           read_code(bytes, grouping.base, grouping.symbols()));
  DecodeTable table;
  fill_table(code, grouping, table);

  const std::size_t lengths_bytes = kLengthBytes * (grouping.streams - 1);
  if (bytes.size() < lengths_bytes) return damaged("end within the streams' lengths");
  std::array<std::size_t, kMaxStreams> begins{};
  for (unsigned stream = 1; stream < grouping.streams; ++stream) {
    begins[stream] = begins[stream - 1] + load_u16(bytes, kLengthBytes * (stream - 1));
  }
  bytes.remove_prefix(lengths_bytes);
  if (begins[grouping.streams - 1] > std::min(bytes.size(), (kMaxStreams - 1) * kMaxStreamBytes)) {
    return damaged("streams reach to byte " + std::to_string(begins[grouping.streams - 1]) +
                   " of " + std::to_string(bytes.size()) + ", or are longer than " +
                   std::to_string(kMaxStreamBytes) + " bytes");
  }
  // A copy with room behind it: a stream's bits are then counted once, at its end.
  const std::size_t count = digits.size() / grouping.digits / grouping.streams;
  const std::size_t room = (count * kMaxLength + 7) / 8 + kLookAhead;
  std::array<char, kMaxStreams * kMaxStreamBytes + kLookAhead> copy;
  const std::size_t copied = std::min(bytes.size(), begins[grouping.streams - 1] + room);
  std::memcpy(copy.data(), bytes.data(), copied);
  std::memset(copy.data() + copied, 0, begins[grouping.streams - 1] + room - copied);

  Places places;
  for (unsigned stream = 0; stream < grouping.streams; ++stream)
    places[stream] = 8 * begins[stream];
  read_all(table, grouping, copy.data(), count, places, digits.data());
  for (unsigned stream = 0; stream < grouping.streams; ++stream) {
    const std::size_t end = (places[stream] + 7) / 8;
    const std::size_t expected = stream + 1 < grouping.streams ? begins[stream + 1] : end;
    if (end != expected || end > bytes.size())
      return damaged("stream " + std::to_string(stream) + " does not end where it should");
    const auto padding = static_cast<std::uint8_t>((1U << (8 * end - places[stream])) - 1);
    if (end > 0 && (static_cast<std::uint8_t>(copy[end - 1]) & padding) != 0)
      return damaged("padding bits are not zero");
  }
  bytes.remove_prefix((places[grouping.streams - 1] + 7) / 8);
  return {};
}

}  // namespace terrane::codec
