#pragma once

#include <termios.h>

#include <chrono>
#include <string>
#include <string_view>

#include "cli/terminal/interrupt.h"
#include "cli/terminal/screen.h"
#include "terrane/result.h"

namespace terrane::cli {

/// A terminal's window, all of it, while this object lives: keys come one by one, the cursor is
/// hidden, what stood there before is put aside. Brought back by the destructor, and by Interrupt
/// when a signal ends the process. Threads: one at a time.
class Terminal {
 public:
  /// @param input, output  file descriptors; they and `interrupt` outlive this
  /// Errors: kInvalidArgument when one of them is no terminal.
  [[nodiscard]] static Result<void> check(int input, int output);
  /// After check().
  Terminal(int input, int output, Interrupt& interrupt);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// As it is now; 80 x 24 where the terminal does not say.
  [[nodiscard]] ScreenSize size() const;

  /// What was typed. Blocks: until there is something, at most for `timeout`.
  /// Errors: kUnavailable when the terminal is gone.
  [[nodiscard]] Result<std::string> read(std::chrono::milliseconds timeout);

  /// Shows a screen: sends what differs from the one before. Blocks: while the terminal takes it
  /// in. Errors: kUnavailable when the terminal is gone.
  Result<void> show(Screen screen, ColorDepth depth);

 private:
  void restore() const;

  const int input_, output_;
  Interrupt& interrupt_;
  termios before_ = {};
  Screen shown_;
};

/// The colours that the terminal of this environment shows, by its variable COLORTERM.
/// @param colorterm  its value, or null
[[nodiscard]] ColorDepth color_depth(const char* colorterm);

}  // namespace terrane::cli
