#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace terrane::access {

using Sha256 = std::array<std::uint8_t, 32>;

/// Throws std::bad_alloc where OpenSSL can't.
[[nodiscard]] Sha256 sha256(std::string_view text);

/// 64 digits.
[[nodiscard]] std::string to_hex(const Sha256& hash);
/// Nothing where they are no 64 digits, in lower or upper case.
[[nodiscard]] std::optional<Sha256> from_hex(std::string_view digits);

}  // namespace terrane::access
