// land_statistics: what a world's land is like, in figures that geomorphologists take of the
// earth's, beside what they are there. Reports, never asserts.
//   land_statistics [--world NAME|FILE.json] [--seed N]... [--threads N] [--json]
// Without: continents, seeds 1, 42 and 2024, 2 threads. A minute or less.
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "bench/land_measures.h"
#include "bench/land_survey.h"
#include "terrane/result_macros.h"
#include "worlds/preset.h"
#include "worlds/world_catalog.h"

namespace {

using namespace terrane;

struct Arguments {
  std::string world = "continents";
  std::vector<std::uint64_t> seeds;
  int threads = 2;
  bool json = false;
};

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Arguments> parse(const std::vector<std::string_view>& words) {
  Arguments arguments;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (words[k] == "--json") {
      arguments.json = true;
      continue;
    }
    if (k + 1 == words.size()) return std::nullopt;
    const std::string_view name = words[k], value = words[++k];
    if (name == "--world") {
      arguments.world = value;
    } else if (name == "--seed") {
      const auto seed = number_of<std::uint64_t>(value);
      if (!seed) return std::nullopt;
      arguments.seeds.push_back(*seed);
    } else if (name == "--threads") {
      const auto threads = number_of<int>(value);
      if (!threads || *threads < 1 || *threads > 256) return std::nullopt;
      arguments.threads = *threads;
    } else {
      return std::nullopt;
    }
  }
  if (arguments.seeds.empty()) arguments.seeds = {1, 42, 2024};
  return arguments;
}

Result<worldgen::World> load(const std::string& name) {
  if (name.ends_with(".json")) {
    std::ifstream file(name);
    std::stringstream text;
    text << file.rdbuf();
    if (!file) return fail(ErrorCode::kInvalidArgument, name + ": can't be read");
    return worlds::parse_preset(text.str(), name);
  }
  TERRANE_ASSIGN_OR_RETURN(const worlds::WorldCatalog catalog, worlds::builtin_worlds());
  const auto found = catalog.find(name);
  if (found == catalog.end())
    return fail(ErrorCode::kInvalidArgument, "--world: '" + name + "' is not built in");
  return *found->second;
}

std::string asked(const land::Measure& measure) {
  char text[32];
  if (measure.low == -land::kAny && measure.high == land::kAny) return "";
  if (measure.low == -land::kAny) {
    std::snprintf(text, sizeof text, "<= %g", measure.high);
  } else if (measure.high == land::kAny) {
    std::snprintf(text, sizeof text, ">= %g", measure.low);
  } else {
    std::snprintf(text, sizeof text, "%g to %g", measure.low, measure.high);
  }
  return text;
}

const char* verdict(const land::Found& found) {
  if (found.windows == 0) return "no such land";
  if (asked(*found.measure).empty()) return "";
  return found.holds ? "yes" : "NO";
}

void print_table(const std::vector<land::Found>& rows) {
  std::printf("| measure | median | worst | asked | holds? | values | how |\n");
  std::printf("|---|--:|--:|---|---|--:|---|\n");
  for (const land::Found& row : rows) {
    std::printf("| %s | ", std::string(row.measure->what).c_str());
    if (row.windows > 0) {
      std::printf("%.4g | %.4g", row.median, row.worst);
    } else {
      std::printf(" | ");
    }
    std::printf(" | %s | %s | %zu | %s |\n", asked(*row.measure).c_str(), verdict(row), row.windows,
                std::string(row.measure->how).c_str());
  }
}

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

void print_json(const std::vector<land::Found>& rows) {
  const char* before = "[\n";
  for (const land::Found& row : rows) {
    const bool any = row.windows > 0, told = asked(*row.measure).empty();
    std::cout << before << R"(  {"key": ")" << row.measure->key << R"(", "values": )" << row.windows
              << R"(, "median": )" << (any ? json_number(row.median) : "null") << R"(, "worst": )"
              << (any ? json_number(row.worst) : "null") << R"(, "low": )"
              << json_number(row.measure->low) << R"(, "high": )" << json_number(row.measure->high)
              << R"(, "holds": )"
              << (!any || told ? "null"
                  : row.holds  ? "true"
                               : "false")
              << "}";
    before = ",\n";
  }
  std::cout << "\n]\n";
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = parse({argv + 1, argv + argc});
  if (!arguments) {
    std::cerr << "usage: land_statistics [--world NAME|FILE.json] [--seed N]... [--threads N] "
                 "[--json]\n";
    return 2;
  }
  const auto world = load(arguments->world);
  if (!world) return std::cerr << world.error().message << '\n', 2;
  land::Findings all;
  for (const std::uint64_t seed : arguments->seeds)
    all.add(land::survey({land::prepared(*world), seed}, {}, arguments->threads));
  const std::vector<land::Found> rows = land::sum_up(all);
  if (arguments->json) {
    print_json(rows);
  } else {
    print_table(rows);
  }
}
