#include "wire.h"

#include <limits>
#include <utility>

#include "codec/chunk_codec.h"
#include "codec/container.h"

namespace terrane::client {
namespace {

constexpr Layer kLayers[] = {Layer::kHeight, Layer::kTemperature, Layer::kHumidity,
                             Layer::kBiome,  Layer::kWater,       Layer::kForest,
                             Layer::kRocks,  Layer::kPlacements,  Layer::kStructures};

bool holds(const Chunk& chunk, Layer layer) {
  switch (layer) {
    case Layer::kHeight: return !chunk.height_q4.empty();
    case Layer::kTemperature: return !chunk.temperature_d.empty();
    case Layer::kHumidity: return !chunk.humidity_d.empty();
    case Layer::kBiome: return !chunk.biome.empty();
    case Layer::kWater: return !chunk.water_q4.empty();
    case Layer::kForest: return !chunk.forest_p.empty();
    case Layer::kRocks: return !chunk.rocks_p.empty();
    case Layer::kPlacements:
    case Layer::kStructures: return true;  // there may be none
  }
  return true;
}

template <typename Narrow, typename Wide>
bool fits(Wide value) {
  return std::in_range<Narrow>(value);
}

}  // namespace

v1::WorldRef to_message(const WorldRef& world) {
  v1::WorldRef message;
  if (world.realm.empty()) {
    message.set_name(world.name);
    message.set_seed(world.seed);
  } else {
    message.set_realm(world.realm);
  }
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
  if (layers->empty())
    return fail(ErrorCode::kInvalidArgument,
                "the layer mask names no layer: use layer_bit() or kAllLayers");
  return {};
}

EncodedChunk to_encoded(v1::Chunk& message) {
  return {to_coord(message.coord()), std::move(*message.mutable_encoded())};
}

void add_formats(google::protobuf::RepeatedField<std::uint32_t>* formats) {
  formats->Add(codec::kFormatVersion);
}

Result<Chunk> to_chunk(const EncodedChunk& encoded, Lod lod, LayerMask layers) {
  auto chunk = decode(encoded, layers);
  if (!chunk) return chunk;
  if (chunk->lod != lod) {
    return fail(ErrorCode::kDataLoss, "it came at lod " + std::to_string(chunk->lod) +
                                          ", asked for was lod " + std::to_string(lod));
  }
  for (const Layer layer : kLayers) {
    if (layers != kAllLayers && (layers & layer_bit(layer)) && !holds(*chunk, layer)) {
      return fail(ErrorCode::kDataLoss,
                  "it came without layer " + std::to_string(static_cast<int>(layer)));
    }
  }
  return chunk;
}

v1::SamplePointsRequest to_message(const WorldRef& world, std::span<const BlockPos> points) {
  v1::SamplePointsRequest request;
  *request.mutable_world() = to_message(world);
  for (const BlockPos point : points) {
    auto* message = request.add_points();
    message->set_x(point.x);
    message->set_y(point.y);
  }
  return request;
}

Result<void> append_samples(const v1::SamplePointsResponse& message, int expected,
                            std::vector<PointSample>& out) {
  const auto is_wrong = [expected](int size, bool may_lack) {
    return size != expected && !(may_lack && size == 0);
  };
  if (is_wrong(message.height_size(), false) || is_wrong(message.temperature_size(), false) ||
      is_wrong(message.humidity_size(), false) || is_wrong(message.biome_size(), false) ||
      is_wrong(message.water_size(), true) || is_wrong(message.forest_size(), true) ||
      is_wrong(message.rocks_size(), true)) {
    return fail(ErrorCode::kDataLoss,
                "the server answered another number of samples of a layer than the " +
                    std::to_string(expected) + " points");
  }
  for (int i = 0; i < expected; ++i) {
    const std::uint32_t forest = message.forest_size() > 0 ? message.forest(i) : 0;
    const std::uint32_t rocks = message.rocks_size() > 0 ? message.rocks(i) : 0;
    if (!fits<std::int16_t>(message.temperature(i)) || !fits<std::int16_t>(message.humidity(i)) ||
        !fits<std::uint8_t>(message.biome(i)) || !fits<std::uint8_t>(forest) ||
        !fits<std::uint8_t>(rocks)) {
      return fail(ErrorCode::kDataLoss,
                  "the server answered a sample outside of its layer's range");
    }
    out.push_back({.height_q4 = message.height(i),
                   .temperature_d = static_cast<std::int16_t>(message.temperature(i)),
                   .humidity_d = static_cast<std::int16_t>(message.humidity(i)),
                   .biome = static_cast<std::uint8_t>(message.biome(i)),
                   .water_q4 = message.water_size() > 0 ? message.water(i) : kNoWater,
                   .forest_p = static_cast<std::uint8_t>(forest),
                   .rocks_p = static_cast<std::uint8_t>(rocks)});
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

Result<Chunk> decode(const EncodedChunk& chunk, LayerMask layers) {
  return codec::decode(chunk.bytes, chunk.coord, layers);
}

}  // namespace terrane
