#include "schedule/client_costs.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace terrane::schedule {
namespace {

// what a client costs less than is nothing: a thousandth of a second a minute
constexpr double kNothing = 0.001;
// sums are carried forward no more often than this, since exp() costs more than to add
constexpr std::chrono::seconds kStep{1};

double seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

double ClientCosts::now_worth(const Spent& spent, Clock::time_point now) {
  return spent.seconds * std::exp(-seconds(now - spent.at) / seconds(kLately));
}

void ClientCosts::charge(const Source& source, std::chrono::nanoseconds cost,
                         Clock::time_point now) {
  const MutexLock lock(mutex_);
  total_.all += cost;
  if (source.weight > 1) total_.weighted += cost;
  if (spent_.size() >= max_clients_ && !spent_.contains(source.client)) make_room(now);
  Spent& spent = spent_.try_emplace(source.client, Spent{0, now}).first->second;
  if (now - spent.at >= kStep) spent = {now_worth(spent, now), now};
  spent.weight = source.weight;
  spent.seconds += seconds(cost);
}

void ClientCosts::make_room(Clock::time_point now) {
  std::vector<double> worths;
  worths.reserve(spent_.size());
  for (const auto& [client, spent] : spent_) worths.push_back(now_worth(spent, now));
  const auto median = worths.begin() + static_cast<std::ptrdiff_t>(worths.size() / 2);
  std::ranges::nth_element(worths, median);
  std::erase_if(spent_, [&, least = *median](const auto& each) {
    return now_worth(each.second, now) <= least;
  });
}

ClientCosts::Summary ClientCosts::summary(std::size_t most, Clock::time_point now) const {
  Summary summary;
  {
    const MutexLock lock(mutex_);
    for (const auto& [client, spent] : spent_) {
      const double worth = now_worth(spent, now);
      if (worth < kNothing) continue;
      summary.costliest.push_back({client, spent.weight, worth / seconds(kLately)});
    }
  }
  summary.clients = summary.costliest.size();
  for (const Cost& cost : summary.costliest) summary.processors += cost.processors;
  std::ranges::sort(summary.costliest, std::greater{}, &Cost::processors);
  if (summary.costliest.size() > most) summary.costliest.resize(most);
  return summary;
}

ClientCosts::Total ClientCosts::total() const {
  const MutexLock lock(mutex_);
  return total_;
}

}  // namespace terrane::schedule
