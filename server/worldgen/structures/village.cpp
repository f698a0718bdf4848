#include "worldgen/structures/village.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "worldgen/noise/hash.h"

namespace terrane::worldgen {

namespace {

constexpr int kSetback = 3;  // blocks between a lane and the walls along it, at least
constexpr int kSquare = 9;   // blocks: the lane is that wide, either way, in the middle
// 1/16 block: water above fords, and over how deep rivers' beds there are any
constexpr std::int32_t kFordDepth = 6, kDeepestForded = 5 * 16;
constexpr int kHalfWay = 1;     // of the ways to doors: they are three blocks wide
constexpr int kHedge = 2;       // blocks between fields, which stay as they were
constexpr int kBendOfLot = 5;   // lanes bend by a fifth of a lot at most, either way
constexpr int kRounding = 2;    // blocks by which two things may be nearer than they should
constexpr int kLotsOfRing = 4;  // both lots at each end of the lane

/// Half a turn of them: what Pythagorean triples allow, 14 to 23 degrees apart.
constexpr std::array<Lane::Direction, 14> kDirections{{{1, 0, 1},
                                                       {12, 5, 13},
                                                       {15, 8, 17},
                                                       {4, 3, 5},
                                                       {3, 4, 5},
                                                       {8, 15, 17},
                                                       {5, 12, 13},
                                                       {0, 1, 1},
                                                       {-5, 12, 13},
                                                       {-8, 15, 17},
                                                       {-3, 4, 5},
                                                       {-4, 3, 5},
                                                       {-15, 8, 17},
                                                       {-12, 5, 13}}};

/// Any of 0 to count - 1.
int below(std::uint64_t key, int count) {
  return static_cast<int>((key >> 32) * static_cast<std::uint64_t>(count) >> 32);
}

/// One of several, by their weights.
std::uint8_t chosen(const std::vector<Choice>& all, std::uint64_t key) {
  std::uint32_t weights = 0;
  for (const Choice& one : all) weights += one.weight;
  auto rest = static_cast<std::uint32_t>(below(key, static_cast<int>(weights)));
  std::size_t at = 0;
  while (rest >= all[at].weight) rest -= all[at++].weight;
  return all[at].id;
}

int rounded(std::int64_t number, std::int64_t divisor) {
  return static_cast<int>(floor_div(2 * number + divisor, 2 * divisor));
}

Lane::Direction opposite(Lane::Direction way) { return {-way.x, -way.y, way.length}; }
Lane::Direction left_of(Lane::Direction way) { return {-way.y, way.x, way.length}; }

/// Half of how far a box reaches across a lane, rounded up.
int half_across(const Lane::Direction& way, int width, int depth) {
  const int reach = width * std::abs(way.y) + depth * std::abs(way.x);
  return (reach + 2 * way.length - 1) / (2 * way.length);
}

int rings_of(int homes) { return (homes + kLotsOfRing - 1) / kLotsOfRing; }

/// Whether a block lies further back than another, seen from a side.
bool is_behind(BlockPos block, BlockPos other, Side side) {
  switch (side) {
    case Side::kMinY: return block.y > other.y;
    case Side::kMaxX: return block.x < other.x;
    case Side::kMaxY: return block.y < other.y;
    case Side::kMinX: break;
  }
  return block.x > other.x;
}

/// A square's diagonal, rounded up, or a little more.
int diagonal_of(int side) { return (side * 17 + 11) / 12; }

}  // namespace

LotSizes lot_sizes(const VillageRule& village, const StructureRule& centre,
                   const std::vector<StructureRule>& kinds) {
  int extent = centre.extent, skirt = centre.skirt;
  for (const Choice& home : village.homes) {
    extent = std::max(extent, kinds[home.id].extent);
    skirt = std::max(skirt, kinds[home.id].skirt);
  }
  LotSizes sizes;
  sizes.skirt = skirt;
  sizes.setback = village.lane_width / 2 + std::max(kSetback, (skirt + 1) / 2 + kRounding / 2);
  sizes.depth = sizes.setback + diagonal_of(extent) + 2;
  sizes.bend = std::min(village.lot / kBendOfLot, kSetback * village.lot / extent);
  sizes.least =
      std::max(diagonal_of(extent) + skirt + kRounding, extent + kSquare + village.lane_width);
  return sizes;
}

int village_reach(const VillageRule& village, const StructureRule& centre,
                  const std::vector<StructureRule>& kinds) {
  const LotSizes sizes = lot_sizes(village, centre, kinds);
  const int aside = sizes.setback + diagonal_of(centre.extent) / 2 + 1;
  const int along = rings_of(village.homes_high) * village.lot + village.lot / 2 + sizes.skirt;
  const int across = sizes.depth + std::max(village.field_depth, sizes.skirt) + sizes.bend;
  // no less than the root of the sum of squares; and what rounding may add
  return aside + std::max(along, across) + std::min(along, across) / 2 + 4;
}

Lane::Lane(BlockPos middle, Direction direction, int lot, int bend, int first_lot, int last_lot,
           std::uint64_t key)
    : middle_(middle),
      direction_(direction),
      lot_(lot),
      bend_(bend),
      from_(first_lot * lot - (first_lot < 0 ? lot / 2 : 0)),
      to_(last_lot * lot + lot / 2),
      key_(key) {}

Lane::Place Lane::place_of(BlockPos block) const {
  const std::int64_t x = block.x - middle_.x, y = block.y - middle_.y;
  const int along = rounded(x * direction_.x + y * direction_.y, direction_.length);
  const int across = rounded(y * direction_.x - x * direction_.y, direction_.length);
  return {along, across - bend(along)};
}

BlockPos Lane::block_at(Place place) const {
  const std::int64_t along = place.along, across = place.across + bend(place.along);
  return {middle_.x + rounded(along * direction_.x - across * direction_.y, direction_.length),
          middle_.y + rounded(along * direction_.y + across * direction_.x, direction_.length)};
}

/// How far the lane is from its straight, by knots a lot apart; none in its middle.
int Lane::bend(int along) const {
  const auto knot = [&](std::int64_t at) {
    return at == 0 ? 0 : below(noise::line_hash(key_, at), 2 * bend_ + 1) - bend_;
  };
  const std::int64_t before = floor_div(along, lot_);
  const std::int64_t rest = along - before * lot_;
  return rounded(knot(before) * (lot_ - rest) + knot(before + 1) * rest, lot_);
}

Village::Village(const StructureRules& rules, const StructureRule& rule, BlockPos corner,
                 std::uint64_t key)
    : rules_(rules), centre_(rule), rule_(*rule.village) {
  sizes_ = lot_sizes(rule_, rule, rules.kinds);
  settle_lots(noise::combine(key, 3));
  // The centre's structure is to stand at the lane's smaller side, so the lane runs beside it.
  const std::uint64_t turn = noise::combine(key, 4);
  Lane::Direction way =
      kDirections[static_cast<std::size_t>(below(turn, static_cast<int>(kDirections.size())))];
  if (turn & 1) way = opposite(way);
  heart_ = {corner.x + rule.extent / 2, corner.y + rule.extent / 2};
  const int aside = sizes_.setback + half_across(way, rule.extent, rule.extent);
  const BlockPos middle = Lane(heart_, way, rule_.lot, 0, 0, 0, 0).block_at({0, aside});
  int rings = 1, crossings = 0;
  for (const Home& home : homes_) {
    const int lot = std::abs(home.along) / rule_.lot;
    (home.lane == 0 ? rings : crossings) = std::max(home.lane == 0 ? rings : crossings, lot);
  }
  lanes_.emplace_back(middle, way, rule_.lot, sizes_.bend, -rings, rings, noise::combine(key, 5));
  if (crossings > 0)
    lanes_.emplace_back(middle, left_of(way), rule_.lot, sizes_.bend, 0, crossings,
                        noise::combine(key, 6));
  const int reach = village_reach(rule_, rule, rules.kinds);
  area_ = {{heart_.x - reach, heart_.y - reach}, {heart_.x + reach, heart_.y + reach}};
}

/// Lots from the middle outwards: four of each ring along the lane and, in every second village,
/// from the second ring on two along a lane that leads away on the side of the square.
void Village::settle_lots(std::uint64_t key) {
  const int wanted = rule_.homes_low + below(key, rule_.homes_high - rule_.homes_low + 1);
  const bool crosses = (key & 1) != 0;
  const auto add = [&](std::size_t lane, int along, int side) {
    if (static_cast<int>(homes_.size()) == wanted) return;
    const std::uint64_t own = noise::combine(key, homes_.size());
    homes_.push_back({chosen(rule_.homes, own), noise::combine(own, 1), lane, along, side});
  };
  for (int ring = 1; static_cast<int>(homes_.size()) < wanted; ++ring) {
    for (const int along : {ring * rule_.lot, -ring * rule_.lot}) {
      for (const int side : {1, -1}) add(0, along, side);
    }
    if (!crosses || ring == 1) continue;
    for (const int side : {1, -1}) add(1, ring * rule_.lot, side);
  }
}

Side Village::towards_lane(const Lane& lane, int side) {
  // across grows along (-y, x)
  const int x = side * lane.direction().y, y = -side * lane.direction().x;
  if (std::abs(x) > std::abs(y)) return x > 0 ? Side::kMaxX : Side::kMinX;
  return y > 0 ? Side::kMaxY : Side::kMinY;
}

BlockPos Village::corner_of(const Home& home, const Layout& layout) const {
  const Lane& lane = lanes_[home.lane];
  const int across = sizes_.setback + half_across(lane.direction(), layout.width, layout.depth);
  const BlockPos middle = lane.block_at({home.along, home.side * across});
  return {middle.x - layout.width / 2, middle.y - layout.depth / 2};
}

BlockArea Village::around(const Home& home) const {
  const StructureRule& kind = rules_.kinds[home.kind];
  const BlockPos at = lanes_[home.lane].block_at({home.along, home.side * sizes_.depth / 2});
  const int reach = sizes_.depth / 2 + kind.extent + kind.skirt;
  return {{at.x - reach, at.y - reach}, {at.x + reach, at.y + reach}};
}

BlockArea Village::around_centre() const {
  // half of it, the lane's distance from its middle, and as far again from a door at the back
  const int reach = centre_.extent / 2 + sizes_.depth + centre_.skirt;
  return {{heart_.x - reach, heart_.y - reach}, {heart_.x + reach, heart_.y + reach}};
}

BlockArea Village::around_way(std::size_t lane, BlockPos anchor) const {
  const BlockPos end = lanes_[lane].block_at({lanes_[lane].place_of(anchor).along, 0});
  constexpr int kAround = kHalfWay + kRounding;
  return {{std::min(anchor.x, end.x) - kAround, std::min(anchor.y, end.y) - kAround},
          {std::max(anchor.x, end.x) + kAround, std::max(anchor.y, end.y) + kAround}};
}

void Village::add_way(std::size_t lane, BlockPos anchor) {
  ways_.push_back({lane, anchor, lanes_[lane].place_of(anchor)});
}

bool Village::is_on(const Way& way, BlockPos block) const {
  const Lane& lane = lanes_[way.lane];
  const Lane::Place place = lane.place_of(block);
  const int side = way.door.across < 0 ? -1 : 1;
  // what lies beside the anchor may be nearer to the lane, and within the wall
  return std::abs(place.along - way.door.along) <= kHalfWay && place.across * side > 0 &&
         place.across * side <= way.door.across * side &&
         !is_behind(block, way.anchor, towards_lane(lane, side));
}

Village::Ground Village::ground_at(BlockPos block) const {
  std::array<Lane::Place, 2> places;
  bool is_yard = false;
  for (std::size_t k = 0; k < lanes_.size(); ++k) {
    const Lane::Place place = places[k] = lanes_[k].place_of(block);
    if (!lanes_[k].has(place)) continue;
    if (std::abs(place.across) <= rule_.lane_width / 2) return {Use::kLane, rule_.lane_biome};
    is_yard = is_yard || std::abs(place.across) <= sizes_.depth;
  }
  const auto [along, across] = places[0];
  if (across > 0 && along * along + across * across <= kSquare * kSquare)
    return {Use::kLane, rule_.lane_biome};
  if (is_yard) return {Use::kYard, 0};
  for (std::size_t k = 0; k < lanes_.size(); ++k) {
    const Ground field = lanes_[k].has(places[k]) ? field_at(lanes_[k], places[k]) : Ground{};
    if (field.use != Use::kNone) return field;
  }
  return {};
}

/// Whether a sample is of the heights and the climate that the village wants, and no steeper than
/// fields may be.
bool Village::is_arable(const TerrainOutput& terrain, std::size_t at) const {
  const bool is_steep =
      !terrain.site.slope_p.empty() && terrain.site.slope_p[at] > rule_.field_slope_p;
  return !is_steep && !is_road(terrain, at) && centre_.height_q4.holds(terrain.height_q4[at]) &&
         centre_.temperature_d.holds(terrain.temperature_d[at]) &&
         centre_.humidity_d.holds(terrain.humidity_d[at]);
}

/// What it makes of a sample: a ford where a lane crosses a river, else something on dry land
/// alone, which is arable where it is a field.
Village::Ground Village::ground_of(const TerrainOutput& terrain, std::size_t at,
                                   BlockPos block) const {
  const std::int32_t depth =
      terrain.water_q4.empty() ? 0 : terrain.water_q4[at] - terrain.height_q4[at];
  if (depth > 0) {
    const bool is_river = !terrain.site.fresh.empty() &&
                          terrain.site.fresh[at] == static_cast<std::uint8_t>(FreshWater::kRiver);
    if (!is_river || depth > kDeepestForded) return {};
  }
  const Ground ground = ground_at(block);
  if (depth > 0) return ground.use == Use::kLane ? Ground{Use::kFord, ground.biome} : Ground{};
  return ground.use != Use::kField || is_arable(terrain, at) ? ground : Ground{};
}

bool Village::uses_a_sample(const noise::SampleGrid& grid, const TerrainOutput& terrain) const {
  bool uses = false;
  SampleRectangle(grid, area_.from, area_.to).visit(grid, [&](std::size_t at, BlockPos block) {
    uses = uses || ground_of(terrain, at, block).use != Use::kNone;
  });
  return uses;
}

void Village::till(const noise::SampleGrid& grid, const TerrainOutput& terrain,
                   std::span<const std::uint8_t> open,
                   std::initializer_list<std::span<std::uint8_t>> densities) const {
  SampleRectangle(grid, area_.from, area_.to).visit(grid, [&](std::size_t at, BlockPos block) {
    if (open[at] == 0) return;
    const Ground ground = ground_of(terrain, at, block);
    if (ground.use == Use::kNone) return;
    if (ground.use != Use::kYard) terrain.biome[at] = ground.biome;
    if (ground.use == Use::kFord)
      terrain.height_q4[at] = std::max(terrain.height_q4[at], terrain.water_q4[at] - kFordDepth);
    for (const std::span<std::uint8_t> density : densities) {
      if (!density.empty()) density[at] = 0;
    }
  });
  for (const Way& way : ways_) {
    const BlockArea area = around_way(way.lane, way.anchor);
    SampleRectangle(grid, area.from, area.to).visit(grid, [&](std::size_t at, BlockPos block) {
      if (open[at] != 0 && is_on(way, block) && ground_of(terrain, at, block).use == Use::kYard)
        terrain.biome[at] = rule_.lane_biome;
    });
  }
}

/// Fields are about as wide as lots, two behind each other, with hedges between; here and there one
/// is not tilled, and no two rows are as long.
Village::Ground Village::field_at(const Lane& lane, Lane::Place place) const {
  const int behind = std::abs(place.across) - sizes_.depth;
  if (behind <= 0 || behind > rule_.field_depth) return {};
  const std::uint64_t side = noise::combine(lane.key(), place.across < 0 ? 1 : 2);
  // A column begins at a hedge, half a lot before its lot's middle or a little beside that.
  const auto begin = [&](std::int64_t column) {
    const int most = rule_.lot / 4;
    const std::uint64_t key = noise::line_hash(side, column);
    return column * rule_.lot - rule_.lot / 2 + below(key, most + 1) - most / 2;
  };
  std::int64_t column = floor_div(place.along + rule_.lot / 2, rule_.lot);
  if (place.along < begin(column)) --column;
  if (place.along >= begin(column + 1)) ++column;
  if (!lane.has({static_cast<int>(column) * rule_.lot, 0})) return {};  // no sliver at its end
  const std::uint64_t own = noise::combine(noise::line_hash(side, column), 1);
  const auto percent = [&](std::uint64_t which, int low, int high) {
    return low + below(noise::combine(own, which), high - low + 1);
  };
  const int hedge = rule_.field_depth * percent(0, 35, 60) / 100;
  const int end = rule_.field_depth * percent(1, 65, 100) / 100;
  const int row = behind < hedge ? 0 : 1;
  const int beyond_hedge =
      std::min(static_cast<int>(place.along - begin(column)), behind - (row == 0 ? 0 : hedge));
  if (behind > end || beyond_hedge < kHedge) return {};
  const std::uint64_t field = noise::combine(own, row == 0 ? 2 : 3);
  const int tilled = row == 0 ? 90 : 70;  // percent
  if (below(field, 100) >= tilled) return {};
  return {Use::kField, chosen(rule_.fields, noise::combine(field, 1))};
}

}  // namespace terrane::worldgen
