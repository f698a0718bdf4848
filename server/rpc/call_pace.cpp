#include "rpc/call_pace.h"

#include <algorithm>
#include <limits>

namespace terrane::rpc {
namespace {

using Seconds = CallPace::Seconds;

// Of the processors: past it there is something to share out. Jobs that wait say so, too, where
// other programs have much of the processors.
constexpr double kBusy = 0.9, kBusyBesideJobs = 0.6;
// For calls that no job waits beside. Where the processors are busy all the same, it is with calls
// that gRPC has not told us of yet.
constexpr double kLeastOfAll = 0.25;
constexpr double kSlower = 0.7, kFaster = 1.1;  // at a time

/// What one client wants.
struct Demand {
  double of_weight;  // processors for each unit of its weight
  double weight;
};

/// What each unit of weight has where some want less than their part and the rest is for the
/// others: max-min fairness (D. Bertsekas, R. Gallager, "Data Networks", 1992, 6.5.2).
struct Level {
  double of_weight;
  double wanting;  // weight of those that want more
};

/// @param demands  the least first
Level share_out(double processors, const std::vector<Demand>& demands) {
  double weight = 0;
  for (const Demand& each : demands) weight += each.weight;
  for (const Demand& each : demands) {
    if (each.of_weight * weight >= processors) return {processors / weight, weight};
    processors -= each.of_weight * each.weight;
    weight -= each.weight;
  }
  // Nobody wants more; whoever wants most may have what is left, too.
  return {processors + (demands.empty() ? 0 : demands.back().of_weight), 0};
}

}  // namespace

void CallPace::adapt(Load load, Clock::time_point now) {
  const Seconds time = now - adapted_;
  const Seconds used = load.used - used_;
  if (time <= Seconds(0)) return;
  cost_ = load.call_cost;
  std::vector<Demand> demands;
  demands.reserve(load.callers.size());
  for (const Caller& each : load.callers) {
    const double processors = static_cast<double>(each.begun) * cost_ / time;
    demands.push_back(
        {each.waits ? std::numeric_limits<double>::infinity() : processors / each.weight,
         each.weight});
  }
  std::ranges::sort(demands, {}, &Demand::of_weight);
  used_ = load.used;
  adapted_ = now;
  is_held_ = load.clients > 1;
  double least = kLeastOfAll;
  if (load.others > 0) {
    const double wanting = share_out(processors_ * part_, demands).wanting;
    const double callers = std::max(wanting, 1.0);
    least = std::min(beside_jobs_, callers / (callers + load.others));
  }
  const double busy = load.others > 0 ? kBusyBesideJobs : kBusy;
  const bool is_busy = used > busy * processors_ * time;
  part_ = std::clamp(part_ * (is_busy ? kSlower : kFaster), least, 1.0);
  level_ = share_out(processors_ * part_, demands).of_weight;
}

}  // namespace terrane::rpc
