#include "cli/bench/walk.h"

#include <algorithm>
#include <array>

namespace terrane::cli {
namespace {

// Long enough that who turns does not see again what has just gone out of view, short enough that
// everyone turns.
constexpr double kShortestLeg = 512, kLongestLeg = 2048;  // blocks
// blocks; whoever has less turns the other way
constexpr double kMinRoom = 1;

constexpr std::array<std::array<int, 2>, 4> kHeadings{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};

const std::array<int, 2>& toward(int heading) {
  return kHeadings[static_cast<std::size_t>(heading)];
}

}  // namespace

Pose standing(BlockPos place) {
  return {.x = static_cast<double>(place.x), .y = static_cast<double>(place.y)};
}

Pose flying_east(BlockPos from, double blocks_per_s, double seconds) {
  Pose pose = standing(from);
  pose.x += blocks_per_s * seconds;
  pose.velocity_x = blocks_per_s;
  pose.direction_x = 1;
  return pose;
}

Wanderer::Wanderer(BlockPos middle, std::int64_t spread, double blocks_per_s, std::uint64_t seed)
    : middle_x_(static_cast<double>(middle.x)),
      middle_y_(static_cast<double>(middle.y)),
      spread_(static_cast<double>(spread)),
      speed_(blocks_per_s),
      random_(seed) {
  std::uniform_real_distribution<double> somewhere(-spread_, spread_);
  x_ = middle_x_ + somewhere(random_);
  y_ = middle_y_ + somewhere(random_);
  heading_ = static_cast<int>(random_() % kHeadings.size());
  turn();
}

double Wanderer::room(int heading) const {
  const auto& [dx, dy] = toward(heading);
  return spread_ - dx * (x_ - middle_x_) - dy * (y_ - middle_y_);
}

void Wanderer::turn() {
  const int left = (heading_ + 1) % 4, right = (heading_ + 3) % 4;
  heading_ = random_() % 2 == 0 ? left : right;
  if (room(heading_) < kMinRoom) heading_ = heading_ == left ? right : left;
  leg_ = std::min(room(heading_),
                  std::uniform_real_distribution<double>(kShortestLeg, kLongestLeg)(random_));
}

Pose Wanderer::after(double seconds) {
  double way = speed_ * (seconds - walked_s_);
  walked_s_ = seconds;
  for (;;) {
    const auto& [dx, dy] = toward(heading_);
    const double step = std::min(way, leg_);
    x_ += dx * step;
    y_ += dy * step;
    way -= step;
    leg_ -= step;
    if (way <= 0) {
      const auto along_x = static_cast<double>(dx), along_y = static_cast<double>(dy);
      return {x_, y_, along_x * speed_, along_y * speed_, along_x, along_y};
    }
    turn();
  }
}

}  // namespace terrane::cli
