#include "cli/terminal/text.h"

#include <array>
#include <cstdio>

namespace terrane::cli {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
      out += escape.data();
    } else {
      out += c;
    }
  }
  return out += '"';
}

std::string position(BlockPos block) {
  return std::to_string(block.x) + "," + std::to_string(block.y);
}

std::string blocks(std::int64_t height_q4) { return number(static_cast<double>(height_q4) / 16); }

std::string tenths(std::int64_t tenths) { return rounded(static_cast<double>(tenths) / 10, 1); }

std::string hex64(std::uint64_t value) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(value));
  return text.data();
}

std::string hex_color(std::uint32_t rgb) {
  std::array<char, 12> text{};
  std::snprintf(text.data(), text.size(), "#%06x", rgb & 0xffffffu);
  return text.data();
}

std::string number(double value) {
  std::string text = rounded(value, 6);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string rounded(double value, int decimals) {
  std::array<char, 512> text{};  // room for any double
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

std::string counted(std::size_t count, std::string_view one) {
  return std::to_string(count).append(" ").append(one).append(count == 1 ? "" : "s");
}

std::string pad_right(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string pad_left(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

}  // namespace terrane::cli
