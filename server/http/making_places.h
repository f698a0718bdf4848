#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace terrane::http {

/// How many answers of one client are being made at a time, of those that take dozens of chunks
/// each: workers' queues would else be full of one client's, whose turns come one after another
/// anyway. The others wait, the first first. Thread-safe; nothing blocks.
class MakingPlaces {
 public:
  /// A place, until this is let go; then the client's next one begins, there and then. May be let
  /// go after MakingPlaces has ended.
  using Place = std::shared_ptr<void>;

  /// @param most  of a client; at least 1
  explicit MakingPlaces(std::size_t most);

  /// Calls `make` with a place, now or when there is one.
  /// @param client  schedule::Source::client
  void enter(std::uint64_t client, std::function<void(Place)> make);

 private:
  class State;
  const std::shared_ptr<State> state_;
};

}  // namespace terrane::http
