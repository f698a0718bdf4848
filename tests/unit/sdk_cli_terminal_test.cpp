#include <gtest/gtest.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "cli/terminal/keys.h"
#include "cli/terminal/screen.h"
#include "cli/terminal/terminal.h"

namespace terrane::cli {
namespace {

std::vector<Key> keys_of(std::string_view bytes) {
  std::vector<Key> keys;
  while (const auto key = take_key(bytes, true)) keys.push_back(*key);
  EXPECT_TRUE(bytes.empty());
  return keys;
}

TEST(terminal_keys, arrows_come_in_both_of_their_spellings_and_with_shift) {
  EXPECT_EQ(keys_of("\x1b[A\x1bOB\x1b[1;2C\x1b[1;6D\x1b[1;3A"),
            (std::vector<Key>{{KeyCode::kUp},
                              {KeyCode::kDown},
                              {KeyCode::kRight, 0, true},
                              {KeyCode::kLeft, 0, true},
                              {KeyCode::kUp}}));
}

TEST(terminal_keys, letters_and_control_keys_are_told_apart) {
  EXPECT_EQ(keys_of("kK\r\t\x7f\x03\x1b[Z"), (std::vector<Key>{{KeyCode::kCharacter, 'k'},
                                                               {KeyCode::kCharacter, 'K'},
                                                               {KeyCode::kEnter},
                                                               {KeyCode::kTab},
                                                               {KeyCode::kBackspace},
                                                               {KeyCode::kInterrupt},
                                                               {KeyCode::kBackTab}}));
}

TEST(terminal_keys, an_escape_is_a_key_only_when_nothing_follows_it) {
  std::string_view bytes = "\x1b";
  EXPECT_FALSE(take_key(bytes, false));
  EXPECT_EQ(bytes.size(), 1u) << "kept for later";
  EXPECT_EQ(take_key(bytes, true), Key{KeyCode::kEscape});
  EXPECT_EQ(keys_of("\x1b\x1b"), (std::vector<Key>{{KeyCode::kEscape}, {KeyCode::kEscape}}));
}

TEST(terminal_keys, a_sequence_may_come_in_pieces) {
  const std::string whole = "\x1b[1;2A";
  for (std::size_t length = 1; length < whole.size(); ++length) {
    std::string_view part = std::string_view(whole).substr(0, length);
    EXPECT_FALSE(take_key(part, false)) << length;
    EXPECT_EQ(part.size(), length);
  }
  std::string_view all = whole;
  EXPECT_EQ(take_key(all, false), (Key{KeyCode::kUp, 0, true}));
}

TEST(terminal_keys, what_is_not_known_is_one_key_and_not_a_row_of_letters) {
  for (const char* bytes :
       {"\x1b[15~", "\x1b[200~", "\x1b[<0;10;20M", "\x1bOP", "\x1bq", "ä", "€", "🗺", "\x01"}) {
    EXPECT_EQ(keys_of(bytes), std::vector<Key>{Key{}}) << bytes;
  }
}

TEST(terminal_keys, every_row_of_bytes_ends) {
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    constexpr std::string_view kAlphabet = "\x1b\x1b[[O;12AZ~q\x80\xc3\x03";
    std::string bytes;
    for (std::size_t length = random() % 12; length > 0; --length)
      bytes += kAlphabet[random() % kAlphabet.size()];
    keys_of(bytes);
  }
}

/// A terminal that understands what changes() sends; anything else fails the test.
class Emulator {
 public:
  Emulator(int columns, int rows) : screen_(columns, rows) {}

  void receive(std::string_view bytes) {
    while (!bytes.empty()) {
      if (bytes.front() == '\x1b') {
        control(bytes);
      } else {
        glyph(bytes);
      }
    }
  }

  [[nodiscard]] const Screen& screen() const { return screen_; }
  void resize(int columns, int rows) { screen_ = Screen(columns, rows); }

