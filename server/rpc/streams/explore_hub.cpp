#include "rpc/streams/explore_hub.h"

#include <algorithm>
#include <utility>

#include "log.h"
#include "rpc/streams/explore_stream.h"

namespace terrane::rpc {
namespace {

constexpr std::chrono::seconds kLogPause{1};

}  // namespace

ExploreHub::ExploreHub(const worlds::LiveCatalog& worlds, pipeline::ChunkPipeline& pipeline,
                       schedule::WorkerPool& workers, schedule::AlarmClock& alarms,
                       const ExplorePace& pace, std::size_t max_request_bytes)
    : worlds_(worlds),
      pipeline_(pipeline),
      workers_(workers),
      alarms_(alarms),
      pace_(pace),
      max_request_bytes_(max_request_bytes) {}

bool ExploreHub::enter(const std::shared_ptr<ExploreStream>& stream) {
  const MutexLock lock(mutex_);
  if (streams_.size() == streams_.capacity()) {
    std::erase_if(streams_, [](const auto& other) { return other.expired(); });
  }
  streams_.push_back(stream);
  return closing_;
}

void ExploreHub::send_away() {
  std::vector<std::weak_ptr<ExploreStream>> streams;
  {
    const MutexLock lock(mutex_);
    closing_ = true;
    streams.swap(streams_);
  }
  for (const auto& weak : streams) {
    if (const auto stream = weak.lock()) stream->send_away();
  }
}

Result<void> ExploreHub::check_room() const {
  const std::size_t held = memory_, most = pace_.max_stream_memory;
  if (held < most) return {};
  return tl::unexpected(
      Error{.code = ErrorCode::kResourceExhausted,
            .message = fmt::format("the server holds {} bytes for Explore streams, of {} at most: "
                                   "come back later",
                                   held, most),
            .reason = ErrorReason::kStreamMemoryFull,
            .field = "",
            .value = fmt::format("{} bytes", held),
            .limit = fmt::format("{} bytes", most),
            .retry_after = {}});
}

void ExploreHub::note_memory(std::ptrdiff_t change) {
  const std::size_t held = memory_ += static_cast<std::size_t>(change);
  if (change <= 0 || held <= pace_.max_stream_memory || closing_one_.exchange(true)) return;
  // not here: a stream that notes its memory is locked
  alarms_.set(std::chrono::steady_clock::now(), [this] { close_greediest(); });
}

void ExploreHub::close_greediest() {
  closing_one_ = false;
  std::vector<std::weak_ptr<ExploreStream>> streams;
  {
    const MutexLock lock(mutex_);
    streams = streams_;
  }
  std::shared_ptr<ExploreStream> greediest;
  for (const auto& weak : streams) {
    auto stream = weak.lock();
    if (stream && (!greediest || stream->memory() > greediest->memory()))
      greediest = std::move(stream);
  }
  if (greediest && memory_ > pace_.max_stream_memory) greediest->close_for_memory();
}

void ExploreHub::log_cut_off(const std::string& peer, const std::string& why) {
  std::size_t besides = 0;
  {
    const MutexLock lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now < logged_at_ + kLogPause) {
      ++unlogged_;
      return;
    }
    logged_at_ = now;
    besides = std::exchange(unlogged_, 0);
  }
  spdlog::info("an Explore stream of {} is cut off{}: {}", peer,
               besides == 0 ? "" : fmt::format(" (and {} before it)", besides), why);
}

}  // namespace terrane::rpc
