#include "cli/terminal/keys.h"

#include <cstddef>

namespace terrane::cli {
namespace {

constexpr char kEscapeByte = '\x1b';

bool is_final(char byte) { return byte >= '@' && byte <= '~'; }

KeyCode arrow(char final_byte) {
  switch (final_byte) {
    case 'A': return KeyCode::kUp;
    case 'B': return KeyCode::kDown;
    case 'C': return KeyCode::kRight;
    case 'D': return KeyCode::kLeft;
    case 'Z': return KeyCode::kBackTab;
    default: return KeyCode::kUnknown;
  }
}

/// A modifier is one more than a sum of 1 shift, 2 alt, 4 control: "1;2" before an arrow's letter.
bool has_shift(std::string_view parameters) {
  const std::size_t semicolon = parameters.find(';');
  if (semicolon == std::string_view::npos || semicolon + 2 != parameters.size()) return false;
  const char modifier = parameters[semicolon + 1];
  return modifier >= '1' && modifier <= '8' && ((modifier - '1') & 1) != 0;
}

/// `length` bytes make one key.
struct Sequence {
  Key key;
  std::size_t length = 0;  // 0: its end has not come
};

/// ESC [ parameters letter; ESC O letter is the same from terminals in application mode.
Sequence control_sequence(std::string_view input) {
  std::size_t end = 2;
  if (input[1] == '[') {
    while (end < input.size() && input[end] >= ' ' && !is_final(input[end])) ++end;
  }
  if (end >= input.size()) return {};
  // cut short by something else, which is a key of its own
  if (!is_final(input[end])) return {{}, end};
  return {{arrow(input[end]), 0, has_shift(input.substr(2, end - 2))}, end + 1};
}

Sequence escape(std::string_view input, bool all) {
  if (input.size() == 1) return {{KeyCode::kEscape}, std::size_t{all ? 1u : 0u}};
  if (input[1] == '[' || input[1] == 'O') {
    const Sequence found = control_sequence(input);
    if (found.length > 0) return found;
    return {{}, all ? input.size() : 0};
  }
  if (input[1] == kEscapeByte) return {{KeyCode::kEscape}, 1};
  return {{}, 2};  // Alt and a letter
}

/// Bytes of a character that is not ASCII, as far as they are there.
std::size_t utf8_length(std::string_view input) {
  std::size_t length = 1;
  while (length < input.size() && (static_cast<unsigned char>(input[length]) & 0xc0) == 0x80)
    ++length;
  return length;
}

Sequence plain(std::string_view input) {
  switch (input.front()) {
    case '\r':
    case '\n': return {{KeyCode::kEnter}, 1};
    case '\t': return {{KeyCode::kTab}, 1};
    case '\x03': return {{KeyCode::kInterrupt}, 1};
    case '\b':
    case '\x7f': return {{KeyCode::kBackspace}, 1};
    default: break;
  }
  if (static_cast<unsigned char>(input.front()) >= 0x80) return {{}, utf8_length(input)};
  if (input.front() < ' ') return {{}, 1};
  return {{KeyCode::kCharacter, input.front()}, 1};
}

}  // namespace

std::optional<Key> take_key(std::string_view& input, bool all) {
  if (input.empty()) return std::nullopt;
  const Sequence found = input.front() == kEscapeByte ? escape(input, all) : plain(input);
  if (found.length == 0) return std::nullopt;
  input.remove_prefix(found.length);
  return found.key;
}

}  // namespace terrane::cli
