#include "local_viewer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "codec/chunk_codec.h"
#include "explore_checks.h"
#include "local_land.h"
#include "terrane/result_macros.h"

namespace terrane::core {
namespace {

/// With a direction that is reckoned with, however long it was.
Pose with_direction(Pose pose) {
  const double length = std::max(std::abs(pose.direction_x), std::abs(pose.direction_y));
  if (length > 0) {
    pose.direction_x /= length;
    pose.direction_y /= length;
  }
  return pose;
}

}  // namespace

Result<void> check(const ExploreOptions& options, const worldgen::World& world) {
  TERRANE_RETURN_IF_ERROR(client::check(options));
  if (!options.world.realm.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "realm = '" + options.world.realm +
                    "': its seed is nobody's to make land from; have it streamed");
  }
  if (options.view_distances.size() > world.max_lod + std::size_t{1}) {
    return fail(ErrorCode::kInvalidArgument,
                "view_distances: " + std::to_string(options.view_distances.size()) +
                    " levels of detail; the world has " + std::to_string(world.max_lod + 1));
  }
  if (options.world.fingerprint && *options.world.fingerprint != world.fingerprint) {
    return fail(ErrorCode::kFailedPrecondition,
                "the world's fingerprint is " + std::to_string(world.fingerprint) + ", wanted is " +
                    std::to_string(*options.world.fingerprint));
  }
  return {};
}

LocalViewer::LocalViewer(std::shared_ptr<const worldgen::World> world, ExploreOptions options,
                         Clock clock)
    : world_(std::move(world)),
      options_(std::move(options)),
      clock_(clock),
      view_(world_->chunk_size, client::to_distances(options_.view_distances)),
      range_(client::to_distances(options_.view_distances)),
      chunks_(options_.kept_chunks) {
  range_.set_chunk_size(world_->chunk_size);
}

Result<void> LocalViewer::move(const Pose& pose, TimePoint now) {
  TERRANE_RETURN_IF_ERROR(client::check(pose, world_->chunk_size));
  const Lock lock(move_mutex_);
  move_ = {pose, now};
  return {};
}

/// With mutex_. Should memory end on the way, the move is followed again.
void LocalViewer::follow() {
  std::optional<Move> move;
  {
    const Lock lock(move_mutex_);
    move = move_;
  }
  if (!move) return;
  follow(*move);
  const Lock lock(move_mutex_);
  if (move_->now == move->now && move_->pose == move->pose) move_.reset();
}

void LocalViewer::follow(const Move& move) {
  const auto from = has_pose_ ? range_.underfoot() : std::nullopt;
  has_pose_ = true;
  range_.set_pose(move.pose);
  const bool was_behind = std::exchange(is_behind_, true);
  if (was_behind) chunks_.drop_out_of_range(range_);
  for (const explore::Octet& left : view_.move(with_direction(move.pose)).held) {
    for (std::uint64_t bits = left.bits; bits != 0; bits &= bits - 1)
      chunks_.drop({left.lod, explore::tile_in_octet(left.at, std::countr_zero(bits))});
  }
  jump_timing_.moved(from, range_, chunks_, move.now);
  // where it is the same tile, every level's view is as it was
  if (!is_stopped_ && (was_behind || !from || from != range_.underfoot())) {
    for (const Tile& tile : chunks_.bring_back(range_)) {
      view_.set(tile, explore::TileState::kHeld);
      ++stats_.kept;
    }
    jump_timing_.came(range_, chunks_, move.now);
  }
  is_behind_ = false;
}

bool LocalViewer::work() {
  const std::optional<Tile> tile = next();
  if (!tile) return false;
  try {
    finish(make(*tile));
  } catch (...) {  // no memory: it is made again
    const Lock lock(mutex_);
    if (view_.state(*tile) == explore::TileState::kAsked)
      view_.set(*tile, explore::TileState::kUnknown);
    return false;
  }
  return true;
}

std::optional<Tile> LocalViewer::next() {
  const Lock lock(mutex_);
  follow();
  if (is_stopped_ || !has_pose_ || chunks_.waiting() >= options_.max_waiting) return std::nullopt;
  const auto tiles = view_.take(1);
  return tiles.empty() ? std::nullopt : std::optional(tiles.front());
}

ArrivedChunk LocalViewer::make(const Tile& tile) const {
  Chunk chunk = make_chunk(*world_, options_.world.seed, tile, options_.layers);
  ArrivedChunk made{tile, nullptr, nullptr};
  if (!options_.decode || options_.with_encoded)
    made.encoded = std::make_shared<const std::string>(codec::encode(chunk));
  if (options_.decode) made.chunk = std::make_shared<const Chunk>(std::move(chunk));
  return made;
}

void LocalViewer::finish(ArrivedChunk made) {
  const Tile tile = made.tile;
  const Lock lock(mutex_);
  // the viewer may have left meanwhile, or been given one that was kept
  if (is_stopped_ || view_.state(tile) != explore::TileState::kAsked) return;
  newest_ = tile;
  chunks_.add(std::move(made));
  view_.set(tile, explore::TileState::kHeld);
  ++stats_.chunks;
  if (clock_ != nullptr) jump_timing_.came(range_, chunks_, clock_());
}

std::shared_ptr<const Chunk> LocalViewer::underfoot() const {
  const Lock lock(mutex_);
  const auto tile = has_pose_ ? range_.underfoot() : std::nullopt;
  return tile ? chunks_.find(*tile) : nullptr;
}

std::shared_ptr<const Chunk> LocalViewer::take_newest() {
  const Lock lock(mutex_);
  const auto tile = std::exchange(newest_, std::nullopt);
  return tile ? chunks_.find(*tile) : nullptr;
}

void LocalViewer::stop() {
  const Lock lock(mutex_);
  if (!std::exchange(is_stopped_, true)) chunks_.forget_all_but_told();
}

void LocalViewer::forget(const Tile& tile) {
  const Lock lock(mutex_);
  chunks_.forget(tile);
}

ExploreNews LocalViewer::take_news() {
  ExploreNews news;
  add_news(news);
  news.state = ExploreState::kStreaming;
  return news;
}

bool LocalViewer::has_news() const {
  const Lock lock(mutex_);
  return chunks_.has_news();
}

std::shared_ptr<const Chunk> LocalViewer::chunk(const Tile& tile) const {
  const Lock lock(mutex_);
  return chunks_.find(tile);
}

ExploreStats LocalViewer::stats() const {
  const Lock lock(mutex_);
  ExploreStats stats = stats_;
  stats.in_range = chunks_.held();
  stats.waiting = chunks_.waiting();
  stats.first = jump_timing_.first();
  return stats;
}

void LocalViewer::add_news(ExploreNews& news) {
  const Lock lock(mutex_);
  chunks_.take_news(news);
}

}  // namespace terrane::core
