#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "access/caller.h"
#include "access/json.h"
#include "terrane/result.h"

namespace terrane::access {

/// A member of an object that says what somebody may do: "roles", "worlds", "seeds", "realms",
/// "weight" or "max_viewers". The same in the access file and in a token's claim.
/// @param where  for the error: "tokens[2]"
/// Errors: kInvalidArgument names the member and what would be right; also where there is no such
///   member, as a slip of the pen must not grant more than was meant.
[[nodiscard]] Result<void> read_grant(const char* member, const json_t* value,
                                      const std::string& where, Grants& grants);

/// A seed: a number, or its digits in a text, as JavaScript has no integers of 64 bits. Nothing for
/// anything else.
[[nodiscard]] std::optional<std::uint64_t> read_seed(const json_t* value);

/// Whether it can be the name of somebody: 1 to 128 bytes, no control characters.
[[nodiscard]] bool is_name(std::string_view text);

}  // namespace terrane::access
