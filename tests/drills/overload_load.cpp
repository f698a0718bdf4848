#include "drills/overload_load.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <thread>

namespace terrane::drills {
namespace {

constexpr int kRow = 32;  // chunks of a request

/// One GetChunks without a thread of its own; deletes itself when it is over.
class RowRequest final : public grpc::ClientReadReactor<v1::GetChunksResponse> {
 public:
  RowRequest(e2e::Client& client, v1::GetChunksRequest request, std::chrono::milliseconds deadline,
             Outcome& outcome)
      : request_(std::move(request)), outcome_(outcome) {
    context_.set_deadline(std::chrono::system_clock::now() + deadline);
    client.stub().async()->GetChunks(&context_, &request_, this);
    StartRead(&response_);
    StartCall();
  }

  void OnReadDone(bool ok) override {
    if (!ok) return;
    outcome_.chunks += static_cast<std::uint64_t>(response_.chunks_size());
    StartRead(&response_);
  }

  void OnDone(const grpc::Status& status) override {
    switch (status.error_code()) {
      case grpc::OK: break;
      case grpc::RESOURCE_EXHAUSTED: ++outcome_.refused; break;
      case grpc::DEADLINE_EXCEEDED: ++outcome_.late; break;
      default: ++outcome_.other;
    }
    Outcome& outcome = outcome_;
    delete this;
    if (--outcome.open == 0) outcome.open.notify_all();
  }

 private:
  grpc::ClientContext context_;
  v1::GetChunksRequest request_;
  v1::GetChunksResponse response_;
  Outcome& outcome_;
};

}  // namespace

void write_slow_world(const std::filesystem::path& directory, int lines) {
  std::ofstream(directory / "slow.json") << R"({
    "name": "slow", "chunk_size": 64, "max_lod": 4,
    "faultlines": {
      "region": 1024, "lines": )" << lines
                                         << R"(, "reach": 1024,
      "climate": {
        "temperature": {"frequency": {"blocks": 1024}, "octaves": 2},
        "humidity": {"frequency": {"blocks": 1024}, "octaves": 2}
      }
    },
    "biomes": [{"name": "land", "color": "808080"}]
  })";
}

v1::GetChunksRequest FreshLand::row(int chunks) {
  const std::int64_t first = next_.fetch_add(chunks);
  v1::GetChunksRequest request = e2e::rectangle_request({first, 0}, {first + chunks - 1, 0});
  *request.mutable_world() = e2e::world_ref(world_, seed_);
  return request;
}

v1::GetChunkRequest FreshLand::one() {
  v1::GetChunkRequest request = e2e::chunk_request({next_.fetch_add(1), 1});
  *request.mutable_world() = e2e::world_ref(world_, seed_);
  return request;
}

void ask(e2e::Client& client, v1::GetChunksRequest request, std::chrono::milliseconds deadline,
         Outcome& outcome) {
  ++outcome.open;
  new RowRequest(client, std::move(request), deadline, outcome);
}

double closed_loop(e2e::Client& client, FreshLand& land, int streams, Clock::duration time) {
  std::atomic<std::uint64_t> chunks = 0;
  const auto start = Clock::now();
  std::vector<std::thread> threads;
  for (int i = 0; i < streams; ++i) {
    threads.emplace_back([&] {
      while (Clock::now() - start < time) {
        for (const auto& batch : client.chunks(land.row(kRow)).batches)
          chunks += static_cast<std::uint64_t>(batch.chunks_size());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return static_cast<double>(chunks) / std::chrono::duration<double>(Clock::now() - start).count();
}

double open_loop(e2e::Client& client, FreshLand& land, double chunks_a_second, Clock::duration time,
                 Outcome& outcome) {
  const auto start = Clock::now();
  const auto pause = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(kRow / chunks_a_second));
  for (auto next = start; next - start < time; next += pause) {
    std::this_thread::sleep_until(next);  // a load comes when it comes
    ask(client, land.row(kRow), std::chrono::seconds(2), outcome);
  }
  const double rate = static_cast<double>(outcome.chunks) /
                      std::chrono::duration<double>(Clock::now() - start).count();
  for (int open = outcome.open; open > 0; open = outcome.open) outcome.open.wait(open);
  return rate;
}

void Latencies::add(Clock::duration time) {
  const MutexLock lock(mutex_);
  all_ms_.push_back(std::chrono::duration<double, std::milli>(time).count());
}

double Latencies::quantile_ms(double share) const {
  const MutexLock lock(mutex_);
  if (all_ms_.empty()) return 0;
  std::vector<double> sorted = all_ms_;
  std::sort(sorted.begin(), sorted.end());
  return sorted[std::min(sorted.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

std::size_t Latencies::count() const {
  const MutexLock lock(mutex_);
  return all_ms_.size();
}

}  // namespace terrane::drills
