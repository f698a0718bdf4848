#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/fetch.h"
#include "cli/map/drawing.h"
#include "cli/map/png_file.h"
#include "cli/parse.h"

namespace terrane::cli {
namespace {

// A map is held in memory, some 20 bytes per pixel.
constexpr std::int64_t kMostPixels = std::int64_t{1} << 25;
constexpr int kMostRadius = 1024;
constexpr int kMostScale = 16;

struct Options {
  BlockPos center;
  int radius = 8;
  MapStyle style = MapStyle::kRelief;
  std::string out;
  int lod = 0;
  int scale = 1;
};

Result<void> check_size(const Session& session, const Options& options) {
  const std::int64_t side =
      std::int64_t{2 * options.radius + 1} * session.world.chunk_size * options.scale;
  if (side * side <= kMostPixels) return {};
  return fail(ErrorCode::kInvalidArgument,
              "a map of " + std::to_string(side) + " x " + std::to_string(side) +
                  " pixels is too large; at most " + std::to_string(kMostPixels) +
                  " pixels: choose a smaller --radius, or see more land with a larger --lod");
}

Result<void> run(const GlobalOptions& globals, const Options& options, Interrupt& interrupt) {
  if (auto writable = check_writable(options.out); !writable) return writable;
  const auto session = Session::open(globals);
  if (!session) return tl::unexpected(session.error());
  if (auto fits = check_size(*session, options); !fits) return fits;

  const auto lod = static_cast<Lod>(options.lod);
  const int size = session->world.chunk_size;
  const ChunkCoord middle = chunk_of(options.center, size, lod);
  const ChunkRectangle area{{middle.x - options.radius, middle.y - options.radius},
                            {middle.x + options.radius, middle.y + options.radius}};
  const auto layers = layers_for(options.style, session->world);
  if (!layers) return tl::unexpected(layers.error());
  MapGrid grid(session->world, samples_of(area, size), lod, options.style, *layers);
  const auto fetched =
      fetch(*session, area, lod, *layers, [&grid](const Chunk& chunk) { grid.place(chunk); });
  if (!fetched) return fetched;

  const Picture picture = enlarged(grid.draw(), options.scale);
  const auto png = encode_png(picture);
  if (!png) return tl::unexpected(png.error());
  if (auto written = write_whole_file(options.out, *png, interrupt); !written) return written;

  const BlockPos from = chunk_origin(area.first, size, lod);
  const BlockPos past = chunk_origin({area.last.x + 1, area.last.y + 1}, size, lod);
  std::cout << options.out << ": " << picture.width << " x " << picture.height << " pixels, blocks "
            << from.x << ',' << from.y << " to " << past.x - 1 << ',' << past.y - 1
            << ", north up\n";
  return {};
}

}  // namespace

void add_map(CLI::App& app, const GlobalOptions& globals, Interrupt& interrupt, Command& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("map", "Draws the land around a block into a PNG file");
  add_parsed(*command, "--center", options->center, parse_block_pos,
             "Block whose chunk is in the middle")
      ->type_name("X,Y")
      ->default_str("0,0");
  command->add_option("--radius", options->radius, "Chunks to each side of the middle one")
      ->type_name("CHUNKS")
      ->check(CLI::Range(0, kMostRadius))
      ->capture_default_str();
  add_parsed(*command, "--layer", options->style, parse_map_style,
             "biome, height, temperature, humidity, relief (shaded biomes), water, forest or rocks")
      ->type_name("LAYER")
      ->default_str("relief");
  command
      ->add_option("--out", options->out, "File to write; replaced as a whole once the map is done")
      ->required()
      ->type_name("FILE.png");
  command
      ->add_option("--lod", options->lod,
                   "Level of detail: one sample every 2^lod blocks, so 2^lod times the land")
      ->check(CLI::Range(0, static_cast<int>(kMaxLod)))
      ->capture_default_str();
  command
      ->add_option("--scale", options->scale, "Edge of the square that shows one sample, in pixels")
      ->type_name("PIXELS")
      ->check(CLI::Range(1, kMostScale))
      ->capture_default_str();
  command->footer(
      "The map shows (2 * CHUNKS + 1)^2 whole chunks, one pixel per sample, north (smaller y) at "
      "the top. Colours have\n"
      "fixed ranges: temperature -40 to 50 degC, humidity 0 to 100 %, height from the world's "
      "deepest to its highest.\n"
      "In relief the sun stands in the north-west, and water is darker the deeper it is; forests "
      "are darker, and what stands\n"
      "there has the colour of its kind: single things and rooms at lod 0, marks for structures up "
      "to lod 4.\n\n"
      "Examples: terrane map --out map.png\n"
      "          terrane --seed 7 map --center -100,50 --radius 16 --layer height --lod 3 --out "
      "height.png");
  command->callback([options, &globals, &interrupt, &chosen] {
    chosen = [=, &globals, &interrupt] { return run(globals, *options, interrupt); };
  });
}

}  // namespace terrane::cli
