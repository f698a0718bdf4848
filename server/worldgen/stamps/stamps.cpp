#include "worldgen/stamps/stamps.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace terrane::worldgen {

namespace {

/// Where a block lies in a stamp.
struct PlaceInStamp {
  double distance = 0;  // blocks beyond the radius; 0 within
  double along = 0;     // of the way from one end of the line to the other, 0 to 1
};

/// Without a kink at either end.
double smooth(double t) { return t * t * (3 - 2 * t); }

double clamp01(double t) { return std::min(std::max(t, 0.0), 1.0); }

/// How outlines wander, in every seed alike: waves of 128 to 8 blocks. They count twice, cut off at
/// 1, as such a noise hardly ever is more than half of what it could be.
constexpr noise::FractalNoise kOutline{{1, 128}, 5, 0.5f};

/// A stamp's form, with what is the same for all blocks worked out.
class Form {
 public:
  explicit Form(const Stamp& stamp)
      : from_(stamp.from),
        x_(static_cast<double>(stamp.to.x - stamp.from.x)),
        y_(static_cast<double>(stamp.to.y - stamp.from.y)),
        inverse_square_(x_ == 0 && y_ == 0 ? 0 : 1 / (x_ * x_ + y_ * y_)),
        radius_(stamp.radius),
        roughness_(stamp.roughness),
        certain_(stamp.radius - stamp.roughness) {}

  /// Whether the stamp reaches a block of an area at all: perhaps, or certainly not.
  [[nodiscard]] bool may_reach(const BlockArea& area, std::int32_t falloff) const {
    const std::int64_t width = area.to.x - area.from.x, height = area.to.y - area.from.y;
    const auto x = static_cast<double>(width / 2 + 1), y = static_cast<double>(height / 2 + 1);
    const BlockPos middle{area.from.x + width / 2, area.from.y + height / 2};
    return at(middle, 1).distance <= falloff + std::sqrt(x * x + y * y);
  }

  /// @param outline  how far the outline is moved out there, as a share of the roughness
  [[nodiscard]] PlaceInStamp at(BlockPos block, double outline) const {
    const auto x = static_cast<double>(block.x - from_.x),
               y = static_cast<double>(block.y - from_.y);
    const double along = clamp01((x * x_ + y * y_) * inverse_square_);
    const double dx = x - along * x_, dy = y - along * y_;
    const double distance2 = dx * dx + dy * dy;
    if (certain_ >= 0 && distance2 <= certain_ * certain_) return {0, along};
    return {std::max(std::sqrt(distance2) - radius_ - roughness_ * outline, 0.0), along};
  }

 private:
  BlockPos from_;
  double x_, y_, inverse_square_, radius_, roughness_;
  double certain_;  // blocks from the line: within, whatever the outline; negative: no block is
};

BlockArea area_of(const Stamp& stamp) {
  const std::int64_t reach = std::int64_t{stamp.radius} + stamp.falloff + stamp.roughness;
  return {{std::min(stamp.from.x, stamp.to.x) - reach, std::min(stamp.from.y, stamp.to.y) - reach},
          {std::max(stamp.from.x, stamp.to.x) + reach, std::max(stamp.from.y, stamp.to.y) + reach}};
}

BlockArea area_of(const noise::SampleGrid& grid) {
  return {grid.origin,
          {grid.origin.x + (grid.width - 1) * grid.stride,
           grid.origin.y + (grid.height - 1) * grid.stride}};
}

/// How much a block belongs to a stamp: 1 within the radius, 0 from the margin's end on.
double weight(const Stamp& stamp, const PlaceInStamp& place) {
  if (place.distance == 0) return 1;
  return place.distance >= stamp.falloff ? 0 : smooth(1 - place.distance / stamp.falloff);
}

/// Whether a block is on the inner side of the margin's middle.
bool is_inside(const Stamp& stamp, const PlaceInStamp& place) {
  return place.distance * 2 <= stamp.falloff;
}

bool sets_ground(const Stamp& stamp) {
  return stamp.raise_q4 != 0 || stamp.flatten || stamp.water_q4;
}

/// The nearest integer, halves upwards. |value| < 2^30.
std::int32_t rounded(double value) {
  const double shifted = value + 0.5;
  const auto truncated = static_cast<std::int32_t>(shifted);
  return truncated - (truncated > shifted ? 1 : 0);
}

std::int32_t mixed(std::int32_t from, std::int32_t to, double share) {
  if (share == 1) return to;
  return from + rounded((to - from) * share);
}

/// 1/16 block: how much higher than a pool's water its banks are.
constexpr std::int32_t kBank = 4;

/// The shares of a bank's height that the ground about a pool's shore has: all of it for as far on
/// both sides as two neighbours may differ in distance, so that no sample of water has one below
/// it, and none at the margin's ends.
double bank_share(const Stamp& stamp, const PlaceInStamp& place) {
  const double crest = 1.5 + 0.15 * stamp.roughness;  // blocks
  const double half = 0.5 * stamp.falloff;
  const double from_shore = std::abs(place.distance - half);
  return 1 - smooth(clamp01((from_shore - crest) / (half - crest)));
}

/// The layers of a grid, of which a site's height and water may be its own.
struct Ground {
  std::span<std::int32_t> height_q4, water_q4, site_height_q4;
  std::span<std::uint8_t> fresh;
  Interval limits;

