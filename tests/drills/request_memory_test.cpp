#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <future>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "e2e/running_server.h"
#include "support/http_connection.h"
#include "support/prometheus_text.h"
#include "terrane/mutex.h"

/// One client has as many calls open as a connection takes, each with the largest message.
namespace terrane::drills {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr double kMiB = 1 << 20;
constexpr int kCalls = 1024;
// Of a --memory-limit of 512 MiB: 1.3 x (the cache of 128 MiB + 100 MiB), an eighth for calls, and
// as much for requests that are being read.
constexpr double kMostMiB = 1.3 * (128 + 100) + 64 + 64;

grpc::ByteBuffer to_buffer(const std::string& bytes) {
  const grpc::Slice slice(bytes);
  return {&slice, 1};
}

/// 65,536 points far from each other, serialised.
grpc::ByteBuffer largest_request() {
  v1::SamplePointsRequest request;
  *request.mutable_world() = e2e::world_ref("continents", 1);
  for (std::int64_t i = 0; i < 65536; ++i) {
    v1::BlockPos& point = *request.add_points();
    point.set_x(i * 100'000);
    point.set_y(-i * 77'777);
  }
  return to_buffer(request.SerializeAsString());
}

/// Calls of one client, all at once on one connection.
class Attack {
 public:
  Attack(const std::string& address, std::string method, grpc::ByteBuffer request)
      : stub_(grpc::CreateChannel(address, grpc::InsecureChannelCredentials())),
        method_(std::move(method)),
        request_(std::move(request)) {
    for (int i = 0; i < kCalls; ++i) start();
  }
  ~Attack() {
    const MutexLock lock(mutex_);
    for (const auto& [call, context] : open_) context->TryCancel();
    while (!open_.empty()) ended_.wait(mutex_);
  }
  Attack(const Attack&) = delete;
  Attack& operator=(const Attack&) = delete;

  /// How calls have ended so far, by status.
  std::map<grpc::StatusCode, int> ends() {
    const MutexLock lock(mutex_);
    return ends_;
  }

 private:
  void start() {
    auto owned = e2e::bounded();
    owned->AddMetadata("x-forwarded-for", "10.0.0.1");
    grpc::ClientContext* const context = owned.get();
    auto response = std::make_shared<grpc::ByteBuffer>();
    int call = 0;
    {
      const MutexLock lock(mutex_);
      call = next_++;
      open_.emplace(call, std::move(owned));
    }
    stub_.UnaryCall(context, method_, {}, &request_, response.get(),
                    [this, call, response](const grpc::Status& status) { end(call, status); });
  }

  void end(int call, const grpc::Status& status) {
    const MutexLock lock(mutex_);
    ++ends_[status.error_code()];
    over_.push_back(std::move(open_.at(call)));
    open_.erase(call);
    ended_.notify_all();
  }

  grpc::GenericStub stub_;
  const std::string method_;
  const grpc::ByteBuffer request_;
  Mutex mutex_;
  CondVar ended_;
  int next_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<int, std::unique_ptr<grpc::ClientContext>> open_ ABSL_GUARDED_BY(mutex_);
  // A context refers to the channel, which must not end on the thread that tells of a call's end:
  // that thread may end with it, and would wait for itself.
  std::vector<std::unique_ptr<grpc::ClientContext>> over_ ABSL_GUARDED_BY(mutex_);
  std::map<grpc::StatusCode, int> ends_ ABSL_GUARDED_BY(mutex_);
};

double reckoned(const e2e::RunningServer& server) {
  const auto answer = test::Connection(server.process.http_address()).ask(test::get("/metrics"));
  return answer ? test::value_of(answer->body, "terrane_call_memory_bytes") : -1;
}

struct Flood {
  const char* name;
  const char* method;
  grpc::ByteBuffer (*request)();
};

void PrintTo(const Flood& flood, std::ostream* out) { *out << flood.name; }

/// As large as gRPC lets pass, and nonsense.
grpc::ByteBuffer nonsense() { return to_buffer(std::string((4 << 20) - 16, '\x01')); }

class MemoryUnder : public testing::TestWithParam<Flood> {};

TEST_P(MemoryUnder, is_bounded_and_others_are_served) {
  const Flood& flood = GetParam();
  const e2e::TempDirectory data;
  e2e::RunningServer server(data, {"--memory-limit", "512MiB", "--trusted-proxies", "127.0.0.1"});
  double peak = 0, held = 0, slowest = 0;
  int served = 0;
  {
    Attack attack(server.process.address(), flood.method, flood.request());
    e2e::Client victim(server.process.address());
    int refused = 0;
    for (const auto end = Clock::now() + 4s;
         Clock::now() < end || served < 20 || refused <= kCalls / 2;) {
      const auto context = e2e::bounded();
      context->AddMetadata("x-forwarded-for", "10.0.0.2");
      v1::SamplePointsRequest request;
      *request.mutable_world() = e2e::world_ref("continents", 1);
      for (int i = 0; i < 20; ++i) request.add_points()->set_x(served * 1000 + i * 64);
      v1::SamplePointsResponse response;
      const auto start = Clock::now();
      const grpc::Status status = victim.stub().SamplePoints(context.get(), request, &response);
      // it is to ask again: no matter of memory, where the machine is slow
      if (status.error_message().find("would wait about") != std::string::npos) continue;
      ASSERT_TRUE(status.ok()) << status.error_message();
      slowest = std::max(slowest, std::chrono::duration<double>(Clock::now() - start).count());
      ++served;
      peak = std::max(peak, static_cast<double>(server.process.anonymous_bytes()) / kMiB);
      held = std::max(held, reckoned(server) / kMiB);
      refused = 0;
      for (const auto& [code, calls] : attack.ends())
        if (code != grpc::OK) refused += calls;
    }
  }
  EXPECT_LE(peak, kMostMiB);
  for (int i = 0; i < 100 && reckoned(server) > 0; ++i) std::this_thread::sleep_for(50ms);
  EXPECT_EQ(reckoned(server), 0) << "all of it is free for others";
  double after = 0;
  for (int i = 0; i < 150; ++i) {
    after = static_cast<double>(server.process.anonymous_bytes()) / kMiB;
    if (after < peak / 2) break;
    std::this_thread::sleep_for(100ms);  // jemalloc gives back within ten seconds
  }
  std::printf(
      "drill %s memory: %d calls; at most %.0f MiB of anonymous memory, %.0f afterwards, %.0f "
      "allowed; %.1f MiB reckoned; another client: %d calls, the slowest %.0f ms\n",
      flood.name, kCalls, peak, after, kMostMiB, held, served, 1e3 * slowest);
  EXPECT_LT(after, kMostMiB / 2) << "given back";
}

INSTANTIATE_TEST_SUITE_P(
    calls_of, MemoryUnder,
    testing::Values(Flood{"points", "/terrane.v1.WorldService/SamplePoints", largest_request},
                    Flood{"nonsense", "/terrane.v1.WorldService/GetChunk", nonsense},
                    Flood{"health", "/grpc.health.v1.Health/Check", nonsense}),
    [](const auto& its) { return its.param.name; });

/// gRPC would unpack a message before it looks at its size.
TEST(memory_under_calls, a_compressed_request_is_none_of_what_it_unpacks_to) {
  const e2e::TempDirectory data;
  e2e::RunningServer server(data);
  const std::uint64_t before = server.process.anonymous_bytes();
  const grpc::ByteBuffer zeros = to_buffer(std::string(256 << 20, '\0'));
  grpc::GenericStub stub(
      grpc::CreateChannel(server.process.address(), grpc::InsecureChannelCredentials()));
  for (const auto algorithm : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
    const auto context = e2e::bounded();
    context->set_compression_algorithm(algorithm);
    grpc::ByteBuffer response;
    std::promise<grpc::Status> ended;
    stub.UnaryCall(context.get(), "/terrane.v1.WorldService/GetChunk", {}, &zeros, &response,
                   [&](grpc::Status status) { ended.set_value(std::move(status)); });
    EXPECT_EQ(ended.get_future().get().error_code(), grpc::UNIMPLEMENTED);
    EXPECT_LE(server.process.anonymous_bytes(), before + (32 << 20));
  }
}

}  // namespace
}  // namespace terrane::drills
