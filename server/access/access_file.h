#pragma once

#include <map>
#include <string>
#include <string_view>

#include "access/caller.h"
#include "access/sha256.h"
#include "terrane/result.h"

namespace terrane::access {

/// Who is known by name: by tokens that never end, of which the file holds hashes alone, and by
/// certificates.
struct AccessList {
  std::map<Sha256, Caller> tokens;                          // by the token's hash
  std::map<std::string, Caller, std::less<>> certificates;  // by whom a certificate is for
};

/// Parses an access file:
///   {"tokens": [{"name": "game-1", "sha256": "64 digits", …}],
///    "certificates": [{"name": "game-2", "subject": "game-2.example.com", …}]}
/// where … are the members of read_grant(). Callers' `client` is 0. Pure.
/// Errors: kInvalidArgument names the place and what would be right.
[[nodiscard]] Result<AccessList> parse_access_file(std::string_view text);

}  // namespace terrane::access
