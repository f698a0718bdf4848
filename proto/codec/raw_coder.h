#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "terrane/result.h"

/// The codings `constant` and `raw`. FORMAT.md, "Codings". A sample takes 4 bytes (heights), 2
/// (climate) or 1 (the others).
namespace terrane::codec {

/// @param out  receives the samples, or the one value that all of them have
template <typename Sample>
void encode_raw(std::span<const Sample> samples, std::string& out);

/// Errors: kDataLoss when the payload is not exactly as long as the samples need.
template <typename Sample>
[[nodiscard]] Result<void> decode_raw(std::string_view payload, std::span<Sample> out);

}  // namespace terrane::codec
