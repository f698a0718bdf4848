// One client that asks for all that it may, on Explore streams, and what others notice of it.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "e2e/explore_client.h"
#include "e2e/running_server.h"
#include "support/http_connection.h"
#include "support/prometheus_text.h"
#include "support/time_scale.h"

namespace terrane::e2e {
namespace {

double anonymous_mib(const RunningServer& server) {
  return static_cast<double>(server.process.anonymous_bytes()) / (1024 * 1024);
}

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Stream = grpc::ClientReaderWriter<v1::ExploreRequest, v1::ExploreResponse>;

std::string metrics_of(const ServerProcess& server) {
  const auto answer = test::Connection(server.http_address()).ask(test::get("/metrics"));
  return answer ? answer->body : "";
}

grpc::ChannelArguments own_connection() {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return arguments;
}

double memory_of_streams(const ServerProcess& server) {
  return test::value_of(metrics_of(server), "terrane_stream_memory_bytes");
}

/// As far as every level of the world may be seen.
ViewDistances largest_view(Client& client) {
  v1::ListWorldsResponse worlds;
  EXPECT_TRUE(client.stub().ListWorlds(bounded().get(), {}, &worlds).ok());
  for (const v1::World& world : worlds.worlds()) {
    if (world.name() == kWorld) return ViewDistances(world.max_lod() + 1, 64);
  }
  return {};
}

/// Every other tile around a place at each level, in whole blocks: as much as a message may name.
void add_full_have(v1::Move& move, double x, double y, std::size_t levels) {
  std::string checkers(512, '\x55');
  for (std::size_t i = 0; i < checkers.size(); ++i) {
    if (i / 8 % 2 == 1) checkers[i] = '\xaa';
  }
  for (Lod lod = 0; lod < levels; ++lod) {
    const ChunkCoord at = tile_at(x, y, lod).coord;
    for (const std::int64_t dy : {-64, 0}) {
      for (const std::int64_t dx : {-64, 0}) {
        v1::TileBlock tiles = block(lod, at.x + dx, at.y + dy, 64, 64);
        tiles.set_bits(checkers);
        *move.add_have() = tiles;
      }
    }
  }
}

/// What it takes others to be answered meanwhile.
struct Waits {
  std::vector<double> seconds;
  int failed = 0;

  [[nodiscard]] double at(double share) {
    if (seconds.empty()) return 1e9;
    std::sort(seconds.begin(), seconds.end());
    return seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))];
  }
};

/// Asks for the worlds and for the server's health, one after the other, for a while.
Waits ask_for(Client& client, std::chrono::seconds time) {
  Waits waits;
  for (const auto end = Clock::now() + time; Clock::now() < end;) {
    for (const char* method :
         {"/terrane.v1.WorldService/ListWorlds", "/grpc.health.v1.Health/Check"}) {
      const auto start = Clock::now();
      std::string response;
      if (!client.call(method, "", response).ok()) ++waits.failed;
      waits.seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    }
  }
  return waits;
}

/// Streams of one client, each of which says the same things again and again, and reads what comes.
class Attack {
 public:
  Attack(const std::string& address, int streams, const v1::Hello& hello,
         std::vector<v1::ExploreRequest> says)
      : client_(address, own_connection()), says_(std::move(says)) {
    for (int i = 0; i < streams; ++i) {
      contexts_.push_back(bounded());
      streams_.push_back(client_.stub().Explore(contexts_.back().get()));
      v1::ExploreRequest first;
      *first.mutable_hello() = hello;
      streams_.back()->Write(first);
      threads_.emplace_back([this, &stream = *streams_.back()] { talk(stream); });
      threads_.emplace_back([&stream = *streams_.back()] {
        for (v1::ExploreResponse response; stream.Read(&response);) continue;
      });
    }
  }
  ~Attack() {
    over_ = true;
    for (const auto& context : contexts_) context->TryCancel();
    for (std::thread& thread : threads_) thread.join();
    for (const auto& stream : streams_) stream->Finish();
  }
  Attack(const Attack&) = delete;
  Attack& operator=(const Attack&) = delete;

