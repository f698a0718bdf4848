#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "worldgen/terrains/continents/network_nodes.h"

/// Rivers meet by twos: which of a node's tributaries have met before they come to it.
namespace terrane::worldgen::continents {

/// Where on a course another one ends in it that drains to the same node, as a share of its length.
/// Pieces of coarse courses meet there, so that rivers do not swing.
inline constexpr float kMetAt = 0.75f, kMetSharply = 0.5f;

/// The nodes that drain to one, around it.
struct Arrivals {
  int count = 0;
  std::array<std::int32_t, 8> node{};
  std::array<std::int32_t, 8> ends_in{};  // the one of them whose course its own ends in, or -1 ...
  std::array<float, 8> ends_at{};         // ... and where: a share of that one's length

  /// The place of a node among them.
  [[nodiscard]] std::size_t place_of(std::size_t its_node) const {
    std::size_t k = 0;
    while (node[k] != static_cast<std::int32_t>(its_node)) ++k;
    return k;
  }
};

/// Those of a node within the nodes that are right where they drain.
/// @param dx, dy  where its own course goes
/// @param meet  how many may come to it
[[nodiscard]] Arrivals arrivals_at(const LevelNodes& nodes, std::size_t to, std::int32_t dx,
                                   std::int32_t dy, int meet);

}  // namespace terrane::worldgen::continents
