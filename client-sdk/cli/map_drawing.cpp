#include "map_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "color.h"
#include "relief.h"

namespace terrane::cli {
namespace {

/// The world's biome colours by id; grey for ids that the table lacks.
std::array<Color, 256> biome_colors(const World& world) {
  std::array<Color, 256> colors;
  colors.fill({0.5, 0.5, 0.5});
  for (const BiomeInfo& biome : world.biomes) {
    if (biome.id < colors.size()) colors[biome.id] = from_rgb(biome.color);
  }
  return colors;
}

/// Heights the world can hold above sea level, in blocks; both ends include the sea level itself.
struct HeightSpan {
  double deepest = 0;
  double highest = 0;
};

HeightSpan height_span(const World& world) {
  for (const LayerInfo& layer : world.layers) {
    if (layer.layer != Layer::kHeight) continue;
    return {std::min(0, layer.min_value - world.sea_level_q4) / 16.0, std::max(0, layer.max_value - world.sea_level_q4) / 16.0};
  }
  return {};
}

void set_pixel(Picture& picture, std::size_t at, Color color) {
  const std::uint32_t rgb = to_rgb(color);
  picture.rgb[3 * at] = static_cast<std::uint8_t>(rgb >> 16);
  picture.rgb[3 * at + 1] = static_cast<std::uint8_t>(rgb >> 8 & 255);
  picture.rgb[3 * at + 2] = static_cast<std::uint8_t>(rgb & 255);
}

template <typename T>
void copy_rows(const std::vector<T>& from, int size, std::vector<T>& to, std::size_t first, std::size_t stride) {
  if (from.empty() || to.empty()) return;
  for (std::size_t row = 0; row < static_cast<std::size_t>(size); ++row) {
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(row * static_cast<std::size_t>(size)), size,
                to.begin() + static_cast<std::ptrdiff_t>(first + row * stride));
  }
}

}  // namespace

Result<MapStyle> parse_map_style(std::string_view name) {
  if (name == "biome") return MapStyle::kBiome;
  if (name == "height") return MapStyle::kHeight;
  if (name == "temperature") return MapStyle::kTemperature;
  if (name == "humidity") return MapStyle::kHumidity;
  if (name == "relief") return MapStyle::kRelief;
  std::string message = "'";
  message.append(name).append("' cannot be drawn: write biome, height, temperature, humidity or relief");
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

LayerMask layers_for(MapStyle style) {
  switch (style) {
    case MapStyle::kBiome: return layer_bit(Layer::kBiome);
    case MapStyle::kHeight: return layer_bit(Layer::kHeight);
    case MapStyle::kTemperature: return layer_bit(Layer::kTemperature);
    case MapStyle::kHumidity: return layer_bit(Layer::kHumidity);
    case MapStyle::kRelief: return layer_bit(Layer::kHeight) | layer_bit(Layer::kBiome);
  }
  return kCoreLayers;
}

MapGrid::MapGrid(const World& world, const ChunkRectangle& area, Lod lod, MapStyle style)
    : world_(world),
      area_(area),
      lod_(lod),
      style_(style),
      width_(static_cast<int>(area.to.x - area.from.x + 1) * world.chunk_size),
      height_(static_cast<int>(area.to.y - area.from.y + 1) * world.chunk_size) {
  const std::size_t samples = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
  const LayerMask layers = layers_for(style);
  if (layers & layer_bit(Layer::kHeight)) height_q4_.resize(samples);
  if (layers & layer_bit(Layer::kBiome)) biome_.resize(samples);
  if (style == MapStyle::kTemperature || style == MapStyle::kHumidity) climate_d_.resize(samples);
}

void MapGrid::place(const Chunk& chunk) {
  if (chunk.size != world_.chunk_size) return;
  const auto stride = static_cast<std::size_t>(width_);
  const auto first = static_cast<std::size_t>(chunk.coord.y - area_.from.y) * static_cast<std::size_t>(chunk.size) * stride +
                     static_cast<std::size_t>(chunk.coord.x - area_.from.x) * static_cast<std::size_t>(chunk.size);
  copy_rows(chunk.height_q4, chunk.size, height_q4_, first, stride);
  copy_rows(style_ == MapStyle::kTemperature ? chunk.temperature_d : chunk.humidity_d, chunk.size, climate_d_, first, stride);
  copy_rows(chunk.biome, chunk.size, biome_, first, stride);
}

Picture MapGrid::draw() const {
  if (style_ == MapStyle::kRelief) return draw_relief();
  const std::size_t samples = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
  Picture picture{width_, height_, std::vector<std::uint8_t>(samples * 3)};
  const auto biomes = biome_colors(world_);
  const HeightSpan span = height_span(world_);
  for (std::size_t i = 0; i < samples; ++i) {
    switch (style_) {
      case MapStyle::kBiome: set_pixel(picture, i, biomes[biome_[i]]); break;
      case MapStyle::kHeight:
        set_pixel(picture, i, height_color((height_q4_[i] - world_.sea_level_q4) / 16.0, span.deepest, span.highest));
        break;
      case MapStyle::kTemperature: set_pixel(picture, i, temperature_color(climate_d_[i] / 10.0)); break;
      case MapStyle::kHumidity: set_pixel(picture, i, humidity_color(climate_d_[i] / 10.0)); break;
      case MapStyle::kRelief: break;
    }
  }
  return picture;
}

Picture MapGrid::draw_relief() const {
  ReliefLand land{{width_, height_, std::ldexp(1.0, lod_), {}}, {}, -height_span(world_).deepest};
  const std::size_t samples = static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
  land.above_sea.blocks.reserve(samples);
  for (const std::int32_t height : height_q4_) {
    land.above_sea.blocks.push_back(static_cast<float>(height - world_.sea_level_q4) / 16.0f);
  }
  const auto biomes = biome_colors(world_);
  land.color_at = [&](std::size_t i) { return biomes[biome_[i]]; };

  Picture picture{width_, height_, std::vector<std::uint8_t>(samples * 3)};
  draw_relief_of(land, [&picture](std::size_t i, Color color) { set_pixel(picture, i, color); });
  return picture;
}

Picture enlarged(const Picture& picture, int factor) {
  Picture out{picture.width * factor, picture.height * factor, {}};
  out.rgb.reserve(static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height) * 3);
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      const std::ptrdiff_t at = (std::ptrdiff_t{y / factor} * picture.width + x / factor) * 3;
      out.rgb.insert(out.rgb.end(), picture.rgb.begin() + at, picture.rgb.begin() + at + 3);
    }
  }
  return out;
}

}  // namespace terrane::cli
