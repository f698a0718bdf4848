// Prints the height of the ground at one block: hello [address] [world]
#include <iostream>

#include "terrane/client.h"

int main(int argc, char** argv) {
  const auto client = terrane::Client::connect({.address = argc > 1 ? argv[1] : "127.0.0.1:4150"});
  if (!client) return std::cerr << client.error().message << '\n', 1;

  const auto world = client->world(argc > 2 ? argv[2] : "classic");
  if (!world) return std::cerr << world.error().message << '\n', 1;

  const terrane::BlockPos block{100, -50};
  const terrane::ChunkCoord coord = terrane::chunk_of(block, world->chunk_size, 0);
  const auto chunk = client->chunk({.name = world->name, .seed = 1}, coord);
  if (!chunk) return std::cerr << chunk.error().message << '\n', 1;

  const terrane::BlockPos first = terrane::chunk_origin(coord, chunk->size, 0);
  const auto sample =
      static_cast<std::size_t>((block.y - first.y) * chunk->size + (block.x - first.x));
  std::cout << "height at (100, -50): " << chunk->height_q4[sample] / 16.0 << " blocks\n";
}
