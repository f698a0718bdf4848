// terrane_core and a real server: what is streamed over a WebSocket is what the game makes itself.
#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include "e2e/explore_talk.h"
#include "e2e/running_server.h"
#include "terrane/client.h"
#include "terrane/terrane.h"

namespace terrane::e2e {
namespace {

using namespace std::chrono_literals;

using Key = std::tuple<std::uint32_t, std::int64_t, std::int64_t>;

std::string bytes_of(const terrane_chunk* chunk) {
  std::string bytes(terrane_chunk_encode(chunk, nullptr, 0), '\0');
  terrane_chunk_encode(chunk, bytes.data(), bytes.size());
  return bytes;
}

/// An explorer whose bytes a WebSocket carries, as a game would have it.
class Streamed {
 public:
  Streamed(const RunningServer& server, const char* world, int lod0, int lod1)
      : talk_(talk_over_web_socket(server.process.http_address(), 60s)) {
    terrane_explore_options options{};
    options.struct_size = sizeof options;
    options.world = world;
    options.seed = 7;
    options.view_distances[0] = static_cast<std::uint8_t>(lod0);
    options.view_distances[1] = static_cast<std::uint8_t>(lod1);
    EXPECT_EQ(terrane_explorer_create(TERRANE_ABI_VERSION, &options, &explorer_, nullptr),
              TERRANE_OK);
  }
  Streamed(const Streamed&) = delete;
  Streamed& operator=(const Streamed&) = delete;
  ~Streamed() { terrane_explorer_destroy(explorer_); }

  void go(double x, double y) {
    terrane_pose pose{};
    pose.x = x;
    pose.y = y;
    ASSERT_EQ(terrane_explorer_move(explorer_, &pose, now(), nullptr), TERRANE_OK);
    if (terrane_explorer_wants_stream(explorer_, now()) != 0)
      terrane_explorer_opened(explorer_, nullptr);
    send();
  }

  /// Its server has gone; goes on at another one, once the pause is over.
  void go_on_at(const RunningServer& other) {
    terrane_explorer_closed(explorer_, TERRANE_UNAVAILABLE, "gone", 0, now());
    EXPECT_EQ(terrane_explorer_wants_stream(explorer_, now()), 0) << "not at once";
    later_ = std::max<std::int64_t>(0, terrane_explorer_next_look(explorer_) - now());
    ASSERT_EQ(terrane_explorer_wants_stream(explorer_, now()), 1);
    talk_ = talk_over_web_socket(other.process.http_address(), 60s);
    ASSERT_EQ(terrane_explorer_opened(explorer_, nullptr), TERRANE_OK);
    send();
  }

  /// Takes in what the server sends until so many tiles are at hand.
  void read_until(std::size_t tiles) {
    v1::ExploreResponse response;
    terrane_error error{};
    error.struct_size = sizeof error;
    while (at_hand() < tiles) {
      ASSERT_TRUE(talk_->read(response)) << talk_->finish().error_message();
      const std::string bytes = response.SerializeAsString();
      ASSERT_EQ(terrane_explorer_receive(explorer_, bytes.data(), bytes.size(), now(), &error),
                TERRANE_OK)
          << error.message;
      poll();
      send();
    }
  }

  [[nodiscard]] std::size_t at_hand() const { return chunks.size(); }

  std::map<Key, std::string> chunks;  // as encoded

 private:
  [[nodiscard]] std::int64_t now() const {
    return std::chrono::steady_clock::now().time_since_epoch().count() + later_;
  }
  void send() {
    char buffer[65536];
    while (const std::size_t size =
               terrane_explorer_next_message(explorer_, now(), buffer, sizeof buffer)) {
      v1::ExploreRequest request;
      ASSERT_TRUE(request.ParseFromArray(buffer, static_cast<int>(size)));
      ASSERT_TRUE(talk_->write(request));
    }
  }
  void poll() {
    terrane_event events[32];
    std::size_t count = 0;
    do {
      count = terrane_explorer_poll(explorer_, events, 32);
      for (std::size_t i = 0; i < count; ++i) {
        const terrane_event& event = events[i];
        const Key key{event.tile.lod, event.tile.x, event.tile.y};
        if (event.kind == TERRANE_ARRIVED) {
          EXPECT_TRUE(chunks.emplace(key, bytes_of(event.chunk)).second) << "told twice";
        }
        if (event.kind == TERRANE_OUT_OF_RANGE_NOW) chunks.erase(key);
        EXPECT_NE(event.kind, static_cast<std::uint32_t>(TERRANE_FAILED));
      }
    } while (count == 32);
  }

  std::unique_ptr<ExploreTalk> talk_;
  terrane_explorer* explorer_ = nullptr;
  std::int64_t later_ = 0;  // than the clock says, for the explorer
};

TEST(core_explorer, streamed_and_made_here_are_the_same_bytes_in_every_world) {
  const TempDirectory data;
  RunningServer server(data);
  const auto client = terrane::Client::connect({.address = server.process.address()});
  ASSERT_TRUE(client);
  for (const char* name :
       {"classic", "continents", "faultlines", "perlin", "resource_isles", "skyline"}) {
    Streamed viewer(server, name, 15, 20);
    viewer.go(1000, -700);
    viewer.read_until(1000);
    const auto file = client->world_file(name);
    ASSERT_TRUE(file);
    terrane_world* world = nullptr;
    ASSERT_EQ(terrane_world_open(TERRANE_ABI_VERSION, file->data(), file->size(), &world, nullptr),
              TERRANE_OK);
    for (const auto& [key, bytes] : viewer.chunks) {
      const terrane_tile tile{std::get<1>(key), std::get<2>(key), std::get<0>(key), 0};
      terrane_chunk* made = nullptr;
      ASSERT_EQ(terrane_chunk_generate(world, 7, &tile, TERRANE_ALL_LAYERS, &made, nullptr),
                TERRANE_OK);
      ASSERT_EQ(bytes_of(made), bytes) << name << " " << tile.x << "," << tile.y;
      terrane_chunk_release(made);
    }
    terrane_world_close(world);
  }
  server.stop_cleanly();
}

TEST(core_explorer, a_walk_over_a_stream_loses_nothing) {
  const TempDirectory data;
  RunningServer server(data);
  Streamed viewer(server, "continents", 3, 3);
  viewer.go(0, 0);
  viewer.read_until(30);
  for (int step = 1; step <= 40; ++step) {
    viewer.go(step * 32.0, step * 16.0);
    viewer.read_until(30);
  }
  const Key underfoot{0, 40 * 32 / 64, 40 * 16 / 64};
  while (!viewer.chunks.contains(underfoot)) viewer.read_until(viewer.at_hand() + 1);
  server.stop_cleanly();
}

TEST(core_explorer, a_server_that_is_lost_is_gone_on_from_at_another) {
  const TempDirectory data, other_data;
  auto server = std::make_unique<RunningServer>(data);
  Streamed viewer(*server, "continents", 6, 4);
  viewer.go(300, 300);
  viewer.read_until(20);  // of some 140: in the middle of it
  server.reset();
  RunningServer other(other_data);
  viewer.go_on_at(other);
  viewer.read_until(120);
  other.stop_cleanly();
}

}  // namespace
}  // namespace terrane::e2e
