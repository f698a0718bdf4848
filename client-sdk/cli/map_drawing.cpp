#include "map_drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
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

/// Where a chunk lies in a grid: what the samples [first, past) of one axis show of it.
struct Overlap {
  int first = 0, past = 0;  // samples of the grid
  std::int64_t offset = 0;  // from the chunk's first block to the grid's
  Lod grid_lod = 0, lod = 0;

  /// Index of the chunk's sample that stands at a sample of the grid, or before it.
  [[nodiscard]] int at(int sample) const { return static_cast<int>((offset + (std::int64_t{sample} << grid_lod)) >> lod); }
  /// How far the grid's sample lies beyond that, 0 to 1 of the way to the next one.
  [[nodiscard]] double beyond(int sample) const {
    const std::int64_t blocks = offset + (std::int64_t{sample} << grid_lod);
    return std::ldexp(static_cast<double>(blocks & ((std::int64_t{1} << lod) - 1)), -lod);
  }
};

/// @param from    the grid's first sample, of `count`
/// @param origin  the chunk's first block, of `span`
Overlap overlap(std::int64_t from, int count, Lod grid_lod, std::int64_t origin, std::int64_t span, Lod lod) {
  const std::int64_t step = std::int64_t{1} << grid_lod;
  const auto sample_at = [&](std::int64_t block) { return floor_div(block + step - 1, step) - from; };  // or the next one
  const auto within = [count](std::int64_t sample) { return static_cast<int>(std::clamp<std::int64_t>(sample, 0, count)); };
  return {within(sample_at(origin)), within(sample_at(origin + span)), from * step - origin, grid_lod, lod};
}

template <typename T>
void copy_samples(const std::vector<T>& from, int size, const Overlap& x, const Overlap& y, std::vector<T>& to, int width) {
  if (from.empty() || to.empty()) return;
  for (int row = y.first; row < y.past; ++row) {
    const T* const in = from.data() + std::ptrdiff_t{y.at(row)} * size;
    T* const out = to.data() + std::ptrdiff_t{row} * width;
    for (int column = x.first; column < x.past; ++column) out[column] = in[x.at(column)];
  }
}

/// Heights of a coarser chunk, linear between its samples: nearest ones would make a staircase.
void stretch_heights(const Chunk& chunk, const Overlap& x, const Overlap& y, std::vector<std::int32_t>& to, int width) {
  if (chunk.height_q4.empty() || to.empty()) return;
  const auto height = [&](int i, int j) {
    const int column = std::min(i, chunk.size - 1);
    const int row = std::min(j, chunk.size - 1);
    return static_cast<double>(chunk.height_q4[static_cast<std::size_t>(row * chunk.size + column)]);
  };
  for (int row = y.first; row < y.past; ++row) {
    const int j = y.at(row);
    for (int column = x.first; column < x.past; ++column) {
      const int i = x.at(column);
      const double north = std::lerp(height(i, j), height(i + 1, j), x.beyond(column));
      const double south = std::lerp(height(i, j + 1), height(i + 1, j + 1), x.beyond(column));
      to[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column)] =
          static_cast<std::int32_t>(std::lround(std::lerp(north, south, y.beyond(row))));
    }
  }
}

/// Gives what is not known the height of the nearest that is, along its row or else its column: no cliffs at the edge of the
/// known.
void spread(HeightGrid& grid, std::vector<std::uint8_t> known) {
  const auto along = [&](std::ptrdiff_t at, std::ptrdiff_t step, int count) {
    for (int i = 1; i < count; ++i, at += step) {
      const auto here = static_cast<std::size_t>(at), next = static_cast<std::size_t>(at + step);
      if (known[next] || !known[here]) continue;
      grid.blocks[next] = grid.blocks[here];
      known[next] = 1;
    }
  };
  const std::ptrdiff_t width = grid.width, height = grid.height;
  for (std::ptrdiff_t y = 0; y < height; ++y) {
    along(y * width, 1, grid.width);
    along(y * width + width - 1, -1, grid.width);
  }
  for (std::ptrdiff_t x = 0; x < width; ++x) {
    along(x, width, grid.height);
    along((height - 1) * width + x, -width, grid.height);
  }
}

