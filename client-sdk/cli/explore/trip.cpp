#include "cli/explore/trip.h"

#include <cstdlib>
#include <utility>

#include "cli/terminal/text.h"
#include "terrane/result_macros.h"

namespace terrane::cli {

ExploreTrip::ExploreTrip(const Session& session, ExploreControls controls, ColorDepth depth)
    : session_(session), depth_(depth), controls_(std::move(controls)), seen_(session.world) {}

void ExploreTrip::press(const Key& key) { cli::press(controls_, key, session_.world); }

SampleRectangle ExploreTrip::window() const {
  return window_samples(columns_, rows_, controls_.walker.block(), controls_.lod);
}

Result<void> ExploreTrip::step(double seconds, int columns, int rows) {
  columns_ = columns;
  rows_ = rows;
  controls_.walker.advance(seconds);
  TERRANE_RETURN_IF_ERROR(aim());
  TERRANE_RETURN_IF_ERROR(explorer_->move(controls_.walker.pose()));
  TERRANE_RETURN_IF_ERROR(take_in());

  constexpr double kRatePeriod_s = 0.5;
  rate_s_ += seconds;
  if (rate_s_ < kRatePeriod_s) return {};
  chunks_per_s_ = static_cast<double>(rate_chunks_) / rate_s_;
  rate_chunks_ = 0;
  rate_s_ = 0;
  return {};
}

/// An Explorer for this window: all layers, so that another style shows at once.
Result<void> ExploreTrip::aim() {
  const SampleRectangle seen = with_apron(window());
  auto distances = view_distances(seen.width, seen.height, controls_.lod, session_.world);
  if (explorer_ && distances == view_distances_) return {};
  TERRANE_ASSIGN_OR_RETURN(
      auto explorer, session_.client.explore(
                         {.world = session_.ref, .view_distances = distances, .kept_chunks = 0}));
  explorer_ = std::move(explorer);
  view_distances_ = std::move(distances);
  return {};
}

Result<void> ExploreTrip::take_in() {
  ExploreNews news = explorer_->poll();
  const BlockPos here = controls_.walker.block();
  for (ArrivedChunk& arrived : news.arrived)
    seen_.add(arrived.tile, std::move(arrived.chunk), here);
  arrived_ += news.arrived.size();
  rate_chunks_ += news.arrived.size();
  if (const auto first = explorer_->stats().first; first.count() > 0) {
    first_ms_ = std::chrono::duration<double, std::milli>(first).count();
  }
  if (!news.failed.empty()) controls_.notice = news.failed.front().error.message;
  if (news.world_changed)
    controls_.notice =
        "the server has a new world '" + session_.world.name + "'; this is the one before";

  switch (news.state) {
    case ExploreState::kEnded:
      if (!news.error || news.error->message.empty())
        return fail(ErrorCode::kInternal, "the server ended the stream: is it older than this?");
      return tl::unexpected(*news.error);
    case ExploreState::kStreaming: connected_ = true; break;
    case ExploreState::kConnecting:
      if (connected_) connection_ = "connection lost, trying again";
      connected_ = false;
      break;
  }
  return {};
}

void ExploreTrip::wait(std::chrono::milliseconds timeout) {
  if (explorer_) explorer_->wait(timeout);
}

bool ExploreTrip::complete() const {
  const SeenChunks::Count count = seen_.count(with_apron(window()), controls_.lod);
  return count.present == count.wanted;
}

void ExploreTrip::redraw() {
  const Drawn now{window(), controls_.lod, controls_.style, controls_.grid, arrived_};
  if (now == drawn_ && map_.width > 0) return;
  const auto moved_far = [&] {
    return std::abs(now.window.x - drawn_.window.x) > now.window.width ||
           std::abs(now.window.y - drawn_.window.y) > now.window.height;
  };
  if (now.lod != drawn_.lod || moved_far()) settled_ = false;
  const MapGrid grid = seen_.grid(with_apron(now.window), now.lod, now.style);
  const double exaggeration =
      now.style == MapStyle::kRelief ? exposure_.follow(grid.exaggeration(), !settled_) : 1;
  map_ =
      draw_window(grid, now.window, exaggeration, now.grid ? session_.world.chunk_size : 0, depth_);
  settled_ = settled_ || complete();
  drawn_ = now;
}

ExploreStatus ExploreTrip::status() const {
  ExploreStatus status;
  status.block = controls_.walker.block();
  if (const auto ground = seen_.ground(status.block)) {
    status.biome = session_.biome_name(ground->biome);
    status.height = height_words(*ground, session_.world);
  }
  const Walker& walker = controls_.walker;
  status.pace = walker.walks() || walker.gait() != Gait::kWalk ? std::string(name_of(walker.gait()))
                                                               : "standing";
  if (walker.walks()) status.pace.append(" ").append(number(walker.speed())).append(" blocks/s");
  status.lod = controls_.lod;
  status.style = name_of(controls_.style);
  status.chunks = seen_.count(window(), controls_.lod);
  status.chunks_per_s = chunks_per_s_;
  status.first_ms = first_ms_;
  status.connection = connection_;
  status.connected = connected_;
  return status;
}

Screen ExploreTrip::screen() {
  redraw();
  return draw_screen(columns_, rows_, map_, controls_, status());
}

}  // namespace terrane::cli
