#include "rpc/checks/refused_field.h"

#include <spdlog/fmt/fmt.h>

#include <utility>

namespace terrane::rpc {
namespace {

constexpr std::size_t kMaxQuoted = 64;

/// How many bytes the control character at `at` has; 0 where there is none. The text is UTF-8,
/// where those of U+0080 to U+009F take two.
std::size_t control_bytes(std::string_view text, std::size_t at) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(at) < 0x20 || byte(at) == 0x7f) return 1;
  return byte(at) == 0xc2 && at + 1 < text.size() && byte(at + 1) < 0xa0 ? 2 : 0;
}

/// The first bytes of a text, no more than `max`, without half a character at their end.
std::string_view cut(std::string_view text, std::size_t max) {
  if (text.size() <= max) return text;
  while (max > 0 && (static_cast<unsigned char>(text[max]) & 0xc0) == 0x80) --max;
  return text.substr(0, max);
}

}  // namespace

Error refused_field(RefusedField refused, std::string_view text) {
  std::string message = fmt::format("{} = {}: {}", refused.field, refused.value, text);
  return {.code = refused.code,
          .message = std::move(message),
          .reason = refused.reason,
          .field = std::move(refused.field),
          .value = std::move(refused.value),
          .limit = std::move(refused.limit)};
}

tl::unexpected<Error> refuse_field(RefusedField refused, std::string_view text) {
  return tl::unexpected(refused_field(std::move(refused), text));
}

tl::unexpected<Error> refuse_missing(std::string field, std::string_view text) {
  std::string message = fmt::format("{} is missing: {}", field, text);
  return tl::unexpected(Error{.code = ErrorCode::kInvalidArgument,
                              .message = std::move(message),
                              .reason = ErrorReason::kFieldMissing,
                              .field = std::move(field)});
}

std::string in_quotes(std::string_view text) {
  const std::string_view shown = cut(text, kMaxQuoted);
  std::string quote = "'";
  for (std::size_t i = 0; i < shown.size();) {
    if (const std::size_t bytes = control_bytes(shown, i); bytes > 0) {
      quote += fmt::format("\\x{:02x}", static_cast<unsigned char>(shown[i + bytes - 1]));
      i += bytes;
    } else {
      quote += shown[i++];
    }
  }
  return quote + (shown.size() < text.size() ? "…'" : "'");
}

}  // namespace terrane::rpc
