#include "core_explorer.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <variant>

namespace terrane::connection {

using std::chrono::milliseconds;

CoreExplorer::CoreExplorer(std::unique_ptr<terrane_explorer> explorer, int threads,
                           std::optional<Servers> servers)
    : explorer_(std::move(explorer)) {
  if (threads > 0) workers_.emplace(explorer_.get(), threads, bell_);
  if (servers) link_.emplace(*std::move(servers), explorer_.get(), bell_);
}

Result<void> CoreExplorer::move(const Pose& pose) {
  auto moved =
      std::visit([&](auto& viewer) { return viewer.move(pose, now()); }, explorer_->viewer);
  if (moved) stir();
  return moved;
}

ExploreNews CoreExplorer::poll() {
  auto news = std::visit([](auto& viewer) { return viewer.take_news(); }, explorer_->viewer);
  stir();
  return news;
}

bool CoreExplorer::wait(milliseconds timeout) {
  const auto end =
      now() + std::clamp(timeout, milliseconds(0), milliseconds(std::chrono::hours(24)));
  while (!std::visit([](auto& viewer) { return viewer.has_news(); }, explorer_->viewer)) {
    const auto left = std::chrono::ceil<milliseconds>(end - now());
    if (left <= milliseconds(0)) return false;
    bell_.wait(left);
  }
  return true;
}

std::shared_ptr<const Chunk> CoreExplorer::chunk(const Tile& tile) const {
  return std::visit([&](auto& viewer) { return viewer.chunk(tile); }, explorer_->viewer);
}

ExploreStats CoreExplorer::stats() const {
  return std::visit([](auto& viewer) { return viewer.stats(); }, explorer_->viewer);
}

bool CoreExplorer::close() {
  workers_.reset();
  link_.reset();
  return true;
}

/// There may be something to be said or made.
void CoreExplorer::stir() {
  if (workers_) workers_->wake();
  if (link_) link_->flush();
}

Result<Explorer> make_explorer(std::unique_ptr<terrane_explorer> explorer, int threads,
                               std::optional<Servers> servers) {
  try {
    return Explorer(
        std::make_unique<CoreExplorer>(std::move(explorer), threads, std::move(servers)));
  } catch (const std::exception& exception) {
    return fail(ErrorCode::kResourceExhausted,
                std::string("no thread or no descriptor is left: ") + exception.what());
  }
}

std::chrono::steady_clock::time_point now() { return std::chrono::steady_clock::now(); }

}  // namespace terrane::connection
