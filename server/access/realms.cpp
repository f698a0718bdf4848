#include "access/realms.h"

#include <optional>
#include <utility>

#include "access/grants.h"
#include "access/json.h"
#include "terrane/result_macros.h"

namespace terrane::access {
namespace {

Result<void> add_realm(json_t* entry, const std::string& where, Realms& realms) {
  if (!json_is_object(entry)) return wrong(where + " must be an object");
  std::string name;
  Realm realm;
  std::optional<std::uint64_t> seed;
  const char* member = nullptr;
  json_t* value = nullptr;
  json_object_foreach(entry, member, value) {
    const std::string_view key(member);
    if (key == "name") {
      name = text_of(value);
    } else if (key == "world") {
      realm.world = text_of(value);
    } else if (key == "seed") {
      seed = read_seed(value);
    } else {
      return wrong(where + " may have \"name\", \"world\" and \"seed\" alone");
    }
  }
  if (!is_name(name) || name.size() > 64)
    return wrong(where + ".name must be a text of 1 to 64 bytes, without control characters");
  if (realm.world.empty()) return wrong(where + ".world must be a world's name");
  if (!seed) {
    return wrong(where + ".seed must be a whole number from 0, or its digits in quotation marks");
  }
  realm.seed = *seed;
  if (!realms.emplace(name, std::move(realm)).second) return wrong(where + ".name is there twice");
  return {};
}

}  // namespace

Result<Realms> parse_realms(std::string_view text) {
  std::string why;
  const Json file = parse_json(text, &why);
  if (!file) return wrong(why);
  json_t* const list = json_object_get(file.get(), "realms");
  if (!json_is_array(list) || json_object_size(file.get()) != 1)
    return wrong("it must be {\"realms\": […]}");
  Realms realms;
  for (std::size_t i = 0; i < json_array_size(list); ++i) {
    TERRANE_RETURN_IF_ERROR(
        add_realm(json_array_get(list, i), "realms[" + std::to_string(i) + "]", realms));
  }
  return realms;
}

}  // namespace terrane::access
