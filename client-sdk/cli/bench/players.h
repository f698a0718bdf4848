#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "cli/bench/account.h"
#include "cli/session.h"

namespace terrane::cli {

/// What one player has received, or all together have.
struct Traffic {
  std::uint64_t chunks = 0;
  std::uint64_t bytes = 0;  // of these, as encoded
  // of these, chunks that were wanted when they came: all others were sent in vain
  std::uint64_t wanted = 0;
  std::uint64_t wanted_bytes = 0;  // 0 when chunks are decoded
  std::uint64_t reconnects = 0;

  Traffic& operator+=(const Traffic& other);
  Traffic operator-(const Traffic& before) const;
};

/// Explorers, each with an account of what it waits for. They are driven by one thread, like those
/// of a game server.
class Players {
 public:
  using Clock = std::chrono::steady_clock;

  struct Options {
    int view_distance = 16;  // chunks
    bool decode = true;      // false: what comes is thrown away as bytes
  };

  /// @param clients    those of one player after the other, round; outlive this
  /// @param longest_s  without any chunk for somebody who waits for one, seconds: an error
  Players(const std::vector<Client>& clients, const World& world, const WorldRef& ref,
          Options options, double longest_s);

  /// Another player, who appears there. Blocks: no.
  Result<void> appear(const Pose& pose);
  [[nodiscard]] std::size_t size() const { return players_.size(); }

  Result<void> jump(std::size_t player, const Pose& to);
  Result<void> move(std::size_t player, const Pose& to);

  /// Takes what has come, for everybody, at least once; goes on until `until`. One player is waited
  /// for, so that a chunk is seen at once; of several, one is waited for in turn, and all are
  /// looked at about once a millisecond: looking at all of them all the time would take the
  /// server's processor. resolution_ms() says what became of that. Errors: the first that any
  /// player met, a chunk's failure included; kDeadlineExceeded.
  Result<void> take(Clock::time_point until);

  /// Takes what comes until every player has all in view, or the chunk underfoot and that share of
  /// it.
  Result<void> take_until_full(double share = 1);

  [[nodiscard]] ViewAccount& account(std::size_t player) { return players_[player].account; }

  /// Since it appeared. What is in vain can be told only while nobody waits for anything.
  [[nodiscard]] Traffic traffic(std::size_t player) const;
  [[nodiscard]] Traffic traffic() const;  // of all

  /// Times between two looks at the same player, in milliseconds; none of a single player, who is
  /// waited for.
  [[nodiscard]] const std::vector<double>& resolution_ms() const { return resolution_ms_; }

 private:
  struct Player {
    Explorer explorer;
    ViewAccount account;
    std::uint64_t wanted = 0;        // chunks that came while wanted
    std::uint64_t wanted_bytes = 0;  // of these
  };

  Result<void> take(Player& player);
  Result<void> note_round(Clock::time_point now);

  const std::vector<Client>& clients_;
  const World& world_;
  WorldRef ref_;
  Options options_;
  std::chrono::duration<double> longest_;
  std::vector<Player> players_;
  std::size_t turn_ = 0;  // who is waited for
  Clock::time_point last_look_, last_arrival_;
  Error last_error_;  // since the last chunk
  std::vector<double> resolution_ms_;
};

}  // namespace terrane::cli
