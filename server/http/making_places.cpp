#include "http/making_places.h"

#include <deque>
#include <list>
#include <new>
#include <unordered_map>
#include <utility>

#include "terrane/mutex.h"

namespace terrane::http {

class MakingPlaces::State : public std::enable_shared_from_this<State> {
 public:
  explicit State(const Bounds& bounds) : bounds_(bounds) {}

  void enter(std::uint64_t client, std::function<void(Place)> make) {
    {
      const MutexLock lock(mutex_);
      std::list<std::uint64_t> turn{client};
      auto& waiting = clients_[client].waiting;
      waiting.push_back(std::move(make));
      if (waiting.size() == 1) turns_.splice(turns_.end(), turn);
    }
    begin_those_who_may();
  }

 private:
  struct Client {
    std::size_t under_way = 0;
    std::deque<std::function<void(Place)>> waiting;
  };

  struct Turn {
    std::uint64_t client = 0;
    std::function<void(Place)> make;  // empty: nobody may begin
  };

  /// What is made at once lets go of its place in here, and leaves the rest to who has had it
  /// begin. Never throws: others than who has entered may wait.
  void begin_those_who_may() noexcept {
    for (Turn turn = next(); turn.make; turn = next()) {
      try {
        turn.make(Place(this, [self = shared_from_this(), client = turn.client](void*) {
          self->leave(client);
        }));
      } catch (const std::bad_alloc&) {
        // whoever waits for it is told so by its reply, which is let go
      }
      has_begun();
    }
  }

  /// Where there is one, has_begun() is to follow. Takes no memory.
  Turn next() {
    const MutexLock lock(mutex_);
    if (begins_ || under_way_ >= bounds_.most) return {};
    for (auto at = turns_.begin(); at != turns_.end(); ++at) {
      Client& client = clients_.at(*at);
      if (client.under_way >= bounds_.most_of_client) continue;
      Turn turn{.client = *at, .make = std::move(client.waiting.front())};
      client.waiting.pop_front();
      if (client.waiting.empty()) {
        turns_.erase(at);
      } else {
        turns_.splice(turns_.end(), turns_, at);
      }
      ++client.under_way;
      ++under_way_;
      begins_ = true;
      return turn;
    }
    return {};
  }

  void has_begun() {
    const MutexLock lock(mutex_);
    begins_ = false;
  }

  void leave(std::uint64_t client) {
    {
      const MutexLock lock(mutex_);
      const auto found = clients_.find(client);
      --found->second.under_way;
      --under_way_;
      if (found->second.under_way == 0 && found->second.waiting.empty()) clients_.erase(found);
    }
    begin_those_who_may();
  }

  const Bounds bounds_;
  Mutex mutex_;
  bool begins_ ABSL_GUARDED_BY(mutex_) = false;  // somebody has the next ones begin, one by one
  std::size_t under_way_ ABSL_GUARDED_BY(mutex_) = 0;
  std::unordered_map<std::uint64_t, Client> clients_ ABSL_GUARDED_BY(mutex_);
  std::list<std::uint64_t> turns_ ABSL_GUARDED_BY(mutex_);  // clients with some that wait, once
};

MakingPlaces::MakingPlaces(const Bounds& bounds) : state_(std::make_shared<State>(bounds)) {}

void MakingPlaces::enter(std::uint64_t client, std::function<void(Place)> make) {
  state_->enter(client, std::move(make));
}

}  // namespace terrane::http
