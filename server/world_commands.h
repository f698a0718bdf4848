#pragma once

#include <filesystem>
#include <string>
#include <string_view>

/// What terraned does for designers instead of serving. Each prints to stdout and yields the exit
/// code: 0; after a line on stderr 2, or 1 where stdout can't be written.
namespace terrane {

/// Prints a text. @return 0, or 1 where it can't be written, which stderr is told
[[nodiscard]] int print(std::string_view text);

/// Prints the file of a built-in world, to copy and change.
[[nodiscard]] int print_world(const std::string& name);

/// Checks a world file: prints its world's name and fingerprint, or what is wrong with it.
[[nodiscard]] int check_world(const std::filesystem::path& path);

}  // namespace terrane
