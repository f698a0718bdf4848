#pragma once

#include <cstddef>
#include <cstdint>

#include "land.h"
#include "terrane/terrane.h"
#include "world_handle.h"

namespace terrane::core {

/// As terrane_land_obstacles.
void obstacles(const Land& land, const terrane_world& world, const terrane_body* bodies,
               std::size_t count, terrane_obstacle* out, std::size_t capacity,
               std::uint32_t* counts);

}  // namespace terrane::core
