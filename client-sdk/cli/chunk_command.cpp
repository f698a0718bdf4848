#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <string>

#include "commands.h"
#include "parse.h"
#include "text.h"

namespace terrane::cli {
namespace {

struct Options {
  ChunkCoord coord;
  int lod = 0;
  bool json = false;
};

template <typename T>
void print_summary(const char* name, const char* unit, double scale, const std::vector<T>& samples) {
  if (samples.empty()) return;
  const auto [low, high] = std::minmax_element(samples.begin(), samples.end());
  const double sum = std::accumulate(samples.begin(), samples.end(), 0.0);
  std::cout << pad_right(name, 12) << pad_left(rounded(*low * scale, 1), 10)
            << pad_left(rounded(sum * scale / static_cast<double>(samples.size()), 1), 10)
            << pad_left(rounded(*high * scale, 1), 10) << "  " << unit << '\n';
}

void print_biomes(const Session& session, const Chunk& chunk) {
  std::map<std::uint32_t, std::size_t> counts;
  for (const std::uint8_t biome : chunk.biome) ++counts[biome];
  std::vector<std::pair<std::size_t, std::uint32_t>> ranking;
  for (const auto& [biome, count] : counts) ranking.emplace_back(count, biome);
  std::sort(ranking.rbegin(), ranking.rend());
  for (const auto& [count, biome] : ranking) {
    const double percent = 100.0 * static_cast<double>(count) / static_cast<double>(chunk.biome.size());
    std::cout << pad_left(rounded(percent, 1), 6) << " %  " << session.biome_name(biome) << '\n';
  }
}

void print_text(const Session& session, const Chunk& chunk) {
  const BlockPos from = chunk_origin(chunk.coord, chunk.size, chunk.lod);
  const std::int64_t reach = std::int64_t{chunk.size - 1} << chunk.lod;
  std::cout << "chunk " << chunk.coord.x << ',' << chunk.coord.y << " of " << session.world.name << ", seed " << session.ref.seed
            << ", lod " << static_cast<int>(chunk.lod) << ": " << chunk.size << " x " << chunk.size << " samples, blocks "
            << from.x << ',' << from.y << " to " << from.x + reach << ',' << from.y + reach << "\n\n"
            << pad_right("LAYER", 12) << pad_left("MIN", 10) << pad_left("MEAN", 10) << pad_left("MAX", 10) << '\n';
  print_summary("height", "block", 1.0 / 16, chunk.height_q4);
  print_summary("temperature", "degC", 0.1, chunk.temperature_d);
  print_summary("humidity", "percent", 0.1, chunk.humidity_d);
  std::cout << '\n';
  print_biomes(session, chunk);
}

template <typename T>
void print_layer(const char* name, const char* unit, const char* scale, const std::vector<T>& samples, bool last) {
  std::cout << "  \"" << name << "\":{\"unit\":\"" << unit << "\",\"scale\":" << scale << ",\"samples\":[";
  for (std::size_t i = 0; i < samples.size(); ++i) std::cout << (i > 0 ? "," : "") << static_cast<int>(samples[i]);
  std::cout << "]}" << (last ? "\n" : ",\n");
}

void print_json(const Session& session, const Chunk& chunk) {
  const BlockPos from = chunk_origin(chunk.coord, chunk.size, chunk.lod);
  std::cout << "{\"world\":" << json_string(session.world.name) << ",\"fingerprint\":\"" << hex64(session.world.fingerprint)
            << "\",\"seed\":\"" << session.ref.seed << "\",\"x\":" << chunk.coord.x << ",\"y\":" << chunk.coord.y
            << ",\"lod\":" << static_cast<int>(chunk.lod) << ",\"size\":" << chunk.size << ",\"first_block\":[" << from.x << ','
            << from.y << "],\"layers\":{\n";
  print_layer("height", "block", "0.0625", chunk.height_q4, false);
  print_layer("temperature", "degC", "0.1", chunk.temperature_d, false);
  print_layer("humidity", "percent", "0.1", chunk.humidity_d, false);
  print_layer("biome", "biome", "1", chunk.biome, true);
  std::cout << "}}\n";
}

Result<void> run(const GlobalOptions& globals, const Options& options) {
  const auto session = Session::open(globals);
  if (!session) return tl::unexpected(session.error());
  const auto chunk = session->client.chunk(session->ref, options.coord, static_cast<Lod>(options.lod));
  if (!chunk) return tl::unexpected(chunk.error());
  options.json ? print_json(*session, *chunk) : print_text(*session, *chunk);
  return {};
}

}  // namespace

void add_chunk(CLI::App& app, const GlobalOptions& globals, Command& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("chunk", "What one chunk holds");
  add_parsed(*command, "position", options->coord, parse_chunk_coord, "Chunk, in chunk coordinates of the level of detail")
      ->required()
      ->type_name("X,Y");
  command->add_option("--lod", options->lod, "Level of detail: samples are 2^lod blocks apart")
      ->check(CLI::Range(0, static_cast<int>(kMaxLod)))
      ->capture_default_str();
  command->add_flag("--json", options->json,
                    "All samples: stored integers, `scale` units each, rows of growing x from the smallest y on");
  command->footer("Examples: terrane chunk -3,-4\n          terrane --world classic --seed 0xc0ffee chunk 0,0 --lod 2 --json");
  command->callback([options, &globals, &chosen] { chosen = [options, &globals] { return run(globals, *options); }; });
}

}  // namespace terrane::cli
