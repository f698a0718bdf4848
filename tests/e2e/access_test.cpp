// Who may call: tokens and certificates, what they permit, and what is said of them where.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "e2e/client.h"
#include "e2e/server_process.h"
#include "support/certificates.h"
#include "support/google_rpc_details.h"
#include "support/http_connection.h"
#include "support/prometheus_text.h"
#include "support/time_scale.h"
#include "support/tokens.h"
#include "terrane/admin.h"
#include "terrane/client.h"

namespace terrane::e2e {
namespace {

using namespace std::chrono_literals;
using test::claims_of, test::key_set, test::TokenIssuer;

const WorldRef kPlace{.name = kWorld, .seed = kSeed};
const std::string kSecret = "terrane_secret_of_the_game";

/// A server that asks for tokens, signed and listed, and whoever signs them.
struct Guarded {
  explicit Guarded(const std::vector<std::string>& more = {})
      : server([&] {
          std::vector<std::string> flags{
              "--no-cache",     "--token-keys",  file("keys", key_set(issuer.jwk())),
              "--token-issuer", "issuer",        "--token-audience",
              "terrane",        "--access-file", file("access", listed())};
          flags.insert(flags.end(), more.begin(), more.end());
          return flags;
        }()) {
    EXPECT_NE(server.ready_line(), "") << server.log();
  }

  static std::string listed() {
    return R"({"tokens":[{"name":"the game","weight":200,"sha256":")" + test::sha256_hex(kSecret) +
           R"("},{"name":"operator","roles":["admin"],"sha256":")" + test::sha256_hex("op") +
           R"("},{"name":"small","max_viewers":2,"sha256":")" + test::sha256_hex("small") + "\"}]}";
  }
  std::string file(const std::string& name, const std::string& text) const {
    const auto path = directory.path() / name;
    std::ofstream(path) << text;
    return path;
  }
  terrane::Client client(TokenProvider token) const {
    return terrane::Client::connect(
               {.address = server.address(), .token = std::move(token), .deadline = 10s})
        .value();
  }
  terrane::Client client(const std::string& token) const {
    return client([token]() -> Result<Token> { return Token{token}; });
  }
  /// For a player who may do what `terrane` says.
  std::string token(const std::string& terrane = "{}") const {
    return issuer.sign(claims_of("a player", ",\"terrane\":" + terrane));
  }
  std::string metrics() const {
    return test::Connection(server.http_address()).ask(test::get("/metrics"))->body;
  }

