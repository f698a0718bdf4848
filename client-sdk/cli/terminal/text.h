#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "terrane/coord.h"

/// Values -> text for people and for JSON. Pure functions.
namespace terrane::cli {

/// A JSON string with its quotes.
[[nodiscard]] std::string json_string(std::string_view text);

/// "3,-4"
[[nodiscard]] std::string position(BlockPos block);

/// Exactly height_q4 / 16, without trailing zeros: "70.0625".
[[nodiscard]] std::string blocks(std::int64_t height_q4);

/// Exactly tenths / 10: "12.3".
[[nodiscard]] std::string tenths(std::int64_t tenths);

/// 16 hexadecimal digits.
[[nodiscard]] std::string hex64(std::uint64_t value);

/// "#rrggbb"
[[nodiscard]] std::string hex_color(std::uint32_t rgb);

/// At most six digits after the point, without trailing zeros.
[[nodiscard]] std::string number(double value);

/// With `decimals` digits after the point.
[[nodiscard]] std::string rounded(double value, int decimals);

/// "1 room", "2 rooms"
[[nodiscard]] std::string counted(std::size_t count, std::string_view one);

/// `text` filled up with spaces to `width`, on the right or on the left.
[[nodiscard]] std::string pad_right(std::string text, std::size_t width);
[[nodiscard]] std::string pad_left(std::string text, std::size_t width);

}  // namespace terrane::cli
