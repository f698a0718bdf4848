#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace terrane::rpc {

/// How fast clients' calls may begin. What gRPC's threads do for a call, nobody shares out once it
/// has begun; so where several clients want more than there is, calls begin at the pace at which
/// each client has its part by weight of the processors (server/adr/0019). Alone, a client is not
/// held back, nor is anybody while there are processors to spare. Not thread-safe.
class CallPace {
 public:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  struct Caller {
    double weight = 1;
    double begun = 0;    // calls, since the last time, or what is worth as many
    bool waits = false;  // with more of them
  };
  struct Load {
    std::chrono::nanoseconds used{0};       // processor time of the process since it began
    std::chrono::nanoseconds call_cost{0};  // to gRPC's threads, of late
    std::vector<Caller> callers;
    double others = 0;        // weight of those others whose jobs wait for a worker
    std::size_t clients = 0;  // that have wanted anything lately
  };

  static constexpr std::chrono::milliseconds kInterval{20};

  /// @param processors  that the server may use
  /// @param workers     threads of the worker pool
  CallPace(double processors, std::size_t workers)
      : processors_(processors),
        beside_jobs_(std::min(0.5, processors / (processors + static_cast<double>(workers)))) {}

  /// To be told every kInterval, about. May throw std::bad_alloc.
  void adapt(Load load, Clock::time_point now);

  /// Whether anybody is held back.
  [[nodiscard]] bool is_held() const { return is_held_; }
  /// Processor time that a call costs gRPC, as of late.
  [[nodiscard]] Seconds cost() const { return cost_; }
  /// Processors that the calls of a client of this weight may have.
  [[nodiscard]] double part_of(std::uint32_t weight) const { return level_ * weight; }

 private:
  double processors_;
  // Of the processors, for calls beside jobs: gRPC's threads get no more of a busy processor than
  // each worker does, and would fall behind with what has begun.
  double beside_jobs_;
  Seconds cost_{60e-6};
  bool is_held_ = false;
  double part_ = 1;   // of the processors, for all calls
  double level_ = 1;  // processors for each unit of weight
  std::chrono::nanoseconds used_{0};
  Clock::time_point adapted_{};
};

}  // namespace terrane::rpc
