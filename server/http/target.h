#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace terrane::http {

/// What a request is for. Its target may be an URL, whose host then counts and not the field Host
/// (RFC 9112, 3.2.2). Views of the target.
struct RequestTarget {
  std::string_view host;  // empty: not said here
  // with its query, which may be left out where there is no path; "*" and what is no target at all
  // are left as they are
  std::string_view path;
};
[[nodiscard]] RequestTarget request_target(std::string_view target);

/// The parts of a request's path, without what stands for other characters ("%20"). Nothing where
/// it is no path, or a part is empty.
/// @param target  a path, and perhaps a query, which is left out
[[nodiscard]] std::optional<std::vector<std::string>> path_of(std::string_view target);

/// A text as a part of a path. @param besides  what may stay as it is, too
[[nodiscard]] std::string escaped(std::string_view text, std::string_view besides = {});

/// A number as it is written in URLs, in one way only: another one would be another page for
/// caches.
template <typename Number>
[[nodiscard]] std::optional<Number> number_of(std::string_view text, int base = 10) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number, base);
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  const bool is_padded = base == 10 && digits.starts_with('0') && text != "0";
  if (error != std::errc() || last != end || is_padded) return std::nullopt;
  return number;
}

}  // namespace terrane::http
