#include <gtest/gtest.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <future>
#include <optional>

#include "sdk_explore_script.h"

/// What an Explorer does while a TokenProvider takes its time.
namespace terrane {
namespace {

using namespace testing;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// A game whose tokens do not come until they may, and a server that counts who explores.
struct Waiting {
  Waiting() {
    server.explore = [this](grpc::ServerContext&, Stream& stream) {
      ++streams;
      return listen(stream);
    };
  }
  [[nodiscard]] Client client() {
    return Client::connect({.address = server.address(),
                            .token = [this]() -> Result<Token> {
                              if (!was_asked.exchange(true)) asked.set_value();
                              ready.wait();
                              return Token{"right"};
                            }})
        .value();
  }

  std::promise<void> asked, may_come;
  std::shared_future<void> ready = may_come.get_future().share();
  std::atomic<bool> was_asked = false;
  std::atomic<int> streams = 0;
  ScriptedServer server;
};

const ExploreOptions kOptions{.world = {.name = "classic", .seed = 1}, .view_distances = {1}};

double own_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

TEST(explorer_token, that_takes_its_time_holds_no_frame_up) {
  Waiting game;
  const Client client = game.client();
  Explorer explorer = client.explore(kOptions).value();
  const auto start = Clock::now();
  ASSERT_TRUE(explorer.move({.x = 1}));
  game.asked.get_future().wait();
  for (int frame = 0; frame < 1000; ++frame) {
    ASSERT_TRUE(explorer.move({.x = 1.0 + frame}));
    (void)explorer.poll();
  }
  EXPECT_LT(Clock::now() - start, 10s);
  const double before = own_cpu_seconds();
  EXPECT_FALSE(explorer.wait(500ms));
  EXPECT_LT(own_cpu_seconds() - before, 0.25) << "it sleeps";
  EXPECT_EQ(game.streams, 0);
  game.may_come.set_value();
  while (game.streams == 0) explorer.wait(10ms);
}

TEST(explorer_token, that_comes_when_the_explorer_is_gone_opens_no_stream) {
  Waiting game;
  {
    std::optional<Client> client(game.client());
    std::optional<Explorer> explorer(client->explore(kOptions).value());
    ASSERT_TRUE(explorer->move({.x = 1}));
    game.asked.get_future().wait();
    const auto start = Clock::now();
    explorer.reset();  // five seconds at the very most, as it says
    EXPECT_LT(Clock::now() - start, 20s);
  }
  game.may_come.set_value();
  const Client other = game.client();
  // a call of another client's: by then a stream would have come, too
  Explorer later = other.explore(kOptions).value();
  ASSERT_TRUE(later.move({.x = 1}));
  while (game.streams == 0) later.wait(10ms);
  later.wait(200ms);
  EXPECT_EQ(game.streams, 1) << "the later one's alone";
}

}  // namespace
}  // namespace terrane
