#include "rpc/streams/explore_hub.h"

#include <algorithm>
#include <new>
#include <unordered_map>
#include <utility>

#include "rpc/streams/explore_stream.h"

namespace terrane::rpc {
namespace {

// To look who holds too much takes milliseconds where there are thousands of streams: a tenth of
// the time at most.
constexpr std::chrono::milliseconds kLeastBetweenLooks{5};
constexpr int kLookShare = 10;
// Of the bound, one part of so many below it is enough. As much a client may have however much
// others hold, or who holds most would keep everybody else out; the greediest make room for it.
constexpr std::size_t kRelief = 64;

/// A client's streams, the greediest last, and what they hold.
struct Holder {
  using Stream = std::pair<std::size_t, std::shared_ptr<ExploreStream>>;

  std::size_t bytes = 0;
  std::vector<Stream> streams;

  friend bool operator<(const Holder& a, const Holder& b) { return a.bytes < b.bytes; }
};

/// A heap: whoever holds most first.
std::vector<Holder> holders_of(std::vector<std::shared_ptr<ExploreStream>> streams) {
  std::unordered_map<std::uint64_t, Holder> by_client;
  for (auto& stream : streams) {
    const std::size_t bytes = stream->memory();  // from now on: it changes meanwhile
    Holder& holder = by_client[stream->client()];
    holder.bytes += bytes;
    holder.streams.emplace_back(bytes, std::move(stream));
  }
  std::vector<Holder> holders;
  for (auto& [client, holder] : by_client) {
    std::ranges::sort(holder.streams, {}, &Holder::Stream::first);
    holders.push_back(std::move(holder));
  }
  std::make_heap(holders.begin(), holders.end());
  return holders;
}

}  // namespace

ExploreHub::ExploreHub(const worlds::LiveCatalog& worlds, pipeline::ChunkPipeline& pipeline,
                       schedule::WorkerPool& workers, schedule::AlarmClock& alarms,
                       const ExplorePace& pace, std::size_t max_request_bytes,
                       std::shared_ptr<MessageCost> message_cost, const access::LiveAccess* access,
                       const Origins& origins)
    : worlds_(worlds),
      pipeline_(pipeline),
      workers_(workers),
      alarms_(alarms),
      pace_(pace),
      max_request_bytes_(max_request_bytes),
      message_cost_(std::move(message_cost)),
      access_(access),
      origins_(origins),
      memory_(MemoryAccounts::create(pace.max_stream_memory, pace.max_stream_memory / kRelief)) {}

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
  const auto bound = hold.denied();
  if (!bound) return {};
  return tl::unexpected(full(*bound, hold.of_client()));
}

Error ExploreHub::full(MemoryAccounts::Bound bound, std::size_t of_client) const {
  return memory_->full(bound,
                       bound == MemoryAccounts::Bound::kClient ? of_client : memory_->bytes(),
                       ErrorReason::kStreamMemoryFull, "Explore streams");
}

void ExploreHub::check_memory(const MemoryAccounts::Hold& of_stream) noexcept {
  if (!of_stream.passed() || is_look_due_.exchange(true)) return;
  // not here: a stream that notes its memory is locked
  try {
    alarms_.set(next_look_.load(), [this] { close_the_greedy(); });
  } catch (const std::bad_alloc&) {
    is_look_due_ = false;  // whoever grows next sees to it
  }
}

/// Of the client that holds most, the stream that does, until it is bearable.
void ExploreHub::close_the_greedy() {
  const auto start = std::chrono::steady_clock::now();
  is_look_due_ = false;
  close_until_bearable();
  const auto end = std::chrono::steady_clock::now();
  next_look_ = end + std::max<std::chrono::nanoseconds>(kLeastBetweenLooks,
                                                        (end - start) * (kLookShare - 1));
}

void ExploreHub::close_until_bearable() {
  std::vector<std::shared_ptr<ExploreStream>> streams;
  std::size_t all = memory_->bytes();
  {
    const MutexLock lock(mutex_);
    for (const auto& weak : streams_) {
      auto stream = weak.lock();
      if (stream == nullptr) continue;
      if (stream->is_closing()) {
        all -= std::min(all, stream->memory());  // as good as free
      } else {
        streams.push_back(std::move(stream));
      }
    }
  }
  const auto bearable = [](std::size_t held, std::size_t bound) {
    return held > bound ? bound - bound / kRelief : bound;
  };
  std::vector<Holder> holders = holders_of(std::move(streams));
  const std::size_t bound_of_all = bearable(all, memory_->max_bytes());
  while (!holders.empty()) {
    std::pop_heap(holders.begin(), holders.end());
    Holder most = std::move(holders.back());
    holders.pop_back();
    const std::size_t bound_of_one = bearable(most.bytes, client_part(memory_->max_bytes()));
    while (!most.streams.empty()) {
      const bool is_all = all > bound_of_all;
      if (is_all && !holders.empty() && most < holders.front()) break;
      if (!is_all && most.bytes <= bound_of_one) return;
      const auto bound = is_all ? MemoryAccounts::Bound::kAll : MemoryAccounts::Bound::kClient;
      const auto [freed, greediest] = std::move(most.streams.back());
      most.streams.pop_back();
      greediest->close_for_memory(full(bound, most.bytes));
      most.bytes -= freed;
      all -= std::min(all, freed);
    }
    if (most.streams.empty()) continue;
    holders.push_back(std::move(most));
    std::push_heap(holders.begin(), holders.end());
  }
}

}  // namespace terrane::rpc
