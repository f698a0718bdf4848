#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "access/live_access.h"
#include "ops/metrics.h"
#include "support/prometheus_text.h"
#include "support/temp_directory.h"
#include "support/tokens.h"

namespace terrane::access {
namespace {

using namespace std::chrono_literals;
using test::claims_of, test::key_set, test::TokenIssuer;

/// Files, and who is known by them.
class Kept {
 public:
  explicit Kept(bool allows_anonymous = false) {
    write("keys", key_set(issuer.jwk()));
    write("access", R"({"tokens":[{"name":"game","sha256":")" + test::sha256_hex("secret") +
                        R"("}],"certificates":[{"name":"eu","subject":"eu.example.com",
                        "weight":9}]})");
    access = LiveAccess::open({.token_keys = path("keys"),
                               .token_rules = {"issuer", "terrane", 30s},
                               .access_file = path("access"),
                               .allows_anonymous = allows_anonymous},
                              metrics_)
                 .value();
  }

  [[nodiscard]] std::filesystem::path path(const std::string& name) const {
    return directory_.path() / name;
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
  }
  [[nodiscard]] Result<LiveAccess::CallerPtr> with(
      const std::string& authorization,
      LiveAccess::SystemTime now = std::chrono::system_clock::now()) const {
    return access->identify({.authorization = authorization}, now);
  }
  void expect_refused(const std::string& authorization, ErrorReason reason,
                      LiveAccess::SystemTime now = std::chrono::system_clock::now()) const {
    const auto refused = with(authorization, now);
    ASSERT_FALSE(refused) << authorization;
    EXPECT_EQ(refused.error().code, ErrorCode::kUnauthenticated);
    EXPECT_EQ(to_string(refused.error().reason), to_string(reason)) << refused.error().message;
    if (authorization.size() > 12) {
      EXPECT_EQ(refused.error().message.find(authorization.substr(7, 12)), std::string::npos)
          << "it must not say any of the token";
    }
  }
  [[nodiscard]] double count(const std::string& metric) const {
    return test::value_of(metrics_.text(), metric);
  }

  TokenIssuer issuer = TokenIssuer::with_ec();

 private:
  test::TempDirectory directory_;
  mutable ops::Metrics metrics_;

 public:
  std::shared_ptr<LiveAccess> access;
};

TEST(live_access, knows_people_by_signed_tokens_listed_ones_and_certificates) {
  const Kept kept;
  const std::string token = "Bearer " + kept.issuer.sign(claims_of("player"));
  const auto player = kept.with(token);
  ASSERT_TRUE(player) << player.error().message;
  EXPECT_EQ((*player)->name, "player");
  EXPECT_EQ(kept.access->name_of((*player)->client), "player");
  EXPECT_EQ(*kept.with(token), *player) << "it is not looked at again";
  EXPECT_EQ((*kept.with("bearer   secret"))->name, "game");
  const auto eu = kept.access->identify(
      {.authorization = {}, .has_certificate = true, .subjects = {"127.0.0.1", "eu.example.com"}},
      {});
  EXPECT_EQ((*eu)->name, "eu");
  EXPECT_EQ((*eu)->grants.weight, 9u);
  const auto us = kept.access->identify(
      {.authorization = {}, .has_certificate = true, .subjects = {"us.example.com"}}, {});
  EXPECT_EQ((*us)->name, "us.example.com") << "somebody vouches for it, so it may read";
  EXPECT_TRUE((*us)->grants.may_read);
  EXPECT_NE((*us)->client, (*eu)->client);
}

