#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/fetch.h"
#include "cli/parse.h"
#include "cli/query/world_hash.h"
#include "cli/terminal/text.h"
#include "codec/chunk_hash.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

struct HashOptions {
  ChunkRectangle area;
  int lod = 0;
};

Result<void> run(const GlobalOptions& globals, const HashOptions& options) {
  TERRANE_ASSIGN_OR_RETURN(const auto session, Session::open(globals));
  RowOrderHash hash(options.area);
  const auto add = [&](const Chunk& chunk) { hash.add(chunk.coord, codec::hash_chunk(chunk)); };
  TERRANE_RETURN_IF_ERROR(
      fetch(session, options.area, static_cast<Lod>(options.lod), kAllLayers, add));
  std::cout << hex64(hash.value()) << '\n';
  return {};
}

}  // namespace

void add_hash(CommandLine& line, const GlobalOptions& globals) {
  auto options = std::make_shared<HashOptions>();
  FlagSet command =
      line.add_command("hash", "One number for a rectangle of chunks: equal worlds, equal hash");
  command.add_parsed("--from", options->area.first, parse_chunk_coord, "First chunk, X,Y")
      .required()
      .type_name("X,Y");
  command.add_parsed("--to", options->area.last, parse_chunk_coord, "Last chunk, X,Y, included")
      .required()
      .type_name("X,Y");
  command.add("--lod", options->lod, "Level of detail: samples are 2^lod blocks apart")
      .within(0, static_cast<int>(kMaxLod))
      .shows_default();
  command.footer(
      "Prints 16 hexadecimal digits. Each chunk's XXH3-64 covers its layers height, temperature,\n"
      "humidity, biome, water, forest and rocks, those it has, in this order: layer id (1 byte),\n"
      "number of samples (4), samples in row order (4, 2, 2, 1, 4, 1, 1 bytes each). Then its\n"
      "placements, if any: layer id, number (4), and of each the anchor's x and y (8 each), kind,\n"
      "turn, scale (1 each). Then its structures and rooms, if any: layer id; number of "
      "structures\n"
      "(4), of each anchor (16), kind (1), number of rooms (2), from (16), to (16); number of "
      "rooms\n"
      "(4), of each corner (16), floor (4), structure (16), index (2), kind, piece, turn, open\n"
      "doors (1 each).\n"
      "The result is the XXH3-64 of the chunks' hashes (8 bytes each) in row order: smallest y\n"
      "first, within a row smallest x first. Integers are little-endian. The order in which "
      "chunks\n"
      "arrive makes no difference.\n"
      "\n"
      "Example: terrane --seed 7 hash --from -16,-16 --to 15,15");
  const auto check = [options]() -> Result<void> {
    const auto count = count_chunks(options->area);
    if (!count) return fail(count.error().code, "hash: " + count.error().message);
    return {};
  };
  command.runs([options, &globals] { return run(globals, *options); }, check);
}

}  // namespace terrane::cli
