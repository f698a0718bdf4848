#pragma once

#include <cstdint>

#include "worldgen/terrains/continents/hydrology.h"

/// Roads along the banks of rivers, and fords across: row by row, compiled once, as few samples are
/// near any.
namespace terrane::worldgen::continents {

/// What the samples of a row are given of roads: null where none is near.
struct RoadRow {
  const float *from_edge = nullptr, *from_ford = nullptr;  // as in Channels
  const float* wander = nullptr;                           // -1 … 1
};

/// What the samples of a row are given of the channels: see Channels.
struct ChannelRow {
  const float *outside, *half, *from_edge, *surface, *freeboard;
  RoadRow road = {};
};

/// The ground rises from the water's edge by so much per block, for the first block: so a shore
/// lies between samples, where a client's ground goes through its water.
inline constexpr float kBankRise = 0.4f;
/// Blocks: water lower than this is the sea's.
inline constexpr float kSeaLevel = 0.02f;

/// The square of how far from a ford what has none is, blocks squared.
inline constexpr float kNoFord = 4096.0f;
/// How far around its middle a ford is felt, blocks: to the roads on both sides of the river.
inline constexpr float kFordReach = 128.0f;

/// Where places look for water (Places), in blocks from a grid's first sample.
struct PlaceRow {
  const float *x, *y, *bend_x, *bend_y;
};

/// Adds the ford of a river that has one to places [begin, end): Channels::from_ford. Any thread.
void add_ford(const Watercourse& course, const PlaceRow& places, int begin, int end,
              float* from_ford);

/// Makes `from_edge` the distance to the edges of rivers without roads and with; says whether any
/// of the latter is near. Any thread.
[[nodiscard]] bool merge_edges(const float* from_road_edge, int n, float* from_edge);

/// Makes the ground between a river and its road rise gently from the water, and what lies beyond
/// the road go over into it. The row has a road; `ground` in blocks. Any thread.
void level_roads(const ChannelRow& row, int n, float* ground);

/// Marks what is on roads and dry as FreshWater::kRoad, and raises the beds of the rivers that are
/// crossed: by a road along another river, or by a ford from one bank to the other. They get deeper
/// on both sides of that. The row has a road. Any thread.
void lay_roads(const ChannelRow& row, int n, std::int32_t* height_q4, const std::int32_t* water_q4,
               std::uint8_t* fresh);

}  // namespace terrane::worldgen::continents