TEST(live_access, refuses_whoever_shows_nothing_or_something_wrong_and_counts_them) {
  const Kept kept;
  const std::string token = kept.issuer.sign(claims_of("player"));
  kept.expect_refused("", ErrorReason::kTokenMissing);
  kept.expect_refused("Bearer", ErrorReason::kTokenInvalid);
  kept.expect_refused("Bearer ", ErrorReason::kTokenInvalid);
  kept.expect_refused("Basic " + token, ErrorReason::kTokenInvalid);
  kept.expect_refused("Bearer Secret", ErrorReason::kTokenInvalid);
  kept.expect_refused("Bearer " + token + "x", ErrorReason::kTokenInvalid);
  kept.expect_refused("Bearer " + std::string(100'000, 'x'), ErrorReason::kTokenInvalid);
  kept.expect_refused("Bearer " + TokenIssuer::with_ec("other").sign(claims_of("player")),
                      ErrorReason::kTokenInvalid);
  kept.expect_refused("Bearer " + kept.issuer.sign(claims_of("player", "", -31s)),
                      ErrorReason::kTokenExpired);
  EXPECT_TRUE(kept.with("Bearer " + kept.issuer.sign(claims_of("player", "", -25s))))
      << "clocks may differ by 30 s";
  EXPECT_EQ(kept.count("terrane_identities_refused_total{reason=\"token_missing\"}"), 1);
  EXPECT_EQ(kept.count("terrane_identities_refused_total{reason=\"token_expired\"}"), 1);
  EXPECT_EQ(kept.count("terrane_identities_refused_total{reason=\"token_invalid\"}"), 7);
}

TEST(live_access, looks_at_the_time_of_each_call) {
  const Kept kept;
  const auto now = std::chrono::system_clock::now();
  const std::string token = "Bearer " + kept.issuer.sign(claims_of("player", "", 60s));
  EXPECT_TRUE(kept.with(token, now));
  EXPECT_TRUE(kept.with(token, now + 85s));
  kept.expect_refused(token, ErrorReason::kTokenExpired, now + 91s);
  const auto later = std::chrono::system_clock::to_time_t(now + 600s);
  const std::string next =
      "Bearer " + kept.issuer.sign(claims_of("player", ",\"nbf\":" + std::to_string(later)));
  kept.expect_refused(next, ErrorReason::kTokenInvalid, now);
  EXPECT_TRUE(kept.with(next, now + 600s)) << "what was too early is not for ever";
}

TEST(live_access, lets_people_read_that_show_nothing_only_where_it_is_told_to) {
  const Kept kept(true);
  const auto nobody = kept.with("");
  ASSERT_TRUE(nobody);
  EXPECT_EQ(*nobody, nullptr);
  kept.expect_refused("Bearer wrong", ErrorReason::kTokenInvalid);
}

TEST(live_access, follows_its_files_and_what_was_known_by_the_old_ones_is_not_any_more) {
  const Kept kept;
  const auto next = TokenIssuer::with_ec("next");
  const std::string old_token = "Bearer " + kept.issuer.sign(claims_of("player"));
  const std::string next_token = "Bearer " + next.sign(claims_of("player"));
  const auto before = kept.with(old_token);
  ASSERT_TRUE(before);
  kept.expect_refused(next_token, ErrorReason::kTokenInvalid);
  kept.access->look();
  kept.write("keys", key_set(next.jwk()));
  kept.access->look();
  kept.expect_refused(old_token, ErrorReason::kTokenInvalid);
  const auto after = kept.with(next_token);
  ASSERT_TRUE(after) << "though it was refused before";
  EXPECT_EQ((*after)->client, (*before)->client) << "the same player has the same account";
  EXPECT_EQ(kept.count("terrane_access_changes_total{result=\"taken\"}"), 1);
}

TEST(live_access, keeps_to_the_old_files_while_the_new_ones_are_wrong) {
  const Kept kept;
  kept.write("access", R"({"tokens":[{"name":"game"}]})");
  for (int look = 0; look < 4; ++look) kept.access->look();
  EXPECT_TRUE(kept.with("Bearer secret"));
  EXPECT_EQ(kept.count("terrane_access_changes_total{result=\"refused\"}"), 1);
  std::filesystem::remove(kept.path("keys"));
  for (int look = 0; look < 4; ++look) kept.access->look();
  EXPECT_TRUE(kept.with("Bearer " + kept.issuer.sign(claims_of("player"))));
  EXPECT_EQ(kept.count("terrane_access_changes_total{result=\"refused\"}"), 2);
}

TEST(live_access, is_not_opened_with_files_that_are_wrong) {
  ops::Metrics metrics;
  const test::TempDirectory directory;
  const auto file = directory.path() / "keys";
  const auto opened = LiveAccess::open({.token_keys = file}, metrics);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find(file.string()), std::string::npos);
  std::ofstream(file) << "{}";
  const auto wrong = LiveAccess::open({.token_keys = file}, metrics);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find(file.string() + ": it is no"), std::string::npos);
}

TEST(live_access, is_asked_by_many_threads_while_its_files_change) {
  const Kept kept;
  std::vector<std::string> tokens;
  for (int i = 0; i < 40; ++i)
    tokens.push_back("Bearer " + kept.issuer.sign(claims_of("player " + std::to_string(i))));
  std::vector<std::thread> threads;
  std::atomic<int> known = 0;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round)
        for (const std::string& token : tokens) known += kept.with(token).has_value();
    });
  }
  for (int i = 0; i < 20; ++i) {
    kept.write("access", R"({"tokens":[]})" + std::string(static_cast<std::size_t>(i), ' '));
    kept.access->look();
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(known, 4 * 5 * 40);
}

}  // namespace
}  // namespace terrane::access
