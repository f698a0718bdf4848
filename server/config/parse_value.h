#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "terrane/result.h"

/// Text -> values. Pure; errors are kInvalidArgument with the value and what would be right.
namespace terrane::config {

/// A whole number from `low` to `high`.
[[nodiscard]] Result<std::uint64_t> parse_count(const std::string& text, std::uint64_t low,
                                                std::uint64_t high);

/// A number of KiB, MiB, GiB or TiB, in bytes: "4GiB". From 16 MiB to 16 TiB.
[[nodiscard]] Result<std::uint64_t> parse_cache_size(const std::string& text);

/// The same from 1 MiB to 16 TiB, or 0.
[[nodiscard]] Result<std::uint64_t> parse_memory_size(const std::string& text);

/// The same from 64 MiB to 16 TiB.
[[nodiscard]] Result<std::uint64_t> parse_memory_limit(const std::string& text);

/// HOST:PORT with a port from 0 to 65,535, as it came. An IPv6 host stands in brackets.
[[nodiscard]] Result<std::string> parse_address(const std::string& text);

/// The same, or "off" or nothing: an empty string.
[[nodiscard]] Result<std::string> parse_optional_address(const std::string& text);

/// Whether nobody but this machine reaches it: on loopback, or empty.
[[nodiscard]] bool is_local(std::string_view address);

}  // namespace terrane::config
