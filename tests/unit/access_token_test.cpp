// Signed tokens, made by OpenSSL alone.
#include <gtest/gtest.h>

#include <string>

#include "access/token_claims.h"
#include "access/token_keys.h"
#include "support/tokens.h"

namespace terrane::access {
namespace {

using test::base64url, test::claims_of, test::key_set, test::TokenIssuer;

const TokenRules kRules{.issuer = "issuer", .audience = "terrane"};

void expect_refused(const TokenKeys& keys, const std::string& token, const std::string& word) {
  const auto refused = keys.verify(token);
  ASSERT_FALSE(refused) << word;
  EXPECT_EQ(refused.error().code, ErrorCode::kUnauthenticated);
  EXPECT_EQ(refused.error().reason, ErrorReason::kTokenInvalid);
  EXPECT_NE(refused.error().message.find(word), std::string::npos) << refused.error().message;
}

TEST(token_keys, take_what_their_owners_have_signed) {
  const auto ec = TokenIssuer::with_ec(), rsa = TokenIssuer::with_rsa();
  const auto keys = TokenKeys::parse(key_set(ec.jwk() + "," + rsa.jwk()));
  ASSERT_TRUE(keys) << keys.error().message;
  EXPECT_EQ(keys->size(), 2u);
  const std::string claims = claims_of("player");
  for (const auto& issuer : {ec, rsa}) {
    const auto said = keys->verify(issuer.sign(claims));
    ASSERT_TRUE(said) << said.error().message;
    EXPECT_EQ(*said, claims);
  }
  // Without the key's name it is the only one of its kind.
  EXPECT_TRUE(keys->verify(ec.sign(claims, R"({"alg":"ES256"})")));
}

TEST(token_keys, refuse_tokens_that_are_wrong_in_any_way) {
  const auto ec = TokenIssuer::with_ec(), rsa = TokenIssuer::with_rsa();
  const auto keys = TokenKeys::parse(key_set(ec.jwk() + "," + rsa.jwk())).value();
  const std::string claims = claims_of("player");
  const std::string good = ec.sign(claims);
  const std::string body = good.substr(0, good.rfind('.'));
  expect_refused(keys, "", "no signed JWT");
  expect_refused(keys, "...", "no signed JWT");
  expect_refused(keys, "terrane_0123", "no signed JWT");
  expect_refused(keys, body, "no signed JWT");
  for (std::size_t size = 0; size < good.size(); size += 7) {
    EXPECT_FALSE(keys.verify(good.substr(0, size))) << size;
  }
  expect_refused(keys, good + ".", "no signed JWT");
  expect_refused(keys, good + "x", "no signed JWT");
  expect_refused(keys, good + "==", "no signed JWT");
  expect_refused(keys, "." + good, "no signed JWT");
  expect_refused(keys, body + "." + base64url(std::string(64, '\0')), "signature is wrong");
  expect_refused(keys, body + "." + base64url(std::string(10'000, 'x')), "signature is wrong");
  // another's claims under a good signature
  const std::string other = base64url(claims_of("somebody else"));
  const std::size_t first = good.find('.'), last = good.rfind('.');
  expect_refused(keys, good.substr(0, first + 1) + other + good.substr(last), "signature is wrong");
  // keys that are not there, or another's key of the same name
  expect_refused(keys, TokenIssuer::with_ec("unknown").sign(claims), "no key of this server");
  expect_refused(keys, TokenIssuer::with_ec("ec").sign(claims), "signature is wrong");
  // no signature, and one by what everybody knows
  const std::string none = base64url(R"({"alg":"none"})") + "." + base64url(claims) + ".";
  EXPECT_FALSE(keys.verify(none));
  EXPECT_FALSE(keys.verify(base64url(R"({"alg":"NONE"})") + "." + base64url(claims) + ".AAAA"));
  expect_refused(keys, test::sign_with_secret(claims, rsa.jwk(), "rsa"), "algorithm is none of");
  expect_refused(keys, test::sign_with_secret(claims, "secret", "ec"), "algorithm is none of");
  // a key taken for another algorithm than its own
  expect_refused(keys, ec.sign(claims, R"({"alg":"RS256","kid":"ec"})"), "no key of this server");
  expect_refused(keys, rsa.sign(claims, R"({"alg":"ES256","kid":"rsa"})"), "no key of this server");
  expect_refused(keys, rsa.sign(claims, R"({"alg":"PS256","kid":"rsa"})"), "signature is wrong");
  expect_refused(keys, ec.sign(claims, R"({"alg":"ES384","kid":"ec"})"), "no key of this server");
  expect_refused(keys, ec.sign(claims, R"({"alg":7,"kid":"ec"})"), "");
  expect_refused(keys, ec.sign(claims, R"({"alg":"ES256","kid":"ec","crit":["exp"]})"), "crit");
  expect_refused(keys, ec.sign(claims, R"({"kid":"ec"})"), "");
}

TEST(token_keys, do_not_guess_among_several_of_a_kind) {
  const auto one = TokenIssuer::with_ec("one"), two = TokenIssuer::with_ec("two");
  const auto keys = TokenKeys::parse(key_set(one.jwk() + "," + two.jwk())).value();
  const std::string claims = claims_of("player");
  EXPECT_TRUE(keys.verify(one.sign(claims)));
  EXPECT_TRUE(keys.verify(two.sign(claims)));
  expect_refused(keys, one.sign(claims, R"({"alg":"ES256"})"), "no key of this server");
}

TEST(token_keys, keep_to_the_algorithm_and_the_use_that_they_say) {
  const auto rsa = TokenIssuer::with_rsa();
  const auto with = [&](const std::string& member) {
    return key_set(rsa.jwk().substr(0, rsa.jwk().size() - 1) + "," + member + "}");
  };
  const std::string token = rsa.sign(claims_of("player"));
  EXPECT_TRUE(TokenKeys::parse(with(R"("alg":"RS256","use":"sig")"))->verify(token));
  expect_refused(TokenKeys::parse(with(R"("alg":"PS256")")).value(), token, "another than its");
  EXPECT_FALSE(TokenKeys::parse(with(R"("use":"enc")"))) << "no key is left";
}

TEST(token_keys, are_refused_where_they_would_be_of_no_use_or_harm) {
  const auto refused = [](const std::string& jwks, const std::string& word) {
    const auto keys = TokenKeys::parse(jwks);
    ASSERT_FALSE(keys) << word;
    EXPECT_EQ(keys.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(keys.error().message.find(word), std::string::npos) << keys.error().message;
  };
  refused("", "line 1");
  refused("[]", "no JSON Web Key Set");
  refused("{}", "no JSON Web Key Set");
  refused(key_set(""), "no key of");
  refused(key_set(R"({"kty":"oct","k":"c2VjcmV0","kid":"shared"})"), "no key of");
  refused(key_set(R"({"kty":"EC","crv":"P-256","x":"AA","y":"AA"})"), "no valid key");
  refused(key_set(R"({"kty":"RSA"})"), "no valid key");
  refused(key_set(TokenIssuer::with_ec().private_jwk()), "private key");
  refused(key_set(TokenIssuer::with_rsa("weak", 1024).jwk()), "1024 bits");
  const std::string slow = base64url(std::string(576, '\xff'));
  refused(key_set(R"({"kty":"RSA","e":"AQAB","n":")" + slow + "\"}"), "4608 bits");
}

TEST(token_claims, say_who_it_is_what_they_may_do_and_for_how_long) {
  const auto holder = read_claims(
      R"({"iss":"issuer","aud":["game","terrane"],"sub":"player 7","exp":2000000000.7,
          "nbf":1000000000,"more":{"x":1},
          "terrane":{"roles":["read"],"worlds":["classic"],"seeds":["7"],"weight":3}})",
      kRules);
  ASSERT_TRUE(holder) << holder.error().message;
  EXPECT_EQ(holder->caller.name, "player 7");
  EXPECT_TRUE(holder->caller.grants.may_see_seed(7));
  EXPECT_FALSE(holder->caller.grants.may_see_seed(6));
  EXPECT_EQ(holder->caller.grants.weight, 3u);
  EXPECT_EQ(std::chrono::system_clock::to_time_t(holder->caller.expires), 2'000'000'030);
  EXPECT_EQ(std::chrono::system_clock::to_time_t(holder->begins), 999'999'970);
}

TEST(token_claims, are_refused_where_they_are_not_for_this_server) {
  const auto refused = [](const std::string& claims, const std::string& word) {
    const auto holder = read_claims(claims, kRules);
    ASSERT_FALSE(holder) << claims;
    EXPECT_EQ(holder.error().reason, ErrorReason::kTokenInvalid);
    EXPECT_NE(holder.error().message.find(word), std::string::npos) << holder.error().message;
  };
  refused("", "no JSON object");
  refused("[]", "no JSON object");
  refused(R"({"iss":"issuer","iss":"issuer"})", "no JSON object");
  refused(R"({"iss":"other","aud":"terrane","sub":"p","exp":2000000000})", "another issuer");
  refused(R"({"aud":"terrane","sub":"p","exp":2000000000})", "another issuer");
  refused(R"({"iss":"issuer","aud":"game","sub":"p","exp":2000000000})", "another audience");
  refused(R"({"iss":"issuer","aud":["game",7],"sub":"p","exp":2000000000})", "another audience");
  refused(R"({"iss":"issuer","sub":"p","exp":2000000000})", "another audience");
  refused(R"({"iss":"issuer","aud":"terrane","exp":2000000000})", "\"sub\"");
  refused(R"({"iss":"issuer","aud":"terrane","sub":"a\u0007","exp":2000000000})", "\"sub\"");
  refused(R"({"iss":"issuer","aud":"terrane","sub":"p"})", "\"exp\"");
  refused(R"({"iss":"issuer","aud":"terrane","sub":"p","exp":"2000000000"})", "\"exp\"");
  refused(R"({"iss":"issuer","aud":"terrane","sub":"p","exp":-1})", "\"exp\"");
  refused(claims_of("p", R"(,"nbf":"now")"), "\"nbf\"");
  refused(claims_of("p", R"(,"terrane":"admin")"), "\"terrane\"");
  refused(claims_of("p", R"(,"terrane":{"world":["classic"]})"), "terrane.world is not known");
  const auto endless =
      read_claims(R"({"iss":"issuer","aud":"terrane","sub":"p","exp":1e300})", kRules);
  ASSERT_TRUE(endless);
  EXPECT_GT(endless->caller.expires, std::chrono::system_clock::now());
}

}  // namespace
}  // namespace terrane::access
