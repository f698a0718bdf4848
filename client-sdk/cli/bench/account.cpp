#include "cli/bench/account.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace terrane::cli {
namespace {

// chunks around the view of which is known whether they are held: more than Explorers keep
constexpr int kMargin = 4;

double ms_between(ViewAccount::Time from, ViewAccount::Time to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

ChunkCoord chunk_under(const Pose& pose, int chunk_size) {
  const BlockPos block{static_cast<std::int64_t>(std::floor(pose.x)),
                       static_cast<std::int64_t>(std::floor(pose.y))};
  return chunk_of(block, chunk_size, 0);
}

}  // namespace

ViewAccount::ViewAccount(int radius, int chunk_size)
    : radius_(radius), chunk_size_(chunk_size), width_(2 * (std::int64_t{radius} + kMargin) + 1) {
  for (int y = -radius; y <= radius; ++y) {
    for (int x = -radius; x <= radius; ++x) {
      if (x * x + y * y <= radius * radius) offsets_.push_back({x, y});
    }
  }
  cells_.resize(static_cast<std::size_t>(width_ * width_));
}

std::size_t ViewAccount::index(ChunkCoord chunk) const {
  const auto wrapped = [this](std::int64_t c) { return c - floor_div(c, width_) * width_; };
  return static_cast<std::size_t>(wrapped(chunk.y) * width_ + wrapped(chunk.x));
}

ViewAccount::State ViewAccount::state(ChunkCoord chunk) const {
  const Cell& cell = cells_[index(chunk)];
  return cell.chunk == chunk ? cell.state : State::kNothing;
}

bool ViewAccount::sees(ChunkCoord chunk) const {
  const std::int64_t dx = std::abs(chunk.x - at_.x), dy = std::abs(chunk.y - at_.y);
  return dx <= radius_ && dy <= radius_ && dx * dx + dy * dy <= std::int64_t{radius_} * radius_;
}

void ViewAccount::want(ChunkCoord chunk, Time now) {
  cells_[index(chunk)] = {chunk, State::kWanted, now};
  ++waiting_;
  ++counts_.wanted;
}

void ViewAccount::look_around(Time now) {
  for (Cell& cell : cells_) {
    if (cell.state != State::kWanted || sees(cell.chunk)) continue;
    cell.state = State::kNothing;
    --waiting_;
    ++counts_.missed;
  }
  for (const ChunkCoord offset : offsets_) {
    const ChunkCoord chunk{at_.x + offset.x, at_.y + offset.y};
    if (state(chunk) == State::kNothing) want(chunk, now);
  }
}

void ViewAccount::jump(const Pose& to, Time now) {
  at_ = chunk_under(to, chunk_size_);
  somewhere_ = true;
  jumped_ = now;
  milestones_ = {};
  outran_since_.reset();
  look_around(now);
  note_milestones(now);
}

void ViewAccount::move(const Pose& to, Time now) {
  const ChunkCoord there = chunk_under(to, chunk_size_);
  if (!somewhere_ || there == at_) return;
  longest_outran_ms_ = longest_outran_ms(now);
  const bool was_on_land = on_land();
  at_ = there;
  look_around(now);
  if (on_land()) {
    outran_since_.reset();
  } else if (was_on_land) {
    outran_since_ = now;
  }
}

bool ViewAccount::arrive(ChunkCoord chunk, Time now) {
  if (!somewhere_) return false;
  Cell& cell = cells_[index(chunk)];
  const bool wanted = state(chunk) == State::kWanted;
  if (!wanted) {
    // Out of view but not far: the viewer may come back to it.
    if (cell.state != State::kWanted) cell = {chunk, State::kHeld, now};
    return false;
  }
  cell.state = State::kHeld;
  --waiting_;
  ++counts_.served;
  counts_.waits_ms.push_back(ms_between(cell.since, now));
  if (chunk == at_) {
    longest_outran_ms_ = longest_outran_ms(now);
    outran_since_.reset();
  }
  note_milestones(now);
  return true;
}

void ViewAccount::leave(ChunkCoord chunk, Time now) {
  if (!has(chunk)) return;
  cells_[index(chunk)].state = State::kNothing;
  if (sees(chunk)) want(chunk, now);
}

void ViewAccount::note_milestones(Time now) {
  const double passed_ms = ms_between(jumped_, now);
  if (!milestones_.first_ms && on_land()) milestones_.first_ms = passed_ms;
  if (!milestones_.near_ms) {
    bool near = true;
    for (std::int64_t y = at_.y - 1; y <= at_.y + 1; ++y) {
      for (std::int64_t x = at_.x - 1; x <= at_.x + 1; ++x)
        near = near && state({x, y}) != State::kWanted;
    }
    if (near) milestones_.near_ms = passed_ms;
  }
  if (!milestones_.full_ms && full()) milestones_.full_ms = passed_ms;
}

double ViewAccount::longest_outran_ms(Time now) const {
  return std::max(longest_outran_ms_, outran_since_ ? ms_between(*outran_since_, now) : 0);
}

int ViewAccount::reach_east() const {
  if (!on_land()) return 0;
  int reach = 0;
  while (reach < radius_ && has({at_.x + reach + 1, at_.y})) ++reach;
  return reach;
}

ArrivalCounts ViewAccount::take_counts() { return std::exchange(counts_, {}); }

}  // namespace terrane::cli
