#include "judged_viewer.h"

#include <cstdint>
#include <utility>

#include "codec/chunk_hash.h"
#include "terrane/result_macros.h"

namespace terrane::core {
namespace {

ExploreOptions pinned(ExploreOptions options, const worldgen::World& world) {
  options.world.fingerprint = world.fingerprint;
  return options;
}

}  // namespace

JudgedViewer::JudgedViewer(std::shared_ptr<const worldgen::World> world, ExploreOptions options,
                           LocalViewer::Clock clock)
    : local_(world, options, clock), stream_(pinned(std::move(options), *world), true) {}

Result<void> JudgedViewer::move(const Pose& pose, TimePoint now) {
  TERRANE_RETURN_IF_ERROR(local_.move(pose, now));
  return stream_.move(pose, now);
}

bool JudgedViewer::work() {
  if (!stream_.makes_chunks()) return false;
  const bool has_made = local_.work();
  if (const auto chunk = to_be_judged()) {
    stream_.made({chunk->lod, chunk->coord}, static_cast<std::uint32_t>(codec::hash_chunk(*chunk)));
  }
  return has_made;
}

/// The one underfoot, whenever that is another; else the newest, while nothing is to be judged.
std::shared_ptr<const Chunk> JudgedViewer::to_be_judged() {
  const Lock lock(mutex_);
  if (auto chunk = local_.underfoot()) {
    const Tile tile{chunk->lod, chunk->coord};
    if (judged_underfoot_ != tile) {
      judged_underfoot_ = tile;
      return chunk;
    }
  }
  return stream_.wants_made() ? local_.take_newest() : nullptr;
}

ExploreNews JudgedViewer::take_news() {
  if (!stream_.makes_chunks()) {
    local_.stop();
    (void)local_.work();  // makes nothing any more, and leaves behind what is out of range
  }
  if (!news_) news_ = stream_.take_news();
  for (const ArrivedChunk& arrived : news_->arrived) local_.forget(arrived.tile);
  local_.add_news(*news_);
  return *std::exchange(news_, std::nullopt);
}

bool JudgedViewer::has_news() const { return news_ || stream_.has_news() || local_.has_news(); }

std::shared_ptr<const Chunk> JudgedViewer::chunk(const Tile& tile) const {
  auto chunk = stream_.chunk(tile);
  return chunk ? chunk : local_.chunk(tile);
}

ExploreStats JudgedViewer::stats() const {
  ExploreStats stats = stream_.stats();
  const ExploreStats made = local_.stats();
  stats.chunks += made.chunks;
  stats.kept += made.kept;
  stats.in_range += made.in_range;
  stats.waiting += made.waiting;
  if (stats.first == stats.first.zero()) stats.first = made.first;
  return stats;
}

}  // namespace terrane::core
