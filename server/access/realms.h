#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "terrane/result.h"

namespace terrane::access {

/// A world and a seed that clients know by another name alone.
struct Realm {
  std::string world;
  std::uint64_t seed = 0;
};

using Realms = std::map<std::string, Realm, std::less<>>;  // by name

/// Parses a file of realms: {"realms": [{"name": "…", "world": "…", "seed": "…"}]}, with seeds as
/// in access files. Pure.
/// Errors: kInvalidArgument names the place and what would be right, and never a seed.
[[nodiscard]] Result<Realms> parse_realms(std::string_view text);

}  // namespace terrane::access
