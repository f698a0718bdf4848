#include <iostream>
#include <map>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/query/structure_plan.h"
#include "cli/terminal/text.h"
#include "cli/whole_file.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

constexpr int kPixelsPerBlock = 8;

struct StructureOptions {
  BlockPos anchor;
  std::string out;  // empty: text
  bool json = false;
};

void print_text(const StructurePlan& plan, const StructureKind& kind) {
  const Structure& structure = plan.structure;
  std::cout << kind.name << " at " << position(structure.anchor) << ": " << plan.rooms.size()
            << " rooms, blocks " << position(structure.from) << " to " << position(structure.to)
            << ", north up\n";
  for (const PlanLevel& level : plan_levels(plan, kind)) {
    std::cout << "\nlevel " << level.level << '\n';
    for (std::string row : level.rows) {
      row.erase(row.find_last_not_of(kNothing) + 1);
      std::cout << row << '\n';
    }
  }
  std::map<std::size_t, std::size_t> counts;
  for (const Room& room : plan.rooms) ++counts[room.piece];
  std::cout << '\n'
            << kWall << " wall   " << kDoor << " door   " << kOutside
            << " before the outside door\n";
  for (const auto& [piece, count] : counts) {
    if (piece >= kind.pieces.size()) continue;
    const Piece& drawn = kind.pieces[piece];
    std::cout << piece_letter(piece) << ' ' << drawn.name << ", " << int{drawn.width} << " x "
              << int{drawn.depth} << " blocks, " << counted(drawn.levels, "level")
              << (count == 1 ? "" : ": " + std::to_string(count)) << '\n';
  }
}

void print_json(const StructurePlan& plan, const StructureKind& kind) {
  const Structure& structure = plan.structure;
  std::cout << "{\"anchor\":[" << position(structure.anchor)
            << "],\"kind\":" << json_string(kind.name) << ",\"from\":[" << position(structure.from)
            << "],\"to\":[" << position(structure.to) << "],\"storey\":" << blocks(kind.storey_q4)
            << ",\"rooms\":[";
  for (std::size_t i = 0; i < plan.rooms.size(); ++i) {
    const Room& room = plan.rooms[i];
    const std::string piece = room.piece < kind.pieces.size()
                                  ? kind.pieces[room.piece].name
                                  : "piece " + std::to_string(room.piece);
    std::cout << (i > 0 ? ",\n  " : "\n  ") << "{\"index\":" << room.index
              << ",\"piece\":" << json_string(piece) << ",\"corner\":[" << position(room.corner)
              << "],\"floor\":" << blocks(room.floor_q4) << ",\"turn\":" << int{room.turn}
              << ",\"open_doors\":" << int{room.open_doors} << '}';
  }
  std::cout << "]}\n";
}

Result<void> run(const GlobalOptions& globals, const StructureOptions& options,
                 Interrupt& interrupt) {
  if (!options.out.empty()) {
    TERRANE_RETURN_IF_ERROR(check_writable(options.out));
  }
  TERRANE_ASSIGN_OR_RETURN(const auto session, Session::open(globals));
  TERRANE_ASSIGN_OR_RETURN(const auto plan, session.client.structure(session.ref, options.anchor));
  if (plan.structure.kind >= session.world.structure_kinds.size()) {
    return fail(ErrorCode::kDataLoss,
                "the server answered a structure of a kind that its world does not have");
  }
  const StructureKind& kind = session.world.structure_kinds[plan.structure.kind];
  if (options.json) print_json(plan, kind);
  if (!options.out.empty()) {
    const auto levels = plan_levels(plan, kind);
    if (levels.empty())
      return fail(ErrorCode::kDataLoss, "the server answered a structure without rooms");
    const Picture picture = draw_plan(levels, kind, kPixelsPerBlock);
    TERRANE_ASSIGN_OR_RETURN(const auto png, encode_png(picture));
    TERRANE_RETURN_IF_ERROR(write_whole_file(options.out, png, interrupt));
    if (!options.json) {
      std::cout << options.out << ": " << picture.width << " x " << picture.height << " pixels, "
                << counted(levels.size(), "level") << " from the lowest, north up\n";
    }
  } else if (!options.json) {
    print_text(plan, kind);
  }
  return {};
}

}  // namespace

void add_structure(CommandLine& line, const GlobalOptions& globals, Interrupt& interrupt) {
  auto options = std::make_shared<StructureOptions>();
  FlagSet command = line.add_command("structure", "The plan of one structure");
  command
      .add_parsed("anchor", options->anchor, parse_block_pos,
                  "The structure's anchor, as `terrane locate` prints it")
      .required()
      .type_name("X,Y");
  command
      .add("--out", options->out,
           "Draw the plan into this file; replaced as a whole once it is done")
      .type_name("FILE.png");
  command.add("--json", options->json,
              "An object with the rooms: piece, corner, floor in blocks, turn, open doors");
  command.footer(
      "Prints each level from the lowest, one character a block, north (smaller y) at the top:\n"
      "walls, doors, and a letter for the piece that a room is. Pieces less than three blocks "
      "wide\n"
      "are shown without walls.\n"
      "\n"
      "Examples: terrane structure 812,-1440\n"
      "          terrane structure 812,-1440 --out plan.png");
  command.runs([=, &globals, &interrupt] { return run(globals, *options, interrupt); });
}

}  // namespace terrane::cli
