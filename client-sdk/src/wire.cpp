#include "wire.h"

#include <limits>
#include <utility>

#include "codec/chunk_codec.h"

namespace terrane::client {
namespace {

constexpr Layer kLayers[] = {Layer::kHeight, Layer::kTemperature, Layer::kHumidity, Layer::kBiome};

bool holds(const Chunk& chunk, Layer layer) {
  switch (layer) {
    case Layer::kHeight: return !chunk.height_q4.empty();
    case Layer::kTemperature: return !chunk.temperature_d.empty();
    case Layer::kHumidity: return !chunk.humidity_d.empty();
    case Layer::kBiome: return !chunk.biome.empty();
    default: return true;
  }
  return true;
}

bool valid_chunk_size(std::uint32_t size) { return size >= kMinChunkSize && size <= kMaxChunkSize && (size & (size - 1)) == 0; }

template <typename Narrow, typename Wide>
bool fits(Wide value) {
  return std::in_range<Narrow>(value);
}

}  // namespace

ErrorCode to_code(int status_code) {
  const auto code = static_cast<ErrorCode>(status_code);
  return status_code > 0 && status_code <= 16 && to_string(code) != "UNKNOWN" ? code : ErrorCode::kInternal;
}

v1::WorldRef to_message(const WorldRef& world) {
  v1::WorldRef message;
  message.set_world(world.name);
  message.set_seed(world.seed);
  if (world.fingerprint) message.set_fingerprint(*world.fingerprint);
  return message;
}

v1::ChunkCoord to_message(ChunkCoord coord) {
  v1::ChunkCoord message;
  message.set_x(coord.x);
  message.set_y(coord.y);
  return message;
}

ChunkCoord to_coord(const v1::ChunkCoord& coord) { return {coord.x(), coord.y()}; }

Result<void> add_layers(LayerMask mask, google::protobuf::RepeatedField<int>* layers) {
  if (mask == kAllLayers) return {};
  for (const Layer layer : kLayers) {
    if (mask & layer_bit(layer)) layers->Add(static_cast<int>(layer));
  }
  if (layers->empty()) return fail(ErrorCode::kInvalidArgument, "the layer mask names no layer: use layer_bit() or kAllLayers");
  return {};
}

Result<World> to_world(const v1::World& message) {
  if (!valid_chunk_size(message.chunk_size()) || message.max_lod() > kMaxLod) {
    return fail(ErrorCode::kDataLoss, "the server describes world '" + message.name() + "' with chunk size " +
                                          std::to_string(message.chunk_size()) + " and max lod " +
                                          std::to_string(message.max_lod()) + "; is it a newer server than this client knows?");
  }
  World world;
  world.name = message.name();
  world.title = message.title();
  world.description = message.description();
  world.fingerprint = message.fingerprint();
  world.chunk_size = static_cast<int>(message.chunk_size());
  world.max_lod = static_cast<Lod>(message.max_lod());
  world.sea_level_q4 = message.sea_level();
  for (const auto& layer : message.layers()) {
    world.layers.push_back(
        {static_cast<Layer>(layer.layer()), layer.name(), layer.unit(), layer.scale(), layer.min_value(), layer.max_value()});
  }
  for (const auto& biome : message.biomes()) world.biomes.push_back({biome.id(), biome.name(), biome.color()});
  return world;
}

Limits to_limits(const v1::Limits& message) {
  return {message.max_chunks_per_request(), message.max_points_per_request(), message.max_chunk_coordinate(),
          message.max_message_bytes()};
}

EncodedChunk to_encoded(v1::Chunk& message) { return {to_coord(message.coord()), std::move(*message.mutable_encoded())}; }

Result<Chunk> to_chunk(const EncodedChunk& encoded, Lod lod, LayerMask layers) {
  auto chunk = decode(encoded, layers);
  if (!chunk) return chunk;
  if (chunk->lod != lod) {
    return fail(ErrorCode::kDataLoss,
                "it came at lod " + std::to_string(chunk->lod) + ", asked for was lod " + std::to_string(lod));
  }
  for (const Layer layer : kLayers) {
    if (layers != kAllLayers && (layers & layer_bit(layer)) && !holds(*chunk, layer)) {
      return fail(ErrorCode::kDataLoss, "it came without layer " + std::to_string(static_cast<int>(layer)));
    }
  }
  return chunk;
}

Result<void> append_samples(const v1::SamplePointsResponse& message, int expected, std::vector<PointSample>& out) {
  for (const int size : {message.height_size(), message.temperature_size(), message.humidity_size(), message.biome_size()}) {
    if (size != expected) {
      return fail(ErrorCode::kDataLoss, "the server answered " + std::to_string(size) + " samples of a layer for " +
                                            std::to_string(expected) + " points");
    }
  }
  for (int i = 0; i < expected; ++i) {
    if (!fits<std::int16_t>(message.temperature(i)) || !fits<std::int16_t>(message.humidity(i)) ||
        !fits<std::uint8_t>(message.biome(i))) {
      return fail(ErrorCode::kDataLoss, "the server answered a sample outside of its layer's range");
    }
    out.push_back({.height_q4 = message.height(i),
                   .temperature_d = static_cast<std::int16_t>(message.temperature(i)),
                   .humidity_d = static_cast<std::int16_t>(message.humidity(i)),
                   .biome = static_cast<std::uint8_t>(message.biome(i))});
  }
  return {};
}

std::string describe(ChunkCoord coord) {
  std::string text = "(";  // appended to, since GCC 12 warns wrongly about "(" + std::to_string()
  text.append(std::to_string(coord.x)).append(", ").append(std::to_string(coord.y)).append(")");
  return text;
}

}  // namespace terrane::client

namespace terrane {

Result<Chunk> decode(const EncodedChunk& chunk, LayerMask layers) { return codec::decode(chunk.bytes, chunk.coord, layers); }

}  // namespace terrane
