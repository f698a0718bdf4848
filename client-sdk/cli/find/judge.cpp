#include "cli/find/judge.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "worldgen/structure_queries.h"

namespace terrane::cli {
namespace {

/// Samples along a wish's radius: at first, and in the end.
constexpr std::int64_t kFew = 8, kMany = 64;

/// What few samples easily miss.
bool is_thin(Wish::Kind kind) {
  return kind == Wish::Kind::kRiver || kind == Wish::Kind::kLake || kind == Wish::Kind::kWater ||
         kind == Wish::Kind::kStructure;
}

std::int64_t squared_distance(BlockPos a, BlockPos b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

bool is_there(const Wish& wish, BlockPos place, BlockPos block) {
  return squared_distance(place, block) <= wish.within * wish.within &&
         is_towards(wish.direction, place, block);
}

/// The nearer one: by distance, then smallest y, then smallest x.
void take_if_nearer(BlockPos place, BlockPos block, std::optional<BlockPos>& nearest) {
  const auto order = [&](BlockPos b) { return std::tuple(squared_distance(place, b), b.y, b.x); };
  if (!nearest || order(block) < order(*nearest)) nearest = block;
}

worldgen::World without_growth(const worldgen::World& world) {
  worldgen::World land = world;
  land.placements.reset();
  land.layers &=
      ~(layer_bit(Layer::kForest) | layer_bit(Layer::kRocks) | layer_bit(Layer::kPlacements));
  return land;
}

worldgen::World bare(const worldgen::World& world) {
  worldgen::World land = without_growth(world);
  land.structures.reset();
  land.layers &= ~layer_bit(Layer::kStructures);
  return land;
}

}  // namespace

/// What of a wish's ground is as it is wished.
struct Judge::Count {
  std::size_t all = 0, hits = 0;
  std::optional<BlockPos> nearest;
  std::set<std::string_view> biomes;
};

Judge::Judge(const worldgen::World& world, World described, std::vector<Wish> wishes,
             BlockPos place)
    : world_(world),
      land_(bare(world)),
      levelled_(without_growth(world)),
      described_(std::move(described)),
      wishes_(std::move(wishes)),
      place_(place),
      order_(wishes_.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    const auto cost = [&](const Wish& wish) {
      return std::tuple(wish.kind == Wish::Kind::kStructure, wish.kind == Wish::Kind::kHarbour,
                        wish.within);
    };
    return cost(wishes_[a]) < cost(wishes_[b]);
  });
}

/// The smallest with which so many samples reach along a radius; no more than a chunk's worth.
std::int64_t Judge::stride_for(std::int64_t radius, std::int64_t samples) const {
  const std::int64_t most =
      std::min<std::int64_t>(samples, worldgen::kMaxGridChunks * land_.chunk_size / 2 - 8);
  std::int64_t stride = 1;
  while (stride * most < radius) stride *= 2;
  return std::min(stride, std::int64_t{1} << land_.max_lod);
}

bool Judge::matches(const Survey& survey, const Lattice& lattice, std::size_t i,
                    const Wish& wish) const {
  switch (wish.kind) {
    case Wish::Kind::kLand: return survey.wetness(lattice, i) == Wetness::kDry;
    case Wish::Kind::kWater: return survey.wetness(lattice, i) != Wetness::kDry;
    case Wish::Kind::kSea: return survey.wetness(lattice, i) == Wetness::kSea;
    case Wish::Kind::kRiver: return survey.wetness(lattice, i) == Wetness::kRiver;
    case Wish::Kind::kLake: return survey.wetness(lattice, i) == Wetness::kLake;
    case Wish::Kind::kHeight: return lattice.layers.height_q4[i] >= 16 * wish.number;
    case Wish::Kind::kBiome: return wish.ids[lattice.layers.biome[i]];
    default: return true;
  }
}

Judge::Count Judge::count(Survey& survey, const Wish& wish, std::int64_t stride) const {
  const Lattice& lattice = survey.around(place_, wish.within, stride);
  Count count;
  for (std::size_t i = 0; i < lattice.layers.height_q4.size(); ++i) {
    const BlockPos block = lattice.block(i);
    if (!is_there(wish, place_, block)) continue;
    ++count.all;
    if (wish.kind == Wish::Kind::kBiomes)
      count.biomes.insert(described_.biomes[lattice.layers.biome[i]].name);
    if (!matches(survey, lattice, i, wish)) continue;
    ++count.hits;
    take_if_nearer(place_, block, count.nearest);
  }
  return count;
}

/// By few samples, of what they show well: many hold these, too.
Judge::Verdict Judge::glance(Survey& survey, const Wish& wish) const {
  if (is_thin(wish.kind) && !wish.absent && wish.percent == 0) return Verdict::kPerhaps;
  const std::int64_t stride = stride_for(wish.within, kFew);
  const auto if_not = [](bool is_wrong) { return is_wrong ? Verdict::kNo : Verdict::kPerhaps; };
  if (wish.kind == Wish::Kind::kHarbour) {
    if (wish.absent) return Verdict::kPerhaps;
    Wish part = wish;
    part.kind = Wish::Kind::kSea;
    if (count(survey, part, stride).hits == 0) return Verdict::kNo;
    part.kind = Wish::Kind::kLand;
    return if_not(count(survey, part, stride).hits == 0);
  }
  const Count found = count(survey, wish, stride);
  if (wish.absent) return if_not(found.hits > 0);
  if (wish.percent > 0)
    return if_not(found.hits * 200 < found.all * static_cast<std::size_t>(wish.percent));
  if (wish.kind == Wish::Kind::kBiomes) {
    const auto biomes = static_cast<int>(found.biomes.size());
    return biomes >= wish.number ? Verdict::kYes : if_not(2 * biomes < wish.number);
  }
  return found.hits > 0 ? Verdict::kYes : Verdict::kNo;
}

