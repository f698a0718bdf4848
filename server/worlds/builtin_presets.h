#pragma once

#include <span>
#include <string_view>

namespace terrane::worlds {

/// A world file that is part of the program.
struct BuiltinPreset {
  std::string_view file;  // its name in server/worlds
  std::string_view json;
};

[[nodiscard]] std::span<const BuiltinPreset> builtin_presets();

}  // namespace terrane::worlds