 private:
  void glyph(std::string_view& bytes) {
    ASSERT_LT(column_, screen_.columns) << "written past the right edge";
    std::size_t length = 1;
    while (length < bytes.size() && (bytes[length] & 0xc0) == 0x80) ++length;
    Screen one(1, 1);
    write_text(one, 0, 0, bytes.substr(0, length), foreground_, background_);
    screen_.at(column_++, row_) = one.at(0, 0);
    bytes.remove_prefix(length);
  }

  void control(std::string_view& bytes) {
    ASSERT_EQ(bytes.substr(0, 2), "\x1b[");
    const std::size_t end = bytes.find_first_of("HJhlm");
    ASSERT_NE(end, std::string_view::npos);
    std::vector<int> numbers;
    const bool is_private = bytes[2] == '?';
    for (std::size_t i = is_private ? 3 : 2; i < end; ++i) {
      if (numbers.empty() || bytes[i] == ';') numbers.push_back(0);
      if (bytes[i] != ';') numbers.back() = numbers.back() * 10 + (bytes[i] - '0');
    }
    const char what = bytes[end];
    bytes.remove_prefix(end + 1);
    if (what == 'H') {
      row_ = numbers.at(0) - 1;
      column_ = numbers.at(1) - 1;
    } else if (what == 'J') {
      screen_ = Screen(screen_.columns, screen_.rows);
    } else if (what == 'm' && numbers.size() == 5) {
      const auto rgb = static_cast<std::uint32_t>(numbers[2] << 16 | numbers[3] << 8 | numbers[4]);
      (numbers[0] == 38 ? foreground_ : background_) = rgb;
    } else if (what == 'm') {
      ASSERT_EQ(numbers, std::vector<int>{0});
      foreground_ = background_ = 0;
    } else {
      ASSERT_TRUE(is_private);
    }
  }

  Screen screen_;
  int column_ = 0, row_ = 0;
  std::uint32_t foreground_ = 0, background_ = 0;
};

/// What the eye sees: the foreground of a space is nothing.
std::vector<Cell> visible(const Screen& screen) {
  std::vector<Cell> cells = screen.cells;
  for (Cell& cell : cells) {
    if (cell.glyph == U' ') cell.foreground = 0;
  }
  return cells;
}

TEST(terminal_screen, a_terminal_that_gets_the_changes_shows_the_screen) {
  std::mt19937 random(3);
  constexpr std::array<char32_t, 5> kGlyphs{U' ', U'a', U'é', U'▀', U'🗺'};
  constexpr std::array<std::uint32_t, 3> kColors{0, 0x400301, 0xffffff};
  Emulator terminal(1, 1);
  Screen before;
  for (int frame = 0; frame < 300; ++frame) {
    Screen after = before;
    if (frame % 50 == 0) {
      after = Screen(static_cast<int>(1 + random() % 30), static_cast<int>(1 + random() % 12));
      terminal.resize(after.columns, after.rows);
    }
    for (Cell& cell : after.cells) {
      if (random() % 4 == 0)
        cell = {kGlyphs[random() % kGlyphs.size()], kColors[random() % 3], kColors[random() % 3]};
    }
    terminal.receive(changes(before, after, ColorDepth::kTrue));
    ASSERT_EQ(visible(terminal.screen()), visible(after)) << frame;
    before = after;
  }
}

TEST(terminal_screen, what_has_not_changed_is_not_sent) {
  Screen before(200, 50);
  EXPECT_EQ(changes(before, before, ColorDepth::kTrue), "");
  Screen after = before;
  after.at(100, 20) = {U'x', 0xffffff, 0};
  const std::string sent = changes(before, after, ColorDepth::kTrue);
  EXPECT_NE(sent.find("\x1b[21;101H"), std::string::npos);
  EXPECT_LT(sent.size(), 100u);
}

TEST(terminal_screen, a_colour_is_said_once_for_a_run_of_cells) {
  Screen after(100, 1);
  for (int column = 0; column < 100; ++column) after.at(column, 0) = {U'▀', 0x112233, 0x445566};
  EXPECT_LT(changes(Screen(), after, ColorDepth::kTrue).size(), 400u);
}

TEST(terminal_screen, the_shared_256_colours_are_found_and_others_go_to_a_near_one) {
  EXPECT_EQ(nearest_of_256(0x000000), 16);
  EXPECT_EQ(nearest_of_256(0xffffff), 231);
  EXPECT_EQ(nearest_of_256(0xff0000), 196);
  EXPECT_EQ(nearest_of_256(0x5f87af), 67);
  EXPECT_EQ(nearest_of_256(0x080808), 232);
  EXPECT_EQ(nearest_of_256(0xeeeeee), 255);
  EXPECT_EQ(nearest_of_256(0xfe0203), 196);
  Screen screen(1, 1);
  screen.at(0, 0) = {U'x', 0xff0000, 0x0000ff};
  EXPECT_NE(changes(Screen(), screen, ColorDepth::k256).find("\x1b[38;5;196m\x1b[48;5;21mx"),
            std::string::npos);
}

TEST(terminal_screen, lines_for_a_pipe_hold_the_text) {
  Screen screen(3, 2);
  write_text(screen, 0, 0, "añb", 0xffffff, 0);
  const std::string lines = as_lines(screen, ColorDepth::kTrue);
  EXPECT_NE(lines.find("añb"), std::string::npos);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2);
  EXPECT_EQ(lines.find("\x1b[1;1H"), std::string::npos) << "no moves of the cursor";
}

