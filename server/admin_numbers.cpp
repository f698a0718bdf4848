#include "admin_numbers.h"

#include <utility>

#include "ops/build_info.h"
#include "ops/process_metrics.h"

namespace terrane {
namespace {

constexpr std::size_t kCostliest = 20;

admin::WaitTimes of_all(const QueueWaits& waits) {
  admin::WaitTimes sum{"queue", std::vector<std::uint64_t>(ops::Histogram().counts().size())};
  for (const ops::Histogram& wait : waits) {
    const auto counts = wait.counts();
    for (std::size_t i = 0; i < counts.size(); ++i) sum.counts[i] += counts[i];
  }
  return sum;
}

}  // namespace

std::function<admin::ServerNumbers()> admin_numbers(const ClientLoad& load,
                                                    const pipeline::PipelineTimers& timers,
                                                    const QueueWaits& waits,
                                                    std::uint64_t memory_limit) {
  return [&load, timers, waits, memory_limit, start = std::chrono::steady_clock::now()] {
    const std::chrono::duration<double> uptime = std::chrono::steady_clock::now() - start;
    admin::ServerNumbers numbers{.version = ops::build_info(),
                                 .uptime_seconds = uptime.count(),
                                 .memory_bytes = ops::anonymous_memory(),
                                 .memory_limit_bytes = memory_limit};
    const auto summary = load.summary(kCostliest);
    numbers.clients = summary.clients;
    for (const auto& client : summary.costliest)
      numbers.costliest.push_back({client.name, client.cost.processors, client.cost.weight});
    numbers.waits = {{"memory", timers.memory.counts()},
                     {"disk", timers.disk.counts()},
                     {"generated", timers.generated.counts()},
                     {"joined", timers.joined.counts()},
                     of_all(waits)};
    return numbers;
  };
}

}  // namespace terrane
