#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace terrane::cli {

/// What a key press means to a program.
enum class KeyCode : std::uint8_t {
  kCharacter,  // Key::character says which
  kUp,
  kDown,
  kLeft,
  kRight,
  kEnter,
  kTab,
  kBackTab,
  kBackspace,
  kEscape,
  kInterrupt,  // Ctrl-C
  kUnknown,    // whatever else a terminal sends
};

struct Key {
  KeyCode code = KeyCode::kUnknown;
  char character = 0;
  bool shift = false;  // of arrows; a shifted letter is a capital

  friend bool operator==(const Key&, const Key&) = default;
};

/// Takes the first key off the bytes that a terminal has sent.
/// @param input  is left at the byte after the key
/// @param all    no more bytes are about to come: an escape that could begin a sequence is the
///   Escape key
/// @return nullopt when there is none, or not yet the whole of it; `input` is as it was then
[[nodiscard]] std::optional<Key> take_key(std::string_view& input, bool all);

}  // namespace terrane::cli
