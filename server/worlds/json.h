#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/result.h"

namespace terrane::worlds {

/// A value of a JSON text, and where it stands: an error can then tell a designer the line.
struct JsonValue {
  enum class Kind : std::uint8_t { kNull, kBoolean, kNumber, kString, kList, kObject };

  Kind kind = Kind::kNull;
  int line = 1;          // where it begins
  bool boolean = false;  // of a boolean
  double number = 0;     // of a number: finite
  // of a string: UTF-8 without control characters but \n and \t; of a number: as it was written
  std::string text;
  std::vector<JsonValue> items;    // of a list or an object
  std::vector<std::string> names;  // of an object: names[i] is that of items[i]; repeats are kept
};

/// Reads JSON as RFC 8259 has it, and nothing more: no comments, trailing commas, NaN or single
/// quotes. A byte order mark may come first. Errors: kInvalidArgument with line, column (in bytes)
/// and what was found; also for text that is not UTF-8, for control characters, and for lists and
/// objects more than 32 deep. Threads: any. Blocks: no. Takes memory in proportion to the text.
[[nodiscard]] Result<JsonValue> parse_json(std::string_view text);

}  // namespace terrane::worlds
