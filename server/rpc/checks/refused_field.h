#pragma once

#include <string>
#include <string_view>

#include "terrane/result.h"

/// How refusals of requests are worded: all alike, for people and for programs.
namespace terrane::rpc {

/// A field of a request that is refused.
struct RefusedField {
  ErrorCode code = ErrorCode::kInvalidArgument;
  ErrorReason reason = ErrorReason::kFieldMalformed;
  std::string field;       // its path in the request: "rectangle.first.x"
  std::string value = {};  // as given; a name or text in `in_quotes` form
  std::string limit = {};  // where there is one
};

/// "FIELD = VALUE: TEXT", with all that programs are told.
[[nodiscard]] Error refused_field(RefusedField refused, std::string_view text);

/// The same, to be returned.
[[nodiscard]] tl::unexpected<Error> refuse_field(RefusedField refused, std::string_view text);

/// "FIELD is missing: TEXT". kInvalidArgument.
[[nodiscard]] tl::unexpected<Error> refuse_missing(std::string field, std::string_view text);

/// What a client sent, between quotation marks: control characters escaped, and what is longer than
/// 64 bytes cut and marked with "…".
[[nodiscard]] std::string in_quotes(std::string_view text);

/// "a, b, c", or "a, b and 7 more" where they are so many that a status has no room for them.
template <typename Names>
[[nodiscard]] std::string listed(const Names& names) {
  constexpr std::size_t kRoom = 1000;  // bytes; gRPC's clients take 8 KiB of trailers
  std::string text;
  std::size_t left = names.size();
  for (const std::string& name : names) {
    if (text.size() + name.size() > kRoom) return text + " and " + std::to_string(left) + " more";
    text += (text.empty() ? "" : ", ") + name;
    --left;
  }
  return text;
}

}  // namespace terrane::rpc
