#include "worldgen/terrains/terrains.h"

#include <concepts>

namespace terrane::worldgen {

namespace {

/// Whether a terrain has functions of its own for all of the contract. (Without one it would be
/// taken for a Terrain, whose function would call itself.)
template <typename T>
concept KeepsTheContract = requires {
  { T::kTraits } -> std::convertible_to<TerrainTraits>;
  static_cast<void (*)(FieldArchive&, T&)>(fields);
  static_cast<std::int64_t (*)(const T&)>(widest_tile);
  static_cast<LayerMask (*)(const T&)>(layers);
  static_cast<LayerRanges (*)(const T&)>(layer_ranges);
  static_cast<void (*)(const T&, const GridContext&, TerrainOutput&)>(fill_terrain);
};

template <typename... Ts>
constexpr bool keep_the_contract(const std::variant<Ts...>*) {
  return (KeepsTheContract<Ts> && ...);
}
static_assert(keep_the_contract(static_cast<const Terrain*>(nullptr)));

}  // namespace

TerrainTraits traits_of(const Terrain& terrain) {
  return std::visit([](const auto& t) { return t.kTraits; }, terrain);
}

std::int64_t widest_tile(const Terrain& terrain) {
  return std::visit([](const auto& t) { return widest_tile(t); }, terrain);
}

LayerMask layers(const Terrain& terrain) {
  return std::visit([](const auto& t) { return layers(t); }, terrain);
}

LayerRanges layer_ranges(const Terrain& terrain) {
  return std::visit([](const auto& t) { return layer_ranges(t); }, terrain);
}

void fill_terrain(const Terrain& terrain, const GridContext& context, TerrainOutput& out) {
  std::visit([&](const auto& t) { fill_terrain(t, context, out); }, terrain);
}

std::string stage_version(const Terrain& terrain) {
  const TerrainTraits traits = traits_of(terrain);
  return std::string(traits.name) + " " + std::to_string(traits.version);
}

}  // namespace terrane::worldgen
