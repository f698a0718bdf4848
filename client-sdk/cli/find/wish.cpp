#include "cli/find/wish.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <utility>
#include <vector>

#include "cli/query/locate_names.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

using Words = std::vector<std::string>;

constexpr std::int64_t kUsualWithin = 500;  // blocks

/// In lower case, without blanks; "%" goes with its number.
Words words_of(std::string_view text) {
  Words words;
  std::string word;
  for (const char letter : std::string(text) + " ") {
    const auto c = static_cast<unsigned char>(letter);
    if (std::isspace(c) == 0) {
      word += static_cast<char>(std::tolower(c));
    } else if (word == "%" && !words.empty()) {
      words.back() += std::exchange(word, {});
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  return words;
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Result<std::int64_t> number_within(const std::string& word, std::int64_t low, std::int64_t high,
                                   const std::string& what) {
  const auto number = number_in(word);
  if (number && *number >= low && *number <= high) return *number;
  return fail(ErrorCode::kInvalidArgument, what + " '" + word + "' must be a whole number from " +
                                               std::to_string(low) + " to " + std::to_string(high));
}

std::optional<Direction> direction_named(const std::string& word) {
  static constexpr std::array<std::pair<std::string_view, Direction>, 8> kNames{
      {{"north", Direction::kNorth},
       {"north-east", Direction::kNorthEast},
       {"east", Direction::kEast},
       {"south-east", Direction::kSouthEast},
       {"south", Direction::kSouth},
       {"south-west", Direction::kSouthWest},
       {"west", Direction::kWest},
       {"north-west", Direction::kNorthWest}}};
  const auto found = std::find_if(kNames.begin(), kNames.end(),
                                  [&](const auto& name) { return name.first == word; });
  return found == kNames.end() ? std::nullopt : std::optional(found->second);
}

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : " ").append(word);
  return text;
}

/// Takes what a wish ends with off its words.
Result<void> read_place(Words& words, Wish& wish, bool& has_within) {
  if (words.size() > 1) {
    if (const auto direction = direction_named(words.back())) {
      wish.direction = *direction;
      words.pop_back();
    }
  }
  const auto ends_with = [&](std::string_view word) {
    return words.size() > 2 && words[words.size() - 2] == word;
  };
  for (;;) {
    if (ends_with("within") && !has_within) {
      TERRANE_ASSIGN_OR_RETURN(wish.within,
                               number_within(words.back(), 0, kFarthestWish, "within"));
      has_within = true;
    } else if (ends_with("over") && wish.percent == 0) {
      std::string percent = words.back();
      if (percent.ends_with('%')) percent.pop_back();
      TERRANE_ASSIGN_OR_RETURN(const std::int64_t share, number_within(percent, 1, 100, "over"));
      wish.percent = static_cast<int>(share);
    } else {
      break;
    }
    words.resize(words.size() - 2);
  }
  return {};
}

template <typename Named>
void mark(const std::vector<Named>& all, const std::string& name, std::array<bool, 256>& ids) {
  for (std::size_t id = 0; id < std::min(all.size(), ids.size()); ++id)
    ids[id] = all[id].name == name;
}

/// A name of the world's.
Result<void> read_name(const std::string& name, const World& world, Wish& wish) {
  World without_places = world;
  without_places.places.clear();
  TERRANE_ASSIGN_OR_RETURN(const Target target, find_target(without_places, name));
  if (const auto* biome = std::get_if<BiomeNamed>(&target)) {
    wish.kind = Wish::Kind::kBiome;
    mark(world.biomes, biome->name, wish.ids);
  } else if (const auto* structure = std::get_if<StructureNamed>(&target)) {
    wish.kind = Wish::Kind::kStructure;
    mark(world.structure_kinds, structure->name, wish.ids);
  }
  return {};
}

Result<void> read_what(const Words& words, const World& world, Wish& wish) {
  static constexpr std::array<std::pair<std::string_view, Wish::Kind>, 6> kPlain{
      {{"land", Wish::Kind::kLand},
       {"sea", Wish::Kind::kSea},
       {"river", Wish::Kind::kRiver},
       {"lake", Wish::Kind::kLake},
       {"water", Wish::Kind::kWater},
       {"harbour", Wish::Kind::kHarbour}}};
  if (words.size() == 1) {
    for (const auto& [name, kind] : kPlain) {
      if (words[0] != name) continue;
      wish.kind = kind;
      return {};
    }
  }
  if (words.size() == 2 && words[0] == "height") {
    wish.kind = Wish::Kind::kHeight;
    TERRANE_ASSIGN_OR_RETURN(const std::int64_t height,
                             number_within(words[1], -32768, 32767, "height"));
    wish.number = static_cast<int>(height);
    return {};
  }
  if (words.size() == 2 && words[1] == "biomes" && number_in(words[0])) {
    wish.kind = Wish::Kind::kBiomes;
    TERRANE_ASSIGN_OR_RETURN(const std::int64_t biomes, number_within(words[0], 1, 256, "biomes"));
    wish.number = static_cast<int>(biomes);
    return {};
  }
  return read_name(joined(words), world, wish);
}

/// How far a wish may reach: as far as a lattice of the world's coarsest level does.
std::int64_t farthest_of(const Wish& wish, const World& world) {
  if (wish.kind == Wish::Kind::kStructure) return kFarthestWish;
  const std::int64_t around = wish.kind == Wish::Kind::kHarbour ? kHarbourOpening : 0;
  return std::max<std::int64_t>((std::int64_t{56} << world.max_lod) - around, 0);
}

/// What makes no sense together.
Result<void> check(const Wish& wish, const World& world) {
  const auto wrong = [](const char* why) { return fail(ErrorCode::kInvalidArgument, why); };
  const bool is_thing = wish.kind == Wish::Kind::kStructure || wish.kind == Wish::Kind::kHarbour ||
                        wish.kind == Wish::Kind::kBiomes;
  if (wish.percent > 0 && (is_thing || wish.absent))
    return wrong("'over' is for ground that is to be there, not for places or their number");
  if (wish.kind == Wish::Kind::kBiomes && wish.absent)
    return wrong("'no' is not for numbers of biomes");
  if (wish.kind == Wish::Kind::kHarbour && wish.within > kFarthestHarbour)
    return wrong("a harbour is looked for within 1024 blocks at most");
  const std::int64_t farthest = farthest_of(wish, world);
  if (wish.within > farthest) {
    return fail(ErrorCode::kInvalidArgument,
                "this world's levels of detail are too fine to look further than " +
                    std::to_string(farthest) + " blocks");
  }
  const bool needs_layer = wish.kind == Wish::Kind::kRiver || wish.kind == Wish::Kind::kLake;
  const bool has_layer =
      std::any_of(world.layers.begin(), world.layers.end(),
                  [](const LayerInfo& layer) { return layer.layer == Layer::kWater; });
  if (needs_layer && !has_layer) return wrong("this world has no rivers and no lakes");
  return {};
}

}  // namespace

