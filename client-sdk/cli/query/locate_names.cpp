#include "cli/query/locate_names.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <numeric>

namespace terrane::cli {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// How many letters must be put in, taken out or exchanged, after V. I. Levenshtein.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t exchanged = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, exchanged});
    }
  }
  return row.back();
}

bool is_close(const std::string& wanted, const std::string& name) {
  const std::string candidate = lower(name);
  return candidate.find(wanted) != std::string::npos ||
         wanted.find(candidate) != std::string::npos ||
         edits(wanted, candidate) <= std::max<std::size_t>(1, wanted.size() / 3);
}

/// Names in table order, each once.
template <typename Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  for (const Named& one : all) {
    if (std::find(names.begin(), names.end(), one.name) == names.end()) names.push_back(one.name);
  }
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 100;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
    text.append(i == 0 ? "" : ", ").append(names[i]);
  if (names.size() > kMost)
    text.append(" and ").append(std::to_string(names.size() - kMost)).append(" more");
  return text.empty() ? "none" : text;
}

const std::string* find_name(const std::vector<std::string>& names, const std::string& wanted) {
  const auto at = std::find_if(names.begin(), names.end(),
                               [&](const std::string& name) { return lower(name) == wanted; });
  return at == names.end() ? nullptr : &*at;
}

}  // namespace

Result<Target> find_target(const World& world, std::string_view name) {
  const std::string wanted = lower(name);
  const std::vector<std::string> places = names_of(world.places);
  const std::vector<std::string> structures = names_of(world.structure_kinds);
  const std::vector<std::string> biomes = names_of(world.biomes);
  // as it is written first, and then in any case
  const auto is_there = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is_there(places)) return PlaceNamed{std::string(name)};
  if (is_there(structures)) return StructureNamed{std::string(name)};
  if (is_there(biomes)) return BiomeNamed{std::string(name)};
  if (const std::string* place = find_name(places, wanted)) return PlaceNamed{*place};
  if (const std::string* structure = find_name(structures, wanted))
    return StructureNamed{*structure};
  if (const std::string* biome = find_name(biomes, wanted)) return BiomeNamed{*biome};
  std::vector<std::string> close;
  for (const auto* names : {&places, &structures, &biomes}) {
    std::copy_if(names->begin(), names->end(), std::back_inserter(close),
                 [&](const std::string& candidate) { return is_close(wanted, candidate); });
  }
  std::string message = "world '" + world.name + "' has no biome, structure or place '";
  message.append(name).append("'");
  if (!close.empty()) message.append("; close to it: ").append(joined(close));
  message.append("\n  biomes: ")
      .append(joined(biomes))
      .append("\n  structures: ")
      .append(joined(structures));
  if (!places.empty()) message.append("\n  places: ").append(joined(places));
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

std::string direction(BlockPos from, BlockPos to) {
  const auto east = static_cast<double>(to.x - from.x);
  const auto south = static_cast<double>(to.y - from.y);
  if (east == 0 && south == 0) return "here";
  constexpr double kDiagonal = 0.41421356;  // tan of 22.5 degrees: from there on it is a diagonal
  const bool vertical = std::abs(south) > kDiagonal * std::abs(east);
  const bool horizontal = std::abs(east) > kDiagonal * std::abs(south);
  std::string way = !vertical ? "" : south < 0 ? "north" : "south";
  if (!horizontal) return way;
  return way + (way.empty() ? "" : "-") + (east < 0 ? "west" : "east");
}

}  // namespace terrane::cli
