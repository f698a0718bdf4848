#include "rpc/checks/refused_field.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <utility>

#include "terrane/utf8.h"

namespace terrane::rpc {
namespace {

constexpr std::size_t kMaxQuoted = 64;

/// Whether the character that a text begins with can be shown: none of the control characters.
bool is_shown(std::string_view character) {
  const auto first = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return first >= 0x20 && first != 0x7f;
  return first != 0xc2 || static_cast<unsigned char>(character[1]) >= 0xa0;  // U+0080 to U+009F
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
  for (std::string_view left = shown; !left.empty();) {
    const std::size_t length = utf8_length(left);
    const std::string_view character = left.substr(0, std::max<std::size_t>(length, 1));
    left.remove_prefix(character.size());
    if (length > 0 && is_shown(character)) {
      quote += character;
    } else {
      quote += fmt::format("\\x{:02x}", static_cast<unsigned char>(character.back()));
    }
  }
  return quote + (shown.size() < text.size() ? "…'" : "'");
}

}  // namespace terrane::rpc
