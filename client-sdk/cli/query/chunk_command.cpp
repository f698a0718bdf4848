#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <string>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/terminal/text.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

struct ChunkOptions {
  ChunkCoord coord;
  int lod = 0;
  bool json = false;
};

template <typename T>
void print_summary(const char* name, const char* unit, double scale,
                   const std::vector<T>& samples) {
  if (samples.empty()) return;
  const auto [low, high] = std::minmax_element(samples.begin(), samples.end());
  const double sum = std::accumulate(samples.begin(), samples.end(), 0.0);
  std::cout << pad_right(name, 12) << pad_left(rounded(*low * scale, 1), 10)
            << pad_left(rounded(sum * scale / static_cast<double>(samples.size()), 1), 10)
            << pad_left(rounded(*high * scale, 1), 10) << "  " << unit << '\n';
}

std::string share(std::size_t part, std::size_t whole) {
  return rounded(100.0 * static_cast<double>(part) / static_cast<double>(whole), 1) + " %";
}

void print_biomes(const Session& session, const Chunk& chunk) {
  std::map<std::uint32_t, std::size_t> counts;
  for (const std::uint8_t biome : chunk.biome) ++counts[biome];
  std::vector<std::pair<std::size_t, std::uint32_t>> ranking;
  ranking.reserve(counts.size());
  for (const auto& [biome, count] : counts) ranking.emplace_back(count, biome);
  std::sort(ranking.rbegin(), ranking.rend());
  for (const auto& [count, biome] : ranking) {
    std::cout << pad_left(share(count, chunk.biome.size()), 8) << "  " << session.biome_name(biome)
              << '\n';
  }
}

/// Of the samples that have water: how much, and how high it stands.
void print_water(const Chunk& chunk) {
  if (chunk.water_q4.empty()) return;
  std::vector<std::int32_t> water;
  std::copy_if(chunk.water_q4.begin(), chunk.water_q4.end(), std::back_inserter(water),
               [](auto height) { return height != kNoWater; });
  if (water.empty()) {
    std::cout << pad_right("water", 12) << pad_left("none", 10) << '\n';
  } else {
    print_summary(
        "water",
        ("block, on " + share(water.size(), chunk.water_q4.size()) + " of the samples").c_str(),
        1.0 / 16, water);
  }
}

void print_objects(const Session& session, const Chunk& chunk) {
  std::map<std::uint32_t, std::size_t> counts;
  for (const Placement& placement : chunk.placements) ++counts[placement.kind];
  if (!counts.empty()) std::cout << '\n' << counted(chunk.placements.size(), "placement") << '\n';
  for (const auto& [kind, count] : counts) {
    std::cout << pad_left(std::to_string(count), 6) << "    " << session.placement_name(kind)
              << '\n';
  }
  if (!chunk.structures.empty()) std::cout << "\nstructures\n";
  for (const Structure& structure : chunk.structures) {
    std::cout << "  " << pad_right(position(structure.anchor), 16) << "  "
              << session.structure_name(structure.kind) << ", " << counted(structure.rooms, "room")
              << '\n';
  }
  if (!chunk.rooms.empty()) {
    std::cout << '\n'
              << counted(chunk.rooms.size(), "room")
              << (chunk.rooms.size() == 1 ? " begins" : " begin") << " here\n";
  }
}

void print_text(const Session& session, const Chunk& chunk) {
  const BlockPos from = chunk_origin(chunk.coord, chunk.size, chunk.lod);
  const std::int64_t reach = std::int64_t{chunk.size - 1} << chunk.lod;
  std::cout << "chunk " << chunk.coord.x << ',' << chunk.coord.y << " of " << session.world.name
            << ", " << variant_text(session.ref) << ", lod " << static_cast<int>(chunk.lod) << ": "
            << chunk.size << " x " << chunk.size << " samples, blocks " << from.x << ',' << from.y
            << " to " << from.x + reach << ',' << from.y + reach << "\n\n"
            << pad_right("LAYER", 12) << pad_left("MIN", 10) << pad_left("MEAN", 10)
            << pad_left("MAX", 10) << '\n';
  print_summary("height", "block", 1.0 / 16, chunk.height_q4);
  print_summary("temperature", "degC", 0.1, chunk.temperature_d);
  print_summary("humidity", "percent", 0.1, chunk.humidity_d);
  print_water(chunk);
  print_summary("forest", "percent", 1, chunk.forest_p);
  print_summary("rocks", "percent", 1, chunk.rocks_p);
  std::cout << '\n';
  print_biomes(session, chunk);
  print_objects(session, chunk);
}

template <typename T>
void print_layer(Layer layer, const char* name, const char* unit, const char* scale,
                 const std::vector<T>& samples) {
  if (samples.empty()) return;
  if (layer != Layer::kHeight) std::cout << ",\n";
  std::cout << "  \"" << name << "\":{\"unit\":\"" << unit << "\",\"scale\":" << scale
            << ",\"samples\":[";
  for (std::size_t i = 0; i < samples.size(); ++i)
    std::cout << (i > 0 ? "," : "") << static_cast<int>(samples[i]);
  std::cout << "]}";
}

