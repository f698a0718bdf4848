#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/fetch.h"
#include "cli/parse.h"
#include "cli/query/world_hash.h"
#include "cli/terminal/text.h"

namespace terrane::cli {
namespace {

struct Options {
  ChunkRectangle area;
  int lod = 0;
};

Result<void> run(const GlobalOptions& globals, const Options& options) {
  const auto session = Session::open(globals);
  if (!session) return tl::unexpected(session.error());
  RowOrderHash hash(options.area);
  const auto fetched = fetch(*session, options.area, static_cast<Lod>(options.lod), kAllLayers,
                             [&](const Chunk& chunk) { hash.add(chunk.coord, hash_chunk(chunk)); });
  if (!fetched) return fetched;
  std::cout << hex64(hash.value()) << '\n';
  return {};
}

}  // namespace

void add_hash(CLI::App& app, const GlobalOptions& globals, Command& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("hash", "One number for a rectangle of chunks: equal worlds, equal hash");
  add_parsed(*command, "--from", options->area.first, parse_chunk_coord, "First chunk, X,Y")
      ->required()
      ->type_name("X,Y");
  add_parsed(*command, "--to", options->area.last, parse_chunk_coord, "Last chunk, X,Y, included")
      ->required()
      ->type_name("X,Y");
  command->add_option("--lod", options->lod, "Level of detail: samples are 2^lod blocks apart")
      ->check(CLI::Range(0, static_cast<int>(kMaxLod)))
      ->capture_default_str();
  command->footer(
      "Prints 16 hexadecimal digits. Each chunk's XXH3-64 covers its layers height, temperature, "
      "humidity, biome, water,\n"
      "forest and rocks, those it has, in this order: layer id (1 byte), number of samples (4), "
      "samples in row order\n"
      "(4, 2, 2, 1, 4, 1, 1 bytes each). Then its placements, if any: layer id, number (4), and of "
      "each the anchor's x\n"
      "and y (8 each), kind, turn, scale (1 each). Then its structures and rooms, if any: layer "
      "id; number of structures\n"
      "(4), of each anchor (16), kind (1), number of rooms (2), from (16), to (16); number of "
      "rooms (4), of each corner\n"
      "(16), floor (4), structure (16), index (2), kind, piece, turn, open doors (1 each).\n"
      "The result is the XXH3-64 of the chunks' hashes (8 bytes each) in row order: smallest y "
      "first, within a row\n"
      "smallest x first. Integers are little-endian. The order in which chunks arrive makes no "
      "difference.\n\n"
      "Example: terrane --seed 7 hash --from -16,-16 --to 15,15");
  command->callback([options, &globals, &chosen] {
    if (const auto count = count_chunks(options->area); !count)
      throw CLI::ValidationError("hash", count.error().message);
    chosen = [options, &globals] { return run(globals, *options); };
  });
}

}  // namespace terrane::cli