  /// A terrain's layers. What chooses its biomes and can't be written to is copied.
  Ground(const GridContext& context, TerrainOutput& terrain, const Interval& heights)
      : height_q4(terrain.height_q4), water_q4(terrain.water_q4), limits(heights) {
    SiteLayers& site = terrain.site;
    if (site.height_q4.data() != height_q4.data()) {
      site_height_q4 = copy_of(site.height_q4, context);
      site.height_q4 = site_height_q4;
    }
    if (water_q4.empty()) return;
    fresh = site.fresh.empty() ? context.scratch->take_span<std::uint8_t>(height_q4.size())
                               : copy_of(site.fresh, context);
    if (site.fresh.empty()) std::fill(fresh.begin(), fresh.end(), std::uint8_t{0});
    site.fresh = fresh;
  }

  template <typename T>
  static std::span<T> copy_of(std::span<const T> values, const GridContext& context) {
    const std::span<T> copy = context.scratch->take_span<T>(values.size());
    std::copy(values.begin(), values.end(), copy.begin());
    return copy;
  }

  void set_height(std::size_t at, std::int32_t height) const {
    const std::int32_t before = height_q4[at];
    height_q4[at] = std::clamp(height, limits.min, limits.max);
    if (site_height_q4.empty()) return;
    site_height_q4[at] =
        std::clamp(site_height_q4[at] + height_q4[at] - before, limits.min, limits.max);
  }

  /// Water that is higher already stays.
  void add_water(std::size_t at, std::int32_t level_q4) const {
    if (level_q4 <= height_q4[at] || level_q4 <= water_q4[at]) return;
    water_q4[at] = level_q4;
    fresh[at] = static_cast<std::uint8_t>(FreshWater::kLake);
  }

  /// Ground that has risen above its water is dry; what was dry stays what it is, a road or not.
  void dry(std::size_t at) const {
    if (water_q4.empty() || water_q4[at] == kNoWater || water_q4[at] > height_q4[at]) return;
    water_q4[at] = kNoWater;
    fresh[at] = static_cast<std::uint8_t>(FreshWater::kNone);
  }
};

/// A pool within banks: the ground about its shore is as high as these, unless water stands there
/// that is as high as the pool's.
void fill_pool(const Ground& ground, std::size_t at, const Stamp& stamp,
               const PlaceInStamp& place) {
  const std::int32_t height = ground.height_q4[at], water = ground.water_q4[at];
  const std::int32_t bank = *stamp.water_q4 + kBank;
  const bool meets_water = water > height && water >= *stamp.water_q4;
  if (!meets_water && height < bank)
    ground.set_height(at, mixed(height, bank, bank_share(stamp, place)));
  if (is_inside(stamp, place)) ground.add_water(at, *stamp.water_q4);
}

void shape_sample(const Ground& ground, std::size_t at, const Stamp& stamp,
                  const PlaceInStamp& place) {
  const double share = weight(stamp, place);
  if (share == 0) return;
  std::int32_t height = ground.height_q4[at] + rounded(stamp.raise_q4 * share);
  if (stamp.flatten) {
    const std::int32_t target = mixed(stamp.flatten->from_q4, stamp.flatten->to_q4, place.along);
    height = mixed(height, target, share);
  }
  ground.set_height(at, height);
  if (stamp.water_q4) fill_pool(ground, at, stamp, place);
  ground.dry(at);
}

}  // namespace

