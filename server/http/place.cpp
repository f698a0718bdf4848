#include "http/place.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <array>
#include <limits>

#include "codec/container.h"
#include "http/target.h"
#include "rpc/checks/refused_field.h"
#include "terrane/result_macros.h"

namespace terrane::http {
namespace {

using Parts = std::span<const std::string>;
using Thing = Place::Thing;

/// What a thing is called in URLs; and whether it is drawn.
struct ThingName {
  std::string_view name;
  Thing thing;
  bool is_drawn = false;
};
constexpr std::array kThings{
    ThingName{"chunks", Thing::kChunk}, ThingName{"bundles", Thing::kBundle},
    ThingName{"tiles", Thing::kTile, true}, ThingName{"mercator", Thing::kMercatorTile, true}};

const ThingName& name_of(Thing thing) {
  const Thing named = thing == Thing::kTileJson ? Thing::kMercatorTile : thing;
  return *std::ranges::find(kThings, named, &ThingName::thing);
}

tl::unexpected<Error> unknown_path(std::string_view target) {
  return rpc::refuse_field(
      {.code = ErrorCode::kNotFound, .field = "path", .value = rpc::in_quotes(target)},
      "there is nothing at this path; below /v1 there are worlds, worlds/WORLD and, below "
      "WORLD/SEED or realms/REALM, chunks/LOD/X/Y, bundles/LOD/X/Y, tiles/LAYER/Z/X/Y.png, "
      "mercator/LAYER/Z/X/Y.png, mercator/LAYER.json, points/X,Y;X,Y, "
      "locate/biome/NAME/X/Y/RADIUS, "
      "locate/structure/NAME/X/Y/RADIUS, locate/place/NAME/X/Y and structures/X/Y");
}

tl::unexpected<Error> malformed(const char* field, std::string_view value, std::string_view text) {
  return rpc::refuse_field({.field = field, .value = rpc::in_quotes(value)}, text);
}

/// Errors: kInvalidArgument.
template <typename Number>
Result<Number> read_number(const char* field, std::string_view text) {
  if (const auto number = number_of<Number>(text)) return *number;
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  const bool is_decimal = !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
  if (is_decimal && !digits.starts_with('0')) {
    using Limits = std::numeric_limits<Number>;
    return malformed(field, text,
                     "numbers here go from " + std::to_string(Limits::min()) + " to " +
                         std::to_string(Limits::max()));
  }
  return malformed(field, text, "write a whole number in decimal digits, without zeros before it");
}

Result<WorldFingerprint> read_fingerprint(const std::string& text) {
  constexpr std::size_t kDigits = 16;
  const auto value = number_of<WorldFingerprint>(text, 16);
  const bool is_lower = std::ranges::none_of(text, [](char c) { return 'A' <= c && c <= 'Z'; });
  if (value && text.size() == kDigits && is_lower) return *value;
  return malformed("fingerprint", text, "write its 16 digits, in lower case");
}

/// Of the bytes or of the drawing. Errors: kNotFound.
Result<void> check_version(const std::string& text, bool is_drawn) {
  const std::string served = std::to_string(is_drawn ? kStyleVersion : codec::kFormatVersion);
  if (text == served) return {};
  return rpc::refuse_field({.code = ErrorCode::kNotFound,
                            .reason = ErrorReason::kFormatNotServed,
                            .field = is_drawn ? "style" : "format",
                            .value = rpc::in_quotes(text),
                            .limit = served},
                           is_drawn ? "this server draws tiles in style " + served
                                    : "this server sends chunks in format " + served);
}

/// "NAME.png" → "NAME". Errors: kNotFound.
Result<std::string_view> without(std::string_view suffix, std::string_view name,
                                 std::string_view target) {
  if (!name.ends_with(suffix)) return unknown_path(target);
  return name.substr(0, name.size() - suffix.size());
}

Result<BlockPos> read_block(std::string_view x, std::string_view y) {
  BlockPos block;
  TERRANE_ASSIGN_OR_RETURN(block.x, read_number<std::int64_t>("x", x));
  TERRANE_ASSIGN_OR_RETURN(block.y, read_number<std::int64_t>("y", y));
  return block;
}

/// @param text  "0,0;-120,35"
Result<std::vector<BlockPos>> read_points(std::string_view text) {
  std::vector<BlockPos> points;
  for (;;) {
    const std::string_view one = text.substr(0, text.find(';'));
    const auto comma = one.find(',');
    if (comma == one.npos) return malformed("points", one, "write x,y and ; between points");
    TERRANE_ASSIGN_OR_RETURN(points.emplace_back(),
                             read_block(one.substr(0, comma), one.substr(comma + 1)));
    if (one.size() == text.size()) return points;
    text.remove_prefix(one.size() + 1);
  }
}

/// @param parts  "points", "0,0;-120,35"; "structures", "3", "-4"; or "locate", "biome", "desert",
///   "0", "0", and perhaps "4096"
Result<void> read_call(Place& place, Parts parts, std::string_view target) {
  if (parts.size() == 2 && parts[0] == "points") {
    place.thing = Thing::kPoints;
    return read_points(parts[1]).map([&](auto points) { place.points = std::move(points); });
  }
  if (parts.size() == 3 && parts[0] == "structures") {
    place.thing = Thing::kStructure;
    return read_block(parts[1], parts[2]).map([&](BlockPos at) { place.points = {at}; });
  }
  const bool is_locate = (parts.size() == 5 || parts.size() == 6) && parts[0] == "locate" &&
                         (parts[1] == "biome" || parts[1] == "structure" || parts[1] == "place");
  if (!is_locate) return unknown_path(target);
  place.thing = Thing::kLocate;
  place.target = parts[1];
  place.name = parts[2];
  if (parts.size() == 6) {
    TERRANE_ASSIGN_OR_RETURN(place.radius, read_number<std::uint32_t>("radius", parts[5]));
  }
  return read_block(parts[3], parts[4]).map([&](BlockPos at) { place.points = {at}; });
}

/// @param parts  "chunks", "0", "3", "-4"; or "tiles", "relief", "0", "3", "-4.png"
Result<void> read_thing(Place& place, Parts parts, std::string_view target) {
  const auto found =
      parts.empty() ? kThings.end() : std::ranges::find(kThings, parts.front(), &ThingName::name);
  if (found == kThings.end())
    return place.is_permanent ? unknown_path(target) : read_call(place, parts, target);
  place.thing = found->thing;
  parts = parts.subspan(1);
  if (found->thing == Thing::kMercatorTile && parts.size() == 1) {
    place.thing = Thing::kTileJson;
    TERRANE_ASSIGN_OR_RETURN(place.layer, without(".json", parts[0], target));
    return {};
  }
  if (found->is_drawn) {
    if (parts.empty()) return unknown_path(target);
    place.layer = parts[0];
    parts = parts.subspan(1);
  }
  if (parts.size() != 3) return unknown_path(target);
  std::string_view last = parts[2];
  if (found->is_drawn) {
    TERRANE_ASSIGN_OR_RETURN(last, without(".png", last, target));
  }
  TERRANE_ASSIGN_OR_RETURN(place.lod,
                           read_number<std::uint32_t>(found->is_drawn ? "z" : "lod", parts[0]));
  TERRANE_ASSIGN_OR_RETURN(place.coord.x, read_number<std::int64_t>("x", parts[1]));
  TERRANE_ASSIGN_OR_RETURN(place.coord.y, read_number<std::int64_t>("y", last));
  return {};
}

}  // namespace

Result<Place> read_place(Parts parts, std::string_view target) {
  Place place;
  if (parts.size() > 4 && parts[0] == "f") {
    place.is_permanent = true;
    if (target.find('%') != target.npos)
      return malformed("path", target, "write it without '%': nothing in it needs that");
    TERRANE_ASSIGN_OR_RETURN(place.variant.fingerprint, read_fingerprint(parts[1]));
    TERRANE_ASSIGN_OR_RETURN(place.variant.seed, read_number<std::uint64_t>("seed", parts[2]));
    TERRANE_RETURN_IF_ERROR(read_thing(place, parts.subspan(4), target));
    TERRANE_RETURN_IF_ERROR(check_version(parts[3], name_of(place.thing).is_drawn));
  } else if (parts.size() > 2 && parts[0] == "realms") {
    place.variant.realm = parts[1];
    TERRANE_RETURN_IF_ERROR(read_thing(place, parts.subspan(2), target));
  } else if (parts.size() > 2) {
    place.variant.world = parts[0];
    TERRANE_ASSIGN_OR_RETURN(place.variant.seed, read_number<std::uint64_t>("seed", parts[1]));
    TERRANE_RETURN_IF_ERROR(read_thing(place, parts.subspan(2), target));
  } else {
    return unknown_path(target);
  }
  return place;
}

std::string permanent_path(const Place& place, WorldFingerprint fingerprint, std::uint64_t seed) {
  const ThingName& name = name_of(place.thing);
  const std::uint32_t version = name.is_drawn ? kStyleVersion : codec::kFormatVersion;
  const std::string above =
      fmt::format("/v1/f/{:016x}/{}/{}/{}", fingerprint, seed, version, name.name);
  if (!name.is_drawn)
    return fmt::format("{}/{}/{}/{}", above, place.lod, place.coord.x, place.coord.y);
  return fmt::format("{}/{}/{}/{}/{}.png", above, escaped(place.layer), place.lod, place.coord.x,
                     place.coord.y);
}

std::string tile_template(const Place& place) {
  const std::string world =
      place.variant.realm.empty()
          ? fmt::format("{}/{}", escaped(place.variant.world), place.variant.seed)
          : "realms/" + escaped(place.variant.realm);
  return fmt::format("/v1/{}/mercator/{}/{{z}}/{{x}}/{{y}}.png", world, escaped(place.layer));
}

}  // namespace terrane::http
