#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "terrane/client.h"

namespace terrane::drills {

/// Where a chunk of lod 0 lies.
using Place = std::pair<std::int64_t, std::int64_t>;

/// Bytes of chunks, as hashes.
using Land = std::map<Place, std::uint64_t>;

/// Bytes of chunks as whoever got them first had them: every server must send the same.
class Truth {
 public:
  [[nodiscard]] bool agrees(const Place& place, std::uint64_t hash);

 private:
  Land land_;
};

/// How many viewers had land that none of these servers has: of two worlds, or wrong.
/// @param walked  of each viewer, from its first Welcome to its end
/// @param world   by the name that it has at all of them
/// @param servers  asked directly for all chunks of it
/// Errors: those of Client::chunks.
[[nodiscard]] Result<std::size_t> count_mixed(const std::vector<Land>& walked,
                                              const WorldRef& world,
                                              const std::vector<std::string>& servers);

}  // namespace terrane::drills
