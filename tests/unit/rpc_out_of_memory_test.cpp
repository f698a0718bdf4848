// Calls whose workers find no memory: each ends with a status that says so, and the next is served.
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "rpc/server.h"
#include "support/failing_memory.h"
#include "terrane/v1/world_service.grpc.pb.h"
#include "worldgen/generate.h"
#include "worlds/world_catalog.h"

namespace terrane::rpc {
namespace {

/// A server in this process whose workers fail an allocation when they answer.
class OutOfMemory : public testing::Test {
 protected:
  OutOfMemory() {
    Backend backend{catalog_, pipeline_, workers_, {}, metrics_};
    backend.terrain.sample = [this](const worldgen::World&, std::uint64_t,
                                    std::span<const BlockPos> points, const worldgen::Abandon&) {
      std::vector<PointSample> samples(points.size());
      fail_next();
      return samples;
    };
    server_ = Server::start("127.0.0.1:0", backend).value();
    stub_ = v1::WorldService::NewStub(
        grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials()));
  }

  void fail_next() {
    constexpr std::size_t kNever = 1 << 20;
    const int after = every_time_ ? after_.load() : after_.exchange(-1);
    test::fail_memory_here(after < 0 ? kNever : static_cast<std::size_t>(after), least_);
  }

  static std::unique_ptr<grpc::ClientContext> bounded() {
    auto context = std::make_unique<grpc::ClientContext>();
    context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
    return context;
  }

  /// Calls with each of the first allocations failing, then with none. @return how many were
  /// refused
  template <typename Call>
  int sweep(std::size_t least, const Call& call) {
    int refused = 0;
    least_ = least;
    for (int n = 0; n < 40; ++n) {
      after_ = n;
      test::restore_memory();
      const grpc::Status status = call();
      EXPECT_TRUE(status.ok() || status.error_code() == grpc::RESOURCE_EXHAUSTED)
          << n << ": " << status.error_code() << " " << status.error_message();
      if (!status.ok()) ++refused;
      after_ = -1;
      const grpc::Status next = call();
      EXPECT_TRUE(next.ok()) << "after " << n << ": " << next.error_message();
    }
    return refused;
  }

  std::atomic<int> after_ = -1;
  bool every_time_ = false;  // that something is asked of a worker, and not the first one only
  std::atomic<std::size_t> least_ = 0;
  ops::Metrics metrics_;
  worlds::LiveCatalog catalog_{worlds::builtin_worlds().value()};
  schedule::WorkerPool workers_{{.workers = 1, .max_queued = 1000, .on_thread_start = {}}};
  pipeline::ChunkPipeline pipeline_{{},
                                    [this](const pipeline::ChunkRequest& request,
                                           const std::stop_token&) -> std::optional<Chunk> {
                                      std::optional<Chunk> chunk = worldgen::generate(
                                          *request.world, request.seed, request.coord, request.lod,
                                          worldgen::noise::supported_targets().back());
                                      fail_next();
                                      return chunk;
                                    },
                                    workers_,
                                    nullptr};
  std::unique_ptr<Server> server_;
  std::unique_ptr<v1::WorldService::Stub> stub_;
  std::int64_t x_ = 0;
};

TEST_F(OutOfMemory, over_the_answer_of_points_ends_the_call_with_its_reason) {
  v1::SamplePointsRequest request;
  request.mutable_world()->set_name("perlin");
  for (int i = 0; i < 8192; ++i) request.add_points()->set_x(i);
  every_time_ = true;
  const int refused = sweep(16 << 10, [&] {  // none of gRPC's own is so large
    v1::SamplePointsResponse response;
    const grpc::Status status = stub_->SamplePoints(bounded().get(), request, &response);
    if (!status.ok()) {
      EXPECT_NE(status.error_details().find("OUT_OF_MEMORY"), std::string::npos);
    }
    return status;
  });
  EXPECT_GT(refused, 2);
}

TEST_F(OutOfMemory, over_a_stream_of_chunks_makes_them_again_or_ends_it) {
  sweep(1000, [&] {
    v1::GetChunksRequest request;
    request.mutable_world()->set_name("continents");
    for (int i = 0; i < 3; ++i) request.mutable_list()->add_coords()->set_x(++x_);
    const auto context = bounded();
    const auto reader = stub_->GetChunks(context.get(), request);
    v1::GetChunksResponse response;
    while (reader->Read(&response)) {
    }
    return reader->Finish();
  });
}

}  // namespace
}  // namespace terrane::rpc
