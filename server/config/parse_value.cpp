#include "config/parse_value.h"

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace terrane::config {
namespace {

constexpr std::uint64_t kMinCacheSize = std::uint64_t{16} << 20;
constexpr std::uint64_t kMinMemorySize = std::uint64_t{1} << 20;
constexpr std::uint64_t kMinMemoryLimit = std::uint64_t{64} << 20;
constexpr std::uint64_t kMaxSize = std::uint64_t{16} << 40;

tl::unexpected<Error> wrong(const std::string& text, const std::string& right) {
  return fail(ErrorCode::kInvalidArgument, "'" + text + "' is not " + right);
}

/// A number with its unit, from `low` to kMaxSize.
/// @param right  what would be right
Result<std::uint64_t> parse_size(const std::string& text, std::uint64_t low,
                                 const std::string& right) {
  constexpr std::array<std::pair<std::string_view, unsigned>, 4> kUnits{
      {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}}};
  std::uint64_t number = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(stop, static_cast<std::size_t>(text.data() + text.size() - stop));
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  if (problem != std::errc()) return wrong(text, right);
  for (const auto& [name, shift] : kUnits) {
    if (unit != name) continue;
    if (number > (kMaxSize >> shift) || number << shift < low) break;
    return number << shift;
  }
  return wrong(text, right);
}

}  // namespace

Result<std::uint64_t> parse_count(const std::string& text, std::uint64_t low, std::uint64_t high) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, value);
  if (problem != std::errc() || stop != end || value < low || value > high) {
    return wrong(text,
                 "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

Result<std::uint64_t> parse_cache_size(const std::string& text) {
  return parse_size(
      text, kMinCacheSize,
      "a size from 16MiB to 16TiB: a whole number and KiB, MiB, GiB or TiB, as in 4GiB");
}

Result<std::uint64_t> parse_memory_size(const std::string& text) {
  if (text == "0") return 0;
  return parse_size(
      text, kMinMemorySize,
      "0, nor a size from 1MiB to 16TiB: a whole number and KiB, MiB, GiB or TiB, as in 128MiB");
}

Result<std::uint64_t> parse_memory_limit(const std::string& text) {
  return parse_size(
      text, kMinMemoryLimit,
      "a size from 64MiB to 16TiB: a whole number and KiB, MiB, GiB or TiB, as in 512MiB");
}

Result<std::string> parse_address(const std::string& text) {
  constexpr const char* kRight =
      "HOST:PORT with a port from 0 to 65535, as in 127.0.0.1:4150 or [::1]:4150";
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || !parse_count(text.substr(colon + 1), 0, 65535))
    return wrong(text, kRight);
  const std::string host = text.substr(0, colon);
  const bool bracketed = host.front() == '[' && host.back() == ']';
  if (!bracketed && host.find(':') != std::string::npos) return wrong(text, kRight);
  return text;
}

Result<std::string> parse_optional_address(const std::string& text) {
  if (text.empty() || text == "off") return std::string();
  auto address = parse_address(text);
  if (!address) address.error().message += ", nor off";
  return address;
}

bool is_local(std::string_view address) {
  const std::string_view host = address.substr(0, address.rfind(':'));
  return address.empty() || address == "off" || host.starts_with("127.") || host == "[::1]" ||
         host == "localhost";
}

}  // namespace terrane::config
