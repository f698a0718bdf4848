#include "cli/parse.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace terrane::cli {
namespace {

template <typename T>
std::optional<T> whole_number(std::string_view text, int base = 10) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "'text' is not <wanted>"
tl::unexpected<Error> refuse(std::string_view text, std::string_view wanted) {
  std::string message = "'";
  message.append(text).append("' is not ").append(wanted);
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

template <typename Pair>
Result<Pair> parse_pair(std::string_view text) {
  const auto comma = text.find(',');
  if (comma != std::string_view::npos) {
    const auto x = whole_number<std::int64_t>(text.substr(0, comma));
    const auto y = whole_number<std::int64_t>(text.substr(comma + 1));
    if (x && y) return Pair{*x, *y};
  }
  return refuse(
      text,
      "a position: write X,Y as two whole numbers of at most 64 bits, without a space, like -3,4");
}

}  // namespace

Result<ChunkCoord> parse_chunk_coord(std::string_view text) { return parse_pair<ChunkCoord>(text); }
Result<BlockPos> parse_block_pos(std::string_view text) { return parse_pair<BlockPos>(text); }

Result<std::uint64_t> parse_seed(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const auto seed = hexadecimal ? whole_number<std::uint64_t>(text.substr(2), 16)
                                : whole_number<std::uint64_t>(text);
  if (seed) return *seed;
  return refuse(
      text,
      "a seed: write a whole number from 0 to 18446744073709551615, or hexadecimal like 0xc0ffee");
}

Result<std::string> parse_server(std::string_view text) {
  if (text.starts_with("unix:")) return std::string(text);
  // each of a list; what a list may hold Client::connect knows
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    const std::string_view each = text.substr(start, comma - start);
    const auto colon = each.rfind(':');
    const bool has_host = colon != std::string_view::npos && colon > 0;
    const auto port = has_host ? whole_number<std::uint16_t>(each.substr(colon + 1)) : std::nullopt;
    if (!port || *port == 0) {
      return refuse(text,
                    "a server: write HOST:PORT, like 127.0.0.1:4150, or several numeric ones "
                    "with commas");
    }
    start = comma + 1;
  }
  return std::string(text);
}

}  // namespace terrane::cli
