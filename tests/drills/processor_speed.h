#pragma once

#include <atomic>
#include <thread>

namespace terrane::drills {

/// How fast a processor is while others use it. A machine's processors are not always as fast:
/// their clocks change, and what runs on the other half of one slows it down. What a server does in
/// a second can be compared with what it did before only where that is known.
class ProcessorSpeed {
 public:
  /// From now on, on the processors that the calling thread may use, a piece of work now and then:
  /// a hundredth of their time. May throw std::system_error.
  ProcessorSpeed();
  ~ProcessorSpeed();
  ProcessorSpeed(const ProcessorSpeed&) = delete;
  ProcessorSpeed& operator=(const ProcessorSpeed&) = delete;

  /// Pieces of work in a second of the time that they had, their mean. Ends the measurement.
  [[nodiscard]] double stop();

 private:
  void measure();

  std::atomic<bool> is_enough_ = false;
  double pieces_ = 0, seconds_ = 0;  // the thread's until it is over
  std::thread thread_;
};

}  // namespace terrane::drills