Result<Wish> parse_wish(std::string_view text, const World& world) {
  Wish wish;
  wish.text = text;
  Words words = words_of(text);
  const auto read = [&]() -> Result<void> {
    if (!words.empty() && words.front() == "no") {
      wish.absent = true;
      words.erase(words.begin());
    }
    bool has_within = false;
    TERRANE_RETURN_IF_ERROR(read_place(words, wish, has_within));
    if (words.empty()) return fail(ErrorCode::kInvalidArgument, "it says nothing");
    TERRANE_RETURN_IF_ERROR(read_what(words, world, wish));
    if (!has_within)
      wish.within = wish.kind == Wish::Kind::kLand && wish.percent == 0
                        ? 0
                        : std::min(kUsualWithin, farthest_of(wish, world));
    return check(wish, world);
  };
  if (auto done = read(); !done) {
    return fail(ErrorCode::kInvalidArgument, "wish '" + wish.text + "': " + done.error().message);
  }
  return wish;
}

bool is_towards(Direction direction, BlockPos from, BlockPos to) {
  const std::int64_t x = to.x - from.x, y = to.y - from.y;
  const std::int64_t far_x = std::abs(x), far_y = std::abs(y);
  switch (direction) {
    case Direction::kAny: return true;
    case Direction::kNorth: return y <= 0 && far_x <= far_y;
    case Direction::kSouth: return y >= 0 && far_x <= far_y;
    case Direction::kEast: return x >= 0 && far_y <= far_x;
    case Direction::kWest: return x <= 0 && far_y <= far_x;
    case Direction::kNorthEast: return x >= 0 && y <= 0;
    case Direction::kSouthEast: return x >= 0 && y >= 0;
    case Direction::kSouthWest: return x <= 0 && y >= 0;
    case Direction::kNorthWest: return x <= 0 && y <= 0;
  }
  return false;
}

}  // namespace terrane::cli
