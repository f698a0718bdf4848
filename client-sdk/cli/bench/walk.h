#pragma once

#include <cstdint>
#include <random>

#include "terrane/coord.h"
#include "terrane/pose.h"

/// Where the players of a bench go. Plain values; time is the caller's.
namespace terrane::cli {

/// Someone who stands still.
[[nodiscard]] Pose standing(BlockPos place);

/// Someone who has flown east for so long.
[[nodiscard]] Pose flying_east(BlockPos from, double blocks_per_s, double seconds);

/// One who wanders about a square: along an axis, and now and then, or at the square's edge, to the
/// left or to the right. So all who are equally fast see equally much new land, and how much each
/// is sent can be compared.
class Wanderer {
 public:
  /// Starts somewhere in the square. Equal seeds, equal ways.
  /// @param spread        blocks from the middle of the square to its edges, at least 1
  /// @param blocks_per_s  at least 0
  Wanderer(BlockPos middle, std::int64_t spread, double blocks_per_s, std::uint64_t seed);

  /// Where it is after so long from the start. Never less than in an earlier call.
  [[nodiscard]] Pose after(double seconds);

 private:
  void turn();
  [[nodiscard]] double room(int heading) const;

  double middle_x_, middle_y_, spread_, speed_;
  double x_, y_;         // blocks
  int heading_ = 0;      // quarter turns
  double leg_ = 0;       // blocks until it turns
  double walked_s_ = 0;  // seconds
  std::mt19937_64 random_;
};

}  // namespace terrane::cli