  [[nodiscard]] int said() const { return said_; }

 private:
  void talk(Stream& stream) {
    for (std::size_t i = 0; !over_ && stream.Write(says_[i % says_.size()]); ++i) ++said_;
  }

  Client client_;
  const std::vector<v1::ExploreRequest> says_;
  std::atomic<bool> over_ = false;
  std::atomic<int> said_ = 0;
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts_;
  std::vector<std::unique_ptr<Stream>> streams_;
  std::vector<std::thread> threads_;
};

void expect_short_callbacks(const ServerProcess& server) {
  const std::string page = metrics_of(server);
  const std::string name = "terrane_callback_seconds";
  const double all = test::value_of(page, name + "_count{rpc=\"Explore\"}");
  EXPECT_GT(all, 0) << page;
  const double brief = test::value_of(page, name + "_bucket{rpc=\"Explore\",le=\"0.001\"}");
  // on a machine that others use too, a page or a timer's tick can fall into one
  EXPECT_LE(all - brief, 0.005 * (time_scale() - 1) * all)
      << "callbacks of more than a millisecond of processor time, of " << all;
}

void expect_others_served(RunningServer& server, const char* what, int streams,
                          const std::vector<v1::ExploreRequest>& says) {
  const Attack attack(server.process.address(), streams, hello(largest_view(server.client), 0, 0),
                      says);
  Waits waits = ask_for(server.client, 4s);
  std::printf(
      "check greed %s: ListWorlds and health p50 %.1f ms, p99 %.1f ms, most %.1f ms, "
      "%d failed, %zu asked; %d messages of the client\n",
      what, 1e3 * waits.at(0.5), 1e3 * waits.at(0.99), 1e3 * waits.at(1), waits.failed,
      waits.seconds.size(), attack.said());
  EXPECT_EQ(waits.failed, 0);
  EXPECT_LT(waits.at(0.99), 0.25 * time_scale());
  expect_short_callbacks(server.process);
}

TEST(explore_greed, others_are_served_while_one_client_jumps_about_with_the_largest_view) {
  const TempDirectory data;
  RunningServer server(data);
  std::vector<v1::ExploreRequest> jumps(64);
  for (std::size_t i = 0; i < jumps.size(); ++i) {
    jumps[i].mutable_move()->set_x(static_cast<double>(i) * 1e9);
    jumps[i].mutable_move()->set_y(static_cast<double>(i % 7) * -1e9);
  }
  expect_others_served(server, "jumps", 4, jumps);
}

TEST(explore_greed, others_are_served_while_one_client_claims_all_that_it_may) {
  const TempDirectory data;
  RunningServer server(data);
  const std::size_t levels = largest_view(server.client).size();
  std::vector<v1::ExploreRequest> claims(2);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    v1::Move& move = *claims[i].mutable_move();
    move.set_x(static_cast<double>(i) * 1e9);
    add_full_have(move, move.x(), 0, levels);
  }
  expect_others_served(server, "have", 4, claims);
}

