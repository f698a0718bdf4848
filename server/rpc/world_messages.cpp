#include "rpc/world_messages.h"

#include "terrane/coord.h"

namespace terrane::rpc {
namespace {

void add_layer(v1::World& world, v1::Layer layer, const char* name, const char* unit, double scale, worldgen::Interval range) {
  v1::LayerInfo& info = *world.add_layers();
  info.set_layer(layer);
  info.set_name(name);
  info.set_unit(unit);
  info.set_scale(scale);
  info.set_min_value(range.min);
  info.set_max_value(range.max);
}

}  // namespace

v1::World describe(const worldgen::World& world) {
  v1::World message;
  message.set_name(world.name);
  message.set_title(world.title);
  message.set_description(world.description);
  message.set_fingerprint(world.fingerprint);
  message.set_chunk_size(static_cast<std::uint32_t>(world.chunk_size));
  message.set_max_lod(world.max_lod);
  message.set_sea_level(world.sea_level_q4);
  add_layer(message, v1::LAYER_HEIGHT, "height", "block", 1.0 / 16, world.ranges.height_q4);
  add_layer(message, v1::LAYER_TEMPERATURE, "temperature", "degC", 0.1, world.ranges.temperature_d);
  add_layer(message, v1::LAYER_HUMIDITY, "humidity", "percent", 0.1, world.ranges.humidity_d);
  add_layer(message, v1::LAYER_BIOME, "biome", "biome", 1, {0, static_cast<std::int32_t>(world.biomes.size()) - 1});
  for (std::size_t id = 0; id < world.biomes.size(); ++id) {
    v1::BiomeInfo& info = *message.add_biomes();
    info.set_id(static_cast<std::uint32_t>(id));
    info.set_name(world.biomes[id].name);
    info.set_color(world.biomes[id].color);
  }
  return message;
}

v1::Limits describe(const Limits& limits) {
  v1::Limits message;
  message.set_max_chunks_per_request(static_cast<std::uint32_t>(limits.max_chunks_per_request));
  message.set_max_points_per_request(static_cast<std::uint32_t>(limits.max_points_per_request));
  message.set_max_chunk_coordinate(max_chunk_coord(0));
  message.set_max_message_bytes(static_cast<std::uint32_t>(limits.max_message_bytes));
  return message;
}

}  // namespace terrane::rpc
