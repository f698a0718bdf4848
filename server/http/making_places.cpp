#include "http/making_places.h"

#include <deque>
#include <unordered_map>
#include <utility>

#include "terrane/mutex.h"

namespace terrane::http {

class MakingPlaces::State : public std::enable_shared_from_this<State> {
 public:
  explicit State(std::size_t most) : most_(most) {}

  void enter(std::uint64_t client, std::function<void(Place)> make) {
    {
      const MutexLock lock(mutex_);
      clients_[client].waiting.push_back(std::move(make));
    }
    begin_those_who_may(client);
  }

  void leave(std::uint64_t client) {
    {
      const MutexLock lock(mutex_);
      --clients_.at(client).under_way;
    }
    begin_those_who_may(client);
  }

 private:
  struct Client {
    std::size_t under_way = 0;
    bool begins = false;  // somebody has its next ones begin, one after another
    std::deque<std::function<void(Place)>> waiting;
  };

  /// Who is made at once comes here again, and leaves the rest to who has had it begin.
  void begin_those_who_may(std::uint64_t client) {
    while (const auto make = next(client)) {
      const Beginning beginning(*this, client);
      make(Place(this, [self = shared_from_this(), client](void*) { self->leave(client); }));
    }
  }

  void has_begun(std::uint64_t client) {
    const MutexLock lock(mutex_);
    clients_.at(client).begins = false;
  }

  /// From next() until its `make` has returned, or thrown.
  class Beginning {
   public:
    Beginning(State& state, std::uint64_t client) : state_(state), client_(client) {}
    ~Beginning() { state_.has_begun(client_); }
    Beginning(const Beginning&) = delete;
    Beginning& operator=(const Beginning&) = delete;

   private:
    State& state_;
    const std::uint64_t client_;
  };

  /// Empty where none may. Else has_begun() is to follow.
  std::function<void(Place)> next(std::uint64_t client) {
    const MutexLock lock(mutex_);
    const auto found = clients_.find(client);
    if (found == clients_.end() || found->second.begins) return {};
    Client& account = found->second;
    if (account.waiting.empty() || account.under_way >= most_) {
      if (account.waiting.empty() && account.under_way == 0) clients_.erase(found);
      return {};
    }
    auto make = std::move(account.waiting.front());
    account.waiting.pop_front();
    ++account.under_way;
    account.begins = true;
    return make;
  }

  const std::size_t most_;
  Mutex mutex_;
  std::unordered_map<std::uint64_t, Client> clients_ ABSL_GUARDED_BY(mutex_);
};

MakingPlaces::MakingPlaces(std::size_t most) : state_(std::make_shared<State>(most)) {}

void MakingPlaces::enter(std::uint64_t client, std::function<void(Place)> make) {
  state_->enter(client, std::move(make));
}

}  // namespace terrane::http
