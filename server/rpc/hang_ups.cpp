#include "rpc/hang_ups.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

namespace terrane::rpc {
namespace {

using Seconds = std::chrono::duration<double>;
using std::chrono::milliseconds;

// A stream that says Hello and is reset took 110 us of the server's processor time.
constexpr Seconds kCost{1e-4};
constexpr double kShare = 0.2;        // of the processors, for hang-ups
constexpr double kShareOfOne = 0.02;  // what nobody is sent away for
constexpr Seconds kMemory{2};         // counts fade to 1/e in this time
constexpr milliseconds kBetweenLooks{20};
constexpr milliseconds kFirstTime{1000};
constexpr milliseconds kRemembered{60'000};  // how often one was sent away; and the longest time

/// The fading count of who hangs up all the time and takes this share of the processors by it.
double steady_count(double share, double processors) {
  return share * processors * (kMemory / kCost);
}

}  // namespace

HangUps::HangUps(double processors, std::function<void(const SentAway&)> send_away)
    : most_together_(steady_count(kShare, processors)),
      always_of_one_(steady_count(kShareOfOne, processors)),
      send_away_(std::move(send_away)) {}

void HangUps::note(const schedule::Source& source, Clock::time_point now) noexcept {
  try {
    if (const auto sent = count(source, now)) send_away_(*sent);
  } catch (const std::bad_alloc&) {
    return;
  }
}

std::optional<HangUps::SentAway> HangUps::count(const schedule::Source& source,
                                                Clock::time_point now) {
  const MutexLock lock(mutex_);
  Client& client = clients_[source.client];
  if (now < client.back) return std::nullopt;  // what was open when it was sent away
  client.weight = std::max(source.weight, 1u);
  client.recent += 1;
  if (now - looked_ < kBetweenLooks) return std::nullopt;
  return look(now);
}

std::optional<HangUps::SentAway> HangUps::look(Clock::time_point now) {
  fade(now);
  double together = 0, most = always_of_one_;
  std::pair<const std::uint64_t, Client>* greediest = nullptr;
  for (auto& each : clients_) {
    Client& client = each.second;
    if (now - client.back > kRemembered) client.times_away = 0;
    together += client.recent;
    const double by_weight = client.recent / client.weight;
    if (by_weight <= most) continue;
    most = by_weight;
    greediest = &each;
  }
  if (greediest == nullptr) return std::nullopt;
  Client& client = greediest->second;
  if (together <= most_together_ && client.times_away == 0) return std::nullopt;
  const milliseconds time = std::min(kFirstTime * (1 << client.times_away), kRemembered);
  if (time < kRemembered) ++client.times_away;
  client.back = now + time;
  return SentAway{greediest->first, static_cast<std::uint64_t>(std::exchange(client.recent, 0)),
                  time};
}

void HangUps::fade(Clock::time_point now) {
  const double left = std::exp(-(Seconds(now - looked_) / kMemory));
  looked_ = now;
  for (auto& [id, client] : clients_) client.recent *= left;
  std::erase_if(clients_, [&](const auto& each) {
    return each.second.recent < 1 && now - each.second.back > kRemembered;
  });
}

}  // namespace terrane::rpc
