#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace terrane::http {

/// How many answers are being made at a time, of those that take dozens of chunks each, and
/// megabytes: of one client, as its turns at the workers come one after another anyway, and of all.
/// The others wait; clients take turns, and of each the first is the first. Thread-safe; nothing
/// blocks.
class MakingPlaces {
 public:
  /// Each at least 1.
  struct Bounds {
    std::size_t most = 1;
    std::size_t most_of_client = 1;
  };

  /// A place, until this is let go; then the next one begins, there and then. May be let go after
  /// MakingPlaces has ended.
  using Place = std::shared_ptr<void>;

  explicit MakingPlaces(const Bounds& bounds);

  /// Calls `make` with a place, now or when there is one.
  /// @param client  schedule::Source::client
  void enter(std::uint64_t client, std::function<void(Place)> make);

 private:
  class State;
  const std::shared_ptr<State> state_;
};

}  // namespace terrane::http
