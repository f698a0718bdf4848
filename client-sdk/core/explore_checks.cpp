#include "explore_checks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "terrane/explore_limits.h"

namespace terrane::client {
namespace {

constexpr LayerMask kKnownLayers = (layer_bit(Layer::kStructures) << 1) - layer_bit(Layer::kHeight);

tl::unexpected<Error> wrong(const std::string& what) {
  return fail(ErrorCode::kInvalidArgument, what);
}

}  // namespace

Result<void> check(const ExploreOptions& options) {
  const auto& distances = options.view_distances;
  if (options.world.name.empty() && options.world.realm.empty())
    return wrong("world: the name is empty, and so is the realm's");
  if ((options.layers & kKnownLayers) == 0)
    return wrong("layers: the mask " + std::to_string(options.layers) +
                 " names no layer; its bits 1 (height) to 9 (structures) do, and all bits all");
  if (distances.size() > kMaxLod + 1u) {
    return wrong("view_distances: " + std::to_string(distances.size()) +
                 " levels of detail; at most " + std::to_string(kMaxLod + 1));
  }
  for (std::size_t lod = 0; lod < distances.size(); ++lod) {
    if (distances[lod] < 0 || distances[lod] > kMaxViewDistance) {
      return wrong("view_distances: " + std::to_string(distances[lod]) + " chunks at lod " +
                   std::to_string(lod) + "; from 0 to " + std::to_string(kMaxViewDistance));
    }
  }
  if (std::all_of(distances.begin(), distances.end(), [](int distance) { return distance == 0; })) {
    return wrong(
        "view_distances: every one is 0, so that there is nothing to see; at least one must be 1 "
        "or more");
  }
  if (options.max_waiting == 0)
    return wrong("max_waiting: 0 chunks; at least 1 must be allowed to wait for poll()");
  return {};
}

Result<void> check(const Pose& pose, int chunk_size) {
  const std::pair<const char*, double> place[]{{"x", pose.x}, {"y", pose.y}};
  const std::pair<const char*, double> speed[]{{"velocity_x", pose.velocity_x},
                                               {"velocity_y", pose.velocity_y}};
  for (const double value :
       {pose.x, pose.y, pose.velocity_x, pose.velocity_y, pose.direction_x, pose.direction_y}) {
    if (!std::isfinite(value)) return wrong("pose: every value must be a finite number");
  }
  const std::int64_t low = min_block_coord(chunk_size), high = max_block_coord(chunk_size);
  for (const auto& [name, value] : place) {
    if (value >= static_cast<double>(low) && value < static_cast<double>(high) + 1) continue;
    return fail(ErrorCode::kOutOfRange, "pose." + std::string(name) + " = " +
                                            std::to_string(value) +
                                            ": the world's blocks reach from " +
                                            std::to_string(low) + " to " + std::to_string(high));
  }
  for (const auto& [name, value] : speed) {
    if (std::abs(value) <= kMaxVelocity) continue;
    return fail(ErrorCode::kOutOfRange, "pose." + std::string(name) + " = " +
                                            std::to_string(value) + " blocks a second: at most " +
                                            std::to_string(static_cast<int>(kMaxVelocity)) +
                                            " either way");
  }
  return {};
}

explore::ViewDistances to_distances(const std::vector<int>& options) {
  explore::ViewDistances distances{};
  for (std::size_t lod = 0; lod < options.size(); ++lod)
    distances[lod] = static_cast<std::uint8_t>(options[lod]);
  return distances;
}

}  // namespace terrane::client
