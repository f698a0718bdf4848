// Writes the worlds that terraned brings along, compiled, into a directory: seeds for
// compiled_world_fuzz, of the stages' present versions, as others are refused at once.
//   write_compiled_worlds DIRECTORY
#include <cstdio>
#include <fstream>
#include <string>

#include "worldgen/compiled_world.h"
#include "worlds/builtin_presets.h"
#include "worlds/world_catalog.h"

int main(int count, char** arguments) {
  if (count != 2) return std::fputs("usage: write_compiled_worlds DIRECTORY\n", stderr), 2;
  const auto worlds = terrane::worlds::builtin_worlds();
  if (!worlds) return std::fprintf(stderr, "%s\n", worlds.error().message.c_str()), 1;
  for (const auto& [name, world] : *worlds) {
    const auto bytes = terrane::worldgen::compile_world(*world);
    std::ofstream file(std::string(arguments[1]) + "/" + name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) return std::fprintf(stderr, "can't write %s\n", name.c_str()), 1;
  }
  return 0;
}
