// Samples that are asked for without waiting.
#include <gtest/gtest.h>

#include <algorithm>
#include <latch>
#include <thread>

#include "sdk_scripted_client.h"

namespace terrane {
namespace {

using testing::connect_to;
using testing::kWorld;
using testing::ScriptedServer;
using Samples = Result<std::vector<PointSample>>;

/// Polls as a game does, once a frame, until it is told.
Samples outcome(PendingSamples& pending) {
  for (;;) {
    if (auto told = pending.poll()) return *std::move(told);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// The point's x as its height.
void answer(const v1::SamplePointsRequest& request, v1::SamplePointsResponse& response) {
  for (const auto& point : request.points()) {
    response.add_height(static_cast<int>(point.x()));
    response.add_temperature(1);
    response.add_humidity(2);
    response.add_biome(3);
  }
}

TEST(client_samples_async, nothing_waits_and_the_answer_comes_once_in_the_order_of_the_points) {
  std::latch asked(1), let_go(1);
  std::vector<int> sizes;
  ScriptedServer server;  // whose calls end before what they use
  server.sample_points = [&](grpc::ServerContext&, const v1::SamplePointsRequest& request,
                             v1::SamplePointsResponse& response) {
    if (sizes.empty()) asked.count_down();
    let_go.wait();
    sizes.push_back(request.points_size());
    answer(request, response);
    return grpc::Status::OK;
  };
  std::vector<BlockPos> points;
  for (int i = 0; i < 600; ++i) points.push_back({i, 0});
  PendingSamples pending = connect_to(server).sample_async(kWorld, points);
  while (!asked.try_wait()) ASSERT_FALSE(pending.poll());
  for (int frame = 0; frame < 100; ++frame) ASSERT_FALSE(pending.poll());
  let_go.count_down();
  const Samples samples = outcome(pending);
  ASSERT_TRUE(samples) << samples.error().message;
  EXPECT_EQ(sizes, (std::vector{256, 256, 88}));
  ASSERT_EQ(samples->size(), 600u);
  for (int i = 0; i < 600; ++i) EXPECT_EQ((*samples)[static_cast<std::size_t>(i)].height_q4, i);
  EXPECT_FALSE(pending.poll()) << "told before";
}

TEST(client_samples_async, any_number_are_under_way_at_once) {
  constexpr int kCalls = 8;
  std::latch all_there(kCalls);
  ScriptedServer server;
  server.sample_points = [&](grpc::ServerContext&, const v1::SamplePointsRequest& request,
                             v1::SamplePointsResponse& response) {
    all_there.arrive_and_wait();
    answer(request, response);
    return grpc::Status::OK;
  };
  const Client client = connect_to(server);
  std::vector<PendingSamples> pending;
  for (int i = 0; i < kCalls; ++i) pending.push_back(client.sample_async(kWorld, {{i, 0}}));
  std::vector<int> heights;
  while (heights.size() < kCalls) {
    for (PendingSamples& one : pending) {
      const auto samples = one.poll();
      if (!samples) continue;
      ASSERT_TRUE(*samples) << samples->error().message;
      heights.push_back((*samples)->at(0).height_q4);
    }
  }
  std::sort(heights.begin(), heights.end());
  for (int i = 0; i < kCalls; ++i) EXPECT_EQ(heights[static_cast<std::size_t>(i)], i);
}

TEST(client_samples_async, no_points_need_no_server) {
  const auto client = Client::connect({.address = "127.0.0.1:1"});
  const auto samples = client->sample_async(kWorld, {}).poll();
  ASSERT_TRUE(samples && *samples);
  EXPECT_TRUE((*samples)->empty());
}

TEST(client_samples_async, an_unavailable_server_is_asked_again_and_a_wrong_request_is_not) {
  ScriptedServer server;
  int calls = 0;
  server.sample_points = [&](grpc::ServerContext&, const v1::SamplePointsRequest& request,
                             v1::SamplePointsResponse& response) {
    answer(request, response);
    if (request.points(0).x() < 0) return grpc::Status(grpc::StatusCode::OUT_OF_RANGE, "points[0]");
    return ++calls < 3 ? grpc::Status(grpc::StatusCode::UNAVAILABLE, "draining") : grpc::Status::OK;
  };
  const Client client = connect_to(server);
  PendingSamples pending = client.sample_async(kWorld, {{5, 0}});
  const Samples samples = outcome(pending);
  ASSERT_TRUE(samples) << samples.error().message;
  EXPECT_EQ(samples->at(0).height_q4, 5);
  EXPECT_EQ(calls, 3);
  pending = client.sample_async(kWorld, {{-1, 0}});
  const Samples refused = outcome(pending);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), (Error{ErrorCode::kOutOfRange, "points[0]"}));
}

TEST(client_samples_async, a_deadline_ends_it_and_so_does_its_destruction) {
  std::latch asked(2), let_go(1);
  ScriptedServer server;
  server.sample_points = [&](grpc::ServerContext&, const v1::SamplePointsRequest&,
                             v1::SamplePointsResponse&) {
    asked.count_down();
    let_go.wait();
    return grpc::Status::OK;
  };
  PendingSamples late =
      connect_to(server, std::chrono::milliseconds(300)).sample_async(kWorld, {{0, 0}});
  const Samples samples = outcome(late);
  ASSERT_FALSE(samples);
  EXPECT_EQ(samples.error().code, ErrorCode::kDeadlineExceeded);
  {
    PendingSamples forgotten = connect_to(server).sample_async(kWorld, {{0, 0}});
    while (!asked.try_wait()) ASSERT_FALSE(forgotten.poll());
  }
  let_go.count_down();
}

TEST(client_samples_async, a_server_that_is_not_there_is_named) {
  const auto client = Client::connect(
      {.address = "127.0.0.1:1", .deadline = std::chrono::seconds(5), .max_attempts = 2});
  PendingSamples pending = client->sample_async(kWorld, {{0, 0}});
  const Samples samples = outcome(pending);
  ASSERT_FALSE(samples);
  EXPECT_EQ(samples.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(samples.error().message.find("127.0.0.1:1"), std::string::npos);
}

}  // namespace
}  // namespace terrane
