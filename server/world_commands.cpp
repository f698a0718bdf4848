#include "world_commands.h"

#include <spdlog/fmt/fmt.h>

#include <iostream>

#include "worlds/builtin_presets.h"
#include "worlds/file_text.h"
#include "worlds/preset.h"

namespace terrane {
namespace {

constexpr int kFailed = 1;
constexpr int kWrong = 2;  // as for a wrong configuration

}  // namespace

int print(std::string_view text) {
  if (std::cout << text << std::flush) return 0;
  std::cerr << "terraned: standard output can't be written\n";
  return kFailed;
}

int print_world(const std::string& name) {
  std::string names;
  for (const worlds::BuiltinPreset& preset : worlds::builtin_presets()) {
    const std::string_view known = preset.file.substr(0, preset.file.rfind('.'));
    if (known == name) {
      return print(preset.json);
    }
    names += (names.empty() ? "" : ", ") + std::string(known);
  }
  std::cerr << fmt::format("--print-world: '{}' is not built in; there is {}\n", name, names);
  return kWrong;
}

int check_world(const std::filesystem::path& path) {
  const auto world = worlds::read_file_text(path).and_then(
      [&](const std::string& text) { return worlds::parse_preset(text, path.string()); });
  if (!world) {
    std::cerr << world.error().message << '\n';
    return kWrong;
  }
  return print(fmt::format("{}: world '{}', fingerprint {:#018x}\n", path.string(), world->name,
                           world->fingerprint));
}

}  // namespace terrane
