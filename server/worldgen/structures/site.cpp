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
    is_suitable = is_suitable && high - low <= rule.unevenness_q4 && rule.height_q4.holds(height) &&
                  rule.temperature_d.holds(layers.temperature_d[at]) &&
                  rule.humidity_d.holds(layers.humidity_d[at]) &&
                  (layers.water_q4.empty() || layers.water_q4[at] <= height) &&
                  !is_road(layers, at);
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

/// Whether a site's surroundings are as its kind wants them: asked of few, so of the land itself.
bool has_its_surroundings(const World& world, const GridContext& context, const Site& site) {
  const StructureRule& rule = world.structures->kinds[site.kind];
  const SurroundingsRule& wanted = rule.surroundings;
  if (wanted.distance == 0) return true;
  const auto first = [&](std::int64_t middle) {
    return floor_div(middle - wanted.distance, kSiteStep) * kSiteStep;
  };
  const int step = 2 * wanted.distance / (kSurroundingsNodes - 1);
  const Scratch::Scope scope(*context.scratch);
  const GridContext nodes = context.over(
      {{first(site.corner.x + site.layout.width / 2), first(site.corner.y + site.layout.depth / 2)},
       step,
       noise::row_pitch(kSurroundingsNodes),
       kSurroundingsNodes});
  const TerrainOutput land = ground_of(world, nodes);
  std::int32_t low = std::numeric_limits<std::int32_t>::max(),
               high = std::numeric_limits<std::int32_t>::min();
  std::int64_t sum = 0;
  bool has_water = false;
  for (int row = 0; row < kSurroundingsNodes; ++row) {
    for (int column = 0; column < kSurroundingsNodes; ++column) {
      const auto at = static_cast<std::size_t>(row * nodes.grid.width + column);
      const std::int32_t height = land.height_q4[at];
      low = std::min(low, height);
      high = std::max(high, height);
      sum += height;
      has_water = has_water || (!land.water_q4.empty() && land.water_q4[at] > height);
    }
  }
  const auto mean =
      static_cast<std::int32_t>(floor_div(sum, kSurroundingsNodes * kSurroundingsNodes));
  return (has_water || !wanted.water) && wanted.relief_q4.holds(high - low) &&
         wanted.summit_q4.holds(site.floor_q4 - mean);
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
  return ground.is_suitable && has_its_surroundings(world, context, site);
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
    const std::int64_t margin = margin_of(rule, rules.kinds);
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

/// @param front  see lay_out
std::optional<Site> laid_out(const World& world, const Plot& plot,
                             std::optional<Side> front = std::nullopt) {
  Site site{plot.kind, plot.corner,
            lay_out(world.structure_kinds[plot.kind], world.structures->kinds[plot.kind], plot.key,
                    front)};
  if (site.layout.rooms.empty()) return std::nullopt;
  return site;
}

/// The blocks that a structure can cover or change at most.
BlockArea around(const Plot& plot, const StructureRule& rule) {
  return {
      {plot.corner.x - rule.skirt, plot.corner.y - rule.skirt},
      {plot.corner.x + rule.extent - 1 + rule.skirt, plot.corner.y + rule.extent - 1 + rule.skirt}};
}

bool overlap(const BlockArea& a, const BlockArea& b) {
  return !a.is_empty() && !b.is_empty() && a.from.x <= b.to.x && b.from.x <= a.to.x &&
         a.from.y <= b.to.y && b.from.y <= a.to.y;
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

namespace {

/// Finds what stands in one region, if its ground is suitable and somebody is concerned.
class RegionSurvey {
 public:
  /// @param terrain  of the context's grid; empty if the grid is
  RegionSurvey(const World& world, const GridContext& context, const TerrainOutput& terrain,
               RegionCoord region)
      : world_(world),
        context_(context),
        terrain_(terrain),
        plot_(plot_in(*world.structures, stream_of(context.seed), region)) {
    if (plot_ && rule().village)
      village_.emplace(*world.structures, rule(), plot_->corner, plot_->key);
  }

  /// Sites with their anchors in an area, and those whose ground holds a sample of the grid.
  void find_sites(const BlockArea& anchors, std::vector<Site>& sites) {
    if (!plot_) return;
    if (concerns(village_ ? village_->around_centre() : around(*plot_, rule()), anchors)) {
      const std::optional<Site>& site = centre();
      if (site && concerns(*site, 0, anchors) && exists()) add(*site, 0, sites);
    }
    if (!village_) return;
    for (const Village::Home& home : village_->homes()) {
      if (exists_ && !*exists_) return;
      if (!concerns(village_->around(home), anchors)) continue;
      context_.stop_if_abandoned();
      auto site = laid_out(world_, {home.kind, {}, home.key}, village_->front_of(home));
      if (!site) continue;
      site->corner = village_->corner_of(home, site->layout);
      if (!concerns(*site, home.lane, anchors) || !exists()) continue;
      if (settle(world_, context_, terrain_, *site)) add(*site, home.lane, sites);
    }
  }

  /// The village, if it makes something of a sample of the grid, with the ways to the doors of
  /// those sites.
  void find_village(std::vector<Village>& villages) {
    if (village_ && village_->uses_a_sample(context_.grid, terrain_) && exists())
      villages.push_back(*village_);
  }

 private:
  [[nodiscard]] const StructureRule& rule() const { return world_.structures->kinds[plot_->kind]; }

  [[nodiscard]] bool concerns(const BlockArea& area, const BlockArea& anchors) const {
    return overlap(area, anchors) || !SampleRectangle(context_.grid, area.from, area.to).is_empty();
  }
  /// @param lane  of the village, if there is one
  [[nodiscard]] bool concerns(const Site& site, std::size_t lane, const BlockArea& anchors) const {
    const BlockPos anchor = anchor_of(site);
    return anchors.holds(anchor) ||
           Footing(site, world_.structures->kinds[site.kind]).changes_a_sample(context_.grid) ||
           (village_ && concerns(village_->around_way(lane, anchor), BlockArea::none()));
  }

  void add(const Site& site, std::size_t lane, std::vector<Site>& sites) {
    sites.push_back(site);
    if (village_) village_->add_way(lane, anchor_of(site));
  }

  /// The structure that the plot is for, in the middle of its village if it has one; laid out once.
  [[nodiscard]] std::optional<Site>& centre() {
    if (!is_laid_out_) {
      centre_ = laid_out(world_, *plot_,
                         village_ ? std::optional(village_->front()) : std::optional<Side>());
    }
    is_laid_out_ = true;
    return centre_;
  }

  /// Whether that structure's ground is suitable; asked once.
  [[nodiscard]] bool exists() {
    if (!exists_) {
      context_.stop_if_abandoned();
      std::optional<Site>& site = centre();
      exists_ = site && settle(world_, context_, terrain_, *site);
    }
    return *exists_;
  }

  const World& world_;
  const GridContext& context_;
  const TerrainOutput& terrain_;
  std::optional<Plot> plot_;
  std::optional<Village> village_;
  std::optional<Site> centre_;
  bool is_laid_out_ = false;
  std::optional<bool> exists_;
};

}  // namespace

std::vector<RegionCoord> regions_of(const StructureRules& rules, const BlockArea& area) {
  const auto region_at = [&](std::int64_t block) { return floor_div(block, rules.region); };
  std::vector<RegionCoord> regions;
  for (std::int64_t y = region_at(area.from.y); y <= region_at(area.to.y); ++y)
    for (std::int64_t x = region_at(area.from.x); x <= region_at(area.to.x); ++x)
      regions.push_back({x, y});
  return regions;
}

std::vector<Site> sites_in(const World& world, const GridContext& context, RegionCoord region,
                           const BlockArea& anchors) {
  const TerrainOutput nothing;
  std::vector<Site> sites;
  RegionSurvey(world, context, nothing, region).find_sites(anchors, sites);
  return sites;
}

Built built_around(const World& world, const GridContext& context, const TerrainOutput& terrain,
                   const BlockArea& wanted) {
  const noise::SampleGrid& grid = context.grid;
  // What belongs to a region lies within it; so all that has its anchor in an area that begins
  // where the grid does belongs to regions from the grid's first on.
  BlockArea area{grid.origin,
                 {grid.origin.x + (grid.width - 1) * grid.stride,
                  grid.origin.y + (grid.height - 1) * grid.stride}};
  if (!wanted.is_empty())
    area.to = {std::max(area.to.x, wanted.to.x), std::max(area.to.y, wanted.to.y)};
  Built built;
  for (const RegionCoord region : regions_of(*world.structures, area)) {
    RegionSurvey survey(world, context, terrain, region);
    survey.find_sites(wanted, built.sites);
    survey.find_village(built.villages);
  }
  return built;
}

}  // namespace terrane::worldgen