TEST(terminal_screen, text_that_does_not_fit_is_cut) {
  Screen screen(4, 1);
  EXPECT_EQ(write_text(screen, 2, 0, "€uro", 1, 2), 6);
  EXPECT_EQ(screen.at(2, 0).glyph, U'€');
  EXPECT_EQ(screen.at(3, 0).glyph, U'u');
  write_text(screen, -2, 0, "abc", 1, 2);
  EXPECT_EQ(screen.at(0, 0).glyph, U'c');
  EXPECT_EQ(text_width("€uro…"), 5);
}

TEST(terminal_screen, sizes_are_read_and_wrong_ones_refused_with_the_limits) {
  const auto size = parse_screen_size("120x40");
  ASSERT_TRUE(size);
  EXPECT_EQ(size->columns, 120);
  EXPECT_EQ(size->rows, 40);
  for (const char* text : {"", "x", "80", "80x", "x24", "80X24", "80x24 ", "19x5", "20x4", "401x24",
                           "80x121", "99999999999x5"}) {
    const auto refused = parse_screen_size(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_NE(refused.error().message.find("20x5 to 400x120"), std::string::npos);
  }
}

TEST(terminal, colours_are_as_many_as_the_environment_says) {
  EXPECT_EQ(color_depth(nullptr), ColorDepth::k256);
  EXPECT_EQ(color_depth(""), ColorDepth::k256);
  EXPECT_EQ(color_depth("truecolor"), ColorDepth::kTrue);
  EXPECT_EQ(color_depth("24bit"), ColorDepth::kTrue);
}

/// A terminal of the kernel's: what the program writes to `inner` comes out of `outer`.
class Pty {
 public:
  Pty() {
    const winsize size{30, 100, 0, 0};
    EXPECT_EQ(openpty(&outer, &inner, nullptr, nullptr, &size), 0);
  }
  ~Pty() {
    close(inner);
    close(outer);
  }
  Pty(const Pty&) = delete;
  Pty& operator=(const Pty&) = delete;

  [[nodiscard]] std::string attributes() const {
    termios now = {};
    EXPECT_EQ(tcgetattr(inner, &now), 0);
    return std::string(reinterpret_cast<const char*>(&now), offsetof(termios, c_ispeed));
  }

  /// What has come out so far and until `end` has.
  std::string read_until(std::string_view end) const {
    std::string text;
    std::array<char, 4096> bytes;
    while (text.find(end) == std::string::npos) {
      const ssize_t count = read(outer, bytes.data(), bytes.size());
      if (count <= 0) break;
      text.append(bytes.data(), static_cast<std::size_t>(count));
    }
    return text;
  }

  int outer = -1, inner = -1;
};

constexpr const char* kOtherScreen = "\x1b[?1049h";
constexpr const char* kScreenBefore = "\x1b[?1049l";

TEST(terminal, takes_the_window_and_gives_it_back_as_it_was) {
  Pty pty;
  Interrupt interrupt;
  const std::string before = pty.attributes();
  {
    Terminal terminal(pty.inner, pty.inner, interrupt);
    EXPECT_NE(pty.attributes(), before);
    EXPECT_EQ(terminal.size().columns, 100);
    EXPECT_EQ(terminal.size().rows, 30);
    EXPECT_NE(pty.read_until(kOtherScreen).find(kOtherScreen), std::string::npos);
  }
  EXPECT_EQ(pty.attributes(), before);
  const std::string last = pty.read_until(kScreenBefore);
  EXPECT_NE(last.find("\x1b[?25h"), std::string::npos) << "the cursor is back";
}

TEST(terminal, keys_come_through_as_they_are_typed_control_c_among_them) {
  Pty pty;
  Interrupt interrupt;
  Terminal terminal(pty.inner, pty.inner, interrupt);
  ASSERT_EQ(write(pty.outer, "l\x03\r", 3), 3);
  std::string typed;
  while (typed.size() < 3) {
    const auto bytes = terminal.read(std::chrono::seconds(10));
    ASSERT_TRUE(bytes);
    ASSERT_FALSE(bytes->empty());
    typed += *bytes;
  }
  EXPECT_EQ(typed, "l\x03\r");
  EXPECT_EQ(*terminal.read(std::chrono::milliseconds(0)), "");
}

TEST(terminal, a_new_size_is_seen_and_drawn_anew) {
  Pty pty;
  Interrupt interrupt;
  Terminal terminal(pty.inner, pty.inner, interrupt);
  ASSERT_TRUE(terminal.show(Screen(4, 2), ColorDepth::kTrue));
  const winsize size{5, 20, 0, 0};
  ASSERT_EQ(ioctl(pty.outer, TIOCSWINSZ, &size), 0);
  EXPECT_EQ(terminal.size().columns, 20);
  EXPECT_EQ(terminal.size().rows, 5);
}

TEST(terminal, a_terminal_that_is_gone_is_an_error) {
  Pty pty;
  Interrupt interrupt;
  Terminal terminal(pty.inner, pty.inner, interrupt);
  close(pty.outer);
  pty.outer = -1;
  EXPECT_FALSE(terminal.read(std::chrono::seconds(10)));
  EXPECT_FALSE(terminal.show(Screen(4, 2), ColorDepth::kTrue));
}

TEST(terminal, a_pipe_is_no_terminal_and_is_told_which) {
  Pty pty;
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  EXPECT_TRUE(Terminal::check(pty.inner, pty.inner));
  EXPECT_NE(Terminal::check(ends[0], pty.inner).error().message.find("standard input"),
            std::string::npos);
  EXPECT_NE(Terminal::check(pty.inner, ends[1]).error().message.find("standard output"),
            std::string::npos);
  for (const int end : ends) close(end);
}

TEST(terminal, signals_that_end_the_process_give_the_window_back_first) {
  for (const int signal : {SIGTERM, SIGINT}) {
    Pty pty;
    const std::string before = pty.attributes();
    EXPECT_EXIT(
        {
          Interrupt interrupt;
          Terminal terminal(pty.inner, pty.inner, interrupt);
          kill(getpid(), signal);
          for (int frame = 0;; ++frame) {  // until it is ended
            Screen screen(40, 10);
            screen.at(frame % 40, 3).glyph = U'x';
            // as much as a pty holds
            if (frame < 20) static_cast<void>(terminal.show(screen, ColorDepth::kTrue));
            static_cast<void>(terminal.read(std::chrono::milliseconds(1)));
          }
        },
        testing::ExitedWithCode(128 + signal), "");
    EXPECT_EQ(pty.attributes(), before);
    const std::string shown = pty.read_until(kScreenBefore);
    EXPECT_EQ(shown.substr(shown.size() - std::strlen(kScreenBefore)), kScreenBefore)
        << "nothing is drawn after that";
  }
}

}  // namespace
}  // namespace terrane::cli
