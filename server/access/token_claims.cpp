#include "access/token_claims.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "access/grants.h"
#include "access/json.h"
#include "access/token_keys.h"
#include "terrane/result_macros.h"

namespace terrane::access {
namespace {

using SystemTime = std::chrono::system_clock::time_point;

constexpr double kMaxSeconds = 9e9;  // of 1970: the year 2255, which nanoseconds still count

std::optional<SystemTime> time_of(const json_t* value) {
  if (!json_is_number(value)) return std::nullopt;
  const double seconds = json_number_value(value);
  if (!(seconds >= 0)) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(std::floor(std::min(seconds, kMaxSeconds)));
  return SystemTime(std::chrono::seconds(whole));
}

bool is_for(const json_t* audience, std::string_view us) {
  if (!json_is_array(audience)) return text_of(audience) == us;
  for (std::size_t i = 0; i < json_array_size(audience); ++i) {
    if (text_of(json_array_get(audience, i)) == us) return true;
  }
  return false;
}

Result<Grants> read_grants(json_t* claim) {
  Grants grants;
  if (claim == nullptr) return grants;
  if (!json_is_object(claim)) return invalid_token("its \"terrane\" is no object");
  const char* member = nullptr;
  json_t* value = nullptr;
  json_object_foreach(claim, member, value) {
    const auto read = read_grant(member, value, "terrane", grants);
    if (!read) return invalid_token(read.error().message);
  }
  return grants;
}

}  // namespace

Result<TokenHolder> read_claims(std::string_view claims, const TokenRules& rules) {
  const Json parsed = parse_json(claims);
  if (!json_is_object(parsed.get())) return invalid_token("its claims are no JSON object");
  const auto claim = [&](const char* name) { return json_object_get(parsed.get(), name); };
  if (text_of(claim("iss")) != rules.issuer) return invalid_token("it is of another issuer");
  if (!is_for(claim("aud"), rules.audience)) return invalid_token("it is for another audience");
  const std::string_view subject = text_of(claim("sub"));
  if (!is_name(subject))
    return invalid_token("its \"sub\" is no text of 1 to 128 bytes without control characters");
  const auto expires = time_of(claim("exp"));
  if (!expires) return invalid_token("it does not say when it ends (\"exp\")");
  TokenHolder holder;
  if (const json_t* const begins = claim("nbf")) {
    const auto time = time_of(begins);
    if (!time) return invalid_token("its \"nbf\" is no time");
    holder.begins = *time - rules.leeway;
  }
  holder.caller.name = subject;
  holder.caller.expires = *expires + rules.leeway;
  TERRANE_ASSIGN_OR_RETURN(holder.caller.grants, read_grants(claim("terrane")));
  return holder;
}

}  // namespace terrane::access
