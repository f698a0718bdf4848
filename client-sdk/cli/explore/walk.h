#pragma once

#include <cstdint>
#include <string_view>

#include "terrane/coord.h"
#include "terrane/pose.h"

namespace terrane::cli {

enum class Gait : std::uint8_t { kWalk, kRun, kFly };

[[nodiscard]] constexpr std::string_view name_of(Gait gait) {
  switch (gait) {
    case Gait::kWalk: return "walking";
    case Gait::kRun: return "running";
    case Gait::kFly: return "flying";
  }
  return "";
}

/// One of eight ways: each -1, 0 or 1; y grows south.
struct Heading {
  int x = 0;
  int y = -1;

  friend bool operator==(const Heading&, const Heading&) = default;
};

/// Somebody who walks a world by keys. Terminals tell when a key goes down and repeat it while it
/// is held, but never tell when it comes up: so a key walks on for a while, long enough for the
/// first repeat to come, and not much longer than a repeat once they do. Knows time only by
/// advance().
class Walker {
 public:
  /// @param walking_speed  blocks a second; running is 10 and flying 100 times as fast, at most
  ///   kMaxVelocity
  /// @param chunk_size     of the world, at whose edges walks end
  Walker(BlockPos at, double walking_speed, int chunk_size);

  /// A key for a direction. @param hurry  10 times as fast as the gait
  void head(Heading heading, bool hurry);
  /// Walks on without a key, until stop() or the next one.
  void keep_going();
  void stop();
  /// Into a gait, or out of it, back to walking.
  void toggle(Gait gait);
  /// Stands at another place. @return false, and stays, when that is outside of the world
  bool jump(BlockPos to);

  void advance(double seconds);

  [[nodiscard]] Pose pose() const;
  [[nodiscard]] BlockPos block() const;
  [[nodiscard]] Heading heading() const { return heading_; }
  [[nodiscard]] Gait gait() const { return gait_; }
  [[nodiscard]] bool walks() const { return left_s_ > 0; }
  /// Blocks a second, once it walks.
  [[nodiscard]] double speed() const;

 private:
  double x_, y_;
  const double walking_speed_;
  const double first_, last_;  // where a world begins and ends, blocks
  Heading heading_;
  Gait gait_ = Gait::kWalk;
  bool hurry_ = false;
  double left_s_ = 0;       // walks for so long still
  double since_key_s_ = 1;  // since the last key for a direction
};

}  // namespace terrane::cli
