#include "region_at.h"

#include <algorithm>
#include <string_view>

namespace terrane::client {
namespace {

constexpr int kBlocksOfRegion = 12;  // as a power of 2

bool can_stand_in_header(std::string_view name) {
  const auto is_plain = [](char c) { return c > ' ' && c < '\x7f'; };
  return !name.empty() && std::ranges::all_of(name, is_plain);
}

}  // namespace

std::string region_at(const WorldRef& world, BlockPos block) {
  const std::string& name = world.realm.empty() ? world.name : world.realm;
  if (!can_stand_in_header(name)) return {};
  const std::string variant =
      world.realm.empty() ? name + "/" + std::to_string(world.seed) : "realms/" + name;
  return variant + "/" + std::to_string(block.x >> kBlocksOfRegion) + "," +
         std::to_string(block.y >> kBlocksOfRegion);
}

}  // namespace terrane::client
