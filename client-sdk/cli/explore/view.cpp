#include "cli/explore/view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cli/map/drawing.h"
#include "cli/terminal/text.h"

namespace terrane::cli {
namespace {

constexpr int kApron = 13;  // samples: as far as relief looks around
constexpr int kRowsForTwoLines = 9;

constexpr std::uint32_t kHatching = 0x15191f, kHatchingLine = 0x1e242c;
constexpr int kHatchingPeriod = 8, kHatchingWidth = 3;  // samples
constexpr double kBorderStrength = 0.35;

constexpr std::uint32_t kBar = 0x14171c, kBox = 0x1b1f26;
constexpr std::uint32_t kBright = 0xe8eaee, kDim = 0x8b929e, kAccent = 0xf2c14e, kGood = 0x6fcf7f,
                        kBad = 0xef6f5e;
constexpr std::uint32_t kViewerInk = 0xffffff, kViewerPaper = 0xc8321f;
constexpr char32_t kHalfBlock = U'▀';

std::uint32_t pixel(const Picture& picture, int x, int y) {
  const std::uint8_t* const at = picture.rgb.data() + (std::ptrdiff_t{y} * picture.width + x) * 3;
  return std::uint32_t{at[0]} << 16 | std::uint32_t{at[1]} << 8 | at[2];
}

void append_pixel(Picture& picture, std::uint32_t rgb) {
  for (const int shift : {16, 8, 0})
    picture.rgb.push_back(static_cast<std::uint8_t>(rgb >> shift & 255));
}

/// Fixed to the land, so that it passes by like the rest.
std::uint32_t hatching(std::int64_t x, std::int64_t y) {
  const std::int64_t along = x + y;
  return along - floor_div(along, kHatchingPeriod) * kHatchingPeriod < kHatchingWidth
             ? kHatchingLine
             : kHatching;
}

char32_t arrow(Heading heading) {
  constexpr std::array<std::array<char32_t, 3>, 3> kArrows{
      {{U'◤', U'▲', U'◥'}, {U'◀', U'●', U'▶'}, {U'◣', U'▼', U'◢'}}};
  const int row = heading.y + 1, column = heading.x + 1;
  return kArrows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
}

struct Field {
  std::string text;
  std::uint32_t foreground = kBright;
};

/// Fields one after another, as many as fit.
void write_fields(Screen& screen, int row, const std::vector<Field>& fields, int last_column) {
  constexpr int kGap = 3;
  int column = 1;
  for (const Field& field : fields) {
    if (field.text.empty()) continue;
    if (column + text_width(field.text) > last_column) return;
    column = write_text(screen, column, row, field.text, field.foreground, kBar) + kGap;
  }
}

std::vector<Field> place_fields(const ExploreStatus& status) {
  return {{position(status.block)},
          {status.biome.empty() ? "…" : status.biome, kAccent},
          {status.height, kBright},
          {status.pace, kDim}};
}

std::vector<Field> view_fields(const ExploreStatus& status) {
  std::string chunks = std::to_string(status.chunks.present);
  chunks.append("/").append(std::to_string(status.chunks.wanted)).append(" chunks");
  return {
      {status.connected ? "●" : "○ " + status.connection, status.connected ? kGood : kBad},
      {std::string(status.style).append(" at lod ").append(std::to_string(status.lod)), kBright},
      {chunks, status.chunks.present == status.chunks.wanted ? kDim : kAccent},
      {rounded(status.chunks_per_s, 0) + " chunks/s", kDim},
      {status.first_ms > 0
           ? "underfoot in " + rounded(status.first_ms, status.first_ms < 10 ? 1 : 0) + " ms"
           : "",
       kDim}};
}

void draw_status(Screen& screen, const ExploreControls& controls, const ExploreStatus& status) {
  const int lines = status_rows(screen.rows);
  const int last = screen.rows - 1;
  for (int row = screen.rows - lines; row < screen.rows; ++row) {
    write_text(screen, 0, row, std::string(static_cast<std::size_t>(screen.columns), ' '), kBright,
               kBar);
  }
  if (controls.prompt) {
    const int column = write_text(screen, 1, last, "to X,Y: ", kAccent, kBar);
    const int end = write_text(screen, column, last, *controls.prompt, kBright, kBar);
    write_text(screen, end, last, "▏", kAccent, kBar);
  } else if (!controls.notice.empty()) {
    write_text(screen, 1, last, controls.notice, kBad, kBar);
  }
  const bool last_is_free = !controls.prompt && controls.notice.empty();
  if (lines == 1 && !last_is_free) return;
  constexpr std::string_view kHint = "? help";
  const int hint = screen.columns - text_width(kHint) - 1;
  write_fields(screen, screen.rows - lines, place_fields(status),
               lines == 1 ? screen.columns : screen.columns - 1);
  if (lines == 1 || !last_is_free) return;
  write_fields(screen, last, view_fields(status), hint - 1);
  write_text(screen, hint, last, kHint, kDim, kBar);
}

/// The keys, in a box in the middle; in a small window as much of it as there is room for.
void draw_help(Screen& screen) {
  int keys = 0, words = 0;
  for (const KeyHelp& line : kExploreHelp) {
    keys = std::max(keys, text_width(line.keys));
    words = std::max(words, text_width(line.what));
  }
  const int width = std::min(keys + words + 8, screen.columns);
  const int height = std::min(static_cast<int>(kExploreHelp.size()) + 2, screen.rows);
  const int left = (screen.columns - width) / 2,
            top = (screen.rows - status_rows(screen.rows) - height) / 2;
  for (int row = 0; row < height; ++row) {
    write_text(screen, left, std::max(0, top) + row,
               std::string(static_cast<std::size_t>(width), ' '), kBright, kBox);
  }
  const bool roomy = width == keys + words + 8;
  const int margin = roomy ? 3 : 1;
  int row = std::max(0, top) + (height > static_cast<int>(kExploreHelp.size()) ? 1 : 0);
  for (const KeyHelp& line : kExploreHelp) {
    if (row >= screen.rows) return;
    const int end = write_text(screen, left + margin, row, line.keys, kAccent, kBox);
    write_text(screen, roomy ? left + margin + keys + 2 : end + 1, row, line.what, kBright, kBox);
    ++row;
  }
}

}  // namespace

int status_rows(int rows) { return rows < kRowsForTwoLines ? 1 : 2; }

SampleRectangle window_samples(int columns, int rows, BlockPos middle, Lod lod) {
  const int map_rows = std::max(0, rows - status_rows(rows));
  return {(middle.x >> lod) - columns / 2, (middle.y >> lod) - map_rows / 2 * 2, columns,
          map_rows * 2};
}

SampleRectangle with_apron(const SampleRectangle& window) {
  return {window.x - kApron, window.y - kApron, window.width + 2 * kApron,
          window.height + 2 * kApron};
}

double Exposure::follow(double wanted, bool anew) {
  constexpr double kShare = 0.04;  // of the way, with each drawing
  now_ = anew ? wanted : now_ + (wanted - now_) * kShare;
  return now_;
}

Picture draw_window(const MapGrid& grid, const SampleRectangle& window, double exaggeration,
                    int border, ColorDepth depth) {
  const Picture land = grid.draw(exaggeration);
  Picture out{window.width, window.height, {}};
  out.rgb.reserve(static_cast<std::size_t>(window.width) * static_cast<std::size_t>(window.height) *
                  3);
  const auto on_border = [border](std::int64_t at) {
    return border > 0 && floor_div(at, border) * border == at;
  };
  for (int y = 0; y < window.height; ++y) {
    for (int x = 0; x < window.width; ++x) {
      const std::int64_t at_x = window.x + x, at_y = window.y + y;
      const bool there = grid.covers(x + kApron, y + kApron);
      std::uint32_t rgb = there ? pixel(land, x + kApron, y + kApron) : hatching(at_x, at_y);
      if (on_border(at_x) || on_border(at_y)) {
        rgb = to_rgb(mix(from_rgb(rgb), from_rgb(there ? 0x000000 : kDim), kBorderStrength));
      }
      append_pixel(out, depth == ColorDepth::k256 && there ? dithered(rgb, at_x, at_y) : rgb);
    }
  }
  return out;
}

std::string height_words(const SeenChunks::GroundSample& ground, const World& world) {
  if (ground.water_q4 > ground.height_q4) {
    return "in water, " + rounded((ground.water_q4 - ground.height_q4) / 16.0, 1) + " deep";
  }
  const double above_sea = (ground.height_q4 - world.sea_level_q4) / 16.0;
  return rounded(std::abs(above_sea), 1) + (above_sea < 0 ? " below the sea" : " above the sea");
}

Screen draw_screen(int columns, int rows, const Picture& map, const ExploreControls& controls,
                   const ExploreStatus& status) {
  Screen screen(columns, rows);
  const int map_rows = std::min(rows, map.height / 2);
  for (int row = 0; row < map_rows; ++row) {
    for (int column = 0; column < std::min(columns, map.width); ++column) {
      const std::uint32_t upper = pixel(map, column, 2 * row),
                          lower = pixel(map, column, 2 * row + 1);
      screen.at(column, row) =
          upper == lower ? Cell{U' ', 0, lower} : Cell{kHalfBlock, upper, lower};
    }
  }
  if (map_rows > 0)
    screen.at(columns / 2, map_rows / 2) = {arrow(controls.walker.heading()), kViewerInk,
                                            kViewerPaper};
  draw_status(screen, controls, status);
  if (controls.help) draw_help(screen);
  return screen;
}

}  // namespace terrane::cli
