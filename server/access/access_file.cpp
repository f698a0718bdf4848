#include "access/access_file.h"

#include <utility>

#include "access/grants.h"
#include "access/json.h"
#include "terrane/result_macros.h"

namespace terrane::access {
namespace {

/// @param proof  the member that says by what they are known: "sha256", "subject"
/// @return it, and what they may do
Result<std::pair<std::string, Caller>> parse_entry(json_t* entry, const std::string& where,
                                                   std::string_view proof) {
  if (!json_is_object(entry)) return wrong(where + " must be an object");
  std::pair<std::string, Caller> parsed;
  const char* member = nullptr;
  json_t* value = nullptr;
  json_object_foreach(entry, member, value) {
    if (member == proof) {
      parsed.first = text_of(value);
    } else if (std::string_view(member) == "name") {
      parsed.second.name = text_of(value);
    } else {
      TERRANE_RETURN_IF_ERROR(read_grant(member, value, where, parsed.second.grants));
    }
  }
  if (!is_name(parsed.second.name))
    return wrong(where + ".name must be a text of 1 to 128 bytes, without control characters");
  if (parsed.first.empty()) return wrong(where + "." + std::string(proof) + " is missing");
  return parsed;
}

Result<void> add_token(json_t* entry, const std::string& where, AccessList& list) {
  TERRANE_ASSIGN_OR_RETURN(auto parsed, parse_entry(entry, where, "sha256"));
  const auto hash = from_hex(parsed.first);
  if (!hash) {
    return wrong(where + ".sha256 must be the 64 hexadecimal digits of the token's SHA-256 " +
                 "(terraned --new-token NAME makes both)");
  }
  if (!list.tokens.emplace(*hash, std::move(parsed.second)).second)
    return wrong(where + ".sha256 is there twice");
  return {};
}

Result<void> add_certificate(json_t* entry, const std::string& where, AccessList& list) {
  TERRANE_ASSIGN_OR_RETURN(auto parsed, parse_entry(entry, where, "subject"));
  if (!list.certificates.emplace(std::move(parsed.first), std::move(parsed.second)).second)
    return wrong(where + ".subject is there twice");
  return {};
}

Result<void> add_all(json_t* entries, const std::string& name, AccessList& list,
                     Result<void> (*add)(json_t*, const std::string&, AccessList&)) {
  if (!json_is_array(entries)) return wrong(name + " must be a list");
  for (std::size_t i = 0; i < json_array_size(entries); ++i) {
    const std::string where = name + "[" + std::to_string(i) + "]";
    TERRANE_RETURN_IF_ERROR(add(json_array_get(entries, i), where, list));
  }
  return {};
}

}  // namespace

Result<AccessList> parse_access_file(std::string_view text) {
  std::string why;
  const Json file = parse_json(text, &why);
  if (!file) return wrong(why);
  if (!json_is_object(file.get())) return wrong("it must be an object");
  AccessList list;
  const char* member = nullptr;
  json_t* value = nullptr;
  json_object_foreach(file.get(), member, value) {
    const std::string_view name(member);
    if (name == "tokens") {
      TERRANE_RETURN_IF_ERROR(add_all(value, member, list, &add_token));
    } else if (name == "certificates") {
      TERRANE_RETURN_IF_ERROR(add_all(value, member, list, &add_certificate));
    } else {
      return wrong("it may have \"tokens\" and \"certificates\" alone");
    }
  }
  return list;
}

}  // namespace terrane::access
