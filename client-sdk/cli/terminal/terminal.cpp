#include "cli/terminal/terminal.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace terrane::cli {
namespace {

// The other screen, without a cursor; no wrapping, or a character in the last corner would scroll.
constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J";
// Cleared first: tmux puts a part of a window that has grown meanwhile onto the screen before.
constexpr std::string_view kLeave = "\x1b[?2026l\x1b[0m\x1b[2J\x1b[H\x1b[?7h\x1b[?25h\x1b[?1049l";

/// All of it. @return whether that went well
bool write_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(to, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd ready{to, POLLOUT, 0};
      ::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

tl::unexpected<Error> gone() { return fail(ErrorCode::kUnavailable, "the terminal is gone"); }

}  // namespace

Result<void> Terminal::check(int input, int output) {
  const char* const which = isatty(input) != 1    ? "standard input"
                            : isatty(output) != 1 ? "standard output"
                                                  : nullptr;
  if (which == nullptr) return {};
  return fail(
      ErrorCode::kInvalidArgument,
      std::string(which) + " is not a terminal: run it in a terminal's window, not in a pipe");
}

Terminal::Terminal(int input, int output, Interrupt& interrupt)
    : input_(input), output_(output), interrupt_(interrupt) {
  tcgetattr(input_, &before_);
  interrupt_.before_exit([this] { restore(); });
  termios raw = before_;
  cfmakeraw(&raw);
  tcsetattr(input_, TCSAFLUSH, &raw);
  write_all(output_, kEnter);
}

Terminal::~Terminal() {
  interrupt_.before_exit({});
  restore();
}

void Terminal::restore() const {
  write_all(output_, kLeave);
  tcsetattr(input_, TCSAFLUSH, &before_);  // keys that nobody has read are not for the shell
}

ScreenSize Terminal::size() const {
  winsize window = {};
  if (ioctl(output_, TIOCGWINSZ, &window) != 0 || window.ws_col == 0 || window.ws_row == 0)
    return {80, 24};
  return {window.ws_col, window.ws_row};
}

Result<std::string> Terminal::read(std::chrono::milliseconds timeout) {
  pollfd ready{input_, POLLIN, 0};
  if (::poll(&ready, 1, static_cast<int>(timeout.count())) <= 0) return std::string();
  std::array<char, 256> bytes;
  const ssize_t count = ::read(input_, bytes.data(), bytes.size());
  if (count > 0) return std::string(bytes.data(), static_cast<std::size_t>(count));
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return std::string();
  return gone();
}

Result<void> Terminal::show(Screen screen, ColorDepth depth) {
  const std::string bytes = changes(shown_, screen, depth);
  // or the rest of a frame would follow what restores the terminal
  const MutexLock no_signals(interrupt_.exit_mutex());
  if (!write_all(output_, bytes)) return gone();
  shown_ = std::move(screen);
  return {};
}

ColorDepth color_depth(const char* colorterm) {
  const std::string_view value = colorterm == nullptr ? "" : colorterm;
  return value == "truecolor" || value == "24bit" ? ColorDepth::kTrue : ColorDepth::k256;
}

}  // namespace terrane::cli
