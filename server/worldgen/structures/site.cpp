#include "worldgen/structures/site.h"

#include <algorithm>
#include <limits>

#include "worldgen/ground.h"
#include "worldgen/noise/hash.h"
#include "worldgen/structures/levelling.h"

namespace terrane::worldgen {

namespace {

/// The nodes that matter to a site: under its rooms and its skirt.
struct Outlook {
  BlockPos first;
  int width = 0, height = 0;
  [[nodiscard]] BlockPos last() const {
    return {first.x + (width - 1) * kSiteStep, first.y + (height - 1) * kSiteStep};
  }
};

Outlook outlook_of(const Site& site, const StructureRule& rule) {
  const auto before = [](std::int64_t block) { return floor_div(block, kSiteStep) * kSiteStep; };
  const auto count = [](std::int64_t first, std::int64_t to) {
    return static_cast<int>((to - first + kSiteStep - 1) / kSiteStep) + 1;
  };
  Outlook out;
  out.first = {before(site.corner.x - rule.skirt), before(site.corner.y - rule.skirt)};
  out.width = count(out.first.x, site.corner.x + site.layout.width - 1 + rule.skirt);
  out.height = count(out.first.y, site.corner.y + site.layout.depth - 1 + rule.skirt);
  return out;
}

bool is_within(const Interval& interval, std::int32_t value) {
  return value >= interval.min && value <= interval.max;
}

/// What is known of a site's ground. The more is seen of it, the less it can be suitable.
struct GroundSurvey {
  const StructureRule& rule;
  std::int32_t low = std::numeric_limits<std::int32_t>::max(),
               high = std::numeric_limits<std::int32_t>::min();
  bool is_suitable = true;
  int seen = 0;

  void look_at(const TerrainOutput& layers, std::size_t at) {
    const std::int32_t height = layers.height_q4[at];
    low = std::min(low, height);
    high = std::max(high, height);
    ++seen;
    is_suitable = is_suitable && high - low <= rule.unevenness_q4 &&
                  is_within(rule.height_q4, height) &&
                  is_within(rule.temperature_d, layers.temperature_d[at]) &&
                  is_within(rule.humidity_d, layers.humidity_d[at]) &&
                  (layers.water_q4.empty() || layers.water_q4[at] <= height);
  }

