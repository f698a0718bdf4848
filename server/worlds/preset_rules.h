#pragma once

#include <google/protobuf/message.h>

#include <string>

#include "terrane/result.h"

namespace terrane::worlds {

/// Checks every field of a preset against its rule in preset.proto: present where required, finite, within [min, max].
/// Errors: kInvalidArgument with the field's path, its value and the limit.
[[nodiscard]] Result<void> check_rules(const google::protobuf::Message& message, const std::string& path = "");

}  // namespace terrane::worlds
