#include <cstdio>
#include <functional>

#include "e2e/running_server.h"
#include "support/http_connection.h"
#include "support/prometheus_text.h"

namespace terrane::e2e {
namespace {

constexpr std::int64_t kEdge = max_chunk_coord(0);

/// Expects this code, and in the message all of the words: the field, the value, the limit.
void expect_refused(const grpc::Status& status, grpc::StatusCode code,
                    std::initializer_list<const char*> words) {
  EXPECT_EQ(status.error_code(), code) << status.error_message();
  for (const char* word : words)
    EXPECT_NE(status.error_message().find(word), std::string::npos) << status.error_message();
}

class refusals : public testing::Test {
 protected:
  grpc::Status chunk(const std::function<void(v1::GetChunkRequest&)>& change) {
    v1::GetChunkRequest request = chunk_request({0, 0});
    change(request);
    return server_.client.chunk_status(request);
  }

  grpc::Status chunks(const v1::GetChunksRequest& request) {
    return server_.client.chunks(request).status;
  }

  void TearDown() override { server_.stop_cleanly(); }

  TempDirectory data_;
  RunningServer server_{data_};
};

TEST_F(refusals, of_a_chunk_name_the_field_the_value_and_the_limit) {
  expect_refused(chunk([](auto& r) { r.set_lod(17); }), grpc::OUT_OF_RANGE, {"lod", "17", "0 to "});
  expect_refused(chunk([](auto& r) { r.mutable_coord()->set_x(kEdge + 1); }), grpc::OUT_OF_RANGE,
                 {"coord.x", "1099511627777", "1099511627776"});
  expect_refused(chunk([](auto& r) {
                   *r.mutable_coord() = message({0, kEdge}), r.set_lod(1);
                 }),
                 grpc::OUT_OF_RANGE, {"coord.y", "1099511627776", "549755813888"});
  expect_refused(chunk([](auto& r) { r.add_layers(static_cast<v1::Layer>(99)); }),
                 grpc::INVALID_ARGUMENT, {"layers[0]", "99"});
  expect_refused(chunk([](auto& r) { r.clear_coord(); }), grpc::INVALID_ARGUMENT,
                 {"coord is missing"});
  expect_refused(chunk([](auto& r) { r.clear_world(); }), grpc::INVALID_ARGUMENT,
                 {"world is missing"});
  expect_refused(chunk([](auto& r) { r.mutable_world()->set_name("atlantis"); }), grpc::NOT_FOUND,
                 {"world", "atlantis", "ListWorlds"});
}

TEST_F(refusals, of_a_pinned_fingerprint_name_both) {
  v1::GetWorldRequest request;
  request.set_name(kWorld);
  v1::GetWorldResponse response;
  ASSERT_TRUE(server_.client.stub().GetWorld(bounded().get(), request, &response).ok());
  const std::uint64_t fingerprint = response.world().fingerprint();
  EXPECT_TRUE(chunk([&](auto& r) { r.mutable_world()->set_fingerprint(fingerprint); }).ok());
  char served[19];
  std::snprintf(served, sizeof served, "%#018llx", static_cast<unsigned long long>(fingerprint));
  expect_refused(chunk([](auto& r) { r.mutable_world()->set_fingerprint(0x123); }),
                 grpc::FAILED_PRECONDITION, {"fingerprint", "0x0000000000000123", served});
}

TEST_F(refusals, of_an_area_name_the_field_the_value_and_the_limit) {
  v1::GetChunksRequest request;
  *request.mutable_world() = world_ref();
  expect_refused(chunks(request), grpc::INVALID_ARGUMENT, {"area is missing"});
  expect_refused(chunks(rectangle_request({0, 0}, {32, 31})), grpc::INVALID_ARGUMENT,
                 {"rectangle", "33 x 32", "1024"});
  expect_refused(chunks(rectangle_request({-kEdge, -kEdge}, {kEdge, kEdge})),
                 grpc::INVALID_ARGUMENT, {"rectangle", "1024"});
  expect_refused(chunks(rectangle_request({1, 0}, {0, 0})), grpc::INVALID_ARGUMENT,
                 {"rectangle.first", "(1, 0)", "(0, 0)"});
  for (int x = 0; x < 1025; ++x) *request.mutable_list()->add_coords() = message({x, 0});
  expect_refused(chunks(request), grpc::INVALID_ARGUMENT, {"list.coords", "1025", "1024"});
}

TEST_F(refusals, of_huge_requests_come_before_they_are_read) {
  v1::GetChunksRequest request;
  *request.mutable_world() = world_ref();
  for (int i = 0; i < 1'000'000; ++i) request.mutable_list()->add_coords();
  expect_refused(chunks(request), grpc::INVALID_ARGUMENT, {"request", "2000", "262144"});
  for (int i = 0; i < 1'500'000; ++i) request.mutable_list()->add_coords();
  expect_refused(chunks(request), grpc::RESOURCE_EXHAUSTED, {"4194304"});
}

TEST_F(refusals, of_points_name_the_field_the_value_and_the_limit) {
  v1::SamplePointsRequest request;
  *request.mutable_world() = world_ref();
  request.add_points()->set_y(max_block_coord(64) + 1);
  v1::SamplePointsResponse response;
  expect_refused(server_.client.stub().SamplePoints(bounded().get(), request, &response),
                 grpc::OUT_OF_RANGE, {"points[0].y", "70368744177728", "70368744177727"});
  for (int i = 0; i < 65536; ++i) request.add_points();
  expect_refused(server_.client.stub().SamplePoints(bounded().get(), request, &response),
                 grpc::INVALID_ARGUMENT, {"points", "65537", "65536"});
}

TEST_F(refusals, of_bytes_that_are_no_message_say_so) {
  std::string response;
  expect_refused(server_.client.call("/terrane.v1.WorldService/GetChunk", "\xff\xff\xff", response),
                 grpc::INVALID_ARGUMENT, {"request", "3 bytes", "terrane.v1.GetChunkRequest"});
  EXPECT_EQ(server_.client.call("/terrane.v1.WorldService/GetCastle", "", response).error_code(),
            grpc::UNIMPLEMENTED);
}

/// A call that is refused for its world.
grpc::Status ask_for_nowhere(Client& client, const std::string& request_id) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
  context.AddMetadata("x-request-id", request_id);
  v1::GetChunkRequest request = chunk_request({0, 0});
  request.mutable_world()->set_name("nowhere");
  v1::GetChunkResponse response;
  return client.stub().GetChunk(&context, request, &response);
}

TEST_F(refusals, of_each_reason_have_one_line_in_the_log_with_the_request_and_all_are_counted) {
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(ask_for_nowhere(server_.client, "7F-00:a_b." + std::to_string(i)).error_code(),
              grpc::NOT_FOUND);
  chunk([](auto& r) { r.clear_coord(); });
  const std::string log = server_.process.log();
  const auto first = log.find("GetChunk of 127.0.0.1 (ipv4:127.0.0.1:");
  ASSERT_NE(first, std::string::npos) << log;
  const std::string line = log.substr(first, log.find('\n', first) - first);
  for (const char* word : {", request 7F-00:a_b.0)", "WORLD_UNKNOWN", "'nowhere'"})
    EXPECT_NE(line.find(word), std::string::npos) << line;
  EXPECT_EQ(log.find("WORLD_UNKNOWN"), log.rfind("WORLD_UNKNOWN")) << "more than one line: " << log;
  EXPECT_NE(log.find("FIELD_MISSING"), std::string::npos) << log;
  const std::string page =
      test::Connection(server_.process.http_address()).ask(test::get("/metrics"))->body;
  const std::string series = "terrane_calls_refused_total{reason=\"";
  EXPECT_EQ(test::value_of(page, series + "WORLD_UNKNOWN\",clients=\"strangers\"}"), 50);
  EXPECT_EQ(test::value_of(page, series + "WORLD_UNKNOWN\",clients=\"weighted\"}"), 0);
  EXPECT_EQ(test::value_of(page, series + "FIELD_MISSING\",clients=\"strangers\"}"), 1);
}

TEST_F(refusals, of_requests_whose_ids_could_break_the_log_do_not_show_them) {
  ask_for_nowhere(server_.client, "x) is fine \"");
  EXPECT_EQ(server_.process.log().find("is fine"), std::string::npos) << server_.process.log();
  EXPECT_EQ(server_.process.log().find(", request"), std::string::npos) << server_.process.log();
}

}  // namespace
}  // namespace terrane::e2e
