#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/result.h"

namespace terrane::cli {

/// One character of a terminal's window.
struct Cell {
  char32_t glyph = U' ';         // of one column's width
  std::uint32_t foreground = 0;  // 0xRRGGBB
  std::uint32_t background = 0;  // 0xRRGGBB

  friend bool operator==(const Cell&, const Cell&) = default;
};

struct ScreenSize {
  int columns = 0;
  int rows = 0;
};

/// What a terminal's window shows: rows from the top, cells from the left.
struct Screen {
  int columns = 0;
  int rows = 0;
  std::vector<Cell> cells;

  Screen() = default;
  Screen(int width, int height)
      : columns(width),
        rows(height),
        cells(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

  [[nodiscard]] Cell& at(int column, int row) { return cells[index(column, row)]; }
  [[nodiscard]] const Cell& at(int column, int row) const { return cells[index(column, row)]; }

 private:
  [[nodiscard]] std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column);
  }
};

/// "80x24": columns and rows, 20x5 to 400x120. Errors: kInvalidArgument.
[[nodiscard]] Result<ScreenSize> parse_screen_size(std::string_view text);

/// Writes UTF-8 text, one cell a character, as far as the row reaches.
/// @return the column after the text
int write_text(Screen& screen, int column, int row, std::string_view text, std::uint32_t foreground,
               std::uint32_t background);

/// Columns that write_text fills.
[[nodiscard]] int text_width(std::string_view text);

/// Colours that a terminal can show.
enum class ColorDepth : std::uint8_t { k256, kTrue };

/// The nearest of the 6 x 6 x 6 colours and 24 greys that terminals of 256 colours share: its
/// number, 16 to 255.
[[nodiscard]] int nearest_of_256(std::uint32_t rgb);

/// One of the 6 x 6 x 6 colours around `rgb`, another one at another place, so that over an area
/// they have its colour.
[[nodiscard]] std::uint32_t dithered(std::uint32_t rgb, std::int64_t x, std::int64_t y);

/// What to send to a terminal that shows `before` so that it shows `after`; empty when they are
/// equal, all of `after` when their sizes differ.
[[nodiscard]] std::string changes(const Screen& before, const Screen& after, ColorDepth depth);

/// A screen as lines of text with colours, for a file or a pipe.
[[nodiscard]] std::string as_lines(const Screen& screen, ColorDepth depth);

}  // namespace terrane::cli
