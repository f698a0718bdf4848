#include "http/pending_answers.h"

#include <boost/asio/post.hpp>
#include <cstdint>
#include <new>
#include <unordered_map>
#include <utility>

#include "schedule/refusal.h"
#include "terrane/mutex.h"

namespace terrane::http {

struct PendingAnswers::State {
  /// On the port's thread.
  void arrive(std::uint64_t id, Page page) {
    const auto found = waiting.find(id);
    if (found == waiting.end()) return;
    const auto then = std::move(found->second);
    waiting.erase(found);
    then(std::move(page));
  }

  Mutex mutex;
  boost::asio::io_context* io ABSL_GUARDED_BY(mutex) = nullptr;  // null: the port has ended
  // of the port's thread
  std::unordered_map<std::uint64_t, std::function<void(Page)>> waiting;
  std::uint64_t next = 0;
};

PendingAnswers::PendingAnswers(boost::asio::io_context& io) : state_(std::make_shared<State>()) {
  const MutexLock lock(state_->mutex);
  state_->io = &io;
}

PendingAnswers::~PendingAnswers() {
  {
    const MutexLock lock(state_->mutex);
    state_->io = nullptr;
  }
  state_->waiting.clear();
}

/// Of one who waits.
class PendingAnswers::Ticket {
 public:
  Ticket(std::shared_ptr<State> state, std::uint64_t id) : state_(std::move(state)), id_(id) {}
  ~Ticket() {
    try {
      if (!is_used_) answer(error_page(schedule::out_of_memory()));
    } catch (const std::bad_alloc&) {
      return;  // the client will give up
    }
  }
  Ticket(const Ticket&) = delete;
  Ticket& operator=(const Ticket&) = delete;

  void answer(Page page) {
    const MutexLock lock(state_->mutex);
    if (state_->io == nullptr) return;
    boost::asio::post(*state_->io,
                      [weak = std::weak_ptr(state_), id = id_, page = std::move(page)]() mutable {
                        if (const auto here = weak.lock()) here->arrive(id, std::move(page));
                      });
    is_used_ = true;
  }

 private:
  const std::shared_ptr<State> state_;
  const std::uint64_t id_;
  bool is_used_ = false;  // of whoever has the Reply
};

Reply PendingAnswers::expect(std::function<void(Page)> then) {
  const std::uint64_t id = state_->next++;
  const auto ticket = std::make_shared<Ticket>(state_, id);
  state_->waiting.emplace(id, std::move(then));
  return [ticket](Page page) { ticket->answer(std::move(page)); };
}

}  // namespace terrane::http
