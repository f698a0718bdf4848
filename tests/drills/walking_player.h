#pragma once

#include <chrono>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "terrane/client.h"
#include "walked_land.h"

namespace terrane::drills {

/// What all players have met.
struct Report {
  double longest_blind = 0;  // seconds that a player had no ground underfoot, the worst
  double longest_pause = 0;  // seconds that a player's stream was gone, the worst
  std::size_t blind = 0;     // times that one had none for more than a tenth of a second
  std::size_t twice = 0, wrong = 0, failed = 0, ended = 0, chunks = 0, reconnects = 0;
  std::size_t new_worlds = 0;  // times that one began anew, since the world was another one
  std::vector<Land> walked;    // of each viewer
};

/// One who walks straight on, and wants ground underfoot.
class Player {
 public:
  using Clock = std::chrono::steady_clock;

  /// @param truth  null: bytes are not compared between players
  Player(const Client& client, WorldRef world, int number, int chunk_size, Truth* truth,
         Report& report);

  /// One frame.
  void go(Clock::time_point now);

  [[nodiscard]] bool has_stood() const { return has_stood_; }

  /// Adds what is told at the end.
  void finish(Clock::time_point now);

 private:
  void note(Clock::time_point now) const;
  void take(const ExploreNews& news);
  void take_state(const ExploreNews& news);
  void begin_anew();
  void end_viewer();

  const Client* client_;
  WorldRef world_;
  Truth* truth_;
  Report* report_;
  Explorer explorer_;
  std::pair<double, double> start_;
  int chunk_size_;
  double heading_;  // to all sides
  Clock::time_point began_ = Clock::now();
  std::set<Place> held_;
  Land land_;  // all that this viewer has got
  bool is_blind_ = false, has_stood_ = false, has_ended_ = false, is_cut_ = false;
  Clock::time_point since_, cut_;
};

}  // namespace terrane::drills
