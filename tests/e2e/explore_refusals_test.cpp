#include <cmath>
#include <limits>

#include "e2e/explore_client.h"
#include "e2e/running_server.h"

namespace terrane::e2e {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class explore_refusals : public ::testing::TestWithParam<Over> {
 protected:
  explore_refusals() {
    if (GetParam() == Over::kWebSocket) server_.client.explore_over(server_.process.http_address());
  }

  /// How the stream ends when it begins with these.
  grpc::Status end_of(const std::vector<v1::ExploreRequest>& requests) {
    const auto talk = talk_to(server_.client, std::chrono::seconds(60));
    for (const v1::ExploreRequest& request : requests) talk->write(request);
    for (v1::ExploreResponse response; talk->read(response);) continue;
    return talk->finish();
  }

  grpc::Status end_of(const v1::Hello& hello) {
    v1::ExploreRequest request;
    *request.mutable_hello() = hello;
    return end_of(std::vector{request});
  }

  /// How a stream ends that began well and then says this.
  grpc::Status end_after_hello(const v1::ExploreRequest& request) {
    v1::ExploreRequest first;
    *first.mutable_hello() = hello({1}, 0, 0);
    return end_of({first, request});
  }

  const TempDirectory data_;
  RunningServer server_{data_};
};

/// A hello that is good but for one thing.
template <typename Spoil>
v1::Hello spoiled(Spoil spoil) {
  v1::Hello result = hello({2}, 0, 0);
  spoil(result);
  return result;
}

void expect_refusal(const grpc::Status& status, grpc::StatusCode code,
                    const std::vector<std::string>& named) {
  EXPECT_EQ(status.error_code(), code) << status.error_message();
  for (const std::string& word : named) {
    EXPECT_NE(status.error_message().find(word), std::string::npos)
        << "no '" << word << "' in: " << status.error_message();
  }
}

TEST_P(explore_refusals, a_bad_hello_is_refused_with_field_value_and_limit) {
  const auto refusal = [&](auto spoil) { return end_of(spoiled(spoil)); };
  expect_refusal(refusal([](v1::Hello& h) { h.mutable_world()->set_name("atlantis"); }),
                 grpc::NOT_FOUND, {"atlantis"});
  expect_refusal(refusal([](v1::Hello& h) { h.clear_world(); }), grpc::INVALID_ARGUMENT, {"world"});
  expect_refusal(refusal([](v1::Hello& h) { h.mutable_world()->set_fingerprint(12345); }),
                 grpc::FAILED_PRECONDITION, {});
  expect_refusal(refusal([](v1::Hello& h) { h.add_layers(static_cast<v1::Layer>(77)); }),
                 grpc::INVALID_ARGUMENT, {"layer", "77"});
  expect_refusal(refusal([](v1::Hello& h) { h.set_view_distances(0, 65); }), grpc::INVALID_ARGUMENT,
                 {"view_distances", "65", "64"});
  expect_refusal(refusal([](v1::Hello& h) { h.clear_view_distances(); }), grpc::INVALID_ARGUMENT,
                 {"view_distances"});
  expect_refusal(refusal([](v1::Hello& h) { h.set_view_distances(0, 0); }), grpc::INVALID_ARGUMENT,
                 {"view_distances"});
  expect_refusal(refusal([](v1::Hello& h) {
                   for (int i = 0; i < 16; ++i) h.add_view_distances(1);
                 }),
                 grpc::OUT_OF_RANGE, {"view_distances"});
  expect_refusal(refusal([](v1::Hello& h) { h.set_formats(0, 99); }), grpc::FAILED_PRECONDITION,
                 {"formats", "99", "2"});
  expect_refusal(refusal([](v1::Hello& h) { h.clear_move(); }), grpc::INVALID_ARGUMENT, {"move"});
}

TEST_P(explore_refusals, one_good_format_is_enough) {
  v1::Hello reads_more = hello({1}, 0, 0);
  reads_more.add_formats(99);
  ExploreClient viewer(server_.client, reads_more);
  ASSERT_TRUE(viewer.read());
  ASSERT_TRUE(viewer.welcome());
  EXPECT_EQ(viewer.welcome()->format(), 2u);
}

TEST_P(explore_refusals, a_bad_move_is_refused_in_a_hello_and_later) {
  const auto both = [&](auto spoil, grpc::StatusCode code, const std::vector<std::string>& named) {
    v1::ExploreRequest later;
    spoil(*later.mutable_move());
    expect_refusal(end_after_hello(later), code, named);
    expect_refusal(end_of(spoiled([&](v1::Hello& h) { spoil(*h.mutable_move()); })), code, named);
  };
  both([](v1::Move& m) { m.set_x(std::nan("")); }, grpc::INVALID_ARGUMENT, {"move.x"});
  both([](v1::Move& m) { m.set_y(-kInfinity); }, grpc::INVALID_ARGUMENT, {"move.y"});
  both([](v1::Move& m) { m.set_direction_y(kInfinity); }, grpc::INVALID_ARGUMENT, {"direction_y"});
  both([](v1::Move& m) { m.set_velocity_x(std::nan("")); }, grpc::INVALID_ARGUMENT, {"velocity_x"});
  both([](v1::Move& m) { m.set_velocity_x(-1'000'001); }, grpc::OUT_OF_RANGE,
       {"velocity_x", "1000001", "1000000"});
  both([](v1::Move& m) { m.set_x(1e15); }, grpc::OUT_OF_RANGE, {"move.x"});
  both([](v1::Move& m) { m.set_y(-1e300); }, grpc::OUT_OF_RANGE, {"move.y"});
  both([](v1::Move& m) { *m.add_have() = block(0, 0, 0, 65); }, grpc::INVALID_ARGUMENT,
       {"move.have[0].width = 65", "64"});
  both([](v1::Move& m) { *m.add_have() = block(17, 0, 0); }, grpc::OUT_OF_RANGE, {"have", "17"});
}

TEST_P(explore_refusals, bad_blocks_to_forget_are_refused) {
  v1::ExploreRequest forget;
  *forget.mutable_forget()->add_tiles() = block(0, 0, 0, 1, 5000);
  expect_refusal(end_after_hello(forget), grpc::INVALID_ARGUMENT,
                 {"forget.tiles[0].height = 5000", "64"});
}

TEST_P(explore_refusals, blocks_at_the_ends_of_the_number_line_harm_nobody) {
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max();
  v1::Hello hostile = hello({1}, 0, 0);
  for (const std::int64_t end : {kFar, -kFar - 1}) {
    *hostile.mutable_move()->add_have() = block(0, end, end, 64);
    *hostile.mutable_move()->add_have() = block(16, end, -1 - end, 64);
  }
  ExploreClient viewer(server_.client, hostile);
  const bool served = viewer.read_view({1}, 0, 0);
  const grpc::Status status = viewer.finish();
  EXPECT_TRUE(served || status.error_code() == grpc::OUT_OF_RANGE ||
              status.error_code() == grpc::INVALID_ARGUMENT)
      << status.error_message();
  server_.stop_cleanly();
}

TEST_P(explore_refusals, the_first_message_must_be_a_hello_and_there_is_one) {
  v1::ExploreRequest move;
  move.mutable_move();
  expect_refusal(end_of(std::vector{move}), grpc::INVALID_ARGUMENT, {"ello"});
  expect_refusal(end_of(std::vector{v1::ExploreRequest()}), grpc::INVALID_ARGUMENT, {"ello"});
  v1::ExploreRequest again;
  *again.mutable_hello() = hello({1}, 0, 0);
  expect_refusal(end_after_hello(again), grpc::INVALID_ARGUMENT, {"ello"});
}

TEST_P(explore_refusals, an_empty_message_and_a_batch_never_sent_are_refused) {
  expect_refusal(end_after_hello(v1::ExploreRequest()), grpc::INVALID_ARGUMENT, {});
  v1::ExploreRequest ack;
  ack.mutable_ack()->set_batch(1'000'000'000);
  expect_refusal(end_after_hello(ack), grpc::INVALID_ARGUMENT, {"batch", "1000000000"});
}

TEST_P(explore_refusals, a_batch_may_be_acknowledged_twice) {
  ExploreClient viewer(server_.client, hello({2}, 0, 0));
  ASSERT_TRUE(viewer.read_view({2}, 0, 0));
  v1::ExploreRequest ack;
  ack.mutable_ack()->set_batch(1);
  viewer.say(ack);
  viewer.say(ack);
  viewer.move(64'000, 0);
  EXPECT_TRUE(viewer.read_view({2}, 64'000, 0));
  EXPECT_TRUE(viewer.finish().ok());
}

INSTANTIATE_TEST_SUITE_P(over, explore_refusals, ::testing::Values(Over::kGrpc, Over::kWebSocket),
                         name_of_carrier);

}  // namespace
}  // namespace terrane::e2e
