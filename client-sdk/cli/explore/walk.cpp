#include "cli/explore/walk.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "terrane/explore_limits.h"

namespace terrane::cli {
namespace {

// keyboards begin to repeat a held key after 0.2 to 0.66 s …
constexpr double kFirstRepeat_s = 0.7;
constexpr double kRepeatGap_s = 0.15;    // … and then do so 10 to 40 times a second
constexpr double kAfterRepeat_s = 0.25;  // a lost repeat does not stop the walk
constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kFaster = 10;  // of each gait than the one before, and of a hurry

}  // namespace

Walker::Walker(BlockPos at, double walking_speed, int chunk_size)
    : x_(static_cast<double>(at.x)),
      y_(static_cast<double>(at.y)),
      walking_speed_(walking_speed),
      first_(static_cast<double>(min_block_coord(chunk_size))),
      last_(static_cast<double>(max_block_coord(chunk_size))) {}

void Walker::head(Heading heading, bool hurry) {
  const bool repeated = heading == heading_ && walks() && since_key_s_ < kRepeatGap_s;
  heading_ = heading;
  hurry_ = hurry;
  left_s_ = repeated ? kAfterRepeat_s : kFirstRepeat_s;
  since_key_s_ = 0;
}

void Walker::keep_going() { left_s_ = kForever; }

void Walker::stop() {
  left_s_ = 0;
  hurry_ = false;
}

void Walker::toggle(Gait gait) { gait_ = gait_ == gait ? Gait::kWalk : gait; }

bool Walker::jump(BlockPos to) {
  const auto x = static_cast<double>(to.x), y = static_cast<double>(to.y);
  if (x < first_ || x > last_ || y < first_ || y > last_) return false;
  x_ = x;
  y_ = y;
  stop();
  return true;
}

void Walker::advance(double seconds) {
  since_key_s_ += seconds;
  if (!walks()) return;
  const Pose now = pose();
  const double walked_s = std::min(seconds, left_s_);
  x_ = std::clamp(x_ + now.velocity_x * walked_s, first_, last_);
  y_ = std::clamp(y_ + now.velocity_y * walked_s, first_, last_);
  left_s_ -= walked_s;
  if (!walks()) stop();
}

double Walker::speed() const {
  const double gait = gait_ == Gait::kWalk ? 1 : gait_ == Gait::kRun ? kFaster : kFaster * kFaster;
  return std::min(walking_speed_ * gait * (hurry_ ? kFaster : 1), kMaxVelocity);
}

Pose Walker::pose() const {
  const double length = std::hypot(heading_.x, heading_.y);
  const double east = heading_.x / length, south = heading_.y / length;
  const double speed_now = walks() ? speed() : 0;
  return {x_, y_, east * speed_now, south * speed_now, east, south};
}

BlockPos Walker::block() const {
  return {static_cast<std::int64_t>(std::floor(x_)), static_cast<std::int64_t>(std::floor(y_))};
}

}  // namespace terrane::cli
