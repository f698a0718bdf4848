#include <algorithm>
#include <atomic>
#include <latch>
#include <set>
#include <thread>

#include "e2e/running_server.h"
#include "support/google_rpc_details.h"
#include "support/http_connection.h"
#include "support/prometheus_text.h"

namespace terrane::e2e {
namespace {

/// One GetChunk without a thread of its own.
struct PendingChunk {
  std::unique_ptr<grpc::ClientContext> context = bounded();
  v1::GetChunkRequest request;
  v1::GetChunkResponse response;
  grpc::Status status;
};

/// Sends all at once, and blocks until all are answered.
void ask_all(Client& client, std::vector<PendingChunk>& calls) {
  std::latch left(static_cast<std::ptrdiff_t>(calls.size()));
  for (PendingChunk& call : calls) {
    client.stub().async()->GetChunk(call.context.get(), &call.request, &call.response,
                                    [&](grpc::Status status) {
                                      call.status = std::move(status);
                                      left.count_down();
                                    });
  }
  left.wait();
}

TEST(load, two_thousand_who_ask_for_one_cold_chunk_cause_one_generation) {
  const TempDirectory data;
  RunningServer server(data);
  std::vector<PendingChunk> calls(2000);
  for (PendingChunk& call : calls) call.request = chunk_request({-123, 456});
  ask_all(server.client, calls);
  for (const PendingChunk& call : calls) {
    ASSERT_TRUE(call.status.ok()) << call.status.error_message();
    ASSERT_EQ(call.response.chunk().encoded(), calls[0].response.chunk().encoded());
  }
  server.stop_cleanly();
  EXPECT_EQ(server.process.total("pipeline", "requests"), 2000u);
  EXPECT_EQ(server.process.total("pipeline", "generated"), 1u);
  EXPECT_EQ(server.process.total("pipeline", "joined") + server.process.total("pipeline", "hits"),
            1999u);
}

TEST(load, past_the_queues_limit_requests_are_refused_with_the_time_to_wait) {
  const TempDirectory data;
  RunningServer server(data, {"--workers", "1", "--queue-limit", "64"});
  std::vector<PendingChunk> calls(2000);
  for (std::size_t i = 0; i < calls.size(); ++i)
    calls[i].request = chunk_request({static_cast<std::int64_t>(i), 0});
  ask_all(server.client, calls);
  std::size_t refused = 0;
  std::set<std::string> reasons;
  for (const PendingChunk& call : calls) {
    if (call.status.ok()) continue;
    ++refused;
    ASSERT_EQ(call.status.error_code(), grpc::RESOURCE_EXHAUSTED) << call.status.error_message();
    const auto& trailing = call.context->GetServerTrailingMetadata();
    const auto pushback = trailing.find("grpc-retry-pushback-ms");
    ASSERT_NE(pushback, trailing.end());
    const int wait_ms = std::stoi(std::string(pushback->second.data(), pushback->second.size()));
    EXPECT_GE(wait_ms, 50);
    EXPECT_LE(wait_ms, 2000);
    const auto details = read_details(call.status.error_details());
    ASSERT_TRUE(details.info && details.retry) << call.status.error_message();
    EXPECT_EQ(details.retry->retry_delay().seconds() * 1000 +
                  details.retry->retry_delay().nanos() / 1'000'000,
              wait_ms);
    EXPECT_NE(details.metadata("limit"), "(none)") << call.status.error_message();
    reasons.insert(details.info->reason());
  }
  EXPECT_GT(refused, 0u);
  EXPECT_LT(refused, calls.size());
  EXPECT_TRUE(reasons.contains("QUEUE_FULL") || reasons.contains("WAIT_TOO_LONG"));
  EXPECT_FALSE(reasons.contains("CLIENT_SHARE_TAKEN")) << "no other client was there";
  EXPECT_NE(server.client.chunk(chunk_request({-1, -1})), "");
  server.stop_cleanly();
  EXPECT_EQ(server.process.total("pipeline", "refused"), refused);
}

/// How far the server has come with chunks, by its metrics.
struct Progress {
  double asked = 0, made = 0, cancelled = 0;
  double queued = 0, open = 0;

