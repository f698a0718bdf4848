#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/explorer.h"

/// Recorded conversations of Explore in their text form: README.md defines it.
namespace terrane::golden {

using Milliseconds = std::chrono::milliseconds;

/// A line: at a time, something happens. "120 > 0a1b" is {120 ms, ">", "0a1b"}.
struct Event {
  Milliseconds at{0};
  std::string what;
  std::string details;

  friend bool operator==(const Event&, const Event&) = default;
};

/// What all of a conversation is about.
struct Setting {
  std::string name, title;
  ExploreOptions options;
  Milliseconds delay{10};               // that a message is on its way, in either direction
  std::chrono::nanoseconds took{1000};  // to decode a chunk
  bool client_replays = true;           // false: this side says what no client of ours says
  bool server_replays = true;
};

struct Conversation {
  Setting setting;
  std::vector<Event> events;
};

[[nodiscard]] std::string to_hex(std::string_view bytes);
[[nodiscard]] std::string from_hex(std::string_view hex);

/// "0/-3,4": the tile (-3, 4) of lod 0.
[[nodiscard]] std::string to_text(const Tile& tile);
[[nodiscard]] Tile to_tile(std::string_view text);

/// "8 8 0 0 0 0": x, y, velocity_x, velocity_y, direction_x, direction_y.
[[nodiscard]] std::string to_text(const Pose& pose);
[[nodiscard]] Pose to_pose(const std::string& text);

/// With a comment above each message that shows its fields.
[[nodiscard]] std::string write(const Conversation& conversation);
[[nodiscard]] Conversation read(const std::string& text);

}  // namespace terrane::golden