TEST(explore_greed, rows_of_single_tiles_are_claimed_in_slices_too) {
  const TempDirectory data;
  RunningServer server(data);
  std::vector<v1::ExploreRequest> claims(1);
  for (std::int64_t i = 0; i < 20'000; ++i)
    *claims[0].mutable_move()->add_have() = block(0, i % 120 - 60, i / 120 % 120 - 60, 1, 2);
  expect_others_served(server, "rows", 4, claims);
}

/// Holds streams open that jump about with full lists and read nothing.
class Hoard {
 public:
  Hoard(const std::string& address, int streams, const ViewDistances& distances,
        const std::string& calls_for = "") {
    grpc::ChannelArguments arguments = own_connection();
    arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
    arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 65535);
    client_ = std::make_unique<Client>(address, arguments);
    for (int i = 0; i < streams; ++i) {
      contexts_.push_back(bounded());
      if (!calls_for.empty()) contexts_.back()->AddMetadata("x-forwarded-for", calls_for);
      streams_.push_back(client_->stub().Explore(contexts_.back().get()));
      threads_.emplace_back([this, &stream = *streams_.back(), &distances, i] {
        v1::ExploreRequest request;
        *request.mutable_hello() = hello(distances, i * 1e6, 0);
        add_full_have(*request.mutable_hello()->mutable_move(), i * 1e6, 0, distances.size());
        for (int jump = 1; stream.Write(request) && jump <= 8; ++jump) {
          ++said_;
          v1::Move& move = *request.mutable_move();
          move.Clear();
          move.set_x(i * 1e6 + jump * 1e9);
          add_full_have(move, move.x(), 0, distances.size());
        }
      });
    }
  }
  ~Hoard() {
    for (const auto& context : contexts_) context->TryCancel();
    for (std::thread& thread : threads_) thread.join();
    for (const auto& stream : streams_) stream->Finish();
  }
  Hoard(const Hoard&) = delete;
  Hoard& operator=(const Hoard&) = delete;

  [[nodiscard]] int said() const { return said_; }

 private:
  std::unique_ptr<Client> client_;
  std::atomic<int> said_ = 0;
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts_;
  std::vector<std::unique_ptr<Stream>> streams_;
  std::vector<std::thread> threads_;
};

TEST(explore_greed, a_hundred_streams_that_hoard_and_read_nothing_take_64_mib_at_most) {
  const TempDirectory data;
  RunningServer server(data, {"--memory-cache", "0"});
  const ViewDistances distances = largest_view(server.client);
  warm(server.client, 0, 0, 4);
  const double idle = anonymous_mib(server);
  double most = 0;
  {
    const Hoard hoard(server.process.address(), 100, distances);
    int before = -1;
    for (int quiet = 0; quiet < 20; std::this_thread::sleep_for(100ms)) {
      most = std::max(most, anonymous_mib(server) - idle);
      quiet = hoard.said() == before ? quiet + 1 : 0;
      before = hoard.said();
    }
    std::printf("check greed memory: 100 streams, %d messages: %.1f MiB above %.1f MiB\n",
                hoard.said(), most, idle);
    const double reckoned = memory_of_streams(server.process);
    std::printf("check greed memory: %.1f MiB as reckoned\n", reckoned / 1048576);
    EXPECT_GT(reckoned, 100 * 100e3);
  }
  for (int i = 0; i < 100 && memory_of_streams(server.process) > 0; ++i)
    std::this_thread::sleep_for(100ms);
  std::printf("check greed memory: %.1f MiB above idle afterwards\n", anonymous_mib(server) - idle);
  EXPECT_LE(most, 64);
  EXPECT_EQ(memory_of_streams(server.process), 0) << "all of it is free for others";
}

double cut_off_for_memory(const ServerProcess& server) {
  return test::value_of(metrics_of(server), "terrane_streams_cut_off_total{reason=\"memory\"}");
}

TEST(explore_greed, of_a_client_with_half_of_the_memory_and_of_all_the_greediest_is_closed) {
  const TempDirectory data;
  RunningServer server(
      data, {"--memory-cache", "0", "--memory-limit", "64MiB", "--trusted-proxies", "127.0.0.1"});
  constexpr double kAll = 16e6 * 1.048576, kSlack = 1e6;  // until the one to be closed is
  const std::string address = server.process.address();
  const ViewDistances distances = largest_view(server.client);
  warm(server.client, 0, 0, 4);
  const auto settled = [&](const std::function<bool()>& done) {
    for (int i = 0; i < 200 && !done(); ++i) std::this_thread::sleep_for(50ms);
    return done();
  };
  const auto holds_at_most = [&](double bytes) {
    return settled([&] { return memory_of_streams(server.process) <= bytes + kSlack; });
  };
  Client own(address, own_connection());
  ExploreClient bystander(own, hello({2}, 0, 0), 60s, "10.0.0.9");
  ASSERT_TRUE(bystander.read_view({2}, 0, 0));
  {
    const Hoard first(address, 150, distances, "10.0.0.1");
    EXPECT_TRUE(settled([&] { return cut_off_for_memory(server.process) > 0; }));
    EXPECT_TRUE(holds_at_most(kAll / 2));
    ExploreClient other(own, hello({2}, 0, 0), 60s, "10.0.0.2");
    EXPECT_TRUE(other.read_view({2}, 0, 0)) << "others have the other half";
    EXPECT_TRUE(other.finish().ok());
    const double before = cut_off_for_memory(server.process);
    const Hoard second(address, 80, distances, "10.0.0.3"),
        third(address, 80, distances, "10.0.0.4");
    EXPECT_TRUE(settled([&] { return cut_off_for_memory(server.process) > before; }));
    EXPECT_TRUE(holds_at_most(kAll));
    bystander.move(64, 0);
    EXPECT_TRUE(bystander.read_view({2}, 64, 0)) << "whoever holds little stays";
  }
  EXPECT_TRUE(settled([&] { return memory_of_streams(server.process) < 1e6; }));
  EXPECT_TRUE(bystander.finish().ok());
}