  explicit Progress(const ServerProcess& server) {
    const auto answer = test::Connection(server.http_address()).ask(test::get("/metrics"));
    const std::string page = answer ? answer->body : "";
    asked = test::value_of(page, "terrane_chunk_requests_total");
    made = test::value_of(page, "terrane_chunks_total{origin=\"generated\"}");
    open = test::value_of(page, "terrane_open_calls{rpc=\"GetChunks\"}");
    queued = test::sum_of(page, "terrane_queue_jobs{");
    cancelled = test::sum_of(page, "terrane_cancelled_total{");
  }
};

TEST(load, a_cancelled_stream_leaves_its_work_undone) {
  const TempDirectory data;
  RunningServer server(data, {"--workers", "1"});
  constexpr int kStreams = 8;
  struct Stream {
    std::unique_ptr<grpc::ClientContext> context = bounded();
    std::unique_ptr<grpc::ClientReader<v1::GetChunksResponse>> reader;
  };
  std::vector<Stream> streams(kStreams);
  for (int y = 0; Stream & stream : streams) {
    stream.reader = server.client.stub().GetChunks(stream.context.get(),
                                                   rectangle_request({0, y}, {31, y + 31}));
    y += 100;
  }
  v1::GetChunksResponse batch;
  for (Stream& stream : streams) ASSERT_TRUE(stream.reader->Read(&batch));
  for (Stream& stream : streams) stream.context->TryCancel();
  for (Stream& stream : streams) EXPECT_EQ(stream.reader->Finish().error_code(), grpc::CANCELLED);

  Progress now(server.process);
  while (now.open > 0) now = Progress(server.process);
  EXPECT_EQ(now.queued, 0) << "jobs of nobody";
  EXPECT_GT(now.cancelled, kStreams) << "each had tens of chunks on their way";
  EXPECT_LT(now.asked, kStreams * 1024) << "nothing more is asked for";
  const double made = now.made;
  // Had anything been left, the one worker would make that as well, before or after this.
  EXPECT_NE(server.client.chunk(chunk_request({-1, -1})), "");
  EXPECT_NE(server.client.chunk(chunk_request({-2, -1})), "");
  now = Progress(server.process);
  EXPECT_GE(now.made, made + 2);
  EXPECT_LE(now.made, made + 3) << "those two, and the one that was being made";
  server.stop_cleanly();
  EXPECT_LE(static_cast<double>(server.process.total("pipeline", "generated")), now.made);
}

TEST(load, streams_past_their_deadline_end_and_the_server_goes_on) {
  const TempDirectory data;
  RunningServer server(data, {"--workers", "1"});
  for (int i = 0; i < 20; ++i) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(i));
    const auto reader = server.client.stub().GetChunks(
        &context, rectangle_request({0, i * 100}, {31, i * 100 + 31}));
    for (v1::GetChunksResponse batch; reader->Read(&batch);) continue;
    const grpc::StatusCode code = reader->Finish().error_code();
    EXPECT_TRUE(code == grpc::OK || code == grpc::DEADLINE_EXCEEDED) << code;
  }
  EXPECT_NE(server.client.chunk(chunk_request({-1, -1})), "");
  server.stop_cleanly();
}

TEST(load, told_to_stop_the_server_ends_every_stream_whole) {
  const TempDirectory data;
  RunningServer server(data);
  constexpr int kClients = 8;
  std::atomic<int> whole = 0;
  std::atomic<bool> told = false;
  std::latch flowing(kClients);
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i) {
    clients.emplace_back([&, i] {
      Client client(server.process.address());
      bool first = true;
      for (std::int64_t round = 0;; ++round) {
        const bool latecomer = told;
        const Streamed streamed =
            client.chunks(rectangle_request({round * 16, i * 16}, {round * 16 + 15, i * 16 + 15}));
        if (!streamed.status.ok()) {
          // Of a call that comes just as the server closes gRPC itself says CANCELLED: see
          // WorldService's statuses.
          const grpc::StatusCode code = streamed.status.error_code();
          EXPECT_TRUE(code == grpc::UNAVAILABLE || (latecomer && code == grpc::CANCELLED))
              << code << streamed.status.error_message();
          EXPECT_TRUE(streamed.batches.empty())
              << "torn after " << streamed.batches.size() << " batches";
          break;
        }
        EXPECT_EQ(streamed.chunks().size(), 256u);
        ++whole;
        if (first) flowing.count_down();
        first = false;
      }
      if (first) flowing.count_down();
    });
  }
  flowing.wait();
  told = true;
  server.process.terminate();
  for (std::thread& client : clients) client.join();
  EXPECT_GE(whole, kClients);
  server.expect_clean_end();
}

}  // namespace
}  // namespace terrane::e2e
