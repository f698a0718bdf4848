#include "walking_player.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace terrane::drills {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr double kSpeed = 150;   // blocks a second: the view ahead lasts for a second and a half
constexpr double kApart = 3000;  // blocks between players

Explorer explore(const Client& client, const WorldRef& world) {
  return *client.explore({.world = world, .view_distances = {4}, .decode = false});
}

}  // namespace

Player::Player(const Client& client, WorldRef world, int number, int chunk_size, Truth* truth,
               Report& report)
    : client_(&client),
      world_(std::move(world)),
      truth_(truth),
      report_(&report),
      explorer_(explore(client, world_)),
      start_{(number % 8) * kApart, (number / 8) * kApart},
      chunk_size_(chunk_size),
      heading_(number * 2.4) {}

void Player::go(Clock::time_point now) {
  const double way = kSpeed * Seconds(now - began_).count();
  const double cos = std::cos(heading_), sin = std::sin(heading_);
  const Pose pose{.x = start_.first + way * cos,
                  .y = start_.second + way * sin,
                  .velocity_x = kSpeed * cos,
                  .velocity_y = kSpeed * sin};
  if (!explorer_.move(pose)) std::abort();
  take(explorer_.poll());
  const auto chunk = [this](double at) {
    return static_cast<std::int64_t>(std::floor(at / chunk_size_));
  };
  const bool stands = held_.contains({chunk(pose.x), chunk(pose.y)});
  if (stands && !is_blind_) return;
  if (!std::exchange(is_blind_, !stands)) since_ = now;
  if (stands && has_stood_) note(now);
  has_stood_ = has_stood_ || stands;
}

void Player::finish(Clock::time_point now) {
  if (is_blind_) note(now);
  end_viewer();
}

void Player::note(Clock::time_point now) const {
  const double blind = Seconds(now - since_).count();
  report_->longest_blind = std::max(report_->longest_blind, blind);
  if (blind > 0.1) ++report_->blind;
}

void Player::take(const ExploreNews& news) {
  for (const Tile& tile : news.out_of_range) held_.erase({tile.coord.x, tile.coord.y});
  for (const ArrivedChunk& arrived : news.arrived) {
    const Place place{arrived.tile.coord.x, arrived.tile.coord.y};
    const auto hash = XXH3_64bits(arrived.encoded->data(), arrived.encoded->size());
    ++report_->chunks;
    if (!held_.insert(place).second) ++report_->twice;
    const bool is_same = land_.try_emplace(place, hash).first->second == hash;
    if (!is_same || (truth_ != nullptr && !truth_->agrees(place, hash))) ++report_->wrong;
  }
  report_->failed += news.failed.size();
  take_state(news);
}

void Player::take_state(const ExploreNews& news) {
  if (news.state != ExploreState::kStreaming) {
    if (!std::exchange(is_cut_, true)) cut_ = Clock::now();
  } else if (std::exchange(is_cut_, false) && has_stood_) {
    report_->longest_pause = std::max(report_->longest_pause, Seconds(Clock::now() - cut_).count());
  }
  if (news.state != ExploreState::kEnded || has_ended_) return;
  if (news.error && news.error->code == ErrorCode::kFailedPrecondition) return begin_anew();
  has_ended_ = true;
  if (++report_->ended > 1) return;  // one reason stands for all
  std::fprintf(stderr, "players: ended: %s\n", news.error ? news.error->message.c_str() : "");
}

/// As a game does that is told that the world is another one now: it drops all it has.
void Player::begin_anew() {
  end_viewer();
  ++report_->new_worlds;
  held_.clear();
  explorer_ = explore(*client_, world_);
}

void Player::end_viewer() {
  report_->reconnects += explorer_.stats().reconnects;
  report_->twice += explorer_.stats().repeated;
  report_->walked.push_back(std::exchange(land_, {}));
}

}  // namespace terrane::drills
