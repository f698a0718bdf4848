#include "rpc/admin/errands.h"

#include <spdlog/fmt/fmt.h>

#include <exception>
#include <iterator>
#include <utility>
#include <vector>

#include "rpc/status.h"

namespace terrane::rpc {

Errands::~Errands() {
  stop();
  std::list<Errand> left;
  {
    const MutexLock lock(mutex_);
    left.swap(errands_);  // an errand still knows its place in it
  }
  for (Errand& errand : left) errand.thread.join();
}

Result<void> Errands::run(std::stop_source stop, std::function<void()> work) {
  const MutexLock lock(mutex_);
  if (stopped_) return tl::unexpected(draining());
  for (auto errand = errands_.begin(); errand != errands_.end();) {
    const auto next = std::next(errand);
    if (errand->is_over) {
      errand->thread.join();  // it is past its last use of the mutex, or about to be
      errands_.erase(errand);
    }
    errand = next;
  }
  if (errands_.size() >= most_) {
    return tl::unexpected(Error{
        .code = ErrorCode::kResourceExhausted,
        .message = fmt::format(
            "{} surveys, purges and pregenerations are under way: wait until one ends", most_),
        .reason = ErrorReason::kQueueFull,
        .limit = std::to_string(most_)});
  }
  Errand& errand = errands_.emplace_back(std::move(stop));
  try {
    errand.thread = std::thread([this, &errand, work = std::move(work)] {
      work();
      const MutexLock ending(mutex_);
      errand.is_over = true;
    });
  } catch (const std::exception& failure) {  // std::system_error, or no memory
    errands_.pop_back();
    return fail(ErrorCode::kResourceExhausted,
                std::string("the system gives no thread for it: ") + failure.what());
  }
  return {};
}

void Errands::stop() {
  std::vector<std::stop_source> stops;
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    for (const Errand& errand : errands_) stops.push_back(errand.stop);
  }
  for (std::stop_source& stop : stops) stop.request_stop();  // may call back at length
}

}  // namespace terrane::rpc