  /// Half-way between its extremes, in whole blocks.
  [[nodiscard]] std::int32_t floor_q4() const {
    return static_cast<std::int32_t>(floor_div(low + high + 16, 32)) * 16;
  }
};

/// The layers of a small grid before anything stands there, in the grid's scratch.
TerrainOutput ground_of(const World& world, const GridContext& context) {
  Scratch& scratch = *context.scratch;
  const std::size_t count = context.samples();
  const bool has_water = (world.layers & layer_bit(Layer::kWater)) != 0;
  TerrainOutput out =
      terrain_output(scratch.take_span<std::int32_t>(count), scratch.take_span<std::int16_t>(count),
                     scratch.take_span<std::int16_t>(count),
                     scratch.take_span<std::int32_t>(has_water ? count : 0),
                     scratch.take_span<std::uint8_t>(count));
  fill_ground(world, context, out);
  return out;
}

/// Whether a stamp keeps structures off any block of an outlook.
bool is_forbidden(const World& world, const GridContext& context, const Outlook& outlook) {
  const Scratch::Scope scope(*context.scratch);
  const BlockPos last = outlook.last();
  return world.stamps.forbids_building(
      context.over({outlook.first, 1, static_cast<int>(last.x - outlook.first.x + 1),
                    static_cast<int>(last.y - outlook.first.y + 1)}));
}

/// Settles a site by the land, but for what is known already from `layers` of a grid that may hold
/// some of its nodes.
bool settle(const World& world, const GridContext& context, const TerrainOutput& layers,
            Site& site) {
  const StructureRule& rule = world.structures->kinds[site.kind];
  const Outlook outlook = outlook_of(site, rule);
  if (is_forbidden(world, context, outlook)) return false;
  GroundSurvey ground{rule};
  SampleRectangle(context.grid, outlook.first, outlook.last())
      .visit(context.grid, [&](std::size_t at, BlockPos block) {
        if (block.x % kSiteStep == 0 && block.y % kSiteStep == 0) ground.look_at(layers, at);
      });
  if (ground.is_suitable && ground.seen < outlook.width * outlook.height) {
    const Scratch::Scope scope(*context.scratch);
    const GridContext nodes =
        context.over({outlook.first, kSiteStep, noise::row_pitch(outlook.width), outlook.height});
    const TerrainOutput land = ground_of(world, nodes);
    SampleRectangle(nodes.grid, outlook.first, outlook.last())
        .visit(nodes.grid, [&](std::size_t at, BlockPos) { ground.look_at(land, at); });
  }
  site.floor_q4 = ground.floor_q4();
  return ground.is_suitable;
}

/// A region's site before anything is laid out: it lies within `extent` blocks of the corner, and
/// `key` decides how.
struct Plot {
  std::uint8_t kind = 0;
  BlockPos corner;
  std::uint64_t key = 0;
};

std::optional<Plot> plot_in(const StructureRules& rules, std::uint64_t stream, RegionCoord region) {
  const std::uint64_t key = noise::line_hash(noise::line_hash(stream, region.x), region.y);
  auto rest = static_cast<std::uint32_t>((key >> 32) * 10000 >> 32);
  for (std::size_t kind = 0; kind < rules.kinds.size(); ++kind) {
    const StructureRule& rule = rules.kinds[kind];
    if (rest >= rule.share) {
      rest -= rule.share;
      continue;
    }
    const std::int64_t margin = rule.skirt + kSiteStep;
    const auto room = static_cast<std::uint64_t>(rules.region - rule.extent - 2 * margin) + 1;
    const std::uint64_t place = noise::combine(key, 1);
    const auto along = [&](std::uint64_t bits) {
      return margin + static_cast<std::int64_t>((bits & 0xffffffff) * room >> 32);
    };
    return Plot{
        static_cast<std::uint8_t>(kind),
        {region.x * rules.region + along(place), region.y * rules.region + along(place >> 32)},
        noise::combine(key, 2)};
  }
  return std::nullopt;
}

std::optional<Site> laid_out(const World& world, const Plot& plot) {
  Site site{
      plot.kind, plot.corner,
      lay_out(world.structure_kinds[plot.kind], world.structures->kinds[plot.kind], plot.key)};
  if (site.layout.rooms.empty()) return std::nullopt;
  return site;
}

std::uint64_t stream_of(std::uint64_t seed) { return noise::stream_key(seed, "structures"); }

}  // namespace

BlockPos anchor_of(const Site& site) {
  return {site.corner.x + site.layout.anchor.x, site.corner.y + site.layout.anchor.y};
}

Structure to_structure(const Site& site) {
  Structure structure{anchor_of(site), site.kind,
                      static_cast<std::uint16_t>(site.layout.rooms.size()), site.corner,
                      site.corner};
  const LaidRoom& first = site.layout.rooms.front();
  int left = first.x, top = first.y, right = first.x, bottom = first.y;
  for (const LaidRoom& room : site.layout.rooms) {
    left = std::min(left, room.x);
    top = std::min(top, room.y);
    right = std::max(right, room.x + room.width - 1);
    bottom = std::max(bottom, room.y + room.depth - 1);
  }
  structure.from = {site.corner.x + left, site.corner.y + top};
  structure.to = {site.corner.x + right, site.corner.y + bottom};
  return structure;
}

Room to_room(const World& world, const Site& site, std::size_t index) {
  const LaidRoom& room = site.layout.rooms[index];
  return {{site.corner.x + room.x, site.corner.y + room.y},
          site.floor_q4 + room.level * world.structure_kinds[site.kind].storey_q4,
          anchor_of(site),
          static_cast<std::uint16_t>(index),
          site.kind,
          room.piece,
          room.turn,
          room.open_doors};
}

std::optional<Site> site_in(const World& world, std::uint64_t seed, RegionCoord region) {
  const auto plot = plot_in(*world.structures, stream_of(seed), region);
  return plot ? laid_out(world, *plot) : std::nullopt;
}

bool settle(const World& world, std::uint64_t seed, noise::SimdTarget target, Site& site) {
  Scratch scratch;
  return settle(world, {{site.corner, 1, 0, 0}, seed, target, &scratch}, {}, site);
}

std::vector<Site> sites_around(const World& world, const GridContext& context,
                               const TerrainOutput& terrain, const BlockArea& wanted) {
  const noise::SampleGrid& grid = context.grid;
  const StructureRules& rules = *world.structures;
  const std::uint64_t stream = stream_of(context.seed);
  // A structure lies within its region; so those with their anchors in an area that begins where
  // the grid does lie in regions from the grid's first on.
  BlockPos last{grid.origin.x + (grid.width - 1) * grid.stride,
                grid.origin.y + (grid.height - 1) * grid.stride};
  if (!wanted.is_empty()) last = {std::max(last.x, wanted.to.x), std::max(last.y, wanted.to.y)};
  const auto region_at = [&](std::int64_t block) { return floor_div(block, rules.region); };
  std::vector<Site> sites;
  for (std::int64_t y = region_at(grid.origin.y); y <= region_at(last.y); ++y) {
    for (std::int64_t x = region_at(grid.origin.x); x <= region_at(last.x); ++x) {
      const auto plot = plot_in(rules, stream, {x, y});
      if (!plot) continue;
      context.stop_if_abandoned();
      const StructureRule& rule = rules.kinds[plot->kind];
      // What it can cover or change at most.
      const BlockPos least{plot->corner.x - rule.skirt, plot->corner.y - rule.skirt};
      const BlockPos most{plot->corner.x + rule.extent - 1 + rule.skirt,
                          plot->corner.y + rule.extent - 1 + rule.skirt};
      const bool may_hold_anchor = !wanted.is_empty() && least.x <= wanted.to.x &&
                                   least.y <= wanted.to.y && most.x >= wanted.from.x &&
                                   most.y >= wanted.from.y;
      if (!may_hold_anchor && SampleRectangle(grid, least, most).is_empty()) continue;
      auto site = laid_out(world, *plot);
      if (!site) continue;
      if (!wanted.holds(anchor_of(*site)) && !Footing(*site, rule).changes_a_sample(grid)) continue;
      if (settle(world, context, terrain, *site)) sites.push_back(std::move(*site));
    }
  }
  return sites;
}

}  // namespace terrane::worldgen
