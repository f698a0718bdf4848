#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/query/spawn_search.h"
#include "cli/terminal/text.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

struct SpawnOptions {
  SpawnSearch search;
  bool json = false;
};

Result<void> run(const GlobalOptions& globals, const SpawnOptions& options) {
  TERRANE_ASSIGN_OR_RETURN(const auto session, Session::open(globals));
  TERRANE_ASSIGN_OR_RETURN(const auto found, find_spawn(options.search, session));
  const BlockPos near = options.search.near;
  if (!found) {
    return fail(ErrorCode::kNotFound,
                "no dry, level place away from cliffs within " +
                    std::to_string(options.search.radius) + " blocks of " + std::to_string(near.x) +
                    "," + std::to_string(near.y) +
                    ": search elsewhere with --near, or further with --radius");
  }
  const auto& [block, sample] = *found;
  const std::string biome = session.biome_name(sample.biome);
  if (options.json) {
    std::cout << "{\"x\":" << block.x << ",\"y\":" << block.y
              << ",\"height\":" << blocks(sample.height_q4) << ",\"biome\":" << json_string(biome)
              << "}\n";
  } else {
    std::cout << block.x << ',' << block.y << "  height " << blocks(sample.height_q4) << "  "
              << biome << '\n';
  }
  return {};
}

}  // namespace

void add_spawn(CommandLine& line, const GlobalOptions& globals) {
  constexpr std::int64_t kMaxRadius = 393216;
  auto options = std::make_shared<SpawnOptions>();
  FlagSet command =
      line.add_command("spawn", "Where players may begin: a dry, level place near a point");
  command.add_parsed("--near", options->search.near, parse_block_pos, "Block to search around")
      .type_name("X,Y")
      .shows_default("0,0");
  command.add("--radius", options->search.radius, "Largest distance along each axis, in blocks")
      .type_name("BLOCKS")
      .within(std::int64_t{0}, kMaxRadius)
      .shows_default();
  command.add("--json", options->json, "An object with x, y, height in blocks and biome");
  command.footer(
      "The nearest of the places where the world's designer has players begin, whatever it is\n"
      "like. Where there is none: tries a block every 16 blocks, nearest first; further than 512\n"
      "blocks away, those around blocks of a grid of 256 that are dry. Dry: no water stands on it\n"
      "nor on its neighbours 4 blocks away; in worlds that do not say where water stands, they\n"
      "lie above sea level. Level: these neighbours are at most 1 block higher or lower. Away\n"
      "from cliffs: 8 blocks away the land is at most 3 blocks higher or lower, 16 blocks away at\n"
      "most 6; water counts as its surface. Neighbours are the 8 along the axes and the\n"
      "diagonals. Prints the block, its height and its biome.\n"
      "\n"
      "Example: terrane --seed 7 spawn --near -2000,500");
  command.runs([options, &globals] { return run(globals, *options); });
}

}  // namespace terrane::cli
