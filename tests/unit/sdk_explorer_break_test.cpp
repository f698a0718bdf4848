#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <mutex>

#include "sdk_explore_script.h"

/// What an Explorer does when its stream breaks.
namespace terrane {
namespace {

using namespace testing;

const grpc::Status kGone(grpc::StatusCode::UNAVAILABLE, "draining");

/// A server whose first stream gives two chunks and then ends as told; later ones give a third
/// chunk, and stay.
class BreakingServer {
 public:
  using Clock = std::chrono::steady_clock;

  explicit BreakingServer(grpc::Status how, WorldFingerprint later = 7) {
    server.explore = [this, how = std::move(how), later](grpc::ServerContext& context,
                                                         Stream& stream) {
      const v1::Hello hello = read(stream, v1::ExploreRequest::kHello)->hello();
      {
        const std::lock_guard lock(mutex);
        hellos.push_back(hello);
        came.push_back(Clock::now());
      }
      if (++streams == 1) {
        stream.Write(welcome());
        stream.Write(batch(1, {{0, {0, 0}}, {0, {1, 0}}}));
        (void)read(stream, v1::ExploreRequest::kAck);
        left = Clock::now();
        if (before_the_end) before_the_end(context, stream);
        return how;
      }
      stream.Write(welcome(later));
      stream.Write(batch(1, {{0, {2, 0}}}));
      return listen(stream);
    };
  }

  [[nodiscard]] v1::Hello hello(std::size_t stream) {
    const std::lock_guard lock(mutex);
    return hellos.at(stream);
  }

  /// Between the end of the first stream and the beginning of the second.
  [[nodiscard]] Clock::duration pause() {
    const std::lock_guard lock(mutex);
    return came.at(1) - left;
  }

