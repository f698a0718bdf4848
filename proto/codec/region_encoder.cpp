#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "codec/bit_io.h"
#include "codec/digit_coder.h"
#include "codec/region_borders.h"
#include "codec/region_coder.h"
#include "codec/value_palette.h"

namespace terrane::codec {
namespace {

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

}  // namespace terrane::codec
