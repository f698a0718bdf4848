#pragma once

#include <memory>

#include "solids.h"
#include "terrane/terrane.h"
#include "terrane/world.h"
#include "worldgen/world.h"

/// A world as C holds it. Immutable; threads: any.
struct terrane_world {
  std::shared_ptr<const terrane::worldgen::World> generated;
  terrane::World described;  // empty where a compiled world is all there is
  terrane::core::Solids solids;
};
