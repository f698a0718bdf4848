#include <unistd.h>

#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/query/locate_names.h"
#include "cli/terminal/text.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

struct LocateOptions {
  std::string name;
  BlockPos near;
  std::uint32_t radius = 0;  // as far as the server looks
  bool json = false;
};

/// How far the search has come, on stderr while this object lives; silent when stderr is no
/// terminal.
class SearchProgress {
 public:
  ~SearchProgress() {
    if (shown_) std::cerr << kClearLine << std::flush;
  }
  void show(std::uint32_t searched) {
    if (isatty(STDERR_FILENO) != 1) return;
    shown_ = true;
    std::cerr << kClearLine << "searched " << searched << " blocks around" << std::flush;
  }

 private:
  static constexpr const char* kClearLine = "\r\x1b[K";
  bool shown_ = false;
};

void print(const Session& session, const LocateOptions& options, const Located& found) {
  const std::string name = found.place       ? found.place->name
                           : found.structure ? session.structure_name(found.structure->kind)
                                             : session.biome_name(found.biome.value_or(0));
  if (!options.json) {
    std::cout << position(found.block) << "  " << name << ", ";
    if (found.structure) std::cout << counted(found.structure->rooms, "room") << ", ";
    const std::string way = direction(options.near, found.block);
    std::cout << (found.block == options.near ? way : rounded(found.distance, 0) + " blocks " + way)
              << '\n';
    return;
  }
  std::cout << "{\"x\":" << found.block.x << ",\"y\":" << found.block.y
            << ",\"distance\":" << number(found.distance);
  if (found.place) {
    std::cout << ",\"place\":" << json_string(name)
              << ",\"spawn\":" << (found.place->spawn ? "true" : "false") << "}\n";
    return;
  }
  if (!found.structure) {
    std::cout << ",\"biome\":" << json_string(name) << "}\n";
    return;
  }
  std::cout << ",\"structure\":" << json_string(name) << ",\"rooms\":" << found.structure->rooms
            << ",\"from\":[" << position(found.structure->from) << "],\"to\":["
            << position(found.structure->to) << "]}\n";
}

Result<void> run(const GlobalOptions& globals, const LocateOptions& options) {
  TERRANE_ASSIGN_OR_RETURN(const auto session, Session::open(globals));
  TERRANE_ASSIGN_OR_RETURN(const World world, session.client.world(session.world.name));
  TERRANE_ASSIGN_OR_RETURN(auto target, find_target(world, options.name));
  const LocateRequest request{.world = session.ref,
                              .target = std::move(target),
                              .origin = options.near,
                              .radius = options.radius};
  std::uint32_t searched = 0;
  const auto search = [&] {
    SearchProgress progress;
    return session.client.locate(request,
                                 [&](std::uint32_t blocks) { progress.show(searched = blocks); });
  };
  TERRANE_ASSIGN_OR_RETURN(const auto found, search());
  if (!found) {
    return fail(ErrorCode::kNotFound, "no " + options.name + " within " + std::to_string(searched) +
                                          " blocks of " + position(options.near) +
                                          ": look elsewhere with --near" +
                                          (options.radius > 0 ? ", or further with --radius" : ""));
  }
  print(session, options, *found);
  return {};
}

}  // namespace

void add_locate(CommandLine& line, const GlobalOptions& globals) {
  auto options = std::make_shared<LocateOptions>();
  FlagSet command =
      line.add_command("locate", "The nearest structure, place of a biome, or named place");
  command
      .add("name", options->name,
           "A biome, a kind of structure or a named place of the world, in any case")
      .required()
      .accepted_by([](std::string_view name) -> Result<void> {
        if (name.empty())
          return fail(ErrorCode::kInvalidArgument, "name a biome, a structure or a place");
        return {};
      })
      .type_name("BIOME|STRUCTURE|PLACE");
  command.add_parsed("--near", options->near, parse_block_pos, "Block to look around")
      .type_name("X,Y")
      .shows_default("0,0");
  command.add("--radius", options->radius, "How far to look; by default as far as the server does")
      .type_name("BLOCKS")
      .within(1, 1 << 30);
  command.add("--json", options->json,
              "An object with x, y, distance in blocks, and the biome, the structure or the place");
  command.footer(
      "Prints the block, its distance and the way to it; north is towards smaller y. Biomes are\n"
      "looked for on every 32nd block along each axis: a patch between them is not found. "
      "Interrupt\n"
      "it with Ctrl-C. Exit status 1 when there is none.\n"
      "\n"
      "Examples: terrane locate taiga --near -2000,500\n"
      "          terrane --seed 7 locate ruin --radius 4096 --json");
  command.runs([options, &globals] { return run(globals, *options); });
}

}  // namespace terrane::cli
