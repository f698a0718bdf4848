#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "terrane/terrane.h"

namespace terrane::connection {

/// How a connection ended, or why there was none: what terrane_explorer_closed takes.
struct Ending {
  terrane_code code = TERRANE_UNAVAILABLE;
  std::string message;
  std::int64_t retry_after_ms = 0;
};

/// Of a body or a text frame that holds an HttpError as JSON (proto/REFERENCE.md). Whatever else it
/// is, `otherwise` says.
[[nodiscard]] Ending read_http_error(std::string_view json, Ending otherwise);

/// Of an answer of HTTP that is not the one that was hoped for: by its body, or by its status.
/// @param retry_after  its field of that name, for bodies that do not say it: seconds
[[nodiscard]] Ending refusal(unsigned status, std::string_view reason, std::string_view body,
                             std::string_view retry_after);

/// The same of Beast's answer.
template <typename Answer>
[[nodiscard]] Ending refusal(const Answer& answer) {
  const auto reason = answer.reason();
  const auto retry_after = answer["Retry-After"];
  return refusal(answer.result_int(), {reason.data(), reason.size()}, answer.body(),
                 {retry_after.data(), retry_after.size()});
}

/// By a WebSocket's close code (proto/EXPLORE.md).
[[nodiscard]] Ending closing(std::uint16_t close_code, std::string_view reason);

}  // namespace terrane::connection
