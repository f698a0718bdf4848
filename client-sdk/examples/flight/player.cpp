#include "player.h"

#include <algorithm>
#include <cmath>

#include "land.h"

namespace flight {
namespace {

constexpr double kEyes = 1.7;      // blocks above the ground
constexpr double kSwims = 0.3;     // eyes above the water
constexpr double kSteepest = 1.5;  // blocks up for each block on: what a walker climbs
constexpr double kGravity = 20, kJump = 8;
constexpr float kWide = 0.35f, kTall = 1.8f, kStep = 0.6f;  // of a walker

double floor_at(const Land& land, double x, double y) {
  const terrane_ground ground = land.ground(x, y);
  return std::max(ground.height + kEyes, ground.depth > 0 ? ground.water + kSwims : -1e9);
}

}  // namespace

terrane_pose Player::pose() const {
  return {x, y, velocity[0], velocity[1], std::sin(heading), -std::cos(heading)};
}

void Player::step(const Wishes& wishes, double seconds, const Land& land) {
  if (walks) return walk(wishes, seconds, land);
  const double speed = wishes.hurries ? 240 : 40, ease = 1 - std::exp(-6 * seconds);
  const double level = wishes.forward * std::cos(pitch);
  const double wanted[3] = {speed * (level * std::sin(heading) + wishes.right * std::cos(heading)),
                            speed * (-level * std::cos(heading) + wishes.right * std::sin(heading)),
                            speed * (wishes.forward * std::sin(pitch) + wishes.up)};
  for (int k = 0; k < 3; ++k) velocity[k] += (wanted[k] - velocity[k]) * ease;
  x += velocity[0] * seconds;
  y += velocity[1] * seconds;
  z = std::max(z + velocity[2] * seconds, floor_at(land, x, y) + 1);
}

void Player::walk(const Wishes& wishes, double seconds, const Land& land) {
  const double speed = wishes.hurries ? 9 : 4.5;
  velocity[0] = speed * (wishes.forward * std::sin(heading) + wishes.right * std::cos(heading));
  velocity[1] = speed * (-wishes.forward * std::cos(heading) + wishes.right * std::sin(heading));
  const double step = std::hypot(velocity[0], velocity[1]) * seconds;
  const double to_x = x + velocity[0] * seconds, to_y = y + velocity[1] * seconds;
  double floor = floor_at(land, to_x, to_y);
  if (floor - z <= kSteepest * step + 0.1) {
    x = to_x;
    y = to_y;
  } else {
    floor = floor_at(land, x, y);
  }
  const bool stands = is_carried_ || z <= floor + 0.05;
  velocity[2] = stands ? (wishes.up > 0 ? kJump : 0) : velocity[2] - kGravity * seconds;
  z = std::max(z + velocity[2] * seconds, floor);
  // what carries is felt, every time anew, by sinking into it
  if (stands && velocity[2] == 0) z = is_carried_ ? std::max(z - 0.01, floor) : floor;
  keep_out(land);
}

/// Out of trunks, boulders and walls, and up onto what is no higher than a step.
void Player::keep_out(const Land& land) {
  is_carried_ = false;
  terrane_body body{x, y, z - kEyes, kWide, kTall, kStep, 0};
  for (int k = 0; k < 4; ++k) {
    const terrane_obstacle met = land.obstacle(body);
    if (met.distance >= 0) break;
    body.x += static_cast<double>(met.push_x);
    body.y += static_cast<double>(met.push_y);
    body.bottom += static_cast<double>(met.push_up);
    if (met.push_up == 0) continue;
    is_carried_ = met.push_up > 0;
    velocity[2] = 0;
  }
  x = body.x;
  y = body.y;
  z = body.bottom + kEyes;
}

void Player::tour(double at_seconds, double seconds, const Land& land) {
  if (!has_begun_) {
    has_begun_ = true;
    begin_x_ = x;
    begin_y_ = y;
    begin_heading_ = heading;
  }
  const double on = 100 * at_seconds, aside = 160 * (1 - std::cos(at_seconds / 4));
  const double turn = std::atan2(160.0 / 4 * std::sin(at_seconds / 4), 100);
  const double sin = std::sin(begin_heading_), cos = std::cos(begin_heading_);
  x = begin_x_ + on * sin + aside * cos;
  y = begin_y_ - on * cos + aside * sin;
  heading = begin_heading_ + turn;
  velocity[0] = 100 * std::sin(heading);
  velocity[1] = -100 * std::cos(heading);
  double highest = floor_at(land, x, y) + 10;
  for (double ahead = 0; ahead <= 300; ahead += 50)
    highest = std::max(
        highest, floor_at(land, x + velocity[0] / 100 * ahead, y + velocity[1] / 100 * ahead) + 45);
  z += (highest - z) * (1 - std::exp(-1.5 * seconds));
  z = std::max(z, floor_at(land, x, y) + 4);
}

}  // namespace flight
