#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rpc/json_answers.h"
#include "terrane/terrane.h"
#include "terrane/v1/world_service.pb.h"
#include "worlds/world_catalog.h"

/// Worlds and chunks for tests of terrane_core.
namespace terrane::test {

struct CloseWorld {
  void operator()(terrane_world* world) const { terrane_world_close(world); }
  void operator()(terrane_chunk* chunk) const { terrane_chunk_release(chunk); }
  void operator()(terrane_explorer* explorer) const { terrane_explorer_destroy(explorer); }
};
using CoreWorld = std::unique_ptr<terrane_world, CloseWorld>;
using CoreChunk = std::unique_ptr<terrane_chunk, CloseWorld>;
using CoreExplorer = std::unique_ptr<terrane_explorer, CloseWorld>;

/// A structure with its size, and 0 besides.
template <typename Struct>
Struct sized() {
  Struct value{};
  value.struct_size = sizeof value;
  return value;
}

inline const worldgen::World& builtin(const std::string& name) {
  static const worlds::WorldCatalog kCatalog = worlds::builtin_worlds().value();
  return *kCatalog.at(name);
}

inline std::string compiled(const std::string& name) {
  const auto& bytes = builtin(name).compiled;
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// As a server answers GetWorld, with a place besides.
inline v1::GetWorldResponse described(const std::string& name) {
  v1::GetWorldResponse response;
  EXPECT_TRUE(response.ParseFromString(rpc::world_file(builtin(name))));
  v1::NamedPlace& place = *response.add_places();
  place.set_name("Old Harbour");
  place.mutable_block()->set_x(-5);
  place.mutable_block()->set_y(1L << 40);
  place.set_spawn(true);
  return response;
}

/// @return what was opened; null, and why, where it was not
inline std::pair<CoreWorld, terrane_error> open_world(const std::string& bytes) {
  auto error = sized<terrane_error>();
  terrane_world* world = nullptr;
  const auto code =
      terrane_world_open(TERRANE_ABI_VERSION, bytes.data(), bytes.size(), &world, &error);
  EXPECT_EQ(code == TERRANE_OK, world != nullptr);
  EXPECT_EQ(code, error.code);
  return {CoreWorld(world), error};
}

inline CoreWorld open_builtin(const std::string& name) {
  return open_world(described(name).SerializeAsString()).first;
}

}  // namespace terrane::test
