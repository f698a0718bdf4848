#include "worldgen/terrains/continents/hydrology.h"

#include <array>
#include <cstddef>
#include <utility>

#include "worldgen/noise/hash.h"

namespace terrane::worldgen::continents {

namespace {

/// A key with its hydrology; keeps parameters by value, as a world may go and another come at its
/// address.
struct Entry {
  Land land;
  Drainage drainage;
  Rivers rivers;
  std::uint64_t seed = 0;
  noise::SampleGrid nodes;  // of no width: empty
  Hydrology hydrology;

  [[nodiscard]] bool is_for(const HydrologyKey& key) const {
    return nodes == key.nodes && seed == key.seed && rivers == key.rivers &&
           drainage == key.drainage && land == key.land;
  }
};

constexpr std::size_t kEntries = 64;
// nodes: grids of coarse levels are wider, and seldom asked for twice
constexpr int kWidestKept = 24;

}  // namespace

const Hydrology& remembered_hydrology(const HydrologyKey& key,
                                      const std::function<Hydrology()>& find) {
  thread_local std::array<Entry, kEntries> entries;
  const std::uint64_t place =
      noise::combine(noise::combine(key.seed, static_cast<std::uint64_t>(key.nodes.origin.x)),
                     static_cast<std::uint64_t>(key.nodes.origin.y));
  Entry& entry = entries[place % kEntries];
  if (entry.is_for(key)) return entry.hydrology;
  if (key.nodes.width > kWidestKept || key.nodes.height > kWidestKept) {
    thread_local Hydrology unkept;
    unkept = find();
    return unkept;
  }
  Hydrology found = find();
  entry = {key.land, key.drainage, key.rivers, key.seed, key.nodes, std::move(found)};
  return entry.hydrology;
}

}  // namespace terrane::worldgen::continents
