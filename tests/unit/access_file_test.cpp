#include "access/access_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "access/client_names.h"
#include "access/new_token.h"
#include "access/realms.h"
#include "support/tokens.h"

namespace terrane::access {
namespace {

const std::string kHash(64, 'a');

void expect_refused(const std::string& text, const std::string& word) {
  const auto refused = parse_access_file(text);
  ASSERT_FALSE(refused) << text;
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(refused.error().message.find(word), std::string::npos) << refused.error().message;
}

std::string one_token(const std::string& members) {
  return R"({"tokens":[{"name":"game","sha256":")" + kHash + '"' + members + "}]}";
}

TEST(access_file, says_who_may_do_what) {
  const auto list = parse_access_file(
      R"({"tokens":[{"name":"game","sha256":")" + kHash +
      R"(","worlds":["classic"],"seeds":[7,"18446744073709551615"],"weight":200,"max_viewers":5},
         {"name":"operator","sha256":")" +
      std::string(64, 'B') + R"(","roles":["admin"]}],
       "certificates":[{"name":"eu","subject":"eu.example.com"}]})");
  ASSERT_TRUE(list) << list.error().message;
  const Caller& game = list->tokens.at(*from_hex(kHash));
  EXPECT_EQ(game.name, "game");
  EXPECT_TRUE(game.grants.may_read);
  EXPECT_FALSE(game.grants.is_admin);
  EXPECT_TRUE(game.grants.may_see_world("classic"));
  EXPECT_FALSE(game.grants.may_see_world("continents"));
  EXPECT_TRUE(game.grants.may_see_seed(7));
  EXPECT_TRUE(game.grants.may_see_seed(~std::uint64_t{0}));
  EXPECT_FALSE(game.grants.may_see_seed(8));
  EXPECT_EQ(game.grants.weight, 200u);
  EXPECT_EQ(game.grants.max_viewers, 5u);
  const Caller& op = list->tokens.at(*from_hex(std::string(64, 'b')));
  EXPECT_TRUE(op.grants.is_admin);
  EXPECT_FALSE(op.grants.may_read) << "roles are what is said, and no more";
  EXPECT_EQ(list->certificates.at("eu.example.com").name, "eu");
}

TEST(access_file, is_refused_where_it_could_grant_more_than_was_meant) {
  expect_refused("", "line 1");
  expect_refused("[]", "must be an object");
  expect_refused(R"({"token":[]})", "\"tokens\" and \"certificates\" alone");
  expect_refused(one_token(R"(,"world":["classic"])"), "tokens[0].world is not known");
  expect_refused(one_token(R"(,"worlds":"classic")"), "tokens[0].worlds");
  expect_refused(one_token(R"(,"worlds":[""])"), "tokens[0].worlds");
  expect_refused(one_token(R"(,"seeds":[-1])"), "tokens[0].seeds");
  expect_refused(one_token(R"(,"seeds":["18446744073709551616"])"), "tokens[0].seeds");
  expect_refused(one_token(R"(,"seeds":[1.5])"), "tokens[0].seeds");
  expect_refused(one_token(R"(,"roles":["reed"])"), "tokens[0].roles");
  expect_refused(one_token(R"(,"weight":0)"), "1 to 10000");
  expect_refused(one_token(R"(,"weight":10001)"), "1 to 10000");
  expect_refused(one_token(R"(,"max_viewers":"3")"), "1 to 1000000");
  expect_refused(one_token(R"(,"weight":1,"weight":2)"), "duplicate");
  expect_refused(R"({"tokens":[{"name":"game","sha256":"abc"}]})", "64 hexadecimal digits");
  expect_refused(R"({"tokens":[{"name":"","sha256":")" + kHash + "\"}]}", "tokens[0].name");
  expect_refused(R"({"tokens":[{"name":"a\nb","sha256":")" + kHash + "\"}]}", "tokens[0].name");
  expect_refused(R"({"tokens":[{"name":"game"}]})", "tokens[0].sha256 is missing");
  expect_refused(R"({"certificates":[{"name":"game"}]})", "certificates[0].subject is missing");
  const std::string entry = R"({"name":"game","sha256":")" + kHash + "\"}";
  expect_refused(R"({"tokens":[)" + entry + "," + entry + "]}", "is there twice");
}

