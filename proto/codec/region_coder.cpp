#include "codec/region_coder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "codec/bit_io.h"
#include "codec/digit_coder.h"
#include "codec/value_palette.h"

namespace terrane::codec {
namespace {

constexpr std::size_t kMaxSize = 128;

// Tokens: where the next border of a row lies.
constexpr std::uint8_t kSkip = 0;      // not near the candidate of the row above: take its next one
constexpr std::uint8_t kExplicit = 1;  // where, and to which colour, follows as it is
// + residuals distance from the candidate, whose colour it takes
constexpr std::uint8_t kNear = 2;
constexpr int kMaxDistance = 8;  // from -8 to 8
static_assert(kNear + 2 * kMaxDistance + 1 == kTokenGrouping.base);

struct Border {
  std::uint8_t at = 0;      // index of the first sample of the new colour
  std::uint8_t colour = 0;  // index into the palette
};

/// One row as its first colour and its borders from left to right, ended by one at `size`.
struct BorderRow {
  std::uint8_t first = 0;
  std::size_t count = 0;  // without the one at the end
  std::array<Border, kMaxSize + 1> borders;
};

/// The borders of the row above that can be the next one of this row: those that end an area of the
/// present colour. Both directions walk it alike.
class Candidates {
 public:
  explicit Candidates(const BorderRow& above) : above_(above) {}

  /// Goes to the first candidate behind sample `from` for an area of `colour`; the row's end when
  /// there is none.
  void seek(std::size_t from, std::uint8_t colour) {
    while (first_ < above_.count && above_.borders[first_].at <= from) ++first_;
    index_ = first_;
    settle(colour);
  }
  void skip(std::uint8_t colour) {
    ++index_;
    settle(colour);
  }
  [[nodiscard]] bool at_end() const { return index_ == above_.count; }
  [[nodiscard]] const Border& border() const { return above_.borders[index_]; }

 private:
  void settle(std::uint8_t colour) {
    while (index_ < above_.count && colour_before(index_) != colour) ++index_;
  }
  [[nodiscard]] std::uint8_t colour_before(std::size_t index) const {
    return index == 0 ? above_.first : above_.borders[index - 1].colour;
  }

  const BorderRow& above_;
  std::size_t first_ = 0;
  std::size_t index_ = 0;
};

constexpr std::uint8_t near_token(int distance) {
  return static_cast<std::uint8_t>(kNear + (distance < 0 ? -2 * distance - 1 : 2 * distance));
}
constexpr int near_distance(std::uint8_t token) {
  const int residuals = token - kNear;
  return residuals % 2 == 0 ? residuals / 2 : -(residuals + 1) / 2;
}

constexpr unsigned bits_for(std::size_t largest) {
  return static_cast<unsigned>(std::bit_width(largest));
}

/// Colours in order of appearance.
struct Palette {
  Palette() { index_of.fill(-1); }

  std::uint8_t index(std::uint8_t colour) {
    if (index_of[colour] < 0) {
      index_of[colour] = static_cast<std::int16_t>(count);
      colours[count++] = colour;
    }
    return static_cast<std::uint8_t>(index_of[colour]);
  }

  std::size_t count = 0;
  std::array<std::uint8_t, 256> colours;
  std::array<std::int16_t, 256> index_of;
};

void find_borders(std::span<const std::uint8_t> samples, Palette& palette, BorderRow& row) {
  constexpr std::uint64_t kLow = ~std::uint64_t{0} / 0xff * 0x7f;
  row.first = palette.index(samples[0]);
  row.count = 0;
  std::uint64_t before = samples[0];
  for (std::size_t block = 0; block < samples.size(); block += 8) {
    const auto eight =
        load_little<std::uint64_t>(reinterpret_cast<const char*>(samples.data() + block));
    const std::uint64_t change = eight ^ (eight << 8 | before);
    before = eight >> 56;
    for (std::uint64_t found = (((change & kLow) + kLow) | change) & ~kLow; found != 0;
         found &= found - 1) {
      const std::size_t at = block + static_cast<std::size_t>(std::countr_zero(found)) / 8;
      row.borders[row.count++] = {static_cast<std::uint8_t>(at), palette.index(samples[at])};
    }
  }
  row.borders[row.count] = {static_cast<std::uint8_t>(samples.size()), 0};
}

/// What a chunk's rows become: tokens, and the borders that are written as they are.
struct Script {
  std::array<std::uint8_t, kMaxDigits> tokens;
  std::size_t token_count = 0;
  std::vector<Border> explicit_borders;