  TempDirectory directory;
  TokenIssuer issuer = TokenIssuer::with_ec();
  ServerProcess server;
};

template <typename T>
void expect_refused(const Result<T>& answer, ErrorCode code, ErrorReason reason) {
  ASSERT_FALSE(answer);
  EXPECT_EQ(to_string(answer.error().code), to_string(code)) << answer.error().message;
  EXPECT_EQ(to_string(answer.error().reason), to_string(reason)) << answer.error().message;
}

/// A GetChunk with this header as it is; empty: without.
grpc::Status with_header(Client& client, const std::string& authorization) {
  const auto context = bounded();
  if (!authorization.empty()) context->AddMetadata("authorization", authorization);
  v1::GetChunkResponse response;
  return client.stub().GetChunk(context.get(), chunk_request({1, 2}), &response);
}

/// What can be wrong with the header "authorization", and the reason that is told.
std::vector<std::pair<std::string, std::string>> wrong_headers(const Guarded& guarded) {
  const std::string good = guarded.token();
  const std::string claims = claims_of("a player");
  const auto stranger = TokenIssuer::with_ec("ec"), nobody = TokenIssuer::with_ec("unknown");
  return {{"", "TOKEN_MISSING"},
          {"Bearer", "TOKEN_INVALID"},
          {"Basic dXNlcjpwYXNz", "TOKEN_INVALID"},
          {"Bearer made_up_by_somebody", "TOKEN_INVALID"},
          {"Bearer " + guarded.issuer.sign(claims_of("a player", "", -1h)), "TOKEN_EXPIRED"},
          {"Bearer " + guarded.issuer.sign(claims_of("a player", R"(,"nbf":4000000000)", 1h)),
           "TOKEN_INVALID"},
          {"Bearer " +
               guarded.issuer.sign(R"({"iss":"issuer","aud":"other","sub":"a","exp":4000000000})"),
           "TOKEN_INVALID"},
          {"Bearer " + stranger.sign(claims), "TOKEN_INVALID"},
          {"Bearer " + nobody.sign(claims), "TOKEN_INVALID"},
          {"Bearer " + test::base64url(R"({"alg":"none"})") + "." + test::base64url(claims) + ".",
           "TOKEN_INVALID"},
          {"Bearer " + test::sign_with_secret(claims, guarded.issuer.jwk(), "ec"), "TOKEN_INVALID"},
          {"Bearer " + good.substr(0, good.size() - 1), "TOKEN_INVALID"},
          {"Bearer " + good.substr(0, good.size() / 2), "TOKEN_INVALID"},
          {"Bearer " + std::string(7'000, 'x'), "TOKEN_INVALID"},
          {"Bearer " + std::string(17'000, 'x'), "TOKEN_INVALID"},
          {"Bearer " + std::string(100'000, 'x'), "TOKEN_INVALID"}};
}

TEST(access, lets_in_whoever_shows_a_token_that_is_right) {
  const Guarded guarded;
  for (const std::string& token : {guarded.token(), kSecret}) {
    const auto client = guarded.client(token);
    const auto chunk = client.chunk(kPlace, {3, -4});
    ASSERT_TRUE(chunk) << chunk.error().message;
    const std::string biome = client.world(kWorld)->biomes.front().name;
    EXPECT_TRUE(client.locate({.world = kPlace, .target = BiomeNamed{biome}, .radius = 64}));
    auto stream = client.chunks({.world = kPlace, .area = ChunkRectangle{{0, 0}, {3, 3}}});
    std::size_t streamed = 0;
    for (auto next = stream.next(); next && *next; next = stream.next()) ++streamed;
    EXPECT_EQ(streamed, 16u);
    auto explorer = client.explore({.world = kPlace, .view_distances = {3}}).value();
    ASSERT_TRUE(explorer.move({}));
    std::size_t arrived = 0;
    while (arrived < 20 && explorer.wait(20s)) arrived += explorer.poll().arrived.size();
    EXPECT_GE(arrived, 20u);
  }
}

TEST(access, tells_all_others_why_they_are_refused_and_no_log_or_metric_what_they_showed) {
  const Guarded guarded;
  Client client(guarded.server.address());
  const std::string good = guarded.token();
  for (const auto& [header, reason] : wrong_headers(guarded)) {
    const grpc::Status status = with_header(client, header);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAUTHENTICATED) << status.error_message();
    EXPECT_EQ(read_details(status.error_details()).info->reason(), reason)
        << status.error_message();
    if (header.size() > 20) {
      EXPECT_EQ(status.error_message().find(header.substr(8, 12)), std::string::npos);
    }
  }
  EXPECT_TRUE(with_header(client, "Bearer " + good).ok());
  const std::string log = guarded.server.log();
  for (const auto& [header, reason] : wrong_headers(guarded)) {
    EXPECT_NE(log.find(reason), std::string::npos) << log;
    EXPECT_EQ(log.find(reason), log.rfind(reason)) << "more than a line for it: " << log;
  }
  for (const auto& told : {guarded.server.log(), guarded.metrics()}) {
    EXPECT_EQ(told.find(good.substr(0, 20)), std::string::npos);
    EXPECT_EQ(told.find("made_up"), std::string::npos);
    EXPECT_EQ(told.find(kSecret), std::string::npos);
  }
}

TEST(access_timed, refusals_come_at_once) {
  const Guarded guarded;
  Client client(guarded.server.address());
  for (const auto& [header, reason] : wrong_headers(guarded)) {
    std::vector<double> ms;
    for (int i = 0; i < 21; ++i) {
      const auto start = std::chrono::steady_clock::now();
      EXPECT_FALSE(with_header(client, header).ok());
      ms.push_back(
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
              .count());
    }
    std::ranges::sort(ms);
    EXPECT_LT(ms[10], 5 * time_scale()) << reason << ", " << header.size() << " bytes";
    std::cout << reason << ", " << header.size() << " bytes: median " << ms[10] << " ms, most "
              << ms.back() << '\n';
  }
}

TEST(access, keeps_everybody_to_the_worlds_and_seeds_that_they_may_see) {
  const Guarded guarded;
  const auto client = guarded.client(
      guarded.token(R"({"worlds":["classic"],"seeds":[")" + std::to_string(kSeed) + "\"]}"));
  EXPECT_TRUE(client.chunk(kPlace, {0, 0}));
  const WorldRef other_seed{.name = kWorld, .seed = 1},
      other_world{.name = "continents", .seed = kSeed},
      no_world{.name = "there_is_none", .seed = kSeed};
  for (const WorldRef& place : {other_seed, other_world, no_world}) {
    const auto expect_denied = [](const auto& answer) {
      expect_refused(answer, ErrorCode::kPermissionDenied, ErrorReason::kNotPermitted);
    };
    expect_denied(client.chunk(place, {0, 0}));
    expect_denied(client.chunks({.world = place, .area = ChunkRectangle{{0, 0}, {3, 3}}}).next());
    const BlockPos point{1, 2};
    expect_denied(client.sample(place, std::span(&point, 1)));
    expect_denied(client.locate({.world = place, .target = BiomeNamed{"ocean"}, .radius = 64}));
    expect_denied(client.structure(place, {1, 2}));
    if (place.name != kWorld) expect_denied(client.world(place.name));
    auto explorer = client.explore({.world = place, .view_distances = {3}}).value();
    ASSERT_TRUE(explorer.move({}));
    ExploreNews news;
    while (news.state != ExploreState::kEnded && explorer.wait(20s)) news = explorer.poll();
    ASSERT_TRUE(news.error);
    EXPECT_EQ(news.error->code, ErrorCode::kPermissionDenied) << news.error->message;
  }
  const auto worlds = client.worlds();
  ASSERT_TRUE(worlds);
  ASSERT_EQ(worlds->size(), 1u) << "others are not told of";
  EXPECT_EQ(worlds->front().name, kWorld);
  expect_refused(guarded.client("op").chunk(kPlace, {0, 0}), ErrorCode::kPermissionDenied,
                 ErrorReason::kNotPermitted);
}

/// A server with a realm of a secret seed, for whoever asks.
struct Secretive {
  explicit Secretive(const std::vector<std::string>& more = {})
      : server([&] {
          std::vector<std::string> flags{"--no-cache", "--log-level", "debug", "--realms",
                                         file("realms", realms("classic"))};
          flags.insert(flags.end(), more.begin(), more.end());
          return flags;
        }()) {}

  static std::string realms(const std::string& world) {
    return R"({"realms":[{"name":"survival","world":")" + world + R"(","seed":")" +
           std::to_string(kSeed) + "\"}]}";
  }
  std::string file(const std::string& name, const std::string& text) const {
    const auto path = directory.path() / name;
    std::ofstream(path) << text;
    return path;
  }
  terrane::Client client() const {
    return terrane::Client::connect({.address = server.address(), .deadline = 10s}).value();
  }

  TempDirectory directory;
  ServerProcess server;
};

const WorldRef kRealm{.realm = "survival"};

TEST(realms, stand_for_a_world_and_a_seed_in_every_call) {
  const Secretive secretive;
  const auto client = secretive.client();
  const auto realms = client.realms();
  ASSERT_TRUE(realms);
  ASSERT_EQ(realms->size(), 1u);
  EXPECT_EQ(realms->front().name, "survival");
  EXPECT_EQ(realms->front().world, kWorld);
  const auto chunk = client.chunk(kRealm, {3, -4});
  ASSERT_TRUE(chunk) << chunk.error().message;
  EXPECT_EQ(*chunk, client.chunk(kPlace, {3, -4}).value());
  auto stream = client.chunks({.world = kRealm, .area = ChunkRectangle{{3, -4}, {3, -4}}});
  const auto streamed = stream.next();
  ASSERT_TRUE(streamed && *streamed) << streamed.error().message;
  EXPECT_EQ(***streamed, *chunk);
  const BlockPos point{100, 200};
  const auto sampled = client.sample(kRealm, std::span(&point, 1));
  ASSERT_TRUE(sampled) << sampled.error().message;
  EXPECT_EQ(*sampled, client.sample(kPlace, std::span(&point, 1)));
  const std::string biome = client.world(kWorld)->biomes.front().name;
  EXPECT_TRUE(client.locate({.world = kRealm, .target = BiomeNamed{biome}, .radius = 64}));
  EXPECT_EQ(client.structure(kRealm, {1, 2}).error().code, ErrorCode::kNotFound);
  auto explorer = client.explore({.world = kRealm, .view_distances = {2}}).value();
  ASSERT_TRUE(explorer.move({}));
  std::size_t arrived = 0;
  while (arrived < 5 && explorer.wait(20s)) arrived += explorer.poll().arrived.size();
  EXPECT_GE(arrived, 5u);
  const auto none = client.chunk({.realm = "other"}, {0, 0});
  expect_refused(none, ErrorCode::kNotFound, ErrorReason::kWorldUnknown);
}

TEST(realms, keep_their_seeds_to_themselves_and_can_be_all_that_there_is) {
  Secretive secretive({"--realms-only"});
  const auto client = secretive.client();
  ASSERT_TRUE(client.chunk(kRealm, {3, -4}));
  expect_refused(client.chunk(kPlace, {3, -4}), ErrorCode::kPermissionDenied,
                 ErrorReason::kNotPermitted);
  Client raw(secretive.server.address());
  v1::GetChunkRequest both = chunk_request({1, 2});
  both.mutable_world()->set_realm("survival");
  EXPECT_EQ(raw.chunk_status(both).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  const auto far = client.chunk(kRealm, {std::int64_t{1} << 50, 0});
  EXPECT_EQ(far.error().code, ErrorCode::kOutOfRange);
  const std::string secret = std::to_string(kSeed);
  EXPECT_EQ(far.error().message.find(secret), std::string::npos);
  const auto metrics = test::Connection(secretive.server.http_address()).ask(test::get("/metrics"));
  EXPECT_EQ(metrics->body.find(secret), std::string::npos);
  EXPECT_EQ(secretive.server.stop(), 0);
  EXPECT_EQ(secretive.server.log().find(secret), std::string::npos);
}

TEST(realms, follow_their_file_and_are_shown_to_those_who_may_see_them) {
  const TempDirectory directory;
  const auto file = (directory.path() / "realms").string();
  std::ofstream(file) << Secretive::realms("classic");
  const Guarded guarded({"--realms", file});
  const auto player = guarded.client(guarded.token(R"({"realms":["survival"]})"));
  ASSERT_TRUE(player.chunk(kRealm, {0, 0}));
  EXPECT_EQ(player.worlds()->size(), 1u) << "the realm's, of which it must know the layers";
  EXPECT_TRUE(player.world(kWorld));
  expect_refused(player.chunk(kPlace, {0, 0}), ErrorCode::kPermissionDenied,
                 ErrorReason::kNotPermitted);
  const auto other = guarded.client(guarded.token(R"({"realms":["creative"]})"));
  EXPECT_EQ(other.realms()->size(), 0u);
  EXPECT_EQ(other.worlds()->size(), 0u);
  for (const char* const name : {"survival", "there_is_none"}) {
    expect_refused(other.chunk({.realm = name}, {0, 0}), ErrorCode::kPermissionDenied,
                   ErrorReason::kNotPermitted);
  }
  std::ofstream(file) << Secretive::realms("continents");
  guarded.server.reload();
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (player.realms()->front().world != "continents" && std::chrono::steady_clock::now() < end) {
  }
  EXPECT_EQ(player.realms()->front().world, "continents");
}

TEST(access, bounds_the_viewers_of_those_who_may_have_so_many) {
  const Guarded guarded;
  const auto client = guarded.client("small");
  std::vector<Explorer> explorers;
  for (int i = 0; i < 2; ++i) {
    explorers.push_back(client.explore({.world = kPlace, .view_distances = {2}}).value());
    ASSERT_TRUE(explorers.back().move({}));
    while (explorers.back().poll().state != ExploreState::kStreaming) explorers.back().wait(1s);
  }
  auto third = client.explore({.world = kPlace, .view_distances = {2}}).value();
  ASSERT_TRUE(third.move({}));
  ExploreNews news;
  while (!news.error && third.wait(20s)) news = third.poll();
  ASSERT_TRUE(news.error);
  EXPECT_EQ(news.error->reason, ErrorReason::kNotPermitted) << news.error->message;
  explorers.pop_back();
  while (news.state != ExploreState::kStreaming) {
    third.wait(1s);
    news = third.poll();
  }
}

TEST(access, charges_work_to_whoever_it_is_for_and_not_to_their_address) {
  const Guarded guarded;
  auto stream =
      guarded.client(kSecret).chunks({.world = kPlace, .area = ChunkRectangle{{0, 0}, {15, 15}}});
  for (auto next = stream.next(); next && *next; next = stream.next()) {
  }
  const std::string metrics = guarded.metrics();
  EXPECT_NE(metrics.find(R"(terrane_client_processors{client="the game"})"), std::string::npos);
  EXPECT_EQ(metrics.find(R"(terrane_client_processors{client="127.0.0.1"})"), std::string::npos);
}

TEST(access, explorers_go_on_past_the_end_of_their_tokens_with_new_ones) {
  const Guarded guarded({"--token-leeway", "0"});
  std::atomic<int> asked = 0;
  const auto client = guarded.client([&]() -> Result<Token> {
    ++asked;
    return Token{guarded.issuer.sign(claims_of("a player", "", 3s))};
  });
  auto explorer = client.explore({.world = kPlace, .view_distances = {4}}).value();
  ASSERT_TRUE(explorer.move({}));
  std::size_t lost = 0;
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (explorer.stats().reconnects < 2 && std::chrono::steady_clock::now() < end) {
    explorer.wait(1s);
    const auto news = explorer.poll();
    ASSERT_NE(news.state, ExploreState::kEnded) << news.error->message;
    lost += news.out_of_range.size();
  }
  EXPECT_GE(explorer.stats().reconnects, 2u);
  EXPECT_GE(asked, 3);
  EXPECT_EQ(explorer.stats().repeated, 0u) << "what it has need not come again";
  EXPECT_EQ(lost, 0u);
}

TEST(access, an_explorer_whose_token_ends_without_a_new_one_is_told_so) {
  const Guarded guarded({"--token-leeway", "0"});
  const std::string token = guarded.issuer.sign(claims_of("a player", "", 2s));
  auto explorer = guarded.client(token).explore({.world = kPlace, .view_distances = {2}}).value();
  ASSERT_TRUE(explorer.move({}));
  ExploreNews news;
  while (news.state != ExploreState::kEnded && explorer.wait(20s)) news = explorer.poll();
  ASSERT_TRUE(news.error);
  EXPECT_EQ(news.error->reason, ErrorReason::kTokenExpired) << news.error->message;
}

TEST(access, an_explorer_whose_token_is_struck_from_the_file_ends_and_others_go_on) {
  const Guarded guarded;
  auto struck = guarded.client(kSecret).explore({.world = kPlace, .view_distances = {2}}).value();
  auto other = guarded.client("small").explore({.world = kPlace, .view_distances = {2}}).value();
  for (Explorer* const each : {&struck, &other}) {
    ASSERT_TRUE(each->move({}));
    while (each->poll().state != ExploreState::kStreaming) each->wait(1s);
  }
  (void)guarded.file("access", R"({"tokens":[{"name":"small","max_viewers":2,"sha256":")" +
                                   test::sha256_hex("small") + "\"}]}");
  guarded.server.reload();
  ExploreNews news;
  while (news.state != ExploreState::kEnded && struck.wait(20s)) news = struck.poll();
  ASSERT_TRUE(news.error);
  EXPECT_EQ(news.error->reason, ErrorReason::kTokenInvalid) << news.error->message;
  EXPECT_EQ(other.poll().state, ExploreState::kStreaming);
  EXPECT_EQ(other.stats().reconnects, 0u);
}

TEST(access, an_explorer_goes_on_with_the_rights_that_its_token_has_now) {
  const Guarded guarded;
  auto explorer = guarded.client("small").explore({.world = kPlace, .view_distances = {2}}).value();
  ASSERT_TRUE(explorer.move({}));
  while (explorer.poll().state != ExploreState::kStreaming) explorer.wait(1s);
  (void)guarded.file("access", R"({"tokens":[{"name":"small","max_viewers":3,"sha256":")" +
                                   test::sha256_hex("small") + "\"}]}");
  guarded.server.reload();
  const auto end = std::chrono::steady_clock::now() + 30s;
  while (explorer.stats().reconnects == 0 && std::chrono::steady_clock::now() < end) {
    explorer.wait(100ms);
    ASSERT_NE(explorer.poll().state, ExploreState::kEnded);
  }
  EXPECT_EQ(explorer.stats().reconnects, 1u);
  EXPECT_EQ(explorer.stats().repeated, 0u);
}

TEST(access, a_refused_token_is_dropped_and_the_next_call_shows_a_new_one) {
  const Guarded guarded;
  std::atomic<int> asked = 0;
  const auto client = guarded.client([&]() -> Result<Token> {
    return Token{guarded.issuer.sign(claims_of("a player", "", asked++ == 0 ? -1h : 1h))};
  });
  expect_refused(client.worlds(), ErrorCode::kUnauthenticated, ErrorReason::kTokenExpired);
  EXPECT_EQ(asked, 1) << "a refusal is not tried again";
  EXPECT_TRUE(client.worlds());
  EXPECT_TRUE(client.worlds());
  EXPECT_EQ(asked, 2);
}

TEST(access, tells_its_health_to_all_and_lets_all_read_where_it_is_told_to) {
  const Guarded guarded({"--allow-anonymous"});
  ServerProcess check(std::string(TERRANED_PATH),
                      {"--check-health", "--listen", guarded.server.address()});
  EXPECT_EQ(check.wait(), 0) << check.log();
  EXPECT_TRUE(guarded.client(TokenProvider()).chunk(kPlace, {0, 0}));
  expect_refused(guarded.client("wrong").chunk(kPlace, {0, 0}), ErrorCode::kUnauthenticated,
                 ErrorReason::kTokenInvalid);
  const Guarded closed;
  ServerProcess also(std::string(TERRANED_PATH),
                     {"--check-health", "--listen", closed.server.address()});
  EXPECT_EQ(also.wait(), 0) << also.log();
}

TEST(access, certificates_are_identities_too) {
  const test::Authority authority("the authority");
  const auto own = authority.issue("the server"), eu = authority.issue("game eu");
  const TempDirectory directory;
  const auto file = [&](const std::string& name, const std::string& text) {
    std::ofstream(directory.path() / name) << text;
    return (directory.path() / name).string();
  };
  const std::string ca = file("ca", authority.certificate());
  ServerProcess server({"--no-cache", "--admin-from-loopback", "--tls-cert",
                        file("chain", own.certificate), "--tls-key", file("key", own.key),
                        "--tls-client-ca", ca, "--access-file",
                        file("access", R"({"certificates":[{"name":"Europe","subject":"game eu",
                          "worlds":["classic"]}]})")});
  const ClientOptions options{.address = server.address(),
                              .tls = TlsOptions{.ca_file = ca,
                                                .certificate_file = file("own", eu.certificate),
                                                .key_file = file("own.key", eu.key)}};
  const auto client = terrane::Client::connect(options).value();
  expect_refused(Admin::connect(options)->stats(), ErrorCode::kPermissionDenied,
                 ErrorReason::kNotPermitted);
  ASSERT_TRUE(client.chunk(kPlace, {0, 0}));
  expect_refused(client.chunk({.name = "continents", .seed = 1}, {0, 0}),
                 ErrorCode::kPermissionDenied, ErrorReason::kNotPermitted);
}

TEST(access, a_server_that_would_not_know_whom_to_believe_does_not_start) {
  const Guarded guarded;
  const auto ends_with = [](const std::vector<std::string>& flags, const std::string& word) {
    std::vector<std::string> all{"--no-cache"};
    all.insert(all.end(), flags.begin(), flags.end());
    ServerProcess server(all);
    EXPECT_EQ(server.wait(), 2) << word;
    EXPECT_NE(server.log().find(word), std::string::npos) << server.log();
  };
  const std::string keys = guarded.directory.path() / "keys";
  ends_with({"--token-keys", keys}, "--token-audience");
  ends_with({"--token-keys", keys, "--token-issuer", "issuer"}, "--token-audience");
  ends_with({"--token-issuer", "issuer"}, "need --token-keys");
  ends_with({"--allow-anonymous"}, "needs --token-keys or --access-file");
  ends_with({"--access-file", keys}, "it may have");
  ends_with({"--access-file", "/nowhere"}, "/nowhere can't be read");
}

std::string output_of(const std::string& command) {
  std::string text;
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  char buffer[4096];
  while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, pipe))
    text.append(buffer, size);
  pclose(pipe);
  return text;
}

TEST(access, the_command_line_shows_a_token_and_never_says_it) {
  const Guarded guarded;
  const std::string command =
      std::string(TERRANE_PATH) + " --server " + guarded.server.address() + " ";
  const std::string token = guarded.token();
  EXPECT_NE(output_of(command + "worlds").find("TERRANE_TOKEN"), std::string::npos);
  EXPECT_NE(output_of("TERRANE_TOKEN=" + token + " " + command + "worlds").find("classic"),
            std::string::npos);
  EXPECT_NE(output_of(command + "--token-file " + guarded.file("token", token + "\n") + " worlds")
                .find("classic"),
            std::string::npos);
  EXPECT_NE(output_of(command + "--token-file /nowhere worlds").find("holds no token"),
            std::string::npos);
  const std::string refused = output_of("TERRANE_TOKEN=" + token + "x " + command + "worlds");
  EXPECT_NE(refused.find("not valid"), std::string::npos) << refused;
  EXPECT_EQ(refused.find(token.substr(0, 20)), std::string::npos);
  const Secretive secretive;
  const std::string ask =
      std::string(TERRANE_PATH) + " --server " + secretive.server.address() + " ";
  EXPECT_NE(output_of(ask + "worlds").find("survival  classic"), std::string::npos);
  EXPECT_NE(output_of(ask + "--realm survival chunk 0,0").find("realm survival"),
            std::string::npos);
  EXPECT_NE(output_of(ask + "--realm other chunk 0,0").find("it offers: survival"),
            std::string::npos);
}

TEST(access, tokens_do_not_leave_this_machine_in_the_clear_by_accident) {
  const auto to = [](const std::string& address, bool insecure = false,
                     std::optional<TlsOptions> tls = {}) {
    return terrane::Client::connect({.address = address,
                                     .tls = std::move(tls),
                                     .token = []() -> Result<Token> { return Token{"secret"}; },
                                     .insecure_token = insecure});
  };
  for (const char* const away :
       {"10.0.0.1:4150", "game.example:4150", "127.0.0.1:1,10.0.0.1:1", "[fd00::1]:4150"}) {
    const auto refused = to(away);
    ASSERT_FALSE(refused) << away;
    EXPECT_NE(refused.error().message.find("in the clear"), std::string::npos);
    EXPECT_TRUE(to(away, true)) << away;
  }
  EXPECT_TRUE(to("game.example:4150", false, TlsOptions{}));
  for (const char* const here : {"127.0.0.1:4150", "localhost:4150", "[::1]:4150",
                                 "unix:/tmp/terrane", "127.0.0.2:1,[::1]:1"})
    EXPECT_TRUE(to(here)) << here;
}

}  // namespace
}  // namespace terrane::e2e