TEST(access_file, rights_to_realms_and_to_seeds_are_each_for_themselves) {
  const auto grants = [](const std::string& members) {
    return parse_access_file(one_token(members))->tokens.begin()->second.grants;
  };
  const Grants all = grants("");
  EXPECT_TRUE(all.may_see_realm("survival") && all.may_see_world("classic") && all.may_see_seed(1));
  const Grants realms = grants(R"(,"realms":["survival"])");
  EXPECT_TRUE(realms.may_see_realm("survival"));
  EXPECT_FALSE(realms.may_see_realm("other"));
  EXPECT_FALSE(realms.may_see_world("classic")) << "else the realm's seed could be tried out";
  const Grants seeds = grants(R"(,"seeds":[7])");
  EXPECT_FALSE(seeds.may_see_realm("survival"));
  EXPECT_TRUE(seeds.may_see_world("classic"));
  const Grants worlds = grants(R"(,"worlds":["classic"])");
  EXPECT_FALSE(worlds.may_see_realm("survival"));
  const Grants both = grants(R"(,"realms":["survival"],"worlds":["classic"])");
  EXPECT_TRUE(both.may_see_realm("survival") && both.may_see_world("classic"));
  EXPECT_FALSE(both.may_see_world("continents"));
}

TEST(realms, are_read_or_refused_without_a_word_of_a_seed) {
  const auto realms = parse_realms(
      R"({"realms":[{"name":"survival","world":"classic","seed":"18446744073709551615"},
                    {"name":"lobby","world":"classic","seed":7}]})");
  ASSERT_TRUE(realms) << realms.error().message;
  EXPECT_EQ(realms->at("survival").seed, ~std::uint64_t{0});
  EXPECT_EQ(realms->at("lobby").world, "classic");
  const auto refused = [](const std::string& text, const std::string& word) {
    const auto parsed = parse_realms(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_NE(parsed.error().message.find(word), std::string::npos) << parsed.error().message;
    EXPECT_EQ(parsed.error().message.find("8731"), std::string::npos) << parsed.error().message;
  };
  refused("", "line 1");
  refused("{}", "{\"realms\"");
  refused(R"({"realms":[],"more":1})", "{\"realms\"");
  refused(R"({"realms":[{"name":"a","world":"classic","seed":-8731}]})", "realms[0].seed");
  refused(R"({"realms":[{"name":"a","world":"classic","seed":"8731x"}]})", "realms[0].seed");
  refused(R"({"realms":[{"name":"a","world":"classic"}]})", "realms[0].seed");
  refused(R"({"realms":[{"name":"a","seed":8731}]})", "realms[0].world");
  refused(R"({"realms":[{"world":"classic","seed":8731}]})", "realms[0].name");
  refused(R"({"realms":[{"name":"a","world":"classic","seed":8731,"x":1}]})", "alone");
  refused(R"({"realms":[{"name":"a","world":"c","seed":8731},{"name":"a","world":"c","seed":1}]})",
          "twice");
}

TEST(access_file, takes_the_entry_that_comes_with_a_new_token) {
  const auto lines = describe_new_token("game \"1\"");
  ASSERT_TRUE(lines) << lines.error().message;
  const std::size_t token = lines->find("terrane_"), entry = lines->find('{');
  ASSERT_NE(token, std::string::npos);
  ASSERT_NE(entry, std::string::npos);
  const auto list = parse_access_file("{\"tokens\":[" + lines->substr(entry) + "]}");
  ASSERT_TRUE(list) << list.error().message;
  const std::string text = lines->substr(token, lines->find('\n', token) - token);
  EXPECT_EQ(to_hex(list->tokens.begin()->first), test::sha256_hex(text));
  EXPECT_EQ(list->tokens.begin()->second.name, "game \"1\"");
  EXPECT_NE(*lines, *describe_new_token("game \"1\"")) << "each is another";
  EXPECT_FALSE(describe_new_token(""));
  EXPECT_FALSE(describe_new_token("a\nb"));
  EXPECT_FALSE(describe_new_token("\xff"));
}

TEST(client_names, are_kept_for_those_who_came_lately_however_many_come) {
  ClientNames names;
  const std::uint64_t game = names.id_of("game");
  EXPECT_TRUE(is_identity(game));
  EXPECT_EQ(names.id_of("game"), game);
  EXPECT_NE(names.id_of("other"), game);
  EXPECT_NE(ClientNames().id_of("game"), game) << "nobody can foresee whose number one has";
  EXPECT_EQ(names.name_of(game), "game");
  for (int i = 0; i < 100'000; ++i) (void)names.id_of("player " + std::to_string(i));
  EXPECT_TRUE(names.name_of(game).starts_with("identity "));
  EXPECT_EQ(names.name_of(names.id_of("player 99999")), "player 99999");
}

}  // namespace
}  // namespace terrane::access