  void add(std::uint8_t token) { tokens[token_count++] = token; }
  void repeat(std::size_t borders) {  // those above
    std::memset(tokens.data() + token_count, kNear, borders);
    token_count += borders;
  }
};

/// Adds the tokens of one row: at most two a border, as each skips a border above or is one of this
/// row.
void script_row(const BorderRow& above, const BorderRow& row, Script& script) {
  Candidates candidates(above);
  std::uint8_t colour = above.first;
  std::size_t from = 0;
  const std::ptrdiff_t begin = row.first == above.first ? 0 : -1;
  for (std::ptrdiff_t k = begin; k <= static_cast<std::ptrdiff_t>(row.count); ++k) {
    const Border next = k < 0 ? Border{0, row.first} : row.borders[static_cast<std::size_t>(k)];
    const bool ends_row = k == static_cast<std::ptrdiff_t>(row.count);
    candidates.seek(from, colour);
    for (std::size_t skips = 0;; ++skips, candidates.skip(colour)) {
      const int distance = next.at - candidates.border().at;
      const bool fits =
          ends_row || (!candidates.at_end() && candidates.border().colour == next.colour);
      if (fits && std::abs(distance) <= kMaxDistance) {
        for (; skips > 0; --skips) script.add(kSkip);
        script.add(near_token(distance));
        break;
      }
      if (candidates.at_end() || distance < -kMaxDistance) {
        script.add(kExplicit);
        script.explicit_borders.push_back(next);
        break;
      }
    }
    colour = next.colour;
    from = next.at;
  }
}

tl::unexpected<Error> damaged(std::string what) {
  return fail(ErrorCode::kDataLoss, "regions: " + std::move(what));
}

/// Reads rows of tokens back into samples.
class RowReader {
 public:
  RowReader(std::span<const std::uint8_t> tokens, std::string_view explicit_borders,
            std::string_view palette, std::size_t size)
      : tokens_(tokens), bits_(explicit_borders), palette_(palette), size_(size) {}

  /// Whether the next row is like this one above it, which is not the one above the first; then its
  /// tokens are taken.
  bool repeats(const BorderRow& above) {
    const std::size_t count = above.count + 1;
    if (tokens_.size() - token_ < count) return false;
    for (std::size_t i = 0; i < count; ++i) {
      if (tokens_[token_ + i] != kNear) return false;
    }
    token_ += count;
    return true;
  }

  Result<void> read(const BorderRow& above, BorderRow& row, std::uint8_t* out) {
    Candidates candidates(above);
    // areas are filled eight at a time, and cut by the next one
    std::array<std::uint8_t, kMaxSize + 8> samples;
    row.count = 0;
    std::uint8_t colour = row.first = above.first;
    std::size_t from = 0;
    for (std::size_t least = 0;; least = from + 1) {
      candidates.seek(from, colour);
      Border next;
      if (!read_border(candidates, colour, least, next)) return damaged(error_);
      const std::uint64_t eight = load_u8(palette_, colour) * (~std::uint64_t{0} / 0xff);
      for (std::size_t i = from; i < next.at; i += 8) store_little(samples.data() + i, eight);
      from = next.at;
      if (from == size_) break;
      colour = next.colour;
      if (from == 0) {
        row.first = colour;
      } else {
        row.borders[row.count++] = next;
      }
    }
    row.borders[row.count] = {static_cast<std::uint8_t>(size_), 0};
    std::memcpy(out, samples.data(), size_);
    return {};
  }

  /// Whether everything was used up.
  [[nodiscard]] bool finished(std::size_t explicit_bytes) const {
    return token_ == tokens_.size() && !bits_.overrun() && bits_.bytes_read() == explicit_bytes &&
           bits_.padding_is_zero();
  }

