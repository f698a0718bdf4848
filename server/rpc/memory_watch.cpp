#include "rpc/memory_watch.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <utility>

#include "log.h"

namespace terrane::rpc {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kBetweenMemoryLooks{80};
constexpr milliseconds kBetweenReturns{2'000}, kSettles{1'000};
constexpr std::chrono::minutes kBetweenShortages{1};
constexpr milliseconds kFirstTimeAway{2'000};
constexpr milliseconds kLongestAway{60'000};  // how often one was sent away; and the longest time

// Of one connection: what comes after that makes gRPC keep no more. Each of its bytes takes up to
// four of memory: frames of nine bytes whose answers of 32 wait to be written.
constexpr std::uint64_t kOfConnection = std::uint64_t{256} << 10;
// Who has brought less is not the reason: that part of the memory, or 32 connections' all.
constexpr std::uint64_t kLeastPart = 64, kLeastBrought = 32 * kOfConnection;
constexpr std::uint64_t kLeastAtTheEnd = 4 * kOfConnection;
// Of those who go at once nobody has brought that many times less than the first. What comes back
// for each byte is twice as much, about, where it ends.
constexpr std::uint64_t kMuchLess = 4, kHeldOfByte = 2;

}  // namespace

MemoryWatch::MemoryWatch(ProcessMemory memory, SendAway send_away, WeightOf weight_of)
    : memory_(std::move(memory)),
      send_away_(std::move(send_away)),
      weight_of_(std::move(weight_of)) {}

bool MemoryWatch::is_short(Clock::time_point now) {
  seen_ = used_ = memory_.used();
  if (used_ <= most()) return false;
  const bool is_freed = now < sent_away_ + kSettles;  // what somebody held, who was sent away
  if (!memory_.give_back || (!is_freed && now < gave_back_ + kBetweenReturns)) return true;
  gave_back_ = now;
  memory_.give_back();
  used_ = memory_.used();
  return used_ > most();
}

std::vector<MemoryWatch::Client> MemoryWatch::who_brought(const net::ConnectionReads& connections,
                                                          std::uint64_t least,
                                                          Clock::time_point now) const {
  std::vector<Client> clients;
  for (const auto& [address, bytes] : connections.brought(kOfConnection)) {
    const auto found = away_.find(address);
    const bool is_away = found != away_.end() && now < found->second.back;
    if (is_away || bytes < least) continue;
    clients.push_back({address, bytes, bytes / std::max(weight_of_(address), 1u)});
  }
  std::ranges::stable_sort(clients, std::greater{}, &Client::by_weight);
  return clients;
}

void MemoryWatch::look(const net::ConnectionReads& connections, Clock::time_point now) {
  if (memory_.limit == 0 || now < looked_ + kBetweenMemoryLooks) return;
  const Clock::duration since = now - std::exchange(looked_, now);
  const std::uint64_t before = seen_;
  if (!is_short(now)) return;
  const std::uint64_t grown = before == 0 || seen_ < before ? 0 : seen_ - before;
  const auto looks =
      static_cast<std::uint64_t>(std::max(since / kBetweenMemoryLooks, std::int64_t{1}));
  const std::uint64_t soon = used_ + 2 * grown / looks;  // two looks on
  const bool ends = soon > memory_.limit - memory_.limit / 16;
  // what the last one held comes back within that, as gRPC has to hear of it first
  if (now < sent_away_ + kSettles && !ends && used_ <= used_then_) return;
  std::erase_if(away_, [&](const auto& each) { return each.second.back + kLongestAway < now; });
  // many that have brought little each are the reason together, and all would end
  const auto least = ends ? kLeastAtTheEnd : std::max(memory_.limit / kLeastPart, kLeastBrought);
  const auto clients = who_brought(connections, least, now);
  if (clients.empty()) return report(now);
  std::uint64_t too_much = ends ? soon - most() : 0;
  for (const auto& [address, bytes, by_weight] : clients) {
    if (by_weight < clients.front().by_weight / kMuchLess) break;
    send_away(address, now);
    const std::uint64_t held = kHeldOfByte * bytes;
    if (held >= too_much) break;
    too_much -= held;
  }
}

void MemoryWatch::send_away(const net::AddressBytes& client, Clock::time_point now) {
  Away& away = away_[client];
  const milliseconds time = std::min(kFirstTimeAway * (1 << away.times), kLongestAway);
  send_away_(client, time,
             fmt::format("the server had {} of {} MiB of memory in use, and nobody's connections "
                         "had brought more",
                         used_ >> 20, memory_.limit >> 20));
  if (time < kLongestAway) ++away.times;
  away.back = now + time;
  sent_away_ = now;
  used_then_ = used_;
}

void MemoryWatch::report(Clock::time_point now) {
  if (reported_ != Clock::time_point{} && now < reported_ + kBetweenShortages) return;
  reported_ = now;
  spdlog::warn(
      "memory: {} of {} MiB are in use, and no client's connections explain it: give the server "
      "more, or lower --memory-cache or --max-connections",
      used_ >> 20, memory_.limit >> 20);
}

}  // namespace terrane::rpc
