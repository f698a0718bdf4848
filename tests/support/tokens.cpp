#include "support/tokens.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rsa.h>

#include <stdexcept>
#include <utility>
#include <vector>

namespace terrane::test {
namespace {

constexpr int kCoordinate = 32;  // bytes of a number of P-256

template <typename T>
T or_throw(T done) {
  if (!done) throw std::runtime_error("OpenSSL could not make a token");
  return done;
}

const unsigned char* bytes_of(const std::string& text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

/// @param size  0: as short as it can be
std::string number(const BIGNUM* value, int size = 0) {
  std::string bytes(static_cast<std::size_t>(size > 0 ? size : BN_num_bytes(value)), '\0');
  or_throw(BN_bn2binpad(value, reinterpret_cast<unsigned char*>(bytes.data()),
                        static_cast<int>(bytes.size())) >= 0);
  return bytes;
}

std::string number_of(EVP_PKEY* key, const char* name, int size = 0) {
  BIGNUM* value = nullptr;
  or_throw(EVP_PKEY_get_bn_param(key, name, &value) == 1);
  const std::shared_ptr<BIGNUM> owned(value, BN_free);
  return base64url(number(value, size));
}

/// OpenSSL's DER, as JWS has it: two numbers one after the other.
std::string without_der(const std::string& der) {
  const unsigned char* at = bytes_of(der);
  const std::shared_ptr<ECDSA_SIG> parsed(
      or_throw(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size()))), ECDSA_SIG_free);
  return number(ECDSA_SIG_get0_r(parsed.get()), kCoordinate) +
         number(ECDSA_SIG_get0_s(parsed.get()), kCoordinate);
}

std::string signature_of(const std::string& text, EVP_PKEY* key) {
  const std::shared_ptr<EVP_MD_CTX> context(or_throw(EVP_MD_CTX_new()), EVP_MD_CTX_free);
  or_throw(EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key) == 1);
  std::size_t size = 0;
  or_throw(EVP_DigestSign(context.get(), nullptr, &size, bytes_of(text), text.size()) == 1);
  std::string made(size, '\0');
  or_throw(EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(made.data()), &size,
                          bytes_of(text), text.size()) == 1);
  made.resize(size);
  return made;
}

}  // namespace

TokenIssuer TokenIssuer::with_ec(std::string id) {
  return {{or_throw(EVP_EC_gen("P-256")), EVP_PKEY_free}, "ES256", std::move(id)};
}

TokenIssuer TokenIssuer::with_rsa(std::string id, unsigned bits) {
  return {{or_throw(EVP_RSA_gen(bits)), EVP_PKEY_free}, "RS256", std::move(id)};
}

std::string TokenIssuer::members() const {
  const std::string id = id_.empty() ? "" : R"("kid":")" + id_ + R"(",)";
  if (algorithm_ == "RS256") {
    return id + R"("kty":"RSA","n":")" + number_of(key_.get(), OSSL_PKEY_PARAM_RSA_N) +
           R"(","e":")" + number_of(key_.get(), OSSL_PKEY_PARAM_RSA_E) + '"';
  }
  return id + R"("kty":"EC","crv":"P-256","x":")" +
         number_of(key_.get(), OSSL_PKEY_PARAM_EC_PUB_X, kCoordinate) + R"(","y":")" +
         number_of(key_.get(), OSSL_PKEY_PARAM_EC_PUB_Y, kCoordinate) + '"';
}

std::string TokenIssuer::jwk() const { return "{" + members() + "}"; }

std::string TokenIssuer::private_jwk() const {
  const char* const name = algorithm_ == "RS256" ? OSSL_PKEY_PARAM_RSA_D : OSSL_PKEY_PARAM_PRIV_KEY;
  return "{" + members() + R"(,"d":")" + number_of(key_.get(), name) + "\"}";
}

std::string TokenIssuer::sign(const std::string& claims, std::string header) const {
  if (header.empty()) {
    const std::string id = id_.empty() ? "" : R"(,"kid":")" + id_ + '"';
    header = R"({"alg":")" + algorithm_ + '"' + id + "}";
  }
  const std::string text = base64url(header) + "." + base64url(claims);
  const std::string made = signature_of(text, key_.get());
  return text + "." + base64url(algorithm_ == "ES256" ? without_der(made) : made);
}

std::string key_set(const std::string& keys) { return R"({"keys":[)" + keys + "]}"; }

std::string base64url(const std::string& bytes) {
  std::vector<unsigned char> text(4 * (bytes.size() / 3 + 1) + 1);
  const int size = EVP_EncodeBlock(text.data(), bytes_of(bytes), static_cast<int>(bytes.size()));
  std::string made(text.begin(), text.begin() + size);
  for (char& each : made) each = each == '+' ? '-' : each == '/' ? '_' : each;
  return made.substr(0, made.find('='));
}

std::string claims_of(const std::string& subject, const std::string& more,
                      std::chrono::seconds lasts) {
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(
      std::chrono::system_clock::now().time_since_epoch());
  return R"({"iss":"issuer","aud":"terrane","sub":")" + subject + R"(","exp":)" +
         std::to_string((now + lasts).count()) + more + "}";
}

std::string sha256_hex(const std::string& text) {
  unsigned char hash[32];
  or_throw(EVP_Digest(text.data(), text.size(), hash, nullptr, EVP_sha256(), nullptr) == 1);
  std::string digits;
  for (const unsigned char byte : hash) {
    digits += "0123456789abcdef"[byte >> 4];
    digits += "0123456789abcdef"[byte & 15];
  }
  return digits;
}

std::string sign_with_secret(const std::string& claims, const std::string& secret,
                             const std::string& id) {
  const std::string text =
      base64url(R"({"alg":"HS256","kid":")" + id + "\"}") + "." + base64url(claims);
  unsigned char made[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  or_throw(HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()), bytes_of(text),
                text.size(), made, &size));
  return text + "." + base64url(std::string(made, made + size));
}

}  // namespace terrane::test
