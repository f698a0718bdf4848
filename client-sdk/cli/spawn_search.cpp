#include "spawn_search.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace terrane::cli {
namespace {

constexpr std::size_t kCandidatesPerRequest = 512;
constexpr std::size_t kPointsPerCandidate = 9;  // itself and 8 neighbours

/// All candidates, nearest first; ties by y, then x.
std::vector<BlockPos> candidates(const SpawnSearch& search) {
  const std::int64_t steps = search.radius / search.spacing;
  std::vector<BlockPos> offsets;
  for (std::int64_t y = -steps; y <= steps; ++y) {
    for (std::int64_t x = -steps; x <= steps; ++x) offsets.push_back({x, y});
  }
  std::stable_sort(offsets.begin(), offsets.end(),
                   [](BlockPos a, BlockPos b) { return a.x * a.x + a.y * a.y < b.x * b.x + b.y * b.y; });
  for (BlockPos& offset : offsets) {
    offset = {search.near.x + offset.x * search.spacing, search.near.y + offset.y * search.spacing};
  }
  const auto outside = [&](std::int64_t block) {
    return block - search.foot < search.first_block || block + search.foot > search.last_block;
  };
  std::erase_if(offsets, [&](BlockPos block) { return outside(block.x) || outside(block.y); });
  return offsets;
}

void append_place(std::vector<BlockPos>& points, BlockPos block, std::int64_t foot) {
  points.push_back(block);
  for (const std::int64_t y : {-foot, std::int64_t{0}, foot}) {
    for (const std::int64_t x : {-foot, std::int64_t{0}, foot}) {
      if (x != 0 || y != 0) points.push_back({block.x + x, block.y + y});
    }
  }
}

bool dry_and_level(const SpawnSearch& search, std::span<const PointSample> place) {
  return std::all_of(place.begin(), place.end(), [&](const PointSample& point) {
    return point.height_q4 > search.sea_level_q4 && std::abs(point.height_q4 - place.front().height_q4) <= search.max_step_q4;
  });
}

}  // namespace

Result<std::optional<SpawnPlace>> find_spawn(const SpawnSearch& search, const Sampler& sample) {
  for (const std::int64_t value : {search.near.x, search.near.y}) {
    if (value >= search.first_block && value <= search.last_block) continue;
    return fail(ErrorCode::kOutOfRange, "block " + std::to_string(value) + " is outside of the world, which reaches from " +
                                            std::to_string(search.first_block) + " to " + std::to_string(search.last_block));
  }
  const auto all = candidates(search);
  for (std::size_t first = 0; first < all.size(); first += kCandidatesPerRequest) {
    const auto some = std::span(all).subspan(first, std::min(kCandidatesPerRequest, all.size() - first));
    std::vector<BlockPos> points;
    for (const BlockPos block : some) append_place(points, block, search.foot);
    const auto samples = sample(points);
    if (!samples) return tl::unexpected(samples.error());
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto place = std::span(*samples).subspan(i * kPointsPerCandidate, kPointsPerCandidate);
      if (dry_and_level(search, place)) return SpawnPlace{some[i], place.front()};
    }
  }
  return std::nullopt;
}

}  // namespace terrane::cli