Stamps::Stamps(std::vector<Stamp> stamps, const Interval& heights)
    : all_(std::move(stamps)), heights_(heights) {
  std::vector<BlockArea> areas;
  for (const Stamp& stamp : all_) {
    areas.push_back(area_of(stamp));
    const auto reach = [&](std::int32_t height_q4) {
      heights_.min = std::min(heights_.min, height_q4);
      heights_.max = std::max(heights_.max, height_q4);
    };
    reach(stamp.raise_q4 < 0 ? heights.min + stamp.raise_q4 : heights.max + stamp.raise_q4);
    if (stamp.flatten) reach(stamp.flatten->from_q4);
    if (stamp.flatten) reach(stamp.flatten->to_q4);
    if (stamp.water_q4) reach(*stamp.water_q4 + kBank);
  }
  index_ = BoxIndex(areas);
}

template <typename Concerns, typename Visit>
void Stamps::for_samples(const GridContext& context, const Concerns& concerns,
                         const Visit& visit) const {
  const noise::SampleGrid& grid = context.grid;
  const BlockArea grid_area = area_of(grid);
  const auto width = static_cast<std::size_t>(grid.width);
  const auto pitch = static_cast<std::size_t>(noise::row_pitch(grid.width));
  const float* outline = nullptr;
  for (const std::uint32_t i : index_.meeting(grid_area)) {
    context.stop_if_abandoned();
    const Stamp& stamp = all_[i];
    const Form form(stamp);
    if (!form.may_reach(grid_area, stamp.falloff) || !concerns(stamp)) continue;
    if (stamp.roughness > 0 && outline == nullptr) {
      GridContext of_all_seeds = context;
      of_all_seeds.seed = 0;
      outline = of_all_seeds.noise(kOutline, "stamps");
    }
    const BlockArea area = area_of(stamp);
    SampleRectangle(grid, area.from, area.to).visit(grid, [&](std::size_t at, BlockPos block) {
      double out = 0;
      if (stamp.roughness > 0)
        out = std::clamp(2.0 * double{outline[at / width * pitch + at % width]}, -1.0, 1.0);
      visit(stamp, at, form.at(block, out));
    });
  }
}

void Stamps::shape(const GridContext& context, TerrainOutput& terrain) const {
  std::optional<Ground> ground;
  const auto concerns = [&](const Stamp& stamp) {
    if (!sets_ground(stamp)) return false;
    if (!ground) ground.emplace(context, terrain, heights_);
    return true;
  };
  for_samples(context, concerns,
              [&](const Stamp& stamp, std::size_t at, const PlaceInStamp& place) {
                shape_sample(*ground, at, stamp, place);
              });
}

void Stamps::paint(const GridContext& context, std::span<std::uint8_t> biome) const {
  for_samples(
      context, [](const Stamp& stamp) { return stamp.biome.has_value(); },
      [&](const Stamp& stamp, std::size_t at, const PlaceInStamp& place) {
        if (is_inside(stamp, place)) biome[at] = *stamp.biome;
      });
}

void Stamps::clear(const GridContext& context, std::span<std::uint8_t> density) const {
  for_samples(
      context, [](const Stamp& stamp) { return stamp.clear; },
      [&](const Stamp& stamp, std::size_t at, const PlaceInStamp& place) {
        if (is_inside(stamp, place)) density[at] = 0;
      });
}

bool Stamps::forbids_building(const GridContext& context) const {
  bool found = false;
  for_samples(
      context, [&](const Stamp& stamp) { return !found && (stamp.clear || stamp.water_q4); },
      [&](const Stamp& stamp, std::size_t, const PlaceInStamp& place) {
        const bool is_pool = stamp.water_q4 && place.distance < stamp.falloff;
        found = found || is_pool || (stamp.clear && is_inside(stamp, place));
      });
  return found;
}

}  // namespace terrane::worldgen