constexpr std::uint32_t kDryLand = 0xe9e4d6;

/// A style's name, the layers that it can't do without, and those that it shows where there are any.
struct Style {
  std::string_view name;
  MapStyle style;
  LayerMask needs;
  LayerMask shows = 0;
};

constexpr Style kStyles[] = {
    {"biome", MapStyle::kBiome, layer_bit(Layer::kBiome)},
    {"height", MapStyle::kHeight, layer_bit(Layer::kHeight)},
    {"temperature", MapStyle::kTemperature, layer_bit(Layer::kTemperature)},
    {"humidity", MapStyle::kHumidity, layer_bit(Layer::kHumidity)},
    {"relief", MapStyle::kRelief, layer_bit(Layer::kHeight) | layer_bit(Layer::kBiome),
     layer_bit(Layer::kWater) | layer_bit(Layer::kForest) | layer_bit(Layer::kPlacements) | layer_bit(Layer::kStructures)},
    {"water", MapStyle::kWater, layer_bit(Layer::kHeight) | layer_bit(Layer::kWater)},
    {"forest", MapStyle::kForest, layer_bit(Layer::kForest)},
    {"rocks", MapStyle::kRocks, layer_bit(Layer::kRocks)},
};

const Style& row_of(MapStyle style) {
  return *std::find_if(std::begin(kStyles), std::end(kStyles), [style](const Style& row) { return row.style == style; });
}

/// Ground with trees on it: darker and greener the denser they are; with `specks` where they are not drawn themselves.
/// @param x, y  the sample's place in the world, so that specks stay where they are
Color wooded(Color ground, std::uint8_t density_p, bool specks, std::int64_t x, std::int64_t y) {
  constexpr std::uint32_t kTrees = 0x2c4a22;
  constexpr double kMostShade = 0.3, kSpeck = 0.3;
  auto random =
      static_cast<std::uint32_t>(x) * 0x9e3779b9U + static_cast<std::uint32_t>(y);  // mixed well, or specks would line up
  random = (random ^ random >> 16) * 0x7feb352dU;
  random = (random ^ random >> 15) * 0x846ca68bU;
  random ^= random >> 16;
  const double speck = specks && random % 100 < density_p ? kSpeck : 0;
  return mix(ground, from_rgb(kTrees), kMostShade * density_p / 100 + speck);
}

}  // namespace

