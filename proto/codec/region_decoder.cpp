#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "codec/bit_io.h"
#include "codec/digit_coder.h"
#include "codec/region_borders.h"
#include "codec/region_coder.h"
#include "terrane/result_macros.h"

namespace terrane::codec {
namespace {

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
    std::array<std::uint8_t, kMaxRegionRow + 8> samples;
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
      const auto next_at = candidates.border().at + near_distance(token);
      at = static_cast<std::size_t>(next_at);  // a negative one becomes too large
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
  TERRANE_RETURN_IF_ERROR(decode_digits(payload, kTokenGrouping, tokens));

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
    TERRANE_RETURN_IF_ERROR(reader.read(*above, *row, row_samples));
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

}  // namespace

Result<void> decode_regions(std::string_view payload, std::size_t size,
                            std::span<std::uint8_t> out) {
  TERRANE_ASSIGN_OR_RETURN(const std::string_view palette, take_palette(payload, 1));
  return read_script(payload, palette, size, out);
}

Result<void> decode_regions(std::string_view payload, std::size_t size,
                            std::span<std::int32_t> out) {
  TERRANE_ASSIGN_OR_RETURN(const std::string_view palette,
                           take_palette(payload, sizeof(std::int32_t)));
  const std::size_t count = palette.size() / sizeof(std::int32_t);
  std::array<char, 256> indices;
  std::array<std::int32_t, 256> values;
  for (std::size_t i = 0; i < count; ++i) {
    indices[i] = static_cast<char>(i);
    values[i] = static_cast<std::int32_t>(load_u32(palette, i * sizeof(std::int32_t)));
  }
  std::array<std::uint8_t, kMaxDigits> buffer;
  const auto colours = std::span(buffer).first(out.size());
  Result<void> done = read_script(payload, {indices.data(), count}, size, colours);
  if (done)
    std::ranges::transform(colours, out.begin(),
                           [&](std::uint8_t colour) { return values[colour]; });
  return done;
}

}  // namespace terrane::codec
