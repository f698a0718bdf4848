#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cli/bench/players.h"
#include "cli/bench/report.h"
#include "cli/session.h"

/// What viewers meet, each from moving to having the chunk. All block until done, on one thread.
/// Errors: the first that any viewer met; kDeadlineExceeded when no chunk comes for the time that
/// GlobalOptions allow for an answer.
namespace terrane::cli {

/// Viewers and how to drive them.
struct BenchPlan {
  std::size_t players = 1;
  std::size_t connections = 1;
  int view_distance = 16;  // chunks
  std::size_t runs = 1;    // joins or teleports of each player
  double seconds = 5;      // of moving
  double speed = 300;      // blocks a second
  double move_rate = 20;   // moves of a player a second
  // blocks from the middle of the land that a crowd shares to its edges
  std::int64_t spread = 4096;
  std::uint64_t place_seed = 0;  // of FreshPlaces
};

/// Players appear at fresh places, all at once: how long until they see something, and everything.
[[nodiscard]] Result<BenchReport> bench_join(const GlobalOptions& globals, const Session& session,
                                             const BenchPlan& plan);

/// Players jump to fresh places, all at once: from a full view, and again while the new view has
/// only begun to come.
[[nodiscard]] Result<BenchReport> bench_teleport(const GlobalOptions& globals,
                                                 const Session& session, const BenchPlan& plan);

/// One flies straight ahead over land that nobody has been to.
[[nodiscard]] Result<BenchReport> bench_fly(const GlobalOptions& globals, const Session& session,
                                            const BenchPlan& plan);

/// Many wander about some land that is new to all of them: who is served how well.
[[nodiscard]] Result<BenchReport> bench_crowd(const GlobalOptions& globals, const Session& session,
                                              const BenchPlan& plan);

/// Clients with a connection of their own each, and that is up.
[[nodiscard]] Result<std::vector<Client>> open_connections(const GlobalOptions& globals,
                                                           std::size_t count);

/// "3 players, view distance 16 chunks": how all of these scenarios begin their setting.
[[nodiscard]] std::string describe_viewers(const BenchPlan& plan);

/// Adds what the plan asked for, and what it brought.
void add_plan(BenchReport& report, const BenchPlan& plan);
void add_traffic(BenchReport& report, const Traffic& traffic);
/// Adds how exact the times are; nothing if there are no values. @param resolution_ms
/// Players::resolution_ms
void add_resolution(BenchReport& report, const std::vector<double>& resolution_ms);

}  // namespace terrane::cli
