#include "access/grants.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

namespace terrane::access {
namespace {

constexpr std::size_t kMaxName = 128;
constexpr json_int_t kMaxWeight = 10'000;  // as --weight
constexpr json_int_t kMaxViewers = 1'000'000;

tl::unexpected<Error> wrong_member(const std::string& where, std::string_view member,
                                   std::string_view must) {
  std::string message = where;
  message.append(".").append(member).append(" ").append(must);
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

Result<void> read_roles(const json_t* roles, const std::string& where, Grants& grants) {
  constexpr std::string_view kMust = "must be a list of \"read\" and \"admin\"";
  if (!json_is_array(roles)) return wrong_member(where, "roles", kMust);
  grants.may_read = grants.is_admin = false;
  for (std::size_t i = 0; i < json_array_size(roles); ++i) {
    const std::string_view role = text_of(json_array_get(roles, i));
    if (role != "read" && role != "admin") return wrong_member(where, "roles", kMust);
    (role == "read" ? grants.may_read : grants.is_admin) = true;
  }
  return {};
}

/// @param names  of worlds or realms
Result<void> read_names(const json_t* list, const std::string& where, std::string_view member,
                        std::optional<std::vector<std::string>>& names) {
  constexpr std::string_view kMust = "must be a list of names";
  if (!json_is_array(list)) return wrong_member(where, member, kMust);
  names.emplace();
  for (std::size_t i = 0; i < json_array_size(list); ++i) {
    const std::string_view name = text_of(json_array_get(list, i));
    if (name.empty()) return wrong_member(where, member, kMust);
    names->emplace_back(name);
  }
  return {};
}

Result<void> read_seeds(const json_t* seeds, const std::string& where, Grants& grants) {
  constexpr std::string_view kMust =
      "must be a list of seeds: whole numbers from 0, or their digits in quotation marks";
  if (!json_is_array(seeds)) return wrong_member(where, "seeds", kMust);
  grants.seeds.emplace();
  for (std::size_t i = 0; i < json_array_size(seeds); ++i) {
    const auto seed = read_seed(json_array_get(seeds, i));
    if (!seed) return wrong_member(where, "seeds", kMust);
    grants.seeds->push_back(*seed);
  }
  return {};
}

}  // namespace

std::optional<std::uint64_t> read_seed(const json_t* value) {
  if (json_is_integer(value)) {
    const json_int_t number = json_integer_value(value);
    if (number < 0) return std::nullopt;
    return static_cast<std::uint64_t>(number);
  }
  const std::string_view text = text_of(value);
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return seed;
}

bool Grants::may_see_world(std::string_view name) const {
  return worlds ? std::ranges::find(*worlds, name) != worlds->end() : !realms || seeds;
}

bool Grants::may_see_realm(std::string_view name) const {
  return realms ? std::ranges::find(*realms, name) != realms->end() : !worlds && !seeds;
}

bool Grants::may_see_seed(std::uint64_t seed) const {
  return !seeds || std::ranges::find(*seeds, seed) != seeds->end();
}

Result<void> read_grant(const char* member, const json_t* value, const std::string& where,
                        Grants& grants) {
  const std::string_view name(member);
  if (name == "roles") return read_roles(value, where, grants);
  if (name == "worlds") return read_names(value, where, name, grants.worlds);
  if (name == "realms") return read_names(value, where, name, grants.realms);
  if (name == "seeds") return read_seeds(value, where, grants);
  const json_int_t number = json_is_integer(value) ? json_integer_value(value) : 0;
  if (name == "weight") {
    if (number < 1 || number > kMaxWeight)
      return wrong_member(where, name, "must be a whole number from 1 to 10000");
    grants.weight = static_cast<std::uint32_t>(number);
    return {};
  }
  if (name == "max_viewers") {
    if (number < 1 || number > kMaxViewers)
      return wrong_member(where, name, "must be a whole number from 1 to 1000000");
    grants.max_viewers = static_cast<std::size_t>(number);
    return {};
  }
  return wrong_member(
      where, is_name(name) ? name : "?",
      "is not known: there are roles, worlds, seeds, realms, weight and max_viewers");
}

bool is_name(std::string_view text) {
  const auto is_control = [](char byte) { return static_cast<unsigned char>(byte) < 0x20; };
  return !text.empty() && text.size() <= kMaxName && std::ranges::none_of(text, is_control) &&
         text.find('\x7f') == std::string_view::npos;
}

}  // namespace terrane::access
