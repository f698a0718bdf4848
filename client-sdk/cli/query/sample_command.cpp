#include <iostream>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/terminal/text.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

struct SampleOptions {
  std::vector<std::string> points;  // "X,Y", or "-" for those on stdin
  bool json = false;
};

Result<std::vector<BlockPos>> read_stdin() {
  std::vector<BlockPos> points;
  std::string word;
  while (std::cin >> word) {
    const auto point = parse_block_pos(word);
    if (!point)
      return fail(point.error().code, "stdin, point " + std::to_string(points.size() + 1) + ": " +
                                          point.error().message);
    points.push_back(*point);
  }
  return points;
}

Result<std::vector<BlockPos>> all_points(const std::vector<std::string>& texts) {
  std::vector<BlockPos> points;
  for (const std::string& text : texts) {
    if (text == "-") {
      TERRANE_ASSIGN_OR_RETURN(const auto more, read_stdin());
      points.insert(points.end(), more.begin(), more.end());
    } else {
      TERRANE_ASSIGN_OR_RETURN(const auto point, parse_block_pos(text));
      points.push_back(point);
    }
  }
  return points;
}

void print_text(const Session& session, BlockPos point, const PointSample& sample) {
  std::cout << pad_right(std::to_string(point.x) + "," + std::to_string(point.y), 16) << "  height "
            << pad_left(blocks(sample.height_q4), 9) << "  temperature "
            << pad_left(tenths(sample.temperature_d), 5) << " degC"
            << "  humidity " << pad_left(tenths(sample.humidity_d), 5) << " %  ";
  if (session.has(Layer::kWater)) {
    std::cout << "water "
              << pad_left(sample.water_q4 == kNoWater ? "-" : blocks(sample.water_q4), 9) << "  ";
  }
  if (session.has(Layer::kForest))
    std::cout << "forest " << pad_left(std::to_string(sample.forest_p), 3) << " %  ";
  if (session.has(Layer::kRocks))
    std::cout << "rocks " << pad_left(std::to_string(sample.rocks_p), 3) << " %  ";
  std::cout << session.biome_name(sample.biome) << '\n';
}

void print_json(const Session& session, BlockPos point, const PointSample& sample) {
  std::cout << "{\"x\":" << point.x << ",\"y\":" << point.y
            << ",\"height\":" << blocks(sample.height_q4)
            << ",\"temperature\":" << tenths(sample.temperature_d)
            << ",\"humidity\":" << tenths(sample.humidity_d)
            << ",\"biome\":" << json_string(session.biome_name(sample.biome));
  if (session.has(Layer::kWater)) {
    std::cout << ",\"water\":" << (sample.water_q4 == kNoWater ? "null" : blocks(sample.water_q4));
  }
  if (session.has(Layer::kForest)) std::cout << ",\"forest\":" << int{sample.forest_p};
  if (session.has(Layer::kRocks)) std::cout << ",\"rocks\":" << int{sample.rocks_p};
  std::cout << '}';
}

Result<void> run(const GlobalOptions& globals, const SampleOptions& options) {
  TERRANE_ASSIGN_OR_RETURN(const auto points, all_points(options.points));
  TERRANE_ASSIGN_OR_RETURN(const auto session, Session::open(globals));
  TERRANE_ASSIGN_OR_RETURN(const auto samples, session.client.sample(session.ref, points));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (options.json) {
      std::cout << (i == 0 ? "[" : ",\n ");
      print_json(session, (points)[i], (samples)[i]);
    } else {
      print_text(session, (points)[i], (samples)[i]);
    }
  }
  if (options.json) std::cout << (samples.empty() ? "[]\n" : "]\n");
  return {};
}

}  // namespace

void add_sample(CommandLine& line, const GlobalOptions& globals) {
  auto options = std::make_shared<SampleOptions>();
  FlagSet command = line.add_command("sample",
                                     "What single blocks have: height, temperature, humidity, "
                                     "biome, and water, forest and rocks if the world does");
  command
      .add("points", options->points, "Blocks; - reads them from stdin, separated by white space")
      .required()
      .type_name("X,Y")
      .accepted_by([](std::string_view text) -> Result<void> {
        if (text != "-") TERRANE_RETURN_IF_ERROR(parse_block_pos(text));
        return {};
      });
  command.add("--json", options->json,
              "A list of objects; heights in blocks (water: null where there is none), "
              "temperature in degC, the rest in percent");
  command.footer(
      "Examples: terrane sample 0,0 -120,35\n"
      "          echo '10,10 20,20' | terrane sample - --json");
  command.runs([options, &globals] { return run(globals, *options); });
}

}  // namespace terrane::cli
