#include "ending.h"

#include <algorithm>
#include <boost/property_tree/json_parser.hpp>
#include <boost/property_tree/ptree.hpp>
#include <charconv>
#include <iterator>
#include <sstream>

namespace terrane::connection {
namespace {

constexpr std::size_t kMaxJson = 4096;        // more is none that a server of ours writes
constexpr int kMaxDepth = 4;                  // brackets in brackets take their reader's stack
constexpr std::int64_t kLongestPause = 3600;  // seconds that an answer may ask for
constexpr std::uint16_t kStatuses = 4000;     // close codes: that, and the number of a status

// by number
constexpr std::string_view kNames[] = {
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
};

bool is_flat(std::string_view json) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '"') quoted = !quoted;
    if (quoted && json[i] == '\\') ++i;
    if (quoted) continue;
    if (json[i] == '{' || json[i] == '[') ++depth;
    if (json[i] == '}' || json[i] == ']') --depth;
    if (depth > kMaxDepth) return false;
  }
  return true;
}

terrane_code code_of(unsigned http_status) {
  switch (http_status) {
    case 400: return TERRANE_INVALID_ARGUMENT;
    case 401: return TERRANE_UNAUTHENTICATED;
    case 403: return TERRANE_PERMISSION_DENIED;
    case 404: return TERRANE_NOT_FOUND;
    case 429: return TERRANE_RESOURCE_EXHAUSTED;
    default: return TERRANE_UNAVAILABLE;  // a proxy whose server is not there, and the like
  }
}

}  // namespace

Ending read_http_error(std::string_view json, Ending otherwise) {
  if (json.size() > kMaxJson || !json.starts_with('{') || !is_flat(json)) return otherwise;
  try {
    std::istringstream stream{std::string(json)};
    boost::property_tree::ptree error;
    boost::property_tree::read_json(stream, error);
    const auto status = error.get<std::string>("status", "");
    const auto* const name = std::find(std::begin(kNames), std::end(kNames), status);
    if (name == std::end(kNames) || status == "OK") return otherwise;
    return {static_cast<terrane_code>(name - std::begin(kNames)),
            error.get<std::string>("message", otherwise.message),
            std::max<std::int64_t>(0, error.get<std::int64_t>("retry_after_ms", 0))};
  } catch (const boost::property_tree::ptree_error&) {
    return otherwise;
  }
}

Ending refusal(unsigned status, std::string_view reason, std::string_view body,
               std::string_view retry_after) {
  std::int64_t seconds = 0;  // a date, which it may be too, counts for nothing
  std::from_chars(retry_after.data(), retry_after.data() + retry_after.size(), seconds);
  return read_http_error(
      body, {code_of(status), "HTTP " + std::to_string(status) + " " + std::string(reason),
             1000 * std::clamp<std::int64_t>(seconds, 0, kLongestPause)});
}

Ending closing(std::uint16_t close_code, std::string_view reason) {
  std::string words = reason.empty() ? "" : ", " + std::string(reason);
  if (close_code == 1000)
    return {TERRANE_OK, "the stream was closed at the server's end" + words, 0};
  if (close_code > kStatuses && close_code < kStatuses + std::size(kNames)) {
    return {close_code - kStatuses,
            "the server ended the stream: " + std::string(kNames[close_code - kStatuses]) + words,
            0};
  }
  if (close_code == 0) return {TERRANE_UNAVAILABLE, "the WebSocket was closed without a code", 0};
  return {TERRANE_UNAVAILABLE,
          "the WebSocket was closed with code " + std::to_string(close_code) + words, 0};
}

}  // namespace terrane::connection
