// An operator's own door: who may use it, and what it does.
#include "terrane/admin.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "e2e/client.h"
#include "e2e/server_process.h"
#include "support/http_connection.h"
#include "support/tokens.h"
#include "terrane/client.h"
#include "terrane/v1/admin.grpc.pb.h"

namespace terrane::e2e {
namespace {

using namespace std::chrono_literals;

const WorldRef kPlace{.name = kWorld, .seed = kSeed};

terrane::Client client_of(const ServerProcess& server) {
  return terrane::Client::connect({.address = server.address(), .deadline = 20s}).value();
}

Admin admin_of(const std::string& address, const std::string& token = "") {
  ClientOptions options{.address = address, .deadline = 20s};
  if (!token.empty()) options.token = [token]() -> Result<Token> { return Token{token}; };
  return Admin::connect(std::move(options)).value();
}

template <typename T>
void expect_denied(const Result<T>& answer, ErrorCode code, ErrorReason reason) {
  ASSERT_FALSE(answer);
  EXPECT_EQ(to_string(answer.error().code), to_string(code)) << answer.error().message;
  EXPECT_EQ(to_string(answer.error().reason), to_string(reason)) << answer.error().message;
}

/// A server that anybody on this machine may administer.
struct Open {
  explicit Open(const std::vector<std::string>& more = {})
      : server([&] {
          std::vector<std::string> flags{"--admin-from-loopback", "--data",
                                         (directory.path() / "cache").string()};
          flags.insert(flags.end(), more.begin(), more.end());
          return flags;
        }()) {
    EXPECT_NE(server.ready_line(), "") << server.log();
  }
  Admin admin() const { return admin_of(server.address()); }

