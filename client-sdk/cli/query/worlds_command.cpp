#include <algorithm>
#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/terminal/text.h"
#include "cli/whole_file.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

struct WorldsOptions {
  std::string name;  // empty: all
  bool json = false;
  std::string save;  // empty: nothing is saved
};

std::string range(const LayerInfo& layer) {
  return number(layer.min_value * layer.scale) + " to " + number(layer.max_value * layer.scale) +
         " " + layer.unit;
}

void print_table(const std::vector<World>& worlds) {
  std::size_t name_width = 4;
  for (const World& world : worlds) name_width = std::max(name_width, world.name.size());
  std::cout << pad_right("NAME", name_width) << "  FINGERPRINT       CHUNK  MAX LOD  LAYERS\n";
  for (const World& world : worlds) {
    std::cout << pad_right(world.name, name_width) << "  " << hex64(world.fingerprint) << "  "
              << pad_left(std::to_string(world.chunk_size), 5) << "  "
              << pad_left(std::to_string(world.max_lod), 7) << "  ";
    for (std::size_t i = 0; i < world.layers.size(); ++i) {
      if (i > 0) std::cout << '\n' << std::string(name_width + 37, ' ');
      const LayerInfo& layer = world.layers[i];
      std::cout << pad_right(layer.name, 12);
      if (layer.unit == "biome") {
        std::cout << world.biomes.size() << " biomes";
      } else if (layer.layer == Layer::kPlacements) {
        std::cout << world.placement_kinds.size() << " kinds";
      } else if (layer.layer == Layer::kStructures) {
        std::cout << world.structure_kinds.size() << " kinds";
      } else if (layer.layer == Layer::kWater) {
        std::cout << "up to " << number(layer.max_value * layer.scale) << " " << layer.unit
                  << ", in steps of " << number(layer.scale);
      } else {
        std::cout << range(layer) << ", in steps of " << number(layer.scale);
      }
    }
    std::cout << '\n';
  }
}

void print_realms(const std::vector<Realm>& realms) {
  std::size_t width = 5;
  for (const Realm& realm : realms) width = std::max(width, realm.name.size());
  std::cout << '\n' << pad_right("REALM", width) << "  WORLD\n";
  for (const Realm& realm : realms)
    std::cout << pad_right(realm.name, width) << "  " << realm.world << '\n';
}

template <typename Kind>
void print_kinds(const char* heading, const std::vector<Kind>& kinds) {
  if (kinds.empty()) return;
  std::cout << "\n ID  COLOUR   " << heading << '\n';
  for (std::size_t id = 0; id < kinds.size(); ++id) {
    std::cout << pad_left(std::to_string(id), 3) << "  " << hex_color(kinds[id].color) << "  "
              << kinds[id].name << '\n';
  }
}

template <typename Kind>
void print_kinds_json(const char* name, const std::vector<Kind>& kinds) {
  std::cout << ",\"" << name << "\":[";
  for (std::size_t id = 0; id < kinds.size(); ++id) {
    std::cout << (id > 0 ? "," : "") << "{\"id\":" << id
              << ",\"name\":" << json_string(kinds[id].name) << ",\"color\":\""
              << hex_color(kinds[id].color) << "\"}";
  }
  std::cout << ']';
}

void print_details(const World& world) {
  if (!world.title.empty()) std::cout << '\n' << world.title << '\n';
  if (!world.description.empty()) std::cout << world.description << '\n';
  std::cout << "\nsea level " << blocks(world.sea_level_q4) << " block\n\n ID  COLOUR   BIOME\n";
  for (const BiomeInfo& biome : world.biomes) {
    std::cout << pad_left(std::to_string(biome.id), 3) << "  " << hex_color(biome.color) << "  "
              << biome.name << '\n';
  }
  print_kinds("PLACEMENT", world.placement_kinds);
  print_kinds("STRUCTURE", world.structure_kinds);
  if (world.places.empty()) return;
  std::cout << "\nPLACE\n";
  for (const NamedPlace& place : world.places) {
    std::cout << "  " << position(place.block) << "  " << place.name
              << (place.spawn ? ", where players begin" : "") << '\n';
  }
}

