#pragma once

#include <cstdint>

#include "worldgen/terrains/continents/network_courses.h"

/// Where courses join those of the coarser level: by twos, and where these swing towards them.
namespace terrane::worldgen::continents {

struct Place {
  std::int64_t x = 0, y = 0;  // blocks
  float t = 0;                // share of the joined course's length
};

/// Where the course from a node joins one of the coarser level: elsewhere than a greater one from
/// the other side, and than where two courses of that level meet.
[[nodiscard]] Place joining_of(const NetworkKey& key, const Coarser& coarser,
                               const LevelNodes& nodes, std::size_t k);

/// The node whose course, which joins the same river at the same place from the same side, that of
/// another node ends in instead; -1: none.
[[nodiscard]] std::int32_t joined_before(const NetworkKey& key, const Coarser& coarser,
                                         const LevelNodes& nodes, std::size_t k);

}  // namespace terrane::worldgen::continents
