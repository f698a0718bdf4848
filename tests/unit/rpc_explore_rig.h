#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "rpc/checks/explore_check.h"
#include "worlds/world_catalog.h"

namespace terrane::rpc {

/// The built-in worlds.
inline const worlds::WorldCatalog& builtin() {
  static const worlds::WorldCatalog catalog = *worlds::builtin_worlds();
  return catalog;
}

/// A Hello that is right: a view of `distance` chunks at the origin of perlin.
inline v1::Hello right_hello(std::uint32_t distance = 4) {
  v1::Hello hello;
  hello.mutable_world()->set_name("perlin");
  hello.mutable_world()->set_seed(7);
  hello.add_view_distances(distance);
  hello.add_formats(2);
  hello.mutable_move();
  return hello;
}

}  // namespace terrane::rpc
