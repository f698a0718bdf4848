#include "client_load.h"

#include <utility>

#include "log.h"

namespace terrane {
namespace {

constexpr std::size_t kWithMetrics = 10;  // that have a metric each
constexpr std::chrono::minutes kBetweenLooks{1};

}  // namespace

ClientLoad::ClientLoad(ops::Metrics& metrics, std::size_t workers,
                       std::function<std::string(std::uint64_t)> name_of)
    : workers_(workers),
      name_of_(std::move(name_of)),
      next_look_((Clock::now() + kBetweenLooks).time_since_epoch().count()) {
  metrics.at_scrape([this](ops::Scrape& scrape) {
    const auto summary = costs_.summary(kWithMetrics, Clock::now());
    for (const auto& cost : summary.costliest) {
      scrape.gauge("terrane_client_processors",
                   "Processors that workers used for a client, on average over about a minute; of "
                   "the ten costliest.",
                   cost.processors, {{"client", name_of_(cost.client)}});
    }
    scrape.gauge("terrane_clients", "Clients that work was done for within about a minute.",
                 static_cast<double>(summary.clients));
    using Seconds = std::chrono::duration<double>;
    const auto total = costs_.total();
    scrape.counter("terrane_work_seconds_total", "Processor time of the workers' jobs.",
                   Seconds(total.all).count());
    scrape.counter("terrane_weighted_work_seconds_total",
                   "Of it, for clients with more shares than one: the rest is for strangers.",
                   Seconds(total.weighted).count());
  });
}

ClientLoad::Summary ClientLoad::summary(std::size_t most) const {
  const auto costs = costs_.summary(most, Clock::now());
  Summary summary{.clients = costs.clients};
  for (const auto& cost : costs.costliest)
    summary.costliest.push_back({name_of_(cost.client), cost});
  return summary;
}

void ClientLoad::charge(const schedule::Source& source, std::chrono::nanoseconds cost) {
  const auto now = Clock::now();
  costs_.charge(source, cost, now);
  Clock::rep due = next_look_.load(std::memory_order_relaxed);
  if (now.time_since_epoch().count() < due) return;
  const Clock::rep next = (now + kBetweenLooks).time_since_epoch().count();
  if (next_look_.compare_exchange_strong(due, next)) log_greediest(now);
}

/// Not one with a weight: whoever gave it that knows it.
void ClientLoad::log_greediest(Clock::time_point now) const {
  const auto summary = costs_.summary(1, now);
  if (summary.clients < 2) return;
  const auto& most = summary.costliest.front();
  if (most.weight > 1 || most.processors < 0.5 * static_cast<double>(workers_)) return;
  spdlog::info(
      "client {} had {:.2f} of {} workers' time in the last minute, {} others {:.2f}; --weight "
      "sets how clients share",
      name_of_(most.client), most.processors, workers_, summary.clients - 1,
      summary.processors - most.processors);
}

}  // namespace terrane
