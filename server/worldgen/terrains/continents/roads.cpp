#include "worldgen/terrains/continents/roads.h"

#include <algorithm>
#include <cmath>

#include "terrane/chunk.h"
#include "worldgen/biome_table.h"
#include "worldgen/rounding.h"
#include "worldgen/terrains/continents/uplift.h"

namespace terrane::worldgen::continents {

namespace {

/// Blocks: from the water's edge to a road's middle, by how much that changes, half a road's width,
/// and the ground beyond that goes over into it.
constexpr float kRoadFromEdge = 18.0f, kRoadWander = 24.0f, kHalfRoad = 2.0f, kRoadside = 16.0f;
/// How much the ground between water and road rises per block at most.
constexpr float kFloodplainRise = 0.06f;
static_assert(kChannelReach >= kRoadFromEdge + kRoadWander + kHalfRoad + kRoadside);
/// 1/16 block: how deep a river is at a ford, and how much deeper per block away from it.
constexpr std::int32_t kFordDepth = 6;
constexpr float kFordFall = 4.0f;
/// Blocks: how far a way across leads from its middle at most.
constexpr float kFordLength = 110.0f;
static_assert(kFordReach * kFordReach >= kFordLength * kFordLength + kNoFord);

/// How far beyond the middle of a road a sample is, as seen from the river, in blocks; far where it
/// lies at the sea, to which roads lead.
float beyond_road(const ChannelRow& row, int i) {
  const float wander = std::min(row.road.wander[i], 1.0f);
  const float middle = std::max(kRoadFromEdge + kRoadWander * wander, kHalfRoad + 1.0f);
  return row.surface[i] > kSeaLevel ? row.road.from_edge[i] - middle : kChannelReach;
}

/// Whether a way along the bank or across the river is there, and how deep what it crosses may be.
struct Crossing {
  bool is_on = false;
  std::int32_t depth_q4 = 0;
};

Crossing crossing_at(const ChannelRow& row, int i, float beyond) {
  const float from_road = std::max(std::abs(beyond) - kHalfRoad, 0.0f);
  const float from_ford = std::sqrt(std::max(row.road.from_ford[i], 0.0f));
  const float from_way = beyond > kHalfRoad ? kChannelReach : std::max(from_ford - kHalfRoad, 0.0f);
  // along its own banks a road crosses nothing
  const float off = row.road.from_edge[i] > 0 ? std::min(from_road, from_way) : from_way;
  return {off <= 0, kFordDepth + round_to_int(kFordFall * off)};
}

}  // namespace

void add_ford(const Watercourse& course, const PlaceRow& places, int begin, int end,
              float* from_ford) {
  const float middle_x = course.ford * course.dx + course.ford_aside * course.normal_x;
  const float middle_y = course.ford * course.dy + course.ford_aside * course.normal_y;
  for (int k = begin; k < end; ++k) {
    const float x = (places.x[k] - course.x) + places.bend_x[k] - middle_x;
    const float y = (places.y[k] - course.y) + places.bend_y[k] - middle_y;
    const float along = x * course.normal_y - y * course.normal_x;
    const float outside2 = std::max(x * x + y * y - kFordLength * kFordLength, 0.0f);
    from_ford[k] = std::min(along * along + outside2, from_ford[k]);
  }
}

bool merge_edges(const float* from_road_edge, int n, float* from_edge) {
  bool has_road_near = false;
  for (int k = 0; k < n; ++k) {
    has_road_near = has_road_near || from_road_edge[k] < kChannelReach;
    from_edge[k] = std::min(from_edge[k], from_road_edge[k]);
  }
  return has_road_near;
}

void level_roads(const ChannelRow& row, int n, float* ground) {
  for (int i = 0; i < n; ++i) {
    if (row.outside[i] < 0) continue;
    const float beyond = (beyond_road(row, i) - kHalfRoad) * (1.0f / kRoadside);
    if (beyond >= 1) continue;
    const float from_edge = std::max(row.road.from_edge[i], 0.0f);
    const float lowest = row.surface[i] + row.freeboard[i] + kBankRise * std::min(from_edge, 1.0f);
    const float level = std::min(std::max(ground[i], lowest), lowest + kFloodplainRise * from_edge);
    const float share = smooth_step(1.0f - beyond) * std::min(row.surface[i] - kSeaLevel, 1.0f);
    ground[i] += share * (level - ground[i]);
  }
}

void lay_roads(const ChannelRow& row, int n, std::int32_t* height_q4, const std::int32_t* water_q4,
               std::uint8_t* fresh) {
  for (int i = 0; i < n; ++i) {
    const float beyond = beyond_road(row, i);
    if (beyond > kRoadside) continue;
    const Crossing crossing = crossing_at(row, i, beyond);
    if (water_q4[i] == kNoWater) {
      if (crossing.is_on) fresh[i] = static_cast<std::uint8_t>(FreshWater::kRoad);
    } else if (fresh[i] == static_cast<std::uint8_t>(FreshWater::kRiver)) {
      height_q4[i] = std::max(height_q4[i], water_q4[i] - crossing.depth_q4);
    }
  }
}

}  // namespace terrane::worldgen::continents
