#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

#include "cli/admin/top_view.h"
#include "cli/commands.h"
#include "cli/terminal/keys.h"
#include "cli/terminal/terminal.h"
#include "terrane/admin.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct TopOptions {
  double interval_s = 1;
  bool once = false;
  ScreenSize size{80, 24};
};

/// Whether somebody has typed that it is enough, within the time.
Result<bool> is_ended(Terminal& terminal, Clock::time_point until) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return false;
    TERRANE_ASSIGN_OR_RETURN(const auto bytes, terminal.read(left));
    std::string_view rest = bytes;
    while (const auto key = take_key(rest, true)) {
      if (key->code == KeyCode::kInterrupt || key->code == KeyCode::kEscape ||
          key->character == 'q')
        return true;
    }
  }
}

Result<void> run(const GlobalOptions& globals, const TopOptions& options, Interrupt& interrupt) {
  const std::chrono::duration<double> interval(options.interval_s);
  const auto step = std::chrono::duration_cast<Clock::duration>(interval);
  const ColorDepth depth = color_depth(std::getenv("COLORTERM"));
  if (!options.once) {
    if (const auto terminal = Terminal::check(STDIN_FILENO, STDOUT_FILENO); !terminal) {
      return fail(terminal.error().code, terminal.error().message +
                                             "; --once prints what it would show, terrane stats "
                                             "what there is since the start");
    }
  }
  TERRANE_ASSIGN_OR_RETURN(const auto admin, Admin::connect(client_options(globals)));
  TERRANE_ASSIGN_OR_RETURN(auto before, admin.stats());
  if (options.once) {
    std::this_thread::sleep_for(interval);
    TERRANE_ASSIGN_OR_RETURN(const auto now, admin.stats());
    std::cout << as_lines(
        draw_top(options.size.columns, options.size.rows, before, now, globals.server), depth);
    return {};
  }
  Terminal terminal(STDIN_FILENO, STDOUT_FILENO, interrupt);
  ServerStats now = before;
  for (auto next = Clock::now();;) {
    const ScreenSize size = terminal.size();
    TERRANE_RETURN_IF_ERROR(
        terminal.show(draw_top(size.columns, size.rows, before, now, globals.server), depth));
    next = std::max(next + step, Clock::now());
    TERRANE_ASSIGN_OR_RETURN(const bool ended, is_ended(terminal, next));
    if (ended) return {};
    before = std::move(now);
    TERRANE_ASSIGN_OR_RETURN(now, admin.stats());
  }
}

}  // namespace

void add_top(CommandLine& line, const GlobalOptions& globals, Interrupt& interrupt) {
  auto options = std::make_shared<TopOptions>();
  FlagSet command =
      line.add_command("top", "What the server does now, live in the terminal, for administrators");
  command.add("--interval", options->interval_s, "Seconds between two looks")
      .within_numbers(0.1, 3600)
      .shows_default();
  command.add("--once", options->once, "Print one look, as text with colours");
  command.add_parsed("--size", options->size, parse_screen_size, "Of the text")
      .type_name("COLUMNSxROWS")
      .shows_default("80x24");
  command.footer("q ends. Rates and times are those between two looks.");
  command.runs([options, &globals, &interrupt] { return run(globals, *options, interrupt); });
}

}  // namespace terrane::cli
