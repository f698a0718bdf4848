// Walks along +x as a game does, frame by frame, and says what comes into view: explore [address]
// [world] [seconds]
#include <chrono>
#include <iostream>
#include <optional>
#include <string>
#include <thread>

#include "terrane/client.h"
#include "terrane/height_field.h"

namespace {

void print(const char* what, const terrane::Tile& tile) {
  std::cout << what << " lod " << int{tile.lod} << " chunk " << tile.coord.x << ',' << tile.coord.y;
}

}  // namespace

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  const auto client = terrane::Client::connect({.address = argc > 1 ? argv[1] : "127.0.0.1:4150"});
  if (!client) return std::cerr << client.error().message << '\n', 1;

  terrane::ExploreOptions options;
  options.world.name = argc > 2 ? argv[2] : "continents";
  options.view_distances = {4, 4, 4};  // 4 chunks far in full detail, 16 in all
  auto land = client->explore(options);
  if (!land) return std::cerr << land.error().message << '\n', 1;

  const std::chrono::duration<double> walk(argc > 3 ? std::stod(argv[3]) : 10);
  terrane::Pose player{.velocity_x = 30, .direction_x = 1};  // blocks a second
  // goes by itself, unless the Explorer has ended
  std::optional<terrane::Error> trouble;
  const auto start = Clock::now();
  for (std::chrono::duration<double> time(0); time < walk; time = Clock::now() - start) {
    player.x = player.velocity_x * time.count();
    if (const auto moved = land->move(player); !moved)
      return std::cerr << moved.error().message << '\n', 1;

    const terrane::ExploreNews news = land->poll();
    for (const terrane::ArrivedChunk& arrived : news.arrived) {
      print("+", arrived.tile);
      std::cout << ": " << arrived.chunk->height_q4[0] / 16.0 << " blocks high\n";
    }
    for (const terrane::FailedChunk& failed : news.failed) {
      print("!", failed.tile);
      std::cout << ": " << failed.error.message << '\n';
    }
    for (const terrane::Tile& tile : news.out_of_range) {
      print("-", tile);
      std::cout << '\n';
    }
    if (news.error != trouble) {
      trouble = news.error;
      if (trouble) std::cerr << trouble->message << '\n';
    }
    if (news.state == terrane::ExploreState::kEnded) return 1;
    std::this_thread::sleep_for(std::chrono::milliseconds(16));  // here a game draws
  }

  const auto field = terrane::stitch_heights(
      [&](const terrane::Tile& tile) { return land->chunk(tile); }, {0, {0, 0}});
  std::cout << "heights for a mesh: " << (field ? field->heights_q4.size() : 0) << '\n';
  std::cout << "chunks received: " << land->stats().chunks << '\n';
}
