// Streams the 9 x 9 chunks around the origin, nearest first: stream [address] [world]
#include <algorithm>
#include <iostream>

#include "terrane/client.h"

int main(int argc, char** argv) {
  const auto client = terrane::Client::connect({.address = argc > 1 ? argv[1] : "127.0.0.1:4150"});
  if (!client) return std::cerr << client.error().message << '\n', 1;

  auto stream = client->chunks({.world = {.name = argc > 2 ? argv[2] : "classic", .seed = 1},
                                .area = terrane::ChunkRectangle{{-4, -4}, {4, 4}},
                                .layers = layer_bit(terrane::Layer::kHeight),
                                .focus = terrane::ChunkCoord{0, 0}});
  for (;;) {
    const auto item = stream.next();
    if (!item) return std::cerr << item.error().message << '\n', 1;  // the stream as a whole failed
    if (!*item) return 0;                                            // all have been answered
    const terrane::ChunkOrFailure& answer = **item;
    if (!answer) {  // one chunk failed, the others go on
      std::cerr << "chunk " << answer.error().coord.x << ',' << answer.error().coord.y << ": "
                << answer.error().error.message << '\n';
      continue;
    }
    const auto highest = *std::max_element(answer->height_q4.begin(), answer->height_q4.end());
    std::cout << "chunk " << answer->coord.x << ',' << answer->coord.y << ": up to "
              << highest / 16.0 << " blocks\n";
  }
}