  std::function<void(grpc::ServerContext&, Stream&)> before_the_end;
  std::atomic<int> streams = 0;
  std::mutex mutex;
  std::vector<v1::Hello> hellos;
  std::vector<Clock::time_point> came;  // in step with hellos
  Clock::time_point left;               // set before the second comes
  ScriptedServer server;                // goes first, with its threads
};

TEST(explorer_break, comes_back_by_itself_says_what_it_has_and_gets_the_rest) {
  for (const grpc::StatusCode code :
       {grpc::StatusCode::UNAVAILABLE, grpc::StatusCode::CANCELLED, grpc::StatusCode::OK}) {
    BreakingServer breaking(code == grpc::StatusCode::OK ? grpc::Status::OK
                                                         : grpc::Status(code, "gone"));
    Explorer explorer = open_explorer(breaking.server);
    ASSERT_TRUE(explorer.move(in_chunk(0, 0)));
    EXPECT_EQ(poll_chunks(explorer, 3).arrived.size(), 3u);
    EXPECT_EQ(tiles_of(breaking.hello(1).move().have()),
              (std::vector<Tile>{{0, {0, 0}}, {0, {1, 0}}}));
    EXPECT_EQ(breaking.hello(1).world().fingerprint(), 7u);
    EXPECT_FALSE(breaking.hello(0).world().has_fingerprint());
    EXPECT_EQ(explorer.stats().reconnects, 1u);
    EXPECT_EQ(explorer.stats().repeated, 0u);
    EXPECT_EQ(explorer.poll().state, ExploreState::kStreaming);
  }
}

TEST(explorer_break, a_server_that_restarts_is_found_again) {
  auto server = std::make_unique<ScriptedServer>();
  const std::string address = server->address();
  std::latch done(1);
  server->explore = [&](grpc::ServerContext&, Stream& stream) {
    stream.Write(welcome());
    stream.Write(batch(1, {{0, {0, 0}}}));
    done.wait();
    return kGone;
  };
  Explorer explorer = open_explorer(*server);
  ASSERT_TRUE(explorer.move(in_chunk(0, 0)));
  EXPECT_EQ(poll_chunks(explorer, 1).arrived.size(), 1u);
  done.count_down();
  server.reset();
  const ExploreNews lost =
      poll_until(explorer, [](const ExploreNews& news) { return news.error.has_value(); });
  EXPECT_EQ(lost.state, ExploreState::kConnecting);
  EXPECT_EQ(lost.error->code, ErrorCode::kUnavailable);
  EXPECT_NE(lost.error->message.find(address), std::string::npos) << lost.error->message;

  ScriptedServer again(address);
  again.explore = [](grpc::ServerContext&, Stream& stream) {
    stream.Write(welcome());
    stream.Write(batch(1, {{0, {1, 0}}}));
    return listen(stream);
  };
  EXPECT_EQ(poll_chunks(explorer, 1).arrived.size(), 1u);
  EXPECT_EQ(explorer.stats().reconnects, 1u);
}

TEST(explorer_break, a_server_that_is_not_there_is_told_of_and_waited_for) {
  std::string address;
  { address = ScriptedServer().address(); }
  Explorer explorer = *Client::connect({.address = address})->explore(four_chunks());
  ASSERT_TRUE(explorer.move({}));
  const ExploreNews news =
      poll_until(explorer, [](const ExploreNews& so_far) { return so_far.error.has_value(); });
  EXPECT_EQ(news.state, ExploreState::kConnecting);
  EXPECT_EQ(news.error->code, ErrorCode::kUnavailable);

  ScriptedServer server(address);
  server.explore = [](grpc::ServerContext&, Stream& stream) {
    stream.Write(welcome());
    return listen(stream);
  };
  poll_until(explorer,
             [](const ExploreNews& so_far) { return so_far.state == ExploreState::kStreaming; });
  EXPECT_FALSE(explorer.poll().error);
}

TEST(explorer_break, a_server_about_to_stop_is_left_alone_for_as_long_as_it_says) {
  BreakingServer breaking(kGone);
  breaking.before_the_end = [](grpc::ServerContext&, Stream& stream) {
    v1::ExploreResponse response;
    response.mutable_go_away()->set_resume_after_ms(700);
    stream.Write(response);
  };
  Explorer explorer = open_explorer(breaking.server);
  ASSERT_TRUE(explorer.move({}));
  EXPECT_EQ(poll_chunks(explorer, 3).arrived.size(), 3u);
  EXPECT_GE(breaking.pause(), std::chrono::milliseconds(700));
}

TEST(explorer_break, an_overloaded_server_is_left_alone_for_as_long_as_it_says) {
  BreakingServer breaking(grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "busy"));
  breaking.before_the_end = [](grpc::ServerContext& context, Stream&) {
    context.AddTrailingMetadata("grpc-retry-pushback-ms", "700");
  };
  Explorer explorer = open_explorer(breaking.server);
  ASSERT_TRUE(explorer.move({}));
  const ExploreNews lost =
      poll_until(explorer, [](const ExploreNews& news) { return news.error.has_value(); });
  EXPECT_EQ(lost.error->code, ErrorCode::kResourceExhausted);
  EXPECT_EQ(poll_chunks(explorer, 1).arrived.size(), 1u);
  EXPECT_GE(breaking.pause(), std::chrono::milliseconds(700));
}

TEST(explorer_break, a_silent_server_counts_as_lost) {
  ScriptedServer server;
  std::atomic<int> streams = 0;
  server.explore = [&](grpc::ServerContext&, Stream& stream) {
    stream.Write(++streams == 1 ? welcome(7, 20) : welcome());
    return listen(stream);
  };
  Explorer explorer = open_explorer(server);
  ASSERT_TRUE(explorer.move({}));
  poll_until(explorer, [&](const ExploreNews&) { return explorer.stats().reconnects == 1; });
  EXPECT_EQ(explorer.stats().reconnects, 1u);
  EXPECT_EQ(streams, 2);
}

TEST(explorer_break, a_server_too_old_for_explore_is_named_as_such) {
  ScriptedServer server;
  server.explore = [](grpc::ServerContext&, Stream&) {
    return grpc::Status(grpc::StatusCode::UNIMPLEMENTED, "");
  };
  Explorer explorer = open_explorer(server);
  ASSERT_TRUE(explorer.move({}));
  const ExploreNews news = poll_end(explorer);
  ASSERT_TRUE(news.error);
  EXPECT_NE(news.error->message.find("does not offer Explore"), std::string::npos)
      << news.error->message;
}

TEST(explorer_break, errors_that_coming_back_cannot_mend_end_it_for_good) {
  for (const grpc::StatusCode code :
       {grpc::StatusCode::INVALID_ARGUMENT, grpc::StatusCode::NOT_FOUND,
        grpc::StatusCode::OUT_OF_RANGE, grpc::StatusCode::FAILED_PRECONDITION,
        grpc::StatusCode::PERMISSION_DENIED, grpc::StatusCode::UNAUTHENTICATED}) {
    ScriptedServer server;
    std::atomic<int> streams = 0;
    server.explore = [&](grpc::ServerContext&, Stream&) {
      ++streams;
      return grpc::Status(code, "hello.world: no such thing");
    };
    Explorer explorer = open_explorer(server);
    ASSERT_TRUE(explorer.move({}));
    const ExploreNews news = poll_end(explorer);
    ASSERT_TRUE(news.error);
    EXPECT_EQ(*news.error, (Error{static_cast<ErrorCode>(code), "hello.world: no such thing"}));
    ASSERT_TRUE(explorer.move(in_chunk(5, 5)));
    EXPECT_FALSE(explorer.wait(std::chrono::milliseconds(300))) << "there is nothing more to tell";
    EXPECT_EQ(streams, 1);
  }
}

TEST(explorer_break, another_world_after_a_reconnect_ends_it_rather_than_mix_the_two) {
  BreakingServer breaking(kGone, 8);
  Explorer explorer = open_explorer(breaking.server);
  ASSERT_TRUE(explorer.move({}));
  const ExploreNews news = poll_end(explorer);
  ASSERT_TRUE(news.error);
  EXPECT_EQ(news.error->code, ErrorCode::kFailedPrecondition);
  EXPECT_NE(news.error->message.find("new Explorer"), std::string::npos) << news.error->message;
  EXPECT_EQ(news.arrived.size(), 2u) << "none of the new world's";
  EXPECT_NE(explorer.chunk({0, {0, 0}}), nullptr) << "the old land can still be walked";
}

TEST(explorer_break, a_hostile_server_ends_it_with_the_reason) {
  ScriptedServer server;
  server.explore = [](grpc::ServerContext&, Stream& stream) {
    stream.Write(welcome());
    stream.Write(batch(1, {{3, {0, 0}}}));
    return listen(stream);
  };
  Explorer explorer = open_explorer(server);
  ASSERT_TRUE(explorer.move({}));
  const ExploreNews news = poll_end(explorer);
  ASSERT_TRUE(news.error);
  EXPECT_EQ(news.error->code, ErrorCode::kDataLoss);
  EXPECT_NE(news.error->message.find("lod 3"), std::string::npos) << news.error->message;
}

}  // namespace
}  // namespace terrane