std::string pair_of(BlockPos block) { return std::string("[").append(position(block)).append("]"); }

/// A list of objects, each on a line of its own.
template <typename T, typename Print>
void print_list(const char* name, const std::vector<T>& list, Print print) {
  std::cout << ",\n\"" << name << "\":[";
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::cout << (i > 0 ? ",\n  " : "\n  ");
    print(list[i]);
  }
  std::cout << ']';
}

void print_objects_json(const Session& session, const Chunk& chunk) {
  if (session.has(Layer::kPlacements)) {
    print_list("placements", chunk.placements, [&](const Placement& placement) {
      std::cout << "{\"anchor\":" << pair_of(placement.anchor)
                << ",\"kind\":" << json_string(session.placement_name(placement.kind))
                << ",\"turn\":" << int{placement.turn} << ",\"scale\":" << int{placement.scale}
                << '}';
    });
  }
  if (!session.has(Layer::kStructures)) return;
  print_list("structures", chunk.structures, [&](const Structure& structure) {
    std::cout << "{\"anchor\":" << pair_of(structure.anchor)
              << ",\"kind\":" << json_string(session.structure_name(structure.kind))
              << ",\"rooms\":" << structure.rooms << ",\"from\":" << pair_of(structure.from)
              << ",\"to\":" << pair_of(structure.to) << '}';
  });
  print_list("rooms", chunk.rooms, [&](const Room& room) {
    std::cout << "{\"corner\":" << pair_of(room.corner) << ",\"floor\":" << blocks(room.floor_q4)
              << ",\"structure\":" << pair_of(room.structure) << ",\"index\":" << room.index
              << ",\"piece\":" << int{room.piece} << ",\"turn\":" << int{room.turn}
              << ",\"open_doors\":" << int{room.open_doors} << '}';
  });
}

void print_json(const Session& session, const Chunk& chunk) {
  const BlockPos from = chunk_origin(chunk.coord, chunk.size, chunk.lod);
  std::cout << "{\"world\":" << json_string(session.world.name) << ",\"fingerprint\":\""
            << hex64(session.world.fingerprint) << "\"," << variant_json(session.ref)
            << ",\"x\":" << chunk.coord.x << ",\"y\":" << chunk.coord.y
            << ",\"lod\":" << static_cast<int>(chunk.lod) << ",\"size\":" << chunk.size
            << ",\"first_block\":" << pair_of(from) << ",\"layers\":{\n";
  print_layer(Layer::kHeight, "height", "block", "0.0625", chunk.height_q4);
  print_layer(Layer::kTemperature, "temperature", "degC", "0.1", chunk.temperature_d);
  print_layer(Layer::kHumidity, "humidity", "percent", "0.1", chunk.humidity_d);
  print_layer(Layer::kBiome, "biome", "biome", "1", chunk.biome);
  print_layer(Layer::kWater, "water", "block", "0.0625", chunk.water_q4);
  print_layer(Layer::kForest, "forest", "percent", "1", chunk.forest_p);
  print_layer(Layer::kRocks, "rocks", "percent", "1", chunk.rocks_p);
  std::cout << '}';
  print_objects_json(session, chunk);
  std::cout << "}\n";
}

Result<void> run(const GlobalOptions& globals, const ChunkOptions& options) {
  TERRANE_ASSIGN_OR_RETURN(const auto session, Session::open(globals));
  TERRANE_ASSIGN_OR_RETURN(const auto chunk, session.client.chunk(session.ref, options.coord,
                                                                  static_cast<Lod>(options.lod)));
  options.json ? print_json(session, chunk) : print_text(session, chunk);
  return {};
}

}  // namespace

void add_chunk(CommandLine& line, const GlobalOptions& globals) {
  auto options = std::make_shared<ChunkOptions>();
  FlagSet command = line.add_command("chunk", "What one chunk holds");
  command
      .add_parsed("position", options->coord, parse_chunk_coord,
                  "Chunk, in chunk coordinates of the level of detail")
      .required()
      .type_name("X,Y");
  command.add("--lod", options->lod, "Level of detail: samples are 2^lod blocks apart")
      .within(0, static_cast<int>(kMaxLod))
      .shows_default();
  command.add("--json", options->json,
              "All samples: stored integers, `scale` units each, rows of growing x from the "
              "smallest y on; and what stands there");
  command.footer(
      "Examples: terrane chunk -3,-4\n"
      "          terrane --world classic --seed 0xc0ffee chunk 0,0 --lod 2 --json");
  command.runs([options, &globals] { return run(globals, *options); });
}

}  // namespace terrane::cli
