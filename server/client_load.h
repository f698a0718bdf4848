#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ops/metrics.h"
#include "schedule/client_costs.h"
#include "schedule/source.h"

namespace terrane {

/// Says who loads the server: the costliest clients in metrics, and in the log, once a minute, a
/// client that has more than half of the workers while there are others. Thread-safe; no call
/// blocks.
class ClientLoad {
 public:
  /// @param metrics  this must outlive its last scrape
  /// @param name_of  what a client is called
  ClientLoad(ops::Metrics& metrics, std::size_t workers,
             std::function<std::string(std::uint64_t client)> name_of);

  struct Client {
    std::string name;
    schedule::ClientCosts::Cost cost;
  };
  struct Summary {
    std::vector<Client> costliest = {};  // first the one that costs most
    std::size_t clients = 0;             // that cost anything
  };
  [[nodiscard]] Summary summary(std::size_t most) const;

  /// For WorkerPool::Options::on_charge.
  void charge(const schedule::Source& source, std::chrono::nanoseconds cost);

 private:
  using Clock = schedule::ClientCosts::Clock;
  void log_greediest(Clock::time_point now) const;

  const std::size_t workers_;
  const std::function<std::string(std::uint64_t)> name_of_;
  schedule::ClientCosts costs_;
  std::atomic<Clock::rep> next_look_;  // whether to log something
};

}  // namespace terrane
