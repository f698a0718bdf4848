#include "rpc/streams/explore_hub.h"

#include <algorithm>
#include <new>
#include <unordered_map>
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
      max_request_bytes_(max_request_bytes),
      memory_(MemoryAccounts::create(pace.max_stream_memory)) {}

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

Result<void> ExploreHub::check_room(std::uint64_t client) {
  const MemoryAccounts::Hold hold = memory_->open(client);
  const auto bound = hold.passed();
  if (!bound) return {};
  return tl::unexpected(full(*bound, hold.of_client()));
}

Error ExploreHub::full(MemoryAccounts::Bound bound, std::size_t of_client) const {
  return memory_->full(bound,
                       bound == MemoryAccounts::Bound::kClient ? of_client : memory_->bytes(),
                       ErrorReason::kStreamMemoryFull, "Explore streams");
}

void ExploreHub::check_memory(const MemoryAccounts::Hold& of_stream) noexcept {
  if (!of_stream.passed() || closing_one_.exchange(true)) return;
  // not here: a stream that notes its memory is locked
  try {
    alarms_.set(std::chrono::steady_clock::now(), [this] { close_the_greedy(); });
  } catch (const std::bad_alloc&) {
    closing_one_ = false;  // whoever grows next sees to it
  }
}

/// Of the client that holds most, the stream that does, if that is too much or all is.
void ExploreHub::close_the_greedy() {
  closing_one_ = false;
  std::vector<std::shared_ptr<ExploreStream>> streams;
  {
    const MutexLock lock(mutex_);
    for (const auto& weak : streams_) {
      if (auto stream = weak.lock()) streams.push_back(std::move(stream));
    }
  }
  std::unordered_map<std::uint64_t, std::size_t> held;
  for (const auto& stream : streams) held[stream->client()] += stream->memory();
  const auto most = std::max_element(
      held.begin(), held.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == held.end()) return;
  const bool is_all = memory_->bytes() > memory_->max_bytes();
  if (!is_all && most->second <= client_part(memory_->max_bytes())) return;
  const auto greediest = std::max_element(streams.begin(), streams.end(),
                                          [client = most->first](const auto& a, const auto& b) {
                                            return std::pair(a->client() == client, a->memory()) <
                                                   std::pair(b->client() == client, b->memory());
                                          });
  const auto bound = is_all ? MemoryAccounts::Bound::kAll : MemoryAccounts::Bound::kClient;
  (*greediest)->close_for_memory(full(bound, most->second));
}

void ExploreHub::log_cut_off(const grpc::CallbackServerContext& context,
                             const std::string& why) noexcept {
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
  try {
    spdlog::info("an Explore stream of {} is cut off{}: {}", context.peer(),
                 besides == 0 ? "" : fmt::format(" (and {} before it)", besides), why);
  } catch (const std::bad_alloc&) {
    // no line, then
  }
}

}  // namespace terrane::rpc
