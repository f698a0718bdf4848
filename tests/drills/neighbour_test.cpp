#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "drills/overload_load.h"
#include "e2e/running_server.h"
#include "support/time_scale.h"

/// What a client keeps of the server while others ask for as much as they can, of what costs most.
/// All come from one machine, so a trusted proxy's header says who they are.
namespace terrane::drills {
namespace {

using namespace std::chrono_literals;

constexpr auto kTime = 4s;

std::unique_ptr<grpc::ClientContext> calling_for(const std::string& address) {
  auto context = e2e::bounded();
  context->AddMetadata("x-forwarded-for", address);
  return context;
}

/// Streams rows of fresh chunks one after another. @return the chunks that came
std::size_t stream_rows(e2e::Client& client, const std::string& address, FreshLand& land,
                        const std::atomic<bool>& enough) {
  std::size_t chunks = 0;
  while (!enough) {
    const auto context = calling_for(address);
    const auto reader = client.stub().GetChunks(context.get(), land.row(256));
    v1::GetChunksResponse batch;
    while (!enough && reader->Read(&batch)) chunks += static_cast<std::size_t>(batch.chunks_size());
    if (enough) context->TryCancel();
    static_cast<void>(reader->Finish());
  }
  return chunks;
}

/// Samples points far from each other, as many as a call may have.
void sample_points(e2e::Client& client, const std::string& address,
                   const std::atomic<bool>& enough) {
  v1::SamplePointsRequest request;
  *request.mutable_world() = e2e::world_ref("slow", 1);
  for (std::int64_t i = 0; i < 512; ++i) {
    v1::BlockPos& point = *request.add_points();
    point.set_x(i * 100'000);
    point.set_y(-i * 77'777);
  }
  while (!enough) {
    v1::SamplePointsResponse response;
    static_cast<void>(client.stub().SamplePoints(calling_for(address).get(), request, &response));
  }
}

/// Clients that ask for all that they can, each on connections of its own, until it ends.
class Attack {
 public:
  Attack(const std::string& address, int clients, FreshLand& land) {
    for (int i = 0; i < clients; ++i) {
      const std::string who = "10.0.0." + std::to_string(i + 1);
      for (int stream = 0; stream < 4; ++stream) {
        add(address,
            [&land, who, this](e2e::Client& client) { stream_rows(client, who, land, enough_); });
      }
      add(address, [who, this](e2e::Client& client) { sample_points(client, who, enough_); });
    }
  }
  ~Attack() {
    enough_ = true;
    for (std::thread& thread : threads_) thread.join();
  }
  Attack(const Attack&) = delete;
  Attack& operator=(const Attack&) = delete;

 private:
  template <typename Body>
  void add(const std::string& address, Body body) {
    clients_.push_back(std::make_unique<e2e::Client>(address));
    threads_.emplace_back([body, client = clients_.back().get()] { body(*client); });
  }

  std::atomic<bool> enough_ = false;
  std::vector<std::unique_ptr<e2e::Client>> clients_;
  std::vector<std::thread> threads_;
};

/// What one client has of the server for a while.
struct Had {
  double chunks_a_second = 0;
  double chunk_ms = 0;        // of one that a player waits for, p99
  double list_worlds_ms = 0;  // p99
};

class neighbours : public testing::Test {
 protected:
  neighbours() {
    write_slow_world(worlds_.path(), 128);
    server_ = std::make_unique<e2e::RunningServer>(
        data_, std::vector<std::string>{
                   "--world-dir", worlds_.path(), "--no-cache", "--memory-cache", "0", "--workers",
                   "1", "--trusted-proxies", "127.0.0.1", "--weight", "198.51.100.0/24=200"});
  }

  Had measure(const std::string& victim) {
    std::atomic<bool> enough = false;
    std::size_t chunks = 0;
    Latencies underfoot, lists;
    e2e::Client player(server_->process.address());
    std::thread waiting([&] {
      while (!enough) {
        const auto start = Clock::now();
        v1::GetChunkResponse response;
        const auto status =
            player.stub().GetChunk(calling_for(victim).get(), land_.one(), &response);
        underfoot.add(Clock::now() - start);
        EXPECT_TRUE(status.ok()) << status.error_message();
        std::this_thread::sleep_for(20ms);  // a player comes when it comes
      }
    });
    std::thread listing([&] {
      while (!enough) {
        const auto start = Clock::now();
        v1::ListWorldsResponse response;
        const auto status = player.stub().ListWorlds(calling_for(victim).get(), {}, &response);
        lists.add(Clock::now() - start);
        EXPECT_TRUE(status.ok()) << status.error_message();
        std::this_thread::sleep_for(5ms);
      }
    });
    std::thread streaming([&] { chunks = stream_rows(server_->client, victim, land_, enough); });
    std::this_thread::sleep_for(kTime);
    enough = true;
    for (std::thread* thread : {&waiting, &listing, &streaming}) thread->join();
    const double seconds = std::chrono::duration<double>(kTime).count();
    return {static_cast<double>(chunks + underfoot.count()) / seconds, underfoot.quantile_ms(0.99),
            lists.quantile_ms(0.99)};
  }

  /// Under the attack of so many, beside alone.
  void expect_share(const std::string& victim, int attackers, double least) {
    const Had alone = measure(victim);
    Had had;
    {
      const Attack attack(server_->process.address(), attackers, others_land_);
      had = measure(victim);
    }
    std::printf(
        "drill neighbours: %2d attackers, victim %s: %.0f %% of %.0f chunks/s; chunk p99 "
        "%.1f ms (alone %.1f), ListWorlds p99 %.1f ms (alone %.1f)\n",
        attackers, victim.c_str(), 100 * had.chunks_a_second / alone.chunks_a_second,
        alone.chunks_a_second, had.chunk_ms, alone.chunk_ms, had.list_worlds_ms,
        alone.list_worlds_ms);
    EXPECT_GE(had.chunks_a_second, least / time_scale() * alone.chunks_a_second);
    EXPECT_LT(had.chunk_ms, 100 * time_scale());
    EXPECT_LT(had.list_worlds_ms, 50 * time_scale());
    server_->stop_cleanly();
  }

  e2e::TempDirectory data_, worlds_;
  std::unique_ptr<e2e::RunningServer> server_;
  FreshLand land_{"slow", 1}, others_land_{"slow", 2};
};

TEST_F(neighbours, one_client_leaves_half_to_another) { expect_share("192.0.2.1", 1, 0.45); }

TEST_F(neighbours, ten_clients_leave_an_eleventh) { expect_share("192.0.2.1", 10, 0.08); }

TEST_F(neighbours, a_game_server_with_a_weight_keeps_nearly_all) {
  expect_share("198.51.100.7", 10, 0.85);
}

}  // namespace
}  // namespace terrane::drills
