#pragma once

#include <cstddef>
#include <cstdint>

#include "land.h"
#include "terrane/terrane.h"
#include "world_handle.h"

namespace terrane::core {

/// As terrane_land_far_trees.
std::size_t far_trees(const Land& land, const terrane_world& world, const LandNode& node,
                      std::uint8_t left_out, terrane_far_tree* out, std::size_t capacity);

}  // namespace terrane::core