Result<MapStyle> parse_map_style(std::string_view name) {
  const auto at = std::find_if(std::begin(kStyles), std::end(kStyles), [name](const Style& style) { return style.name == name; });
  if (at != std::end(kStyles)) return at->style;
  std::string message = "'";
  message.append(name).append("' cannot be drawn: write biome, height, temperature, humidity, relief, water, forest or rocks");
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

std::string_view name_of(MapStyle style) { return row_of(style).name; }

Result<LayerMask> layers_for(MapStyle style, const World& world) {
  LayerMask has = 0;
  for (const LayerInfo& layer : world.layers) has |= layer_bit(layer.layer);
  const Style& drawn = row_of(style);
  if ((drawn.needs & ~has) == 0) return (drawn.needs | drawn.shows) & has;
  std::string message = "world '" + world.name + "' has no layer ";
  message.append(drawn.name).append(": draw another one with --layer, or another world");
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

SampleRectangle samples_of(const ChunkRectangle& area, int chunk_size) {
  return {area.from.x * chunk_size, area.from.y * chunk_size, static_cast<int>(area.to.x - area.from.x + 1) * chunk_size,
          static_cast<int>(area.to.y - area.from.y + 1) * chunk_size};
}

MapGrid::MapGrid(const World& world, const SampleRectangle& area, Lod lod, MapStyle style, LayerMask layers)
    : world_(world),
      area_(area),
      lod_(lod),
      style_(style),
      covered_(static_cast<std::size_t>(area.width) * static_cast<std::size_t>(area.height)) {
  const std::size_t samples = covered_.size();
  if (layers & layer_bit(Layer::kHeight)) height_q4_.resize(samples, world.sea_level_q4);
  if (layers & layer_bit(Layer::kBiome)) biome_.resize(samples);
  if (layers & layer_bit(Layer::kWater)) water_q4_.resize(samples, kNoWater);
  if (layers & (layer_bit(Layer::kForest) | layer_bit(Layer::kRocks))) density_p_.resize(samples);
  if (style == MapStyle::kTemperature || style == MapStyle::kHumidity) climate_d_.resize(samples);
}

void MapGrid::place(const Chunk& chunk) {
  if (chunk.size != world_.chunk_size) return;
  const BlockPos origin = chunk_origin(chunk.coord, chunk.size, chunk.lod);
  const std::int64_t span = std::int64_t{chunk.size} << chunk.lod;
  const Overlap x = overlap(area_.x, area_.width, lod_, origin.x, span, chunk.lod);
  const Overlap y = overlap(area_.y, area_.height, lod_, origin.y, span, chunk.lod);
  const int width = area_.width;
  if (chunk.lod > lod_) {
    stretch_heights(chunk, x, y, height_q4_, width);
  } else {
    copy_samples(chunk.height_q4, chunk.size, x, y, height_q4_, width);
  }
  copy_samples(style_ == MapStyle::kTemperature ? chunk.temperature_d : chunk.humidity_d, chunk.size, x, y, climate_d_, width);
  copy_samples(chunk.biome, chunk.size, x, y, biome_, width);
  copy_samples(chunk.water_q4, chunk.size, x, y, water_q4_, width);
  copy_samples(style_ == MapStyle::kRocks ? chunk.rocks_p : chunk.forest_p, chunk.size, x, y, density_p_, width);
  for (int row = y.first; row < y.past; ++row) std::fill_n(&covered_[index(0, row)] + x.first, std::max(0, x.past - x.first), 1);
  append(objects_, chunk);
}

Picture MapGrid::draw(std::optional<double> exaggeration) const {
  if (style_ == MapStyle::kRelief) return draw_relief(exaggeration);
  const std::size_t samples = covered_.size();
  Picture picture{area_.width, area_.height, std::vector<std::uint8_t>(samples * 3)};
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
      case MapStyle::kWater: {
        const double depth = (water_q4_[i] - height_q4_[i]) / 16.0;
        set_pixel(picture, i, depth > 0 ? water_color(depth, -span.deepest) : from_rgb(kDryLand));
        break;
      }
      case MapStyle::kForest: set_pixel(picture, i, forest_color(density_p_[i])); break;
      case MapStyle::kRocks: set_pixel(picture, i, rock_color(density_p_[i])); break;
      case MapStyle::kRelief: break;
    }
  }
  return picture;
}

HeightGrid MapGrid::above_sea() const {
  HeightGrid grid{area_.width, area_.height, std::ldexp(1.0, lod_), {}};
  grid.blocks.reserve(height_q4_.size());
  for (const std::int32_t height : height_q4_) {
    grid.blocks.push_back(static_cast<float>(height - world_.sea_level_q4) / 16.0f);
  }
  if (std::find(covered_.begin(), covered_.end(), 0) != covered_.end()) spread(grid, covered_);
  return grid;
}

double MapGrid::exaggeration() const { return height_q4_.empty() ? 1 : exaggeration_for(above_sea()); }

Picture MapGrid::draw_relief(std::optional<double> exaggeration) const {
  ReliefLand land{above_sea(), {}, {}, -height_span(world_).deepest, exaggeration};
  for (std::size_t i = 0; i < water_q4_.size(); ++i) {
    land.water_depth.push_back(static_cast<float>(water_q4_[i] - height_q4_[i]) / 16.0f);
  }
  const auto biomes = biome_colors(world_);
  const auto width = static_cast<std::size_t>(area_.width);
  land.color_at = [&](std::size_t i) {
    if (density_p_.empty()) return biomes[biome_[i]];
    return wooded(biomes[biome_[i]], density_p_[i], lod_ > 0, area_.x + static_cast<std::int64_t>(i % width),
                  area_.y + static_cast<std::int64_t>(i / width));
  };

  Picture picture{area_.width, area_.height, std::vector<std::uint8_t>(covered_.size() * 3)};
  draw_relief_of(land, [&picture](std::size_t i, Color color) { set_pixel(picture, i, color); });
  const std::int64_t step = std::int64_t{1} << lod_;
  draw_marks(picture, world_, {area_.x * step, area_.y * step}, lod_, objects_);
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
