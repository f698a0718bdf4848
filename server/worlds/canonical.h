#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

#include "terrane/coord.h"

namespace terrane::worlds {

/// A preset's generation parameters as text, one `path=value` a line, sorted: defaults filled in,
/// numbers as the bits of a double, cosmetic fields (names, colours, notes) left out. Two presets
/// that generate the same have the same text.
[[nodiscard]] std::string canonical_text(const google::protobuf::Message& preset);

/// A world's identity: XXH3-64 of the canonical text and the versions of the stages that it uses.
[[nodiscard]] WorldFingerprint fingerprint(const google::protobuf::Message& preset,
                                           std::string_view stage_versions);

}  // namespace terrane::worlds