  TempDirectory directory;
  ServerProcess server;
};

/// Has chunks (0, 0) to (edge - 1, edge - 1) made.
void fetch_square(const terrane::Client& client, const WorldRef& world, int edge) {
  auto stream =
      client.chunks({.world = world, .area = ChunkRectangle{{0, 0}, {edge - 1, edge - 1}}});
  int chunks = 0;
  for (auto next = stream.next(); next && *next; next = stream.next()) ++chunks;
  ASSERT_EQ(chunks, edge * edge);
}

/// Chunks that the cache has of a world.
std::uint64_t cached(const Admin& admin, const std::string& world) {
  const auto worlds = admin.cache().value();
  for (const CachedWorld& one : worlds) {
    if (one.world == world) return one.chunks;
  }
  return 0;
}

struct Output {
  std::string text;
  int code = -1;
};

/// Runs a program to its end.
Output run(const std::string& command) {
  Output output;
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  char buffer[4096];
  while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, pipe))
    output.text.append(buffer, size);
  const int status = pclose(pipe);
  output.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

/// A status of each of the service's methods.
std::vector<grpc::Status> all_statuses(const std::string& address, const std::string& header,
                                       const std::string& value) {
  const auto stub =
      v1::AdminService::NewStub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
  std::vector<grpc::Status> statuses;
  const auto with_header = [&] {
    auto context = bounded();
    if (!header.empty()) context->AddMetadata(header, value);
    return context;
  };
  const auto call = [&](auto method, const auto& request, auto response) {
    statuses.push_back((stub.get()->*method)(with_header().get(), request, &response));
  };
  using Stub = v1::AdminService::Stub;
  call(&Stub::GetServerStats, v1::GetServerStatsRequest(), v1::GetServerStatsResponse());
  call(&Stub::GetCacheStats, v1::GetCacheStatsRequest(), v1::GetCacheStatsResponse());
  call(&Stub::PurgeCache, v1::PurgeCacheRequest(), v1::PurgeCacheResponse());
  call(&Stub::SetLogLevel, v1::SetLogLevelRequest(), v1::SetLogLevelResponse());
  call(&Stub::Drain, v1::DrainRequest(), v1::DrainResponse());
  const auto context = with_header();
  const auto reader = stub->Pregenerate(context.get(), v1::PregenerateRequest());
  v1::PregenerateResponse progress;
  while (reader->Read(&progress)) {
  }
  statuses.push_back(reader->Finish());
  return statuses;
}

void expect_all(const std::vector<grpc::Status>& statuses, grpc::StatusCode code) {
  for (std::size_t i = 0; i < statuses.size(); ++i)
    EXPECT_EQ(statuses[i].error_code(), code) << i << ": " << statuses[i].error_message();
}

TEST(admin, is_for_nobody_in_particular_not_even_of_the_same_machine) {
  ServerProcess server({"--no-cache"});
  expect_all(all_statuses(server.address(), "", ""), grpc::StatusCode::PERMISSION_DENIED);
  expect_all(all_statuses(server.address(), "x-forwarded-for", "127.0.0.1"),
             grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_TRUE(client_of(server).chunk(kPlace, {0, 0})) << "the server goes on";
}

TEST(admin, what_a_proxy_hands_on_is_not_of_the_same_machine) {
  const Open open;
  for (const char* const header : {"x-forwarded-for", "forwarded", "via", "x-real-ip"})
    expect_all(all_statuses(open.server.address(), header, "127.0.0.1"),
               grpc::StatusCode::PERMISSION_DENIED);
  expect_all(all_statuses(open.server.address(), "authorization", "Bearer nothing"),
             grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_TRUE(open.admin().stats());
  for (const std::vector<std::string>& proxied :
       {std::vector<std::string>{"--trusted-proxies", "10.0.0.1"},
        std::vector<std::string>{"--proxy-protocol", "--trusted-proxies", "10.0.0.1"}}) {
    std::vector<std::string> flags{"--no-cache", "--admin-from-loopback"};
    flags.insert(flags.end(), proxied.begin(), proxied.end());
    ServerProcess refused(flags);
    EXPECT_EQ(refused.wait(), 2);
    EXPECT_NE(refused.log().find("--admin-from-loopback"), std::string::npos);
  }
}

TEST(admin, takes_the_role_admin_and_what_that_is_limited_to) {
  const TempDirectory directory;
  const auto listed = [](const std::string& name, const std::string& more) {
    return R"({"name":")" + name + R"(","sha256":")" + test::sha256_hex(name) + "\"" + more + "}";
  };
  const auto file = (directory.path() / "access").string();
  std::ofstream(file) << R"({"tokens":[)" + listed("player", "") + "," +
                             listed("operator", R"(,"roles":["admin"])") + "," +
                             listed("keeper", R"(,"roles":["admin"],"worlds":["classic"])") + "," +
                             listed("sower", R"(,"roles":["admin"],"seeds":[7])") + "]}";
  ServerProcess server({"--data", (directory.path() / "cache").string(), "--access-file", file});
  expect_all(all_statuses(server.address(), "", ""), grpc::StatusCode::UNAUTHENTICATED);
  expect_all(all_statuses(server.address(), "authorization", "Bearer player"),
             grpc::StatusCode::PERMISSION_DENIED);
  const Admin admin = admin_of(server.address(), "operator");
  ASSERT_TRUE(admin.stats());
  ASSERT_TRUE(admin.pregenerate({.world = kPlace, .area = {{0, 0}, {3, 3}}}));
  const auto reads =
      terrane::Client::connect({.address = server.address(),
                                .token = []() -> Result<Token> { return Token{"operator"}; },
                                .deadline = 10s});
  expect_denied(reads->chunk(kPlace, {0, 0}), ErrorCode::kPermissionDenied,
                ErrorReason::kNotPermitted);
  const Output made = run("TERRANE_TOKEN=operator " + std::string(TERRANE_PATH) + " --server " +
                          server.address() + " pregen --around 0,0 --radius 100");
  EXPECT_EQ(made.code, 0) << "which has to know the world's chunks: " << made.text;

  const Admin keeper = admin_of(server.address(), "keeper");
  expect_denied(keeper.pregenerate({.world = {.name = "continents"}, .area = {{0, 0}, {1, 1}}}),
                ErrorCode::kPermissionDenied, ErrorReason::kNotPermitted);
  expect_denied(keeper.purge(AllSeedsOf{"continents"}), ErrorCode::kPermissionDenied,
                ErrorReason::kNotPermitted);
  expect_denied(keeper.purge(StaleChunks{}), ErrorCode::kPermissionDenied,
                ErrorReason::kNotPermitted);
  EXPECT_FALSE(admin.stats()->costliest.empty());
  EXPECT_TRUE(keeper.stats()->costliest.empty()) << "others are not theirs to know";
  expect_denied(keeper.cache(), ErrorCode::kPermissionDenied, ErrorReason::kNotPermitted);
  EXPECT_EQ(keeper.purge(AllSeedsOf{"classic"})->chunks, 16u);
  const Admin sower = admin_of(server.address(), "sower");
  expect_denied(sower.purge(AllSeedsOf{"classic"}), ErrorCode::kPermissionDenied,
                ErrorReason::kNotPermitted);
  expect_denied(sower.purge(kPlace), ErrorCode::kPermissionDenied, ErrorReason::kNotPermitted);
  EXPECT_TRUE(sower.purge(WorldRef{.name = kWorld, .seed = 7}));
}

TEST(admin, says_what_the_server_does_and_holds) {
  const Open open;
  const auto client = client_of(open.server);
  fetch_square(client, kPlace, 8);
  fetch_square(client, kPlace, 8);
  fetch_square(client, {.name = kWorld, .seed = 2}, 4);
  auto explorer = client.explore({.world = kPlace, .view_distances = {2}}).value();
  ASSERT_TRUE(explorer.move({}));
  ASSERT_TRUE(explorer.wait(20s));
  const Admin admin = open.admin();
  const auto stats = admin.stats();
  ASSERT_TRUE(stats) << stats.error().message;
  EXPECT_NE(stats->version.find("terraned"), std::string::npos);
  EXPECT_GT(stats->uptime_s, 0);
  EXPECT_GT(stats->processor_s, 0);
  EXPECT_GE(stats->workers, 1u);
  EXPECT_GT(stats->memory_bytes, 1'000'000u);
  EXPECT_GE(stats->generated, 80u);
  EXPECT_GE(stats->from_memory, 64u);
  EXPECT_GE(stats->requests, stats->generated + stats->from_memory);
  EXPECT_EQ(stats->viewers, 1u);
  EXPECT_GE(stats->clients, 1u);
  ASSERT_FALSE(stats->costliest.empty());
  EXPECT_EQ(stats->costliest.front().name, "127.0.0.1");
  std::uint64_t timed = 0;
  for (const WaitTimes& waits : stats->waits) {
    ASSERT_EQ(waits.counts.size(), stats->bounds_s.size() + 1);
    if (waits.kind != "generated") continue;
    for (const std::uint64_t count : waits.counts) timed += count;
  }
  EXPECT_GE(timed, 80u);

  ASSERT_TRUE(admin.pregenerate({.world = {.name = "continents"}, .area = {{0, 0}, {1, 1}}}))
      << "which has all that came before it written, too";
  const auto worlds = admin.cache();
  ASSERT_TRUE(worlds) << worlds.error().message;
  ASSERT_EQ(worlds->size(), 2u);
  for (const CachedWorld& world : *worlds) {
    EXPECT_EQ(world.fingerprint, client.world(world.world)->fingerprint);
    EXPECT_GT(world.bytes, 100 * world.chunks);
    EXPECT_EQ(world.seeds, world.world == kWorld ? 2u : 1u);
  }
}

TEST(admin, removes_of_the_cache_what_it_is_told_and_nothing_else) {
  const Open open;
  const auto client = client_of(open.server);
  const Admin admin = open.admin();
  const WorldRef other{.name = kWorld, .seed = 2};
  const WorldRef continents{.name = "continents", .seed = kSeed};
  for (const WorldRef& world : {kPlace, other, continents})
    ASSERT_TRUE(admin.pregenerate({.world = world, .area = {{-20, -20}, {19, 19}}}));
  const auto before = client.chunk(kPlace, {3, 3});
  EXPECT_EQ(cached(admin, kWorld), 3'200u);
  const auto purged = admin.purge(kPlace);
  ASSERT_TRUE(purged) << purged.error().message;
  EXPECT_EQ(purged->chunks, 1'600u);
  EXPECT_EQ(cached(admin, kWorld), 1'600u);
  EXPECT_EQ(cached(admin, "continents"), 1'600u);
  const auto generated = admin.stats()->generated;
  EXPECT_EQ(client.chunk(kPlace, {3, 3}), before) << "made again, the same";
  EXPECT_EQ(admin.stats()->generated, generated + 1) << "it was not in memory either";
  EXPECT_TRUE(client.chunk(other, {3, 3}));
  EXPECT_EQ(admin.stats()->generated, generated + 1);

  EXPECT_EQ(admin.purge(StaleChunks{})->chunks, 0u);
  EXPECT_GE(admin.purge(AllSeedsOf{kWorld})->chunks, 1'600u);
  EXPECT_EQ(admin.purge(client.world("continents")->fingerprint)->chunks, 1'600u);
  EXPECT_EQ(admin.purge(WorldFingerprint{12345})->chunks, 0u);
  EXPECT_TRUE(admin.cache()->empty());
  expect_denied(admin.purge(AllSeedsOf{"nowhere"}), ErrorCode::kNotFound,
                ErrorReason::kWorldUnknown);
}

TEST(admin, finds_and_removes_what_no_world_needs_any_more) {
  const TempDirectory directory;
  const auto worlds = directory.path() / "worlds";
  std::filesystem::create_directory(worlds);
  std::string text = run(std::string(TERRANED_PATH) + " --print-world perlin").text;
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"\"perlin\"", "\"mine\""},
                                 {"\"amplitude\": 128", "\"amplitude\": 64"}}) {
    ASSERT_NE(text.find(from), std::string::npos) << text;
    text.replace(text.find(from), from.size(), to);
  }
  std::ofstream(worlds / "mine.json") << text;
  const std::vector<std::string> flags{"--admin-from-loopback", "--data",
                                       (directory.path() / "cache").string(), "--world-dir",
                                       worlds.string()};
  std::optional<ServerProcess> server(std::in_place, flags);
  ASSERT_TRUE(admin_of(server->address())
                  .pregenerate({.world = {.name = "mine"}, .area = {{0, 0}, {3, 3}}}));
  ASSERT_TRUE(admin_of(server->address())
                  .pregenerate({.world = {.name = kWorld}, .area = {{0, 0}, {3, 3}}}));
  EXPECT_EQ(server->stop(), 0);
  std::filesystem::remove(worlds / "mine.json");
  server.emplace(flags);
  const Admin admin = admin_of(server->address());
  EXPECT_EQ(cached(admin, ""), 16u) << "of a world without a name";
  EXPECT_EQ(admin.purge(StaleChunks{})->chunks, 16u);
  EXPECT_EQ(cached(admin, ""), 0u);
  EXPECT_EQ(cached(admin, kWorld), 16u);
}

TEST(admin, needs_a_cache_for_what_is_about_it) {
  ServerProcess server({"--no-cache", "--admin-from-loopback"});
  const Admin admin = admin_of(server.address());
  EXPECT_FALSE(admin.stats()->cache);
  EXPECT_EQ(admin.cache().error().code, ErrorCode::kFailedPrecondition);
  EXPECT_EQ(admin.purge(StaleChunks{}).error().code, ErrorCode::kFailedPrecondition);
  const auto made = admin.pregenerate({.world = kPlace, .area = {{0, 0}, {1, 1}}});
  EXPECT_EQ(made.error().code, ErrorCode::kFailedPrecondition);
  EXPECT_NE(made.error().message.find("--no-cache"), std::string::npos);
}

TEST(admin, has_the_server_log_more_and_end) {
  Open open;
  const Admin admin = open.admin();
  EXPECT_EQ(admin.set_log_level("debug").value(), "info");
  EXPECT_EQ(admin.set_log_level("info").value(), "debug");
  const auto wrong = admin.set_log_level("loud");
  EXPECT_EQ(wrong.error().code, ErrorCode::kInvalidArgument);
  EXPECT_NE(wrong.error().message.find("'loud'"), std::string::npos) << wrong.error().message;
  bool first = false;
  std::thread twice([&] { first = static_cast<bool>(admin.drain()); });
  const bool second = static_cast<bool>(admin.drain());
  twice.join();
  EXPECT_TRUE(first || second) << "whoever comes second may find it gone";
  EXPECT_EQ(open.server.wait(), 0) << "asked twice, it still ends as it should";
  EXPECT_NE(open.server.log().find("has the server drain"), std::string::npos);
}

TEST(pregeneration, makes_all_of_an_area_for_a_server_to_come) {
  const TempDirectory directory;
  const std::vector<std::string> flags{"--admin-from-loopback", "--data",
                                       (directory.path() / "cache").string()};
  std::optional<ServerProcess> server(std::in_place, flags);
  std::vector<PregenerateProgress> told;
  const auto made =
      admin_of(server->address())
          .pregenerate({.world = kPlace, .area = {{-3, -40}, {40, 5}}, .lods = {0, 2}},
                       [&](const auto& at) { told.push_back(at); });
  ASSERT_TRUE(made) << made.error().message;
  const std::uint64_t fine = 44 * 46, coarse = 12 * 12;
  EXPECT_EQ(made->total, fine + coarse);
  EXPECT_EQ(made->cursor, made->total);
  EXPECT_EQ(made->generated, made->total);
  EXPECT_EQ(made->found + made->failed, 0u);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back().cursor, made->total);
  EXPECT_EQ(admin_of(server->address()).stats()->memory_cache_chunks, 0u)
      << "what players use stays in memory";
  server.reset();  // killed
  server.emplace(flags);
  const auto client = client_of(*server);
  auto stream = client.chunks({.world = kPlace, .area = ChunkRectangle{{-3, -10}, {28, 5}}});
  int chunks = 0;
  for (auto next = stream.next(); next && *next; next = stream.next()) ++chunks;
  EXPECT_EQ(chunks, 32 * 16);
  EXPECT_TRUE(client.chunk(kPlace, {10, 1}, 2));
  const Admin admin = admin_of(server->address());
  EXPECT_EQ(admin.stats()->generated, 0u);
  const auto again =
      admin.pregenerate({.world = kPlace, .area = {{-3, -40}, {40, 5}}, .lods = {0, 2}});
  EXPECT_EQ(again->found, made->total);
  EXPECT_EQ(again->generated, 0u);
}

TEST(pregeneration, goes_on_where_it_was_when_the_server_is_killed_and_starts_anew) {
  const TempDirectory directory;
  std::vector<std::string> flags{"--admin-from-loopback", "--data",
                                 (directory.path() / "cache").string()};
  std::optional<ServerProcess> server(std::in_place, flags);
  const std::string address = server->address();
  std::atomic<std::uint64_t> cursor = 0;
  std::optional<Result<PregenerateProgress>> ended;
  std::thread pregeneration([&] {
    ended = Admin::connect({.address = address, .deadline = 20s, .max_attempts = 50})
                ->pregenerate({.world = kPlace, .area = {{0, 0}, {63, 63}}, .max_rate = 500},
                              [&](const auto& at) { cursor = at.cursor; });
  });
  while (cursor == 0) std::this_thread::sleep_for(10ms);
  server.reset();  // killed
  EXPECT_LT(cursor, 4'096u);
  flags.insert(flags.end(), {"--listen", address});
  server.emplace(flags);
  pregeneration.join();
  ASSERT_TRUE(*ended) << ended->error().message;
  EXPECT_EQ((*ended)->cursor, 4'096u);
  EXPECT_EQ((*ended)->failed, 0u);
  const Admin admin = admin_of(address);
  EXPECT_EQ(cached(admin, kWorld), 4'096u) << "none was lost with the server";
  EXPECT_LT(admin.stats()->generated, 4'096u) << "nor made twice";
}

TEST(pregeneration, stops_when_it_is_told_or_its_client_is_gone_and_leaves_room_for_others) {
  const Open open;
  const Admin admin = open.admin();
  std::stop_source stop;
  const auto stopped = admin.pregenerate(
      {.world = kPlace, .area = {{0, 0}, {100'000, 100'000}}, .max_rate = 500},
      [&](const auto&) { stop.request_stop(); }, stop.get_token());
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
  // all that may run at once, and one more
  const auto stub = v1::AdminService::NewStub(
      grpc::CreateChannel(open.server.address(), grpc::InsecureChannelCredentials()));
  v1::PregenerateRequest request;
  *request.mutable_world() = world_ref();
  *request.mutable_rectangle()->mutable_first() = message({0, 0});
  *request.mutable_rectangle()->mutable_last() = message({100'000, 100'000});
  request.set_max_rate(10);
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<std::unique_ptr<grpc::ClientReader<v1::PregenerateResponse>>> readers;
  v1::PregenerateResponse progress;
  for (int i = 0; i < 8; ++i) {
    readers.push_back(stub->Pregenerate(contexts.emplace_back(bounded()).get(), request));
    EXPECT_TRUE(readers.back()->Read(&progress));
  }
  const auto context = bounded();
  const auto refused = stub->Pregenerate(context.get(), request);
  EXPECT_FALSE(refused->Read(&progress));
  EXPECT_EQ(refused->Finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_TRUE(client_of(open.server).chunk(kPlace, {-1, -1}));
  for (const auto& one : contexts) one->TryCancel();
  for (const auto& reader : readers) {
    while (reader->Read(&progress)) {
    }
    EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  EXPECT_TRUE(admin.pregenerate({.world = kPlace, .area = {{0, 0}, {1, 1}}}));
}

TEST(pregeneration, ends_with_the_server_which_does_not_wait_for_it) {
  Open open;
  const auto stub = v1::AdminService::NewStub(
      grpc::CreateChannel(open.server.address(), grpc::InsecureChannelCredentials()));
  v1::PregenerateRequest request;
  *request.mutable_world() = world_ref();
  *request.mutable_rectangle()->mutable_first() = message({0, 0});
  *request.mutable_rectangle()->mutable_last() = message({100'000, 100'000});
  const auto context = bounded();
  const auto reader = stub->Pregenerate(context.get(), request);
  v1::PregenerateResponse progress;
  ASSERT_TRUE(reader->Read(&progress));
  open.server.terminate();
  while (reader->Read(&progress)) {
  }
  EXPECT_EQ(reader->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(open.server.wait(), 0);
}

TEST(pregeneration, refuses_what_makes_no_sense_and_says_why) {
  const Open open;
  const Admin admin = open.admin();
  const std::int64_t edge = std::int64_t{1} << 40;
  const auto says = [&](const PregenerateRequest& request, ErrorCode code, const char* word) {
    const auto refused = admin.pregenerate(request);
    ASSERT_FALSE(refused) << word;
    EXPECT_EQ(to_string(refused.error().code), to_string(code)) << refused.error().message;
    EXPECT_NE(refused.error().message.find(word), std::string::npos) << refused.error().message;
  };
  says({.world = {.name = "nowhere"}}, ErrorCode::kNotFound, "nowhere");
  says({.world = kPlace, .area = {{5, 0}, {4, 0}}}, ErrorCode::kInvalidArgument, "first");
  says({.world = kPlace, .area = {{0, 0}, {edge + 1, 0}}}, ErrorCode::kOutOfRange, "last.x");
  says({.world = kPlace, .area = {{-edge, -edge}, {edge, edge}}}, ErrorCode::kInvalidArgument,
       "rectangle");
  says({.world = kPlace, .lods = {0, 40}}, ErrorCode::kOutOfRange, "lods = 40");
  says({.world = kPlace, .lods = {1, 1}}, ErrorCode::kInvalidArgument, "twice");
  says({.world = kPlace, .max_rate = -1}, ErrorCode::kInvalidArgument, "max_rate");
  const auto past =
      admin.pregenerate({.world = kPlace, .area = {{0, 0}, {1, 1}}, .cursor = 1'000'000});
  ASSERT_TRUE(past);
  EXPECT_EQ(past->cursor, 4u);
}

TEST(pregeneration, says_when_the_area_does_not_fit_the_cache) {
  for (const double rate : {0.0, 3000.0}) {
    const Open open({"--cache-size", "16MiB"});
    const auto full =
        open.admin().pregenerate({.world = kPlace, .area = {{0, 0}, {999, 999}}, .max_rate = rate});
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, ErrorCode::kFailedPrecondition);
    EXPECT_NE(full.error().message.find("--cache-size"), std::string::npos) << full.error().message;
  }
}

TEST(pregeneration, ends_when_its_administrator_is_one_no_more) {
  const TempDirectory directory;
  const auto file = (directory.path() / "access").string();
  const auto write = [&](const std::string& roles) {
    std::ofstream(file) << R"({"tokens":[{"name":"operator","roles":[)" + roles +
                               R"(],"sha256":")" + test::sha256_hex("operator") + "\"}]}";
  };
  write(R"("admin")");
  ServerProcess server({"--data", (directory.path() / "cache").string(), "--access-file", file});
  const auto ended =
      admin_of(server.address(), "operator")
          .pregenerate({.world = kPlace, .area = {{0, 0}, {9999, 9999}}, .max_rate = 8},
                       [&](const auto&) {
                         write(R"("read")");
                         server.reload();
                       });
  expect_denied(ended, ErrorCode::kPermissionDenied, ErrorReason::kNotPermitted);
}

TEST(pregeneration, keeps_to_a_rate_and_says_how_far_it_is_meanwhile) {
  const Open open;
  std::stop_source stop;
  std::vector<PregenerateProgress> told;
  const auto start = std::chrono::steady_clock::now();
  const auto slow = open.admin().pregenerate(
      {.world = kPlace, .area = {{0, 0}, {99, 99}}, .max_rate = 1e-300},
      [&](const auto& at) {
        told.push_back(at);
        if (told.size() == 3) stop.request_stop();
      },
      stop.get_token());
  EXPECT_EQ(slow.error().code, ErrorCode::kCancelled);
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told.back().cursor, 1u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 15s);
  const auto begun = std::chrono::steady_clock::now();
  ASSERT_TRUE(
      open.admin().pregenerate({.world = kPlace, .area = {{0, 0}, {19, 9}}, .max_rate = 200}));
  EXPECT_GT(std::chrono::steady_clock::now() - begun, 700ms);
}

TEST(pregeneration, of_a_realm_tells_nobody_its_seed) {
  const TempDirectory directory;
  const auto file = (directory.path() / "realms").string();
  std::ofstream(file) << R"({"realms":[{"name":"survival","world":"classic","seed":")" +
                             std::to_string(kSeed) + "\"}]}";
  ServerProcess server({"--admin-from-loopback", "--realms", file, "--realms-only", "--log-level",
                        "debug", "--data", (directory.path() / "cache").string()});
  const Admin admin = admin_of(server.address());
  EXPECT_FALSE(admin.pregenerate({.world = kPlace, .area = {{0, 0}, {1, 1}}}));
  const auto made = admin.pregenerate({.world = {.realm = "survival"}, .area = {{0, 0}, {3, 3}}});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->generated, 16u);
  EXPECT_EQ(cached(admin, kWorld), 16u);
  EXPECT_EQ(admin.purge(WorldRef{.realm = "survival"})->chunks, 16u);
  EXPECT_EQ(server.stop(), 0);
  EXPECT_EQ(server.log().find(std::to_string(kSeed)), std::string::npos);
}

/// The 99th percentile of how long single chunks take that nobody has asked for before.
std::chrono::duration<double, std::milli> p99_of_fresh_chunks(const terrane::Client& client,
                                                              std::uint64_t seed) {
  std::vector<std::chrono::duration<double, std::milli>> times;
  for (int i = 0; i < 400; ++i) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(client.chunk({.name = "continents", .seed = seed}, {i * 7, -i}));
    times.push_back(std::chrono::steady_clock::now() - start);
    std::this_thread::sleep_for(2ms);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() * 99 / 100];
}

TEST(pregeneration_timed, is_not_noticed_by_players) {
  const Open open;
  const auto client = client_of(open.server);
  const auto alone = p99_of_fresh_chunks(client, 1);
  std::stop_source stop;
  std::atomic<bool> runs = false;
  std::uint64_t made = 0;
  std::thread pregeneration([&] {
    const auto ended = open.admin().pregenerate(
        {.world = kPlace, .area = {{0, 0}, {100'000, 100'000}}},
        [&](const auto& at) {
          runs = true;
          made = at.generated;
        },
        stop.get_token());
    EXPECT_EQ(ended.error().code, ErrorCode::kCancelled);
  });
  while (!runs) std::this_thread::sleep_for(1ms);
  const auto beside = p99_of_fresh_chunks(client, 2);
  stop.request_stop();
  pregeneration.join();
  std::printf("p99 of fresh chunks: alone %.2f ms, beside pregeneration %.2f ms; it made %llu\n",
              alone.count(), beside.count(), static_cast<unsigned long long>(made));
  EXPECT_GT(made, 100u);
  // a job that runs is not taken off its worker, nor off the processor
  EXPECT_LT(beside.count(), 3 * alone.count() + 5);
}

TEST(admin, has_commands_for_all_of_it) {
  Open open;
  const std::string terrane =
      std::string(TERRANE_PATH) + " --server " + open.server.address() + " ";
  const auto says = [&](const std::string& arguments, const std::string& word, int code = 0) {
    const Output output = run(terrane + arguments);
    EXPECT_EQ(output.code, code) << arguments << ": " << output.text;
    EXPECT_NE(output.text.find(word), std::string::npos) << arguments << ": " << output.text;
  };
  says("--world classic pregen --from 0,0 --to 31,31 --max-lod 1", "1,280 chunks are in the cache");
  says("--world classic pregen --around 300,300 --radius 64 --json", "\"failed\":0");
  says("--world classic pregen --from 0,0", "--around", 2);
  says("--world classic pregen --from 0,0 --to 1,1 --around 0,0 --radius 5", "two ways", 2);
  says("stats", "classic");
  says("stats", "1,280 chunks");
  says("stats --json", "\"generated\":1280");
  says("top --once --interval 0.2 --size 100x30", "CHUNKS");
  says("top", "--once", 1);
  says("purge", "--stale", 2);
  says("purge --stale --all-seeds", "exclude", 2);
  says("purge --fingerprint xyz", "hexadecimal", 2);
  says("--world classic purge", "removed 1,280 chunks");
  says("log-level loud", "loud", 2);
  says("log-level debug", "did info");
  says("drain", "drains");
  EXPECT_EQ(open.server.wait(), 0);
  ServerProcess closed({"--no-cache"});
  const Output denied = run(std::string(TERRANE_PATH) + " --server " + closed.address() + " stats");
  EXPECT_EQ(denied.code, 1);
  EXPECT_NE(denied.text.find("--admin-from-loopback"), std::string::npos) << denied.text;
}

}  // namespace
}  // namespace terrane::e2e
