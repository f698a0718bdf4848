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
/// @param demands  the least first
double share_out(double processors, const std::vector<Demand>& demands) {
  double weight = 0;
  for (const Demand& each : demands) weight += each.weight;
  for (const Demand& each : demands) {
    if (each.of_weight * weight >= processors) return processors / weight;
    processors -= each.of_weight * each.weight;
    weight -= each.weight;
  }
  // Nobody wants more; whoever wants most may have what is left, too.
  return processors + (demands.empty() ? 0 : demands.back().of_weight);
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
    const double processors = each.begun * cost_ / time;
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
    // Those with jobs want all that they can have. A caller that wants little is not to stand for
    // its whole weight, or others' calls would have what is left of that.
    demands.push_back({std::numeric_limits<double>::infinity(), load.others});
    const double level = share_out(processors_, demands);
    demands.pop_back();
    double callers = 0;
    for (const Demand& each : demands) callers += std::min(each.of_weight, level) * each.weight;
    // at least that of one more, of weight 1
    least = std::min(beside_jobs_, std::max(callers, level) / processors_);
  }
  const double busy = load.others > 0 ? kBusyBesideJobs : kBusy;
  const bool is_busy = used > busy * processors_ * time;
  part_ = std::clamp(part_ * (is_busy ? kSlower : kFaster), least, 1.0);
  level_ = share_out(processors_ * part_, demands);
}

}  // namespace terrane::rpc
