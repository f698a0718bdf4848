#include "worlds/world_catalog.h"

#include "terrane/result_macros.h"
#include "worlds/builtin_presets.h"
#include "worlds/preset.h"

namespace terrane::worlds {

Result<WorldCatalog> builtin_worlds() {
  WorldCatalog catalog;
  for (const BuiltinPreset& preset : builtin_presets()) {
    TERRANE_ASSIGN_OR_RETURN(worldgen::World world, parse_preset(preset.json, preset.file));
    const std::string name = world.name;
    if (!catalog.emplace(name, std::make_shared<const worldgen::World>(std::move(world))).second) {
      return fail(ErrorCode::kInvalidArgument,
                  std::string(preset.file) + ": name: another preset is called '" + name + "' too");
    }
  }
  return catalog;
}

}  // namespace terrane::worlds
