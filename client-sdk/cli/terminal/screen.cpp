#include "cli/terminal/screen.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace terrane::cli {
namespace {

// Terminals that know it show what stands between at once, others take no notice.
constexpr std::string_view kBeginFrame = "\x1b[?2026h";
constexpr std::string_view kEndFrame = "\x1b[?2026l";
constexpr std::string_view kPlain = "\x1b[0m";

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

/// Takes one character off valid UTF-8.
char32_t take_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  char32_t character = first < 0x80   ? first
                       : first < 0xe0 ? first & 0x1f
                       : first < 0xf0 ? first & 0x0f
                                      : first & 0x07;
  text.remove_prefix(1);
  while (!text.empty() && continues_character(text.front())) {
    character = character << 6 | (static_cast<unsigned char>(text.front()) & 0x3f);
    text.remove_prefix(1);
  }
  return character;
}

void append_character(std::string& out, char32_t character) {
  const auto tail = [&](int shift) {
    out += static_cast<char>(0x80 | (character >> shift & 0x3f));
  };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xc0 | character >> 6);
    tail(0);
  } else if (character < 0x10000) {
    out += static_cast<char>(0xe0 | character >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | character >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

// of red, green and blue in the 6 x 6 x 6 colours
constexpr int kLevels[] = {0, 95, 135, 175, 215, 255};

int squared_distance(std::uint32_t a, std::uint32_t b) {
  int sum = 0;
  for (const int shift : {16, 8, 0}) {
    const int part = static_cast<int>(a >> shift & 255) - static_cast<int>(b >> shift & 255);
    sum += part * part;
  }
  return sum;
}

/// A terminal's pen: says only what is new.
class Pen {
 public:
  Pen(std::string& out, ColorDepth depth) : out_(out), depth_(depth) {}

  void draw(const Cell& cell) {
    // of a space only the background shows
    if (cell.glyph != U' ') color(sent(cell.foreground), foreground_, '3');
    color(sent(cell.background), background_, '4');
    append_character(out_, cell.glyph);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// A colour as it is sent: its number of 256, or itself.
  [[nodiscard]] std::uint32_t sent(std::uint32_t rgb) const {
    return depth_ == ColorDepth::k256 ? static_cast<std::uint32_t>(nearest_of_256(rgb)) : rgb;
  }

  void color(std::uint32_t wanted, std::uint32_t& current, char plane) {
    if (wanted == current) return;
    current = wanted;
    out_.append("\x1b[") += plane;
    if (depth_ == ColorDepth::k256) {
      out_.append("8;5;").append(std::to_string(wanted)) += 'm';
      return;
    }
    out_ += "8;2";
    for (const int shift : {16, 8, 0}) (out_ += ';') += std::to_string(wanted >> shift & 255);
    out_ += 'm';
  }

  std::string& out_;
  const ColorDepth depth_;
  std::uint32_t foreground_ = kNone, background_ = kNone;  // as the terminal has them
};

}  // namespace

Result<ScreenSize> parse_screen_size(std::string_view text) {
  ScreenSize size;
  const char* const end = text.data() + text.size();
  const auto columns = std::from_chars(text.data(), end, size.columns);
  const bool crossed = columns.ec == std::errc() && columns.ptr != end && *columns.ptr == 'x';
  const auto rows = crossed ? std::from_chars(columns.ptr + 1, end, size.rows) : columns;
  const bool whole = crossed && rows.ec == std::errc() && rows.ptr == end;
  if (whole && size.columns >= 20 && size.columns <= 400 && size.rows >= 5 && size.rows <= 120)
    return size;
  std::string message = "'";
  message.append(text).append("' is no size: write columns and rows, 20x5 to 400x120, as in 80x24");
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

int write_text(Screen& screen, int column, int row, std::string_view text, std::uint32_t foreground,
               std::uint32_t background) {
  while (!text.empty()) {
    const char32_t glyph = take_character(text);
    if (column >= 0 && column < screen.columns && row >= 0 && row < screen.rows)
      screen.at(column, row) = {glyph, foreground, background};
    ++column;
  }
  return column;
}

int text_width(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(),
                                        [](char byte) { return !continues_character(byte); }));
}

int nearest_of_256(std::uint32_t rgb) {
  int cube = 16;
  std::uint32_t cube_rgb = 0;
  for (const int shift : {16, 8, 0}) {
    const int part = static_cast<int>(rgb >> shift & 255);
    const auto* const level =
        std::min_element(std::begin(kLevels), std::end(kLevels),
                         [part](int a, int b) { return std::abs(a - part) < std::abs(b - part); });
    constexpr int kPlaces[] = {1, 6, 36};
    cube += static_cast<int>(level - std::begin(kLevels)) * kPlaces[shift / 8];
    cube_rgb |= static_cast<std::uint32_t>(*level) << shift;
  }
  const int mean = static_cast<int>((rgb >> 16 & 255) + (rgb >> 8 & 255) + (rgb & 255)) / 3;
  const int step = std::clamp((mean - 3) / 10, 0, 23);  // greys are 8, 18 … 238
  const auto grey = static_cast<std::uint32_t>(8 + 10 * step);
  return squared_distance(rgb, grey << 16 | grey << 8 | grey) < squared_distance(rgb, cube_rgb)
             ? 232 + step
             : cube;
}

std::uint32_t dithered(std::uint32_t rgb, std::int64_t x, std::int64_t y) {
  // Bayer (1973)
  constexpr int kThresholds[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
  const int place = kThresholds[y & 3][x & 3];
  std::uint32_t out = 0;
  for (const int shift : {16, 8, 0}) {
    const int part = static_cast<int>(rgb >> shift & 255);
    const int* const above = std::upper_bound(std::begin(kLevels), std::end(kLevels) - 1, part);
    const int below = *(above - 1);
    // green goes up where the others go down: less of a pattern
    const int threshold = shift == 8 ? place : 15 - place;
    const bool up = (part - below) * 32 > (2 * threshold + 1) * (*above - below);
    out |= static_cast<std::uint32_t>(up ? *above : below) << shift;
  }
  return out;
}

std::string changes(const Screen& before, const Screen& after, ColorDepth depth) {
  const bool anew = before.columns != after.columns || before.rows != after.rows;
  if (!anew && before.cells == after.cells) return {};
  std::string out(kBeginFrame);
  if (anew) out.append(kPlain).append("\x1b[2J");
  Pen pen(out, depth);
  for (int row = 0; row < after.rows; ++row) {
    int cursor = -1;  // the column it stands at, if it is in this row
    for (int column = 0; column < after.columns; ++column) {
      const Cell& cell = after.at(column, row);
      if (!anew && before.at(column, row) == cell) continue;
      if (cursor != column) {
        out.append("\x1b[")
            .append(std::to_string(row + 1))
            .append(";")
            .append(std::to_string(column + 1)) += 'H';
      }
      pen.draw(cell);
      cursor = column + 1;
    }
  }
  return out.append(kPlain).append(kEndFrame);
}

std::string as_lines(const Screen& screen, ColorDepth depth) {
  std::string out;
  for (int row = 0; row < screen.rows; ++row) {
    Pen pen(out, depth);
    for (int column = 0; column < screen.columns; ++column) pen.draw(screen.at(column, row));
    out.append(kPlain) += '\n';
  }
  return out;
}

}  // namespace terrane::cli
