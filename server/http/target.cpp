#include "http/target.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>

#include "terrane/utf8.h"

namespace terrane::http {
namespace {

std::optional<std::string> unescaped(std::string_view part) {
  std::string text;
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (part[i] != '%') {
      text += part[i];
      continue;
    }
    const auto byte = number_of<unsigned char>(part.substr(i + 1, 2), 16);
    if (!byte || part.size() < i + 3) return std::nullopt;
    text += static_cast<char>(*byte);
    i += 2;
  }
  return text;
}

bool is_plain(char c) {
  const auto between = [c](char low, char high) { return low <= c && c <= high; };
  return between('a', 'z') || between('A', 'Z') || between('0', '9') ||
         std::string_view("-._~").find(c) != std::string_view::npos;
}

}  // namespace

RequestTarget request_target(std::string_view target) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    const std::string_view start = target.substr(0, scheme.size());
    if (!boost::beast::iequals({start.data(), start.size()}, {scheme.data(), scheme.size()}))
      continue;
    const std::string_view rest = target.substr(start.size());
    const std::size_t end = std::min(rest.find_first_of("/?#"), rest.size());
    if (end == 0) break;
    return {rest.substr(0, end), rest.substr(end).starts_with('/') ? rest.substr(end) : "/"};
  }
  return {{}, target};
}

std::optional<std::vector<std::string>> path_of(std::string_view target) {
  std::string_view path = target.substr(0, target.find('?'));
  if (!path.starts_with('/')) return std::nullopt;
  std::vector<std::string> parts;
  while (!path.empty()) {
    path.remove_prefix(1);  // the slash
    const std::string_view part = path.substr(0, path.find('/'));
    auto text = unescaped(part);
    if (!text || text->empty() || !is_utf8(*text)) return std::nullopt;
    parts.push_back(*std::move(text));
    path.remove_prefix(part.size());
  }
  return parts;
}

std::string escaped(std::string_view text, std::string_view besides) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string part;
  for (const char c : text) {
    if (is_plain(c) || besides.find(c) != std::string_view::npos) {
      part += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      part += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return part;
}

}  // namespace terrane::http
