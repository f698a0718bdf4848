#include "access/token_keys.h"

#include <cjose/cjose.h>
#include <openssl/err.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

#include "access/json.h"
#include "terrane/result_macros.h"

namespace terrane::access {
namespace {

constexpr std::size_t kMinRsaBits = 2048, kMaxRsaBits = 4096;

struct Algorithm {
  std::string_view name;
  std::string_view kind;  // of key
};
// Public keys alone: who can check a token must not be able to make one.
constexpr std::array kAlgorithms{
    Algorithm{"RS256", "RSA"},   Algorithm{"RS384", "RSA"},   Algorithm{"RS512", "RSA"},
    Algorithm{"PS256", "RSA"},   Algorithm{"PS384", "RSA"},   Algorithm{"PS512", "RSA"},
    Algorithm{"ES256", "P-256"}, Algorithm{"ES384", "P-384"}, Algorithm{"ES512", "P-521"}};

struct JwsFreed {
  void operator()(cjose_jws_t* jws) const { cjose_jws_release(jws); }
};
using Jws = std::unique_ptr<cjose_jws_t, JwsFreed>;

/// "RSA" or the curve; nothing where tokens can't be checked with it.
std::optional<std::string> kind_of(const json_t* jwk) {
  const std::string_view type = text_of(json_object_get(jwk, "kty"));
  if (type == "RSA") return "RSA";
  const std::string_view curve = text_of(json_object_get(jwk, "crv"));
  const bool is_known = curve == "P-256" || curve == "P-384" || curve == "P-521";
  if (type == "EC" && is_known) return std::string(curve);
  return std::nullopt;
}

Result<std::shared_ptr<cjose_jwk_t>> import_key(json_t* jwk, const std::string& where) {
  cjose_err error{};
  cjose_jwk_t* const key = cjose_jwk_import_json(jwk, &error);
  ERR_clear_error();
  if (key == nullptr) return wrong(where + " is no valid key");
  std::shared_ptr<cjose_jwk_t> owned(key, [](cjose_jwk_t* it) { cjose_jwk_release(it); });
  const std::size_t bits = cjose_jwk_get_keysize(key, &error);
  const bool is_rsa = cjose_jwk_get_kty(key, &error) == CJOSE_JWK_KTY_RSA;
  if (is_rsa && (bits < kMinRsaBits || bits > kMaxRsaBits))
    return wrong(where + " is an RSA key of " + std::to_string(bits) +
                 " bits: 2048 to 4096 may be");
  return owned;
}

/// Whether it can be one of the three parts, and is written in the only way there is: cJOSE passes
/// over what is left at the end.
bool is_base64url(std::string_view part) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  if (part.empty() || part.find_first_not_of(kDigits) != part.npos) return false;
  const std::size_t last = kDigits.find(part.back());
  switch (part.size() % 4) {
    case 1: return false;
    case 2: return last % 16 == 0;
    case 3: return last % 4 == 0;
    default: return true;
  }
}

bool is_compact(std::string_view token) {
  const std::size_t first = token.find('.'), last = token.rfind('.');
  return first != last && is_base64url(token.substr(0, first)) &&
         is_base64url(token.substr(first + 1, last - first - 1)) &&
         is_base64url(token.substr(last + 1));
}

const Algorithm* find_algorithm(std::string_view name) {
  for (const Algorithm& each : kAlgorithms) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

}  // namespace

tl::unexpected<Error> invalid_token(std::string_view why) {
  return tl::unexpected(Error{.code = ErrorCode::kUnauthenticated,
                              .message = std::string("the token is not valid: ").append(why),
                              .reason = ErrorReason::kTokenInvalid});
}

Result<TokenKeys> TokenKeys::parse(std::string_view jwks) {
  std::string why;
  const Json set = parse_json(jwks, &why);
  if (!set) return wrong(why);
  json_t* const list = json_object_get(set.get(), "keys");
  if (!json_is_array(list)) return wrong("it is no JSON Web Key Set: {\"keys\": […]}");
  TokenKeys parsed;
  for (std::size_t i = 0; i < json_array_size(list); ++i) {
    json_t* const jwk = json_array_get(list, i);
    const std::string where = "keys[" + std::to_string(i) + "]";
    const std::string_view use = text_of(json_object_get(jwk, "use"));
    const auto kind = kind_of(jwk);
    if (!kind || (!use.empty() && use != "sig")) continue;
    if (json_object_get(jwk, "d") != nullptr)
      return wrong(where + " is a private key: whoever signs tokens keeps that to themselves");
    TERRANE_ASSIGN_OR_RETURN(auto key, import_key(jwk, where));
    parsed.keys_.push_back({std::move(key), std::string(text_of(json_object_get(jwk, "kid"))),
                            std::string(text_of(json_object_get(jwk, "alg"))), *kind});
  }
  if (parsed.keys_.empty())
    return wrong("it has no key of RSA, P-256, P-384 or P-521 that is for signatures");
  return parsed;
}

const TokenKeys::Key* TokenKeys::find(std::string_view id, std::string_view kind) const {
  const Key* found = nullptr;
  for (const Key& each : keys_) {
    if (each.kind != kind || (!id.empty() && each.id != id)) continue;
    if (found != nullptr) return nullptr;  // which of them, it does not say
    found = &each;
  }
  return found;
}

Result<std::string> TokenKeys::verify(std::string_view token) const {
  cjose_err error{};
  const Jws jws(is_compact(token) ? cjose_jws_import(token.data(), token.size(), &error) : nullptr);
  ERR_clear_error();
  if (!jws) return invalid_token("it is no signed JWT in compact form");
  const json_t* const header = cjose_jws_get_protected(jws.get());
  const Algorithm* const algorithm = find_algorithm(text_of(json_object_get(header, "alg")));
  if (algorithm == nullptr)
    return invalid_token("its algorithm is none of RS256, ES256 and their kin");
  if (json_object_get(header, "crit") != nullptr)
    return invalid_token("its header has \"crit\", of which nothing is understood here");
  const Key* const key = find(text_of(json_object_get(header, "kid")), algorithm->kind);
  if (key == nullptr) return invalid_token("it is signed for no key of this server (\"kid\")");
  if (!key->algorithm.empty() && key->algorithm != algorithm->name)
    return invalid_token("its algorithm is another than its key's");
  const bool is_signed = cjose_jws_verify(jws.get(), key->key.get(), &error);
  ERR_clear_error();
  if (!is_signed) return invalid_token("its signature is wrong");
  std::uint8_t* text = nullptr;
  std::size_t size = 0;
  if (!cjose_jws_get_plaintext(jws.get(), &text, &size, &error))
    return invalid_token("it says nothing");
  return std::string(reinterpret_cast<const char*>(text), size);
}

}  // namespace terrane::access
