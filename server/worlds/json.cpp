#include "worlds/json.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

#include "terrane/result_macros.h"
#include "terrane/utf8.h"

namespace terrane::worlds {
namespace {

using Kind = JsonValue::Kind;

constexpr int kMaxDepth = 32;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kDigits = "0123456789";

void append_utf8(std::string& text, std::uint32_t point) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (point >> shift & 0x3F)); };
  if (point < 0x80) {
    text += static_cast<char>(point);
  } else if (point < 0x800) {
    text += static_cast<char>(0xC0 | point >> 6);
    tail(0);
  } else if (point < 0x10000) {
    text += static_cast<char>(0xE0 | point >> 12);
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0 | point >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {
    if (text_.starts_with(kByteOrderMark)) line_start_ = at_ = kByteOrderMark.size();
  }

  Result<JsonValue> read_all() {
    skip_space();
    if (ended()) return wrong("the file is empty");
    TERRANE_ASSIGN_OR_RETURN(JsonValue value, read_value(0));
    skip_space();
    if (!ended()) return wrong(found() + " after the end; is a brace closed too early?");
    return value;
  }

 private:
  bool ended() const { return at_ == text_.size(); }
  char next() const { return ended() ? '\0' : text_[at_]; }
  bool take(char c) { return !ended() && text_[at_] == c && ++at_; }

  std::size_t take_any(std::string_view of) {
    const std::size_t start = at_;
    while (!ended() && of.find(next()) != of.npos) ++at_;
    return at_ - start;
  }

  void skip_space() {
    for (; !ended(); ++at_) {
      if (next() == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      } else if (next() != ' ' && next() != '\t' && next() != '\r') {
        return;
      }
    }
  }

  /// "found '}'", for a person.
  std::string found() const {
    if (ended()) return "the file ends";
    const auto c = static_cast<unsigned char>(next());
    if (c > 0x20 && c < 0x7F) return std::string("found '") + next() + "'";
    char text[32];
    std::snprintf(text, sizeof text, "found the byte 0x%02X", c);
    return text;
  }

  tl::unexpected<Error> wrong(const std::string& what) const {
    return fail(ErrorCode::kInvalidArgument, what + " (line " + std::to_string(line_) +
                                                 ", column " +
                                                 std::to_string(at_ - line_start_ + 1) + ")");
  }

  Result<JsonValue> read_value(int depth) {
    JsonValue value;
    value.line = line_;
    switch (next()) {
      case '{': return read_items(std::move(value), Kind::kObject, '}', depth + 1);
      case '[': return read_items(std::move(value), Kind::kList, ']', depth + 1);
      case '"': {
        value.kind = Kind::kString;
        TERRANE_ASSIGN_OR_RETURN(value.text, read_string());
        return value;
      }
      default: break;
    }
    for (const auto& [word, kind, truth] : {std::tuple{"true", Kind::kBoolean, true},
                                            {"false", Kind::kBoolean, false},
                                            {"null", Kind::kNull, false}}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += std::string_view(word).size();
      value.kind = kind;
      value.boolean = truth;
      return value;
    }
    if (next() == '-' || (kDigits.find(next()) != kDigits.npos && !ended()))
      return read_number(std::move(value));
    return wrong(found() + " where a value should begin: a number, \"text\", true, false, [ or {");
  }

  /// The rest of a list or an object.
  Result<JsonValue> read_items(JsonValue value, Kind kind, char end, int depth) {
    if (depth > kMaxDepth)
      return wrong("lists and objects are nested more than " + std::to_string(kMaxDepth) + " deep");
    value.kind = kind;
    ++at_;
    skip_space();
    if (take(end)) return value;
    for (;;) {
      if (kind == Kind::kObject) {
        TERRANE_ASSIGN_OR_RETURN(std::string name, read_name());
        value.names.push_back(std::move(name));
      }
      TERRANE_ASSIGN_OR_RETURN(JsonValue item, read_value(depth));
      value.items.push_back(std::move(item));
      const int value_ends = line_;
      skip_space();
      if (take(end)) return value;
      if (!take(',')) {
        return wrong(found() + " where ',' or '" + end +
                     "' should follow the value that ends in line " + std::to_string(value_ends));
      }
      skip_space();
      if (next() == end)
        return wrong("found '" + std::string(1, end) + "' after a comma: one of them is too many");
    }
  }

  /// A field's name and the colon; stops at its value.
  Result<std::string> read_name() {
    if (next() != '"')
      return wrong(found() + " where a field's \"name\" should stand, in double quotes");
    TERRANE_ASSIGN_OR_RETURN(std::string name, read_string());
    skip_space();
    if (!take(':')) return wrong(found() + " where ':' should follow the name \"" + name + "\"");
    skip_space();
    return name;
  }

  Result<std::string> read_string() {
    ++at_;
    std::string text;
    while (!take('"')) {
      if (ended() || next() == '\n') return wrong("a text has no closing '\"'");
      if (take('\\')) {
        TERRANE_RETURN_IF_ERROR(read_escape(text));
        continue;
      }
      if (static_cast<unsigned char>(next()) < 0x20)
        return wrong(found() + " in a text: control characters are not allowed");
      const std::size_t length = utf8_length(text_.substr(at_));
      if (length == 0)
        return wrong(found() + " in a text, which is not UTF-8: save the file as UTF-8");
      text += text_.substr(at_, length);
      at_ += length;
    }
    return text;
  }

  Result<void> read_escape(std::string& text) {
    constexpr std::string_view kNames = "\"\\/nt", kMeanings = "\"\\/\n\t";
    if (const std::size_t which = kNames.find(next()); which != kNames.npos && !ended()) {
      text += kMeanings[which];
      ++at_;
      return {};
    }
    std::uint32_t point = read_unit();
    if (point >= 0xD800 && point < 0xDC00) {
      const std::uint32_t low = take('\\') ? read_unit() : 0;
      point =
          low >= 0xDC00 && low < 0xE000 ? 0x10000 + (point - 0xD800) * 0x400 + (low - 0xDC00) : 0;
    }
    if (point < 0x20 || (point >= 0xD800 && point < 0xE000)) {
      return wrong(
          "the text's escape before here is not one of \\\" \\\\ \\/ \\n \\t \\uXXXX, or is a "
          "control character");
    }
    append_utf8(text, point);
    return {};
  }

  /// The number of uXXXX; 0 when that is not what follows.
  std::uint32_t read_unit() {
    std::uint32_t unit = 0;
    const std::string_view digits = text_.substr(std::min(at_ + 1, text_.size()), 4);
    if (next() != 'u' || digits.size() < 4) return 0;
    const auto [stop, problem] = std::from_chars(digits.data(), digits.data() + 4, unit, 16);
    if (problem != std::errc() || stop != digits.data() + 4) return 0;
    at_ += 5;
    return unit;
  }

  Result<JsonValue> read_number(JsonValue value) {
    const std::size_t start = at_;
    take('-');
    const char first = next();
    const std::size_t whole = take_any(kDigits);
    bool right = whole == 1 || (whole > 1 && first != '0');
    if (take('.')) right = take_any(kDigits) > 0 && right;
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      right = take_any(kDigits) > 0 && right;
    }
    value.kind = Kind::kNumber;
    value.text = text_.substr(start, at_ - start);
    if (!right)
      return wrong(value.text.substr(0, 32) +
                   " is not a number as JSON writes it, like 12, -0.5 or 1e3");
    const char* const end = text_.data() + at_;
    if (const auto [stop, problem] = std::from_chars(text_.data() + start, end, value.number);
        problem != std::errc() || stop != end) {
      return wrong("the number " + value.text.substr(0, 32) + " is too large or too small");
    }
    return value;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::size_t line_start_ = 0;
};

}  // namespace

Result<JsonValue> parse_json(std::string_view text) { return Reader(text).read_all(); }

}  // namespace terrane::worlds
