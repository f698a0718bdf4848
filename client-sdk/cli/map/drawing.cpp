#include "cli/map/drawing.h"

#include <string>

namespace terrane::cli {

drawing::Legend legend_of(const World& world) {
  drawing::Legend legend;
  legend.chunk_size = world.chunk_size;
  legend.sea_level_q4 = world.sea_level_q4;
  for (const LayerInfo& layer : world.layers) {
    if (layer.layer == Layer::kHeight) legend.set_span(layer.min_value, layer.max_value);
  }
  for (const BiomeInfo& biome : world.biomes) {
    if (biome.id < legend.biomes.size()) legend.biomes[biome.id] = from_rgb(biome.color);
  }
  legend.placement_kinds = world.placement_kinds;
  legend.structure_kinds = world.structure_kinds;
  return legend;
}

Result<LayerMask> layers_for(MapStyle style, const World& world) {
  LayerMask has = 0;
  for (const LayerInfo& layer : world.layers) has |= layer_bit(layer.layer);
  if (const LayerMask layers = drawing::layers_for(style, has); layers != 0) return layers;
  return fail(ErrorCode::kInvalidArgument, "world '" + world.name + "' has no layer " +
                                               std::string(name_of(style)) +
                                               ": draw another one with --layer, or another world");
}

SampleRectangle samples_of(const ChunkRectangle& area, int chunk_size) {
  return {area.first.x * chunk_size, area.first.y * chunk_size,
          static_cast<int>(area.last.x - area.first.x + 1) * chunk_size,
          static_cast<int>(area.last.y - area.first.y + 1) * chunk_size};
}

}  // namespace terrane::cli