 private:
  /// @return false with error_ set
  bool read_border(Candidates& candidates, std::uint8_t colour, std::size_t least, Border& next) {
    for (; token_ < tokens_.size() && tokens_[token_] == kSkip; ++token_) {
      if (candidates.at_end()) return refuse("a token skips what is not there");
      candidates.skip(colour);
    }
    if (token_ == tokens_.size()) return refuse("tokens end before the last row");
    const std::uint8_t token = tokens_[token_++];
    std::size_t at = 0;
    if (token == kExplicit) {
      at = bits_.read(bits_for(size_));
      if (at < size_)
        next.colour = static_cast<std::uint8_t>(bits_.read(bits_for(palette_.size() - 1)));
    } else {
      // a negative one becomes too large
      at = static_cast<std::size_t>(candidates.border().at + near_distance(token));
      if (at < size_ && candidates.at_end()) return refuse("a border has no colour");
      next.colour = candidates.border().colour;
    }
    if (at < least || at > size_)
      return refuse("a border lies outside of its row or before another");
    next.at = static_cast<std::uint8_t>(at);
    if (at == size_) return true;
    if (next.colour >= palette_.size()) return refuse("a colour is not in the palette");
    if (next.colour == colour) return refuse("a border has the same colour on both sides");
    return true;
  }
  bool refuse(const char* what) {
    error_ = what;
    return false;
  }

  std::span<const std::uint8_t> tokens_;
  std::size_t token_ = 0;
  BitReader bits_;
  std::string_view palette_;
  std::size_t size_;
  const char* error_ = "";
};

/// The tokens of a square of colours, into `script`. @return false when they are so many that this
/// coding does not pay
bool write_script(std::span<const std::uint8_t> samples, std::size_t size, Palette& palette,
                  Script& script) {
  std::array<BorderRow, 2> rows;
  BorderRow* above = &rows[0];
  BorderRow* row = &rows[1];
  // above the first row: the first colour throughout
  row->borders[0] = {static_cast<std::uint8_t>(size), 0};
  for (std::size_t y = 0; y < size; ++y) {
    const std::span<const std::uint8_t> row_samples = samples.subspan(y * size, size);
    const bool repeats =
        y > 0 && std::memcmp(row_samples.data(), row_samples.data() - size, size) == 0;
    if (!repeats) std::swap(row, above), find_borders(row_samples, palette, *row);
    const std::size_t borders_above = repeats ? row->count : above->count;
    if (script.token_count + borders_above + row->count + 2 > samples.size()) return false;
    if (repeats) {
      script.repeat(row->count + 1);
    } else {
      script_row(*above, *row, script);
    }
  }
  return true;
}

void append_script(const Script& script, std::size_t size, std::size_t colours, std::string& out) {
  append_varint(out, static_cast<std::uint32_t>(script.token_count));
  encode_digits(std::span(script.tokens).first(script.token_count), kTokenGrouping, out);
  BitWriter bits(out);
  for (const Border& border : script.explicit_borders) {
    bits.write(border.at, bits_for(size));
    if (border.at < size) bits.write(border.colour, bits_for(colours - 1));
  }
  bits.finish();
}

/// What follows the palette. @param palette  what is written to `out` for each colour
Result<void> read_script(std::string_view payload, std::string_view palette, std::size_t size,
                         std::span<std::uint8_t> out) {
  const std::optional<std::uint32_t> token_count = take_varint(payload);
  if (!token_count) return damaged("the number of tokens is cut off or exceeds 32 bits");
  if (*token_count == 0 || *token_count > out.size()) {
    return damaged(std::to_string(*token_count) + " tokens, must be 1 to " +
                   std::to_string(out.size()));
  }
  std::array<std::uint8_t, kMaxDigits> token_buffer;
  const std::span<std::uint8_t> tokens = std::span(token_buffer).first(*token_count);
  const Result<void> read = decode_digits(payload, kTokenGrouping, tokens);
  if (!read) return read;

  RowReader reader(tokens, payload, palette, size);
  std::array<BorderRow, 2> rows;
  BorderRow* above = &rows[0];
  BorderRow* row = &rows[1];
  // above the first row: the first colour throughout
  row->borders[0] = {static_cast<std::uint8_t>(size), 0};
  for (std::size_t y = 0; y < size; ++y) {
    std::uint8_t* const row_samples = out.data() + y * size;
    if (y > 0 && reader.repeats(*row)) {
      std::memcpy(row_samples, row_samples - size, size);
      continue;
    }
    std::swap(row, above);
    if (Result<void> done = reader.read(*above, *row, row_samples); !done) return done;
  }
  if (!reader.finished(payload.size())) return damaged("tokens or bytes follow the last row");
  return {};
}

/// Takes the palette off the front: as many entries of `entry_bytes` as its first byte says, plus
/// one.
Result<std::string_view> take_palette(std::string_view& payload, std::size_t entry_bytes) {
  const std::size_t colours = payload.empty() ? 0 : load_u8(payload, 0) + std::size_t{1};
  if (colours == 0 || payload.size() < 1 + colours * entry_bytes)
    return damaged("end within the palette");
  const std::string_view palette = payload.substr(1, colours * entry_bytes);
  payload.remove_prefix(1 + palette.size());
  return palette;
}

/// The samples' indices in the palette. @return false when they don't fit
bool find_colours(std::span<const std::int32_t> samples, std::span<std::uint8_t> colours,
                  ValuePalette& palette) {
  std::size_t colour = palette.index(samples[0]);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples[i] != palette.values[colour]) colour = palette.index(samples[i]);
    if (colour == palette.values.size()) return false;
    colours[i] = static_cast<std::uint8_t>(colour);
  }
  return true;
}

}  // namespace

