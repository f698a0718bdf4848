#pragma once

#include <jansson.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "terrane/result.h"

/// jansson, which cJOSE takes and gives, with owners. Within server/access alone.
namespace terrane::access {

struct JsonFreed {
  void operator()(json_t* value) const { json_decref(value); }
};
using Json = std::unique_ptr<json_t, JsonFreed>;

/// @param why  where it is none: what is wrong with it; may be null
/// @return null where it is no JSON, or names a member twice
inline Json parse_json(std::string_view text, std::string* why = nullptr) {
  json_error_t error{};
  Json parsed(json_loadb(text.data(), text.size(), JSON_REJECT_DUPLICATES, &error));
  if (!parsed && why != nullptr)
    *why = "line " + std::to_string(error.line) + ": " + std::string(error.text);
  return parsed;
}

/// Nothing where it is no text.
inline std::string_view text_of(const json_t* value) {
  if (!json_is_string(value)) return {};
  return {json_string_value(value), json_string_length(value)};
}

/// What a file of JSON can't say.
inline tl::unexpected<Error> wrong(std::string message) {
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

}  // namespace terrane::access
