#include "drawing/map_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "drawing/color.h"
#include "drawing/samples.h"

namespace terrane::drawing {
namespace {

void set_pixel(Picture& picture, std::size_t at, Color color) {
  const std::uint32_t rgb = to_rgb(color);
  picture.rgb[3 * at] = static_cast<std::uint8_t>(rgb >> 16);
  picture.rgb[3 * at + 1] = static_cast<std::uint8_t>(rgb >> 8 & 255);
  picture.rgb[3 * at + 2] = static_cast<std::uint8_t>(rgb & 255);
}

constexpr std::uint32_t kDryLand = 0xe9e4d6;

/// A style's name, the layers that it can't do without, and those that it shows where there are
/// any.
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
     layer_bit(Layer::kWater) | layer_bit(Layer::kForest) | layer_bit(Layer::kPlacements) |
         layer_bit(Layer::kStructures)},
    {"water", MapStyle::kWater, layer_bit(Layer::kHeight) | layer_bit(Layer::kWater)},
    {"forest", MapStyle::kForest, layer_bit(Layer::kForest)},
    {"rocks", MapStyle::kRocks, layer_bit(Layer::kRocks)},
};

const Style& row_of(MapStyle style) {
  return *std::find_if(std::begin(kStyles), std::end(kStyles),
                       [style](const Style& row) { return row.style == style; });
}

/// Ground with trees on it: darker and greener the denser they are; with `specks` where they are
/// not drawn themselves.
/// @param x, y  the sample's place in the world, so that specks stay where they are
Color wooded(Color ground, std::uint8_t density_p, bool specks, std::int64_t x, std::int64_t y) {
  constexpr std::uint32_t kTrees = 0x2c4a22;
  constexpr double kMaxShade = 0.3, kSpeck = 0.3;
  auto random =
      // mixed well, or specks would line up
      static_cast<std::uint32_t>(x) * 0x9e3779b9U + static_cast<std::uint32_t>(y);
  random = (random ^ random >> 16) * 0x7feb352dU;
  random = (random ^ random >> 15) * 0x846ca68bU;
  random ^= random >> 16;
  const double speck = specks && random % 100 < density_p ? kSpeck : 0;
  return mix(ground, from_rgb(kTrees), kMaxShade * density_p / 100 + speck);
}

}  // namespace