TEST(explore_ends, who_is_cut_off_counts_under_the_reason_and_is_in_the_log_with_its_address) {
  const TempDirectory data;
  RunningServer server(data, {"--slow-client", "1"});
  ExploreClient owing(server.client, hello({4}, 0, 0));
  owing.acknowledge(false);
  const auto context = bounded();
  const auto silent = server.client.stub().Explore(context.get());
  v1::ExploreResponse response;
  EXPECT_FALSE(silent->Read(&response));
  EXPECT_EQ(silent->Finish().error_code(), grpc::DEADLINE_EXCEEDED);
  owing.read_until([] { return false; });
  EXPECT_EQ(owing.finish().error_code(), grpc::DEADLINE_EXCEEDED);
  const std::string page = metrics_of(server.process);
  for (const char* reason : {"no_hello", "no_ack"}) {
    EXPECT_EQ(test::value_of(
                  page, "terrane_streams_cut_off_total{reason=\"" + std::string(reason) + "\"}"),
              1);
  }
  EXPECT_NE(server.process.log().find("Explore of 127.0.0.1 (ipv4:127.0.0.1:"), std::string::npos)
      << server.process.log();
  server.stop_cleanly();
}

TEST(explore_ends, a_cancelled_stream_counts_as_cancelled_and_not_as_ok) {
  const TempDirectory data;
  RunningServer server(data);
  for (int i = 0; i < 10; ++i) {
    ExploreClient viewer(server.client, hello({2}, 0, 0));
    ASSERT_TRUE(viewer.read());
    viewer.cancel();
  }
  ExploreClient last(server.client, hello({2}, 0, 0));
  ASSERT_TRUE(last.read());
  EXPECT_TRUE(last.finish().ok());
  const auto ended = [&](const char* code) {
    return test::value_of(
        metrics_of(server.process),
        "terrane_requests_total{rpc=\"Explore\",code=\"" + std::string(code) + "\"}");
  };
  for (int i = 0; i < 100 && ended("CANCELLED") < 10; ++i) std::this_thread::sleep_for(50ms);
  EXPECT_EQ(ended("CANCELLED"), 10);
  EXPECT_EQ(ended("OK"), 1);
}

TEST(explore_moves, of_many_moves_at_once_the_last_counts) {
  const TempDirectory data;
  RunningServer server(data);
  ExploreClient viewer(server.client, hello({2}, 0, 0));
  ASSERT_TRUE(viewer.read_view({2}, 0, 0));
  EXPECT_EQ(viewer.welcome()->min_move_interval_ms(), 10u);
  const std::size_t before = viewer.arrivals().size();
  for (int i = 1; i <= 500; ++i) viewer.move(i * 64'000, 0);
  ASSERT_TRUE(viewer.read_view({2}, 500 * 64'000, 0));
  EXPECT_LT(viewer.arrivals().size() - before, 500u * 13 / 4)
      << "most places that it passed are not even looked at";
  EXPECT_TRUE(viewer.finish().ok());
}

}  // namespace
}  // namespace terrane::e2e
