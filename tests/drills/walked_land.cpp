#include "walked_land.h"

#include <xxhash.h>

#include <algorithm>

#include "terrane/result_macros.h"

namespace terrane::drills {
namespace {

constexpr std::size_t kPerRequest = 500;

/// All chunks of `land` as that server has them.
Result<Land> land_of(const Client& client, const WorldRef& world, const Land& land) {
  Land found;
  std::vector<ChunkCoord> asked;
  const auto ask = [&]() -> Result<void> {
    ChunkStream stream = client.chunks({.world = world, .area = std::exchange(asked, {})});
    while (true) {
      TERRANE_ASSIGN_OR_RETURN(const auto next, stream.next_encoded());
      if (!next) return {};
      if (!*next) return tl::unexpected(next->error().error);
      const EncodedChunk& chunk = **next;
      found[{chunk.coord.x, chunk.coord.y}] = XXH3_64bits(chunk.bytes.data(), chunk.bytes.size());
    }
  };
  for (const auto& [place, hash] : land) {
    asked.push_back({place.first, place.second});
    if (asked.size() == kPerRequest) TERRANE_RETURN_IF_ERROR(ask());
  }
  if (!asked.empty()) TERRANE_RETURN_IF_ERROR(ask());
  return found;
}

}  // namespace

bool Truth::agrees(const Place& place, std::uint64_t hash) {
  return land_.try_emplace(place, hash).first->second == hash;
}

Result<std::size_t> count_mixed(const std::vector<Land>& walked, const WorldRef& world,
                                const std::vector<std::string>& servers) {
  std::vector<Client> clients;
  for (const std::string& server : servers) {
    TERRANE_ASSIGN_OR_RETURN(
        Client client, Client::connect({.address = server, .deadline = std::chrono::seconds(60)}));
    clients.push_back(std::move(client));
  }
  std::size_t mixed = 0;
  for (const Land& land : walked) {
    bool is_of_one = land.empty();
    for (const Client& client : clients) {
      TERRANE_ASSIGN_OR_RETURN(const Land there, land_of(client, world, land));
      is_of_one = is_of_one || there == land;
    }
    mixed += is_of_one ? 0 : 1;
  }
  return mixed;
}

}  // namespace terrane::drills