bool encode_regions(std::span<const std::uint8_t> samples, std::size_t size, std::string& out) {
  Palette palette;
  Script script;
  if (!write_script(samples, size, palette, script)) return false;
  append_u8(out, static_cast<std::uint8_t>(palette.count - 1));
  out.append(reinterpret_cast<const char*>(palette.colours.data()), palette.count);
  append_script(script, size, palette.count, out);
  return true;
}

bool encode_regions(std::span<const std::int32_t> samples, std::size_t size, std::string& out) {
  std::array<std::uint8_t, kMaxDigits> buffer;
  const auto colours = std::span(buffer).first(samples.size());
  ValuePalette values;
  if (!find_colours(samples, colours, values)) return false;
  Palette palette;  // of the indices, which appear in order: 0, 1, 2, …
  Script script;
  if (!write_script(colours, size, palette, script)) return false;
  append_u8(out, static_cast<std::uint8_t>(values.count - 1));
  for (const std::int32_t value : std::span(values.values).first(values.count)) {
    append_u32(out, static_cast<std::uint32_t>(value));
  }
  append_script(script, size, values.count, out);
  return true;
}

Result<void> decode_regions(std::string_view payload, std::size_t size,
                            std::span<std::uint8_t> out) {
  const Result<std::string_view> palette = take_palette(payload, 1);
  if (!palette) return tl::unexpected(palette.error());
  return read_script(payload, *palette, size, out);
}

Result<void> decode_regions(std::string_view payload, std::size_t size,
                            std::span<std::int32_t> out) {
  const Result<std::string_view> palette = take_palette(payload, sizeof(std::int32_t));
  if (!palette) return tl::unexpected(palette.error());
  const std::size_t count = palette->size() / sizeof(std::int32_t);
  std::array<char, 256> indices;
  std::array<std::int32_t, 256> values;
  for (std::size_t i = 0; i < count; ++i) {
    indices[i] = static_cast<char>(i);
    values[i] = static_cast<std::int32_t>(load_u32(*palette, i * sizeof(std::int32_t)));
  }
  std::array<std::uint8_t, kMaxDigits> buffer;
  const auto colours = std::span(buffer).first(out.size());
  const Result<void> done = read_script(payload, {indices.data(), count}, size, colours);
  if (done)
    std::ranges::transform(colours, out.begin(),
                           [&](std::uint8_t colour) { return values[colour]; });
  return done;
}

}  // namespace terrane::codec
