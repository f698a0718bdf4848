#include "schedule/alarm_clock.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>
#include <memory>
#include <thread>
#include <utility>

#include "log.h"

namespace terrane::schedule {

class AlarmClock::Impl {
 public:
  ~Impl() {
    context_.stop();
    thread_.join();
  }

  void set(Clock::time_point time, std::function<void()> ring) {
    // all that ring within a millisecond wake the thread once
    auto timer = std::make_unique<boost::asio::steady_timer>(
        context_, std::chrono::ceil<std::chrono::milliseconds>(time));
    auto& waiting = *timer;  // lives in its own callback
    waiting.async_wait(
        [timer = std::move(timer), ring = std::move(ring)](const boost::system::error_code& error) {
          if (!error) run(ring);
        });
  }

 private:
  /// Whatever is thrown stays here: the thread serves all alarms.
  static void run(const std::function<void()>& ring) {
    try {
      ring();
    } catch (const std::exception& e) {
      spdlog::error("an alarm threw: {}; the others go on", e.what());
    }
  }

  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> open_{
      context_.get_executor()};
  std::thread thread_{[this] { context_.run(); }};
};

AlarmClock::AlarmClock() : impl_(std::make_unique<Impl>()) {}
AlarmClock::~AlarmClock() = default;

void AlarmClock::set(Clock::time_point time, std::function<void()> ring) {
  impl_->set(time, std::move(ring));
}

}  // namespace terrane::schedule