Result<MapStyle> parse_map_style(std::string_view name) {
  const auto at = std::find_if(std::begin(kStyles), std::end(kStyles),
                               [name](const Style& style) { return style.name == name; });
  if (at != std::end(kStyles)) return at->style;
  std::string message = "'";
  message.append(name).append("' cannot be drawn: write one of ").append(kStyleNames);
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

std::string_view name_of(MapStyle style) { return row_of(style).name; }

LayerMask layers_for(MapStyle style, LayerMask of_world) {
  const Style& drawn = row_of(style);
  return (drawn.needs & ~of_world) == 0 ? (drawn.needs | drawn.shows) & of_world : 0;
}

void Legend::set_span(std::int32_t min_q4, std::int32_t max_q4) {
  deepest = std::min(0, min_q4 - sea_level_q4) / 16.0;
  highest = std::max(0, max_q4 - sea_level_q4) / 16.0;
}

MapGrid::MapGrid(const Legend& legend, const SampleRectangle& area, Lod lod, MapStyle style,
                 LayerMask layers)
    : legend_(legend),
      area_(area),
      lod_(lod),
      style_(style),
      covered_(static_cast<std::size_t>(area.width) * static_cast<std::size_t>(area.height)) {
  const std::size_t samples = covered_.size();
  if (layers & layer_bit(Layer::kHeight)) height_q4_.resize(samples, legend.sea_level_q4);
  if (layers & layer_bit(Layer::kBiome)) biome_.resize(samples);
  if (layers & layer_bit(Layer::kWater)) water_q4_.resize(samples, kNoWater);
  if (layers & (layer_bit(Layer::kForest) | layer_bit(Layer::kRocks))) density_p_.resize(samples);
  if (style == MapStyle::kTemperature || style == MapStyle::kHumidity) climate_d_.resize(samples);
}

void MapGrid::place(const Chunk& chunk) {
  if (chunk.size != legend_.chunk_size) return;
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
  copy_samples(style_ == MapStyle::kTemperature ? chunk.temperature_d : chunk.humidity_d,
               chunk.size, x, y, climate_d_, width);
  copy_samples(chunk.biome, chunk.size, x, y, biome_, width);
  copy_samples(chunk.water_q4, chunk.size, x, y, water_q4_, width);
  copy_samples(style_ == MapStyle::kRocks ? chunk.rocks_p : chunk.forest_p, chunk.size, x, y,
               density_p_, width);
  for (int row = y.first; row < y.past; ++row)
    std::fill_n(&covered_[index(0, row)] + x.first, std::max(0, x.past - x.first), 1);
  if (chunk.lod == lod_) {
    append(objects_, chunk);
  } else {  // things are drawn at their own level, marks of structures at all
    objects_.structures.insert(objects_.structures.end(), chunk.structures.begin(),
                               chunk.structures.end());
  }
}

Picture MapGrid::draw(std::optional<double> exaggeration) const {
  Drawing drawing(*this, exaggeration);
  drawing.draw_rows(area_.height);
  return drawing.take();
}

/// In all styles but relief.
Color MapGrid::color_at(std::size_t i) const {
  switch (style_) {
    case MapStyle::kBiome: return legend_.biomes[biome_[i]];
    case MapStyle::kHeight:
      return height_color((height_q4_[i] - legend_.sea_level_q4) / 16.0, legend_.deepest,
                          legend_.highest);
    case MapStyle::kTemperature: return temperature_color(climate_d_[i] / 10.0);
    case MapStyle::kHumidity: return humidity_color(climate_d_[i] / 10.0);
    case MapStyle::kWater: {
      const double depth = (water_q4_[i] - height_q4_[i]) / 16.0;
      return depth > 0 ? water_color(depth, -legend_.deepest) : from_rgb(kDryLand);
    }
    case MapStyle::kForest: return forest_color(density_p_[i]);
    case MapStyle::kRocks: return rock_color(density_p_[i]);
    case MapStyle::kRelief: break;
  }
  return {};
}

HeightGrid MapGrid::above_sea() const {
  HeightGrid grid{area_.width, area_.height, std::ldexp(1.0, lod_), {}};
  grid.blocks.reserve(height_q4_.size());
  for (const std::int32_t height : height_q4_) {
    grid.blocks.push_back(static_cast<float>(height - legend_.sea_level_q4) / 16.0f);
  }
  if (std::find(covered_.begin(), covered_.end(), 0) != covered_.end()) spread(grid, covered_);
  return grid;
}

double MapGrid::exaggeration() const {
  return height_q4_.empty() ? 1 : exaggeration_for(above_sea());
}

ReliefInput MapGrid::relief_input(std::optional<double> exaggeration) const {
  ReliefInput input{above_sea(), {}, {}, -legend_.deepest, exaggeration};
  input.water_depth.reserve(water_q4_.size());
  for (std::size_t i = 0; i < water_q4_.size(); ++i) {
    input.water_depth.push_back(static_cast<float>(water_q4_[i] - height_q4_[i]) / 16.0f);
  }
  input.color_at = [this, width = static_cast<std::size_t>(area_.width)](std::size_t i) {
    const Color& ground = legend_.biomes[biome_[i]];
    if (density_p_.empty()) return ground;
    return wooded(ground, density_p_[i], lod_ > 0, area_.x + static_cast<std::int64_t>(i % width),
                  area_.y + static_cast<std::int64_t>(i / width));
  };
  return input;
}

MapGrid::Drawing::Drawing(const MapGrid& grid, std::optional<double> exaggeration)
    : grid_(grid),
      picture_{grid.area_.width, grid.area_.height,
               std::vector<std::uint8_t>(grid.covered_.size() * 3)} {
  if (grid.style_ == MapStyle::kRelief) relief_.emplace(grid.relief_input(exaggeration));
}

bool MapGrid::Drawing::draw_rows(int rows) {
  const int height = grid_.area_.height;
  if (row_ == height) return true;
  const auto paint = [this](std::size_t i, Color color) { set_pixel(picture_, i, color); };
  for (const int past = std::min(row_ + rows, height); row_ < past; ++row_) {
    if (relief_) {
      relief_->paint_row(row_, paint);
      continue;
    }
    for (std::size_t i = grid_.index(0, row_); i < grid_.index(0, row_ + 1); ++i)
      paint(i, grid_.color_at(i));
  }
  if (row_ < height) return false;
  const Lod lod = grid_.lod_;
  if (relief_) {
    draw_marks(picture_, grid_.legend_.placement_kinds, grid_.legend_.structure_kinds,
               {grid_.area_.x << lod, grid_.area_.y << lod}, lod, grid_.objects_);
  }
  return true;
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

}  // namespace terrane::drawing
