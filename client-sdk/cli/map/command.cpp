#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/fetch.h"
#include "cli/map/drawing.h"
#include "cli/parse.h"
#include "cli/whole_file.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

// A map is held in memory, some 20 bytes per pixel.
constexpr std::int64_t kMaxPixels = std::int64_t{1} << 25;
constexpr int kMaxRadius = 1024;
constexpr int kMaxScale = 16;

struct MapOptions {
  BlockPos center;
  int radius = 8;
  MapStyle style = MapStyle::kRelief;
  std::string out;
  int lod = 0;
  int scale = 1;
};

Result<void> check_size(const Session& session, const MapOptions& options) {
  const std::int64_t side =
      std::int64_t{2 * options.radius + 1} * session.world.chunk_size * options.scale;
  if (side * side <= kMaxPixels) return {};
  return fail(ErrorCode::kInvalidArgument,
              "a map of " + std::to_string(side) + " x " + std::to_string(side) +
                  " pixels is too large; at most " + std::to_string(kMaxPixels) +
                  " pixels: choose a smaller --radius, or see more land with a larger --lod");
}

Result<void> run(const GlobalOptions& globals, const MapOptions& options, Interrupt& interrupt) {
  TERRANE_RETURN_IF_ERROR(check_writable(options.out));
  TERRANE_ASSIGN_OR_RETURN(const auto session, Session::open(globals));
  TERRANE_RETURN_IF_ERROR(check_size(session, options));

  const auto lod = static_cast<Lod>(options.lod);
  const int size = session.world.chunk_size;
  const ChunkCoord middle = chunk_of(options.center, size, lod);
  const ChunkRectangle area{{middle.x - options.radius, middle.y - options.radius},
                            {middle.x + options.radius, middle.y + options.radius}};
  TERRANE_ASSIGN_OR_RETURN(const auto layers, layers_for(options.style, session.world));
  MapGrid grid(legend_of(session.world), samples_of(area, size), lod, options.style, layers);
  TERRANE_RETURN_IF_ERROR(
      fetch(session, area, lod, layers, [&grid](const Chunk& chunk) { grid.place(chunk); }));

  const Picture picture = enlarged(grid.draw(), options.scale);
  TERRANE_ASSIGN_OR_RETURN(const auto png, encode_png(picture));
  TERRANE_RETURN_IF_ERROR(write_whole_file(options.out, png, interrupt));

  const BlockPos from = chunk_origin(area.first, size, lod);
  const BlockPos past = chunk_origin({area.last.x + 1, area.last.y + 1}, size, lod);
  std::cout << options.out << ": " << picture.width << " x " << picture.height << " pixels, blocks "
            << from.x << ',' << from.y << " to " << past.x - 1 << ',' << past.y - 1
            << ", north up\n";
  return {};
}

}  // namespace

void add_map(CommandLine& line, const GlobalOptions& globals, Interrupt& interrupt) {
  auto options = std::make_shared<MapOptions>();
  FlagSet command = line.add_command("map", "Draws the land around a block into a PNG file");
  command
      .add_parsed("--center", options->center, parse_block_pos,
                  "Block whose chunk is in the middle")
      .type_name("X,Y")
      .shows_default("0,0");
  command.add("--radius", options->radius, "Chunks to each side of the middle one")
      .type_name("CHUNKS")
      .within(0, kMaxRadius)
      .shows_default();
  command
      .add_parsed(
          "--layer", options->style, parse_map_style,
          "biome, height, temperature, humidity, relief (shaded biomes), water, forest or rocks")
      .type_name("LAYER")
      .shows_default("relief");
  command.add("--out", options->out, "File to write; replaced as a whole once the map is done")
      .required()
      .type_name("FILE.png");
  command
      .add("--lod", options->lod,
           "Level of detail: one sample every 2^lod blocks, so 2^lod times the land")
      .within(0, static_cast<int>(kMaxLod))
      .shows_default();
  command.add("--scale", options->scale, "Edge of the square that shows one sample, in pixels")
      .type_name("PIXELS")
      .within(1, kMaxScale)
      .shows_default();
  command.footer(
      "The map shows (2 * CHUNKS + 1)^2 whole chunks, one pixel per sample, north (smaller y) at\n"
      "the top. Colours have fixed ranges: temperature -40 to 50 degC, humidity 0 to 100 %, "
      "height\n"
      "from the world's deepest to its highest. In relief the sun stands in the north-west, and\n"
      "water is darker the deeper it is; forests are darker, and what stands there has the colour\n"
      "of its kind: single things and rooms at lod 0, marks for structures up to lod 4.\n"
      "\n"
      "Examples: terrane map --out map.png\n"
      "          terrane --seed 7 map --center -100,50 --radius 16 --layer height --lod 3 --out "
      "height.png");
  command.runs([=, &globals, &interrupt] { return run(globals, *options, interrupt); });
}

}  // namespace terrane::cli
