#include "e2e/explore_client.h"
#include "e2e/running_server.h"

namespace terrane::e2e {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// An Explore that is refused for its Hello.
class Refused {
 public:
  explicit Refused(Client& client, bool half_closes = true) {
    if (half_closes) context_.AddMetadata("terrane-half-closes", "1");
    context_.set_deadline(std::chrono::system_clock::now() + 60s);
    stream_ = client.stub().Explore(&context_);
    say_hello();
  }

  bool say_hello() {
    v1::ExploreRequest request;
    *request.mutable_hello() = hello({1}, 0, 0);
    request.mutable_hello()->mutable_world()->set_name("no such world");
    return stream_->Write(request);
  }

  /// Whether the next message is the announcement.
  bool is_announced() {
    v1::ExploreResponse response;
    return stream_->Read(&response) && response.ending() && !response.has_welcome();
  }
  void close() { stream_->WritesDone(); }
  void leave() { context_.TryCancel(); }
  grpc::Status finish() {
    for (v1::ExploreResponse response; stream_->Read(&response);) ADD_FAILURE() << "it goes on";
    return stream_->Finish();
  }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::ExploreRequest, v1::ExploreResponse>> stream_;
};

constexpr auto kWhy = grpc::StatusCode::NOT_FOUND;

TEST(explore_endings, a_client_that_closes_its_side_when_told_gets_the_reason_then) {
  const TempDirectory data;
  RunningServer server(data);
  Refused viewer(server.client);
  ASSERT_TRUE(viewer.is_announced());
  const auto start = Clock::now();
  viewer.close();
  const grpc::Status status = viewer.finish();
  EXPECT_EQ(status.error_code(), kWhy) << status.error_message();
  EXPECT_NE(status.error_message().find("no such world"), std::string::npos);
  EXPECT_FALSE(status.error_details().empty());
  EXPECT_LT(Clock::now() - start, 900ms) << "it was not waited for";
  server.stop_cleanly();
}

TEST(explore_endings, one_that_talks_on_instead_gets_it_a_second_later) {
  const TempDirectory data;
  RunningServer server(data);
  const auto start = Clock::now();
  Refused viewer(server.client);
  ASSERT_TRUE(viewer.is_announced());
  viewer.say_hello();
  viewer.say_hello();
  EXPECT_EQ(viewer.finish().error_code(), kWhy);
  EXPECT_GT(Clock::now() - start, 900ms);
  server.stop_cleanly();
}

TEST(explore_endings, to_who_does_not_ask_for_it_nothing_is_announced) {
  const TempDirectory data;
  RunningServer server(data);
  Refused viewer(server.client, false);
  EXPECT_EQ(viewer.finish().error_code(), kWhy);
  server.stop_cleanly();
}

TEST(explore_endings, hundreds_that_never_close_are_not_all_waited_for_and_keep_nobody) {
  const TempDirectory data;
  RunningServer server(data);
  std::vector<std::unique_ptr<Refused>> viewers;
  std::size_t at_once = 0;  // of them, before the first ones' second has passed
  const auto first = Clock::now();
  for (int i = 0; i < 400; ++i) {
    viewers.push_back(std::make_unique<Refused>(server.client));
    if (Clock::now() - first < 900ms) ++at_once;
  }
  viewers[0]->leave();  // one of them has gone
  int announced = 0;
  for (std::size_t i = 1; i < viewers.size(); ++i) {
    const bool is_announced = viewers[i]->is_announced();
    announced += is_announced && i < at_once ? 1 : 0;
    EXPECT_EQ(viewers[i]->finish().error_code(), kWhy);
  }
  EXPECT_LE(announced, 399 - 100) << "each holds memory for a second";
  const auto start = Clock::now();
  Refused last(server.client);  // the places of those that were waited for are free again
  EXPECT_TRUE(last.is_announced());
  last.close();
  EXPECT_EQ(last.finish().error_code(), kWhy);
  EXPECT_LT(Clock::now() - start, 900ms);
  server.stop_cleanly();
}

}  // namespace
}  // namespace terrane::e2e