/// By many.
std::optional<Evidence> Judge::fulfils(Survey& survey, const Wish& wish) const {
  if (wish.kind == Wish::Kind::kStructure || wish.kind == Wish::Kind::kHarbour) {
    const auto block = wish.kind == Wish::Kind::kStructure ? nearest_structure(survey.seed(), wish)
                                                           : nearest_harbour(survey, wish);
    if (block.has_value() == wish.absent) return std::nullopt;
    return Evidence{.block = block};
  }
  const Count found = count(survey, wish, stride_for(wish.within, kMany));
  if (found.all == 0) return std::nullopt;
  const Evidence evidence{.block = found.nearest,
                          .percent = static_cast<int>(100 * found.hits / found.all),
                          .biomes = static_cast<int>(found.biomes.size())};
  const bool is_fulfilled = wish.kind == Wish::Kind::kBiomes ? evidence.biomes >= wish.number
                            : wish.absent                    ? found.hits == 0
                            : wish.percent > 0               ? evidence.percent >= wish.percent
                                                             : found.hits > 0;
  return is_fulfilled ? std::optional(evidence) : std::nullopt;
}

std::optional<BlockPos> Judge::nearest_structure(std::uint64_t seed, const Wish& wish) const {
  const std::int64_t reach = wish.within;
  std::optional<BlockPos> nearest;
  for (const Structure& structure : worldgen::structures_within(
           world_, seed, {place_.x - reach, place_.y - reach}, {place_.x + reach, place_.y + reach},
           worldgen::noise::supported_targets().back())) {
    if (wish.ids[structure.kind] && is_there(wish, place_, structure.anchor))
      take_if_nearer(place_, structure.anchor, nearest);
  }
  return nearest;
}

/// Sea at least two blocks deep, with land within 400 blocks in eleven of sixteen directions, and
/// none within 640 in one at least.
std::optional<BlockPos> Judge::nearest_harbour(Survey& survey, const Wish& wish) const {
  constexpr std::int64_t kSheltered = 400, kOpen = kHarbourOpening;  // blocks
  constexpr int kDeep = 2 * 16, kDirections = 16, kLeastSheltered = 11;
  // sixteen ways around, in eighths of a step along one axis
  constexpr int kWays[kDirections][2] = {{8, 0},  {7, 3},  {6, 6},  {3, 7},   {0, 8},   {-3, 7},
                                         {-6, 6}, {-7, 3}, {-8, 0}, {-7, -3}, {-6, -6}, {-3, -7},
                                         {0, -8}, {3, -7}, {6, -6}, {7, -3}};
  const std::int64_t radius = wish.within + kOpen;
  const std::int64_t stride = stride_for(radius, 56);
  const Lattice& lattice = survey.around(place_, radius, stride);
  std::optional<BlockPos> nearest;
  for (std::size_t i = 0; i < lattice.layers.height_q4.size(); ++i) {
    const BlockPos block = lattice.block(i);
    if (!is_there(wish, place_, block) || survey.wetness(lattice, i) != Wetness::kSea) continue;
    if (lattice.layers.height_q4[i] > described_.sea_level_q4 - kDeep) continue;
    int sheltered = 0, open = 0;
    for (const auto& way : kWays) {
      std::int64_t land = kOpen + 1;
      for (std::int64_t far = stride; far <= kOpen && land > kOpen; far += stride) {
        const auto at = lattice.at({block.x + floor_div(way[0] * far / 8, stride) * stride,
                                    block.y + floor_div(way[1] * far / 8, stride) * stride});
        if (at && survey.wetness(lattice, *at) == Wetness::kDry) land = far;
      }
      sheltered += land <= kSheltered ? 1 : 0;
      open += land > kOpen ? 1 : 0;
    }
    if (sheltered >= kLeastSheltered && open > 0) take_if_nearer(place_, block, nearest);
  }
  return nearest;
}

std::optional<std::vector<Evidence>> Judge::judge(std::uint64_t seed) const {
  Survey survey(land_, described_, seed);
  std::vector<Verdict> verdicts(wishes_.size());
  for (const std::size_t i : order_) {
    verdicts[i] = glance(survey, wishes_[i]);
    if (verdicts[i] == Verdict::kNo) return std::nullopt;
  }
  // what is not certain yet, and then what is left to be told of the rest; on the ground that
  // structures have levelled
  Survey levelled(levelled_, described_, seed);
  std::vector<Evidence> all(wishes_.size());
  for (const Verdict verdict : {Verdict::kPerhaps, Verdict::kYes}) {
    for (const std::size_t i : order_) {
      if (verdicts[i] != verdict) continue;
      auto evidence = fulfils(levelled, wishes_[i]);
      if (!evidence) return std::nullopt;
      all[i] = *evidence;
    }
  }
  return all;
}

}  // namespace terrane::cli
