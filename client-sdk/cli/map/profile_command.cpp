#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/map/profile.h"
#include "cli/terminal/text.h"
#include "cli/whole_file.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

constexpr int kLargestSide = 8192;
constexpr int kPlotRows = 24;

struct ProfileOptions {
  std::int64_t from = 0, to = 0, y = 0;
  std::string out;
  int width = 1024, height = 0;
};

Result<void> check_row(const ProfileOptions& options) {
  if (options.from >= options.to) {
    return fail(ErrorCode::kInvalidArgument, "--to: " + std::to_string(options.to) +
                                                 " must be greater than --from, " +
                                                 std::to_string(options.from));
  }
  const std::int64_t farthest = max_block_coord(kMaxChunkSize);
  for (const std::int64_t at : {options.from, options.to, options.y}) {
    if (at < -farthest || at > farthest) {
      return fail(ErrorCode::kInvalidArgument, "profile: " + std::to_string(at) +
                                                   " lies outside of every world, +-" +
                                                   std::to_string(farthest));
    }
  }
  return {};
}

/// Columns of the terminal, or 80 where there is none.
int terminal_columns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

Result<void> write_picture(const Session& session, const ProfileOptions& options,
                           const std::vector<PointSample>& samples, Interrupt& interrupt) {
  const Picture picture =
      draw_profile(session.world, samples,
                   options.height > 0 ? options.height : std::max(options.width / 4, 64));
  TERRANE_ASSIGN_OR_RETURN(const auto png, encode_png(picture));
  TERRANE_RETURN_IF_ERROR(write_whole_file(options.out, png, interrupt));
  const HeightSpan span = extremes_of(session.world, samples);
  std::cout << options.out << ": " << picture.width << " x " << picture.height << " pixels, blocks "
            << options.from << " to " << options.to << " at y " << options.y << ", heights "
            << blocks(span.low_q4) << " to " << blocks(span.high_q4) << '\n';
  return {};
}

Result<void> run(const GlobalOptions& globals, const ProfileOptions& options,
                 Interrupt& interrupt) {
  const bool picture = !options.out.empty();
  if (picture) {
    TERRANE_RETURN_IF_ERROR(check_writable(options.out));
  }
  TERRANE_ASSIGN_OR_RETURN(const auto session, Session::open(globals));
  const int columns = picture ? options.width : std::max(terminal_columns() - kProfileMargin, 1);
  TERRANE_ASSIGN_OR_RETURN(
      const auto samples,
      session.client.sample(session.ref,
                            profile_blocks(options.from, options.to, options.y, columns)));
  if (picture) return write_picture(session, options, samples, interrupt);
  const int rows = options.height > 0 ? options.height : kPlotRows;
  std::cout << plot_profile(session.world, samples, options.from, options.to, rows);
  return {};
}

}  // namespace

void add_profile(CommandLine& line, const GlobalOptions& globals, Interrupt& interrupt) {
  auto options = std::make_shared<ProfileOptions>();
  FlagSet command =
      line.add_command("profile", "Draws the land seen from the side, along a row of blocks");
  command.add("--from", options->from, "First block's x").required().type_name("X");
  command.add("--to", options->to, "Last block's x").required().type_name("X");
  command.add("--y", options->y, "The row's y").type_name("Y").shows_default();
  command
      .add("--out", options->out,
           "PNG file to write; without it the profile is printed as text, as wide as the terminal")
      .type_name("FILE.png");
  command.add("--width", options->width, "Width of the picture")
      .type_name("PIXELS")
      .within(16, kLargestSide)
      .shows_default();
  command
      .add("--height", options->height,
           "Height of the picture in pixels, or of the text in lines; default: a quarter of "
           "the width, or 24 lines")
      .type_name("N")
      .within(2, kLargestSide);
  command.footer(
      "In text, # is ground and ~ is water; the numbers before the rows are heights in blocks.\n"
      "Heights are stretched to fill the plot.\n"
      "\n"
      "Examples: terrane --world skyline profile --from 0 --to 4000\n"
      "          terrane profile --from -20000 --to 20000 --y 500 --out profile.png");
  command.runs([=, &globals, &interrupt] { return run(globals, *options, interrupt); },
               [options] { return check_row(*options); });
}

}  // namespace terrane::cli