/// @param is_whole  with its places, which lists of worlds leave out
void print_json(const World& world, bool is_whole) {
  std::cout << "{\"name\":" << json_string(world.name) << ",\"title\":" << json_string(world.title)
            << ",\"description\":" << json_string(world.description) << ",\"fingerprint\":\""
            << hex64(world.fingerprint) << "\",\"chunk_size\":" << world.chunk_size
            << ",\"max_lod\":" << static_cast<int>(world.max_lod)
            << ",\"sea_level\":" << blocks(world.sea_level_q4) << ",\"layers\":[";
  for (std::size_t i = 0; i < world.layers.size(); ++i) {
    const LayerInfo& layer = world.layers[i];
    std::cout << (i > 0 ? "," : "") << "{\"name\":" << json_string(layer.name)
              << ",\"unit\":" << json_string(layer.unit) << ",\"scale\":" << number(layer.scale)
              << ",\"min\":" << number(layer.min_value * layer.scale)
              << ",\"max\":" << number(layer.max_value * layer.scale) << '}';
  }
  std::cout << "],\"biomes\":[";
  for (std::size_t i = 0; i < world.biomes.size(); ++i) {
    const BiomeInfo& biome = world.biomes[i];
    std::cout << (i > 0 ? "," : "") << "{\"id\":" << biome.id
              << ",\"name\":" << json_string(biome.name) << ",\"color\":\""
              << hex_color(biome.color) << "\"}";
  }
  std::cout << ']';
  print_kinds_json("placement_kinds", world.placement_kinds);
  print_kinds_json("structure_kinds", world.structure_kinds);
  if (is_whole) {
    std::cout << ",\"places\":[";
    for (std::size_t i = 0; i < world.places.size(); ++i) {
      const NamedPlace& place = world.places[i];
      std::cout << (i > 0 ? "," : "") << "{\"name\":" << json_string(place.name)
                << ",\"x\":" << place.block.x << ",\"y\":" << place.block.y
                << ",\"spawn\":" << (place.spawn ? "true" : "false") << '}';
    }
    std::cout << ']';
  }
  std::cout << '}';
}

Result<void> save(const GlobalOptions& globals, const WorldsOptions& options,
                  Interrupt& interrupt) {
  TERRANE_RETURN_IF_ERROR(check_writable(options.save));
  TERRANE_ASSIGN_OR_RETURN(const auto client, connect(globals));
  const std::string& name = options.name.empty() ? globals.world : options.name;
  if (name.empty())
    return fail(ErrorCode::kInvalidArgument,
                "--save: name the world: terrane worlds NAME --save " + options.save);
  TERRANE_ASSIGN_OR_RETURN(const auto bytes, client.world_file(name));
  return write_whole_file(options.save, {reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                          interrupt);
}

Result<void> run(const GlobalOptions& globals, const WorldsOptions& options, Interrupt& interrupt) {
  if (!options.save.empty()) return save(globals, options, interrupt);
  std::vector<World> worlds;
  std::vector<Realm> realms;
  if (const std::string& name = options.name.empty() ? globals.world : options.name;
      !name.empty()) {
    GlobalOptions named = globals;
    named.world = name;
    TERRANE_ASSIGN_OR_RETURN(auto session, Session::open(named));
    TERRANE_ASSIGN_OR_RETURN(worlds.emplace_back(), session.client.world(session.world.name));
  } else {
    TERRANE_ASSIGN_OR_RETURN(const auto client, connect(globals));
    TERRANE_ASSIGN_OR_RETURN(auto all, client.worlds());
    worlds = std::move(all);
    TERRANE_ASSIGN_OR_RETURN(realms, client.realms());
  }
  const bool one = !options.name.empty() || !globals.world.empty();
  if (!options.json) {
    print_table(worlds);
    if (one) print_details(worlds.front());
    if (!realms.empty()) print_realms(realms);
    return {};
  }
  if (!one) std::cout << '[';
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    if (i > 0) std::cout << ",\n ";
    print_json(worlds[i], one);
  }
  std::cout << (one ? "\n" : "]\n");
  return {};
}

}  // namespace

void add_worlds(CommandLine& line, const GlobalOptions& globals, Interrupt& interrupt) {
  auto options = std::make_shared<WorldsOptions>();
  FlagSet command =
      line.add_command("worlds", "The worlds on offer; with a name, that world and its biomes");
  command.add("name", options->name, "A world's name").type_name("NAME");
  command.add("--json", options->json, "A list of objects, or one object when a name is given");
  command
      .add("--save", options->save,
           "Write what a game makes the world's land from by itself (terrane_world_open)")
      .type_name("FILE");
  command.footer(
      "Examples: terrane worlds\n"
      "          terrane worlds classic --json\n"
      "          terrane worlds continents --save continents.world");
  command.runs([=, &globals, &interrupt] { return run(globals, *options, interrupt); });
}

}  // namespace terrane::cli
