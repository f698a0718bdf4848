#include <chrono>

#include "cli/bench/places.h"
#include "cli/bench/scenarios.h"
#include "cli/bench/walk.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

constexpr double kBegun = 0.25;  // share of the view after which a hurried player jumps on

/// Times of many visits, in milliseconds.
struct Times {
  std::vector<double> first, near, full;

  void add(const Milestones& reached) {
    if (reached.first_ms) first.push_back(*reached.first_ms);
    if (reached.near_ms) near.push_back(*reached.near_ms);
    if (reached.full_ms) full.push_back(*reached.full_ms);
  }
};

void add_times(Times& times, Players& players) {
  for (std::size_t i = 0; i < players.size(); ++i) times.add(players.account(i).milestones());
}

Result<void> all_jump(Players& players, FreshPlaces& places) {
  for (std::size_t i = 0; i < players.size(); ++i) {
    TERRANE_RETURN_IF_ERROR(players.jump(i, standing(places.next())));
  }
  return {};
}

Result<void> all_appear(Players& players, FreshPlaces& places, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    TERRANE_RETURN_IF_ERROR(players.appear(standing(places.next())));
  }
  return {};
}

/// What teleports have shown.
struct Teleports {
  Times settled, hurried;
  std::vector<double> stale_chunks, stale_bytes;
};

/// Everybody jumps from a full view, and on as soon as a part of the new view is there.
Result<void> teleport_twice(Players& players, FreshPlaces& places, Teleports& seen) {
  TERRANE_RETURN_IF_ERROR(all_jump(players, places));
  TERRANE_RETURN_IF_ERROR(players.take_until_full(kBegun));
  add_times(seen.settled, players);

  std::vector<Traffic> before;
  for (std::size_t i = 0; i < players.size(); ++i) before.push_back(players.traffic(i));
  TERRANE_RETURN_IF_ERROR(all_jump(players, places));
  TERRANE_RETURN_IF_ERROR(players.take_until_full());
  add_times(seen.hurried, players);
  for (std::size_t i = 0; i < players.size(); ++i) {
    const Traffic after = players.traffic(i);
    const auto stale = [](std::uint64_t all, std::uint64_t all_before, std::uint64_t wanted,
                          std::uint64_t wanted_before) {
      return static_cast<double>(all - all_before) - static_cast<double>(wanted - wanted_before);
    };
    seen.stale_chunks.push_back(
        stale(after.chunks, before[i].chunks, after.wanted, before[i].wanted));
    seen.stale_bytes.push_back(
        stale(after.bytes, before[i].bytes, after.wanted_bytes, before[i].wanted_bytes));
  }
  return {};
}

}  // namespace

Result<BenchReport> bench_join(const GlobalOptions& globals, const Session& session,
                               const BenchPlan& plan) {
  TERRANE_ASSIGN_OR_RETURN(const auto clients, open_connections(globals, plan.connections));
  FreshPlaces places(plan.place_seed, session.world.chunk_size);
  Times times;
  Traffic all;
  std::vector<double> resolution_ms;
  const auto start = Players::Clock::now();
  for (std::size_t run = 0; run < plan.runs; ++run) {
    Players players(clients, session.world, session.ref, {plan.view_distance, plan.players == 1},
                    globals.timeout_s);
    TERRANE_RETURN_IF_ERROR(all_appear(players, places, plan.players));
    TERRANE_RETURN_IF_ERROR(players.take_until_full());
    add_times(times, players);
    all += players.traffic();
    resolution_ms.insert(resolution_ms.end(), players.resolution_ms().begin(),
                         players.resolution_ms().end());
  }
  const double seconds = std::chrono::duration<double>(Players::Clock::now() - start).count();

  BenchReport report{"join", describe_viewers(plan) + ", each at a fresh place"};
  add_plan(report, plan);
  report.figures.push_back({"joins", static_cast<double>(times.first.size())});
  add_quantiles(report, times.first, "first_p50_ms", "first_p99_ms",
                "from appearing to the chunk underfoot");
  add_quantiles(report, times.near, "near_p50_ms", "near_p99_ms", "to the 3 x 3 chunks around");
  add_quantiles(report, times.full, "full_p50_ms", "full_p99_ms", "to all in view");
  report.figures.push_back(
      {"chunks_per_s", static_cast<double>(all.chunks) / seconds, 1, "by all players"});
  add_traffic(report, all);
  add_resolution(report, resolution_ms);
  return report;
}

Result<BenchReport> bench_teleport(const GlobalOptions& globals, const Session& session,
                                   const BenchPlan& plan) {
  TERRANE_ASSIGN_OR_RETURN(const auto clients, open_connections(globals, plan.connections));
  FreshPlaces places(plan.place_seed, session.world.chunk_size);
  Players players(clients, session.world, session.ref, {plan.view_distance, false},
                  globals.timeout_s);
  TERRANE_RETURN_IF_ERROR(all_appear(players, places, plan.players));
  TERRANE_RETURN_IF_ERROR(players.take_until_full());
  Teleports seen;
  for (std::size_t run = 0; run < plan.runs; ++run) {
    TERRANE_RETURN_IF_ERROR(teleport_twice(players, places, seen));
  }

  BenchReport report{"teleport", describe_viewers(plan) + ", all jumping at once to fresh places"};
  add_plan(report, plan);
  report.figures.push_back({"jumps", static_cast<double>(2 * seen.settled.first.size())});
  add_quantiles(report, seen.settled.first, "first_p50_ms", "first_p99_ms",
                "from a jump with a full view to the chunk underfoot");
  add_quantiles(report, seen.hurried.first, "hurried_first_p50_ms", "hurried_first_p99_ms",
                "from a jump while most of the old view was still to come");
  add_quantiles(report, seen.hurried.full, "full_p50_ms", "full_p99_ms",
                "from that jump to all in view");
  report.figures.push_back({"stale_p50_chunks", quantile(seen.stale_chunks, 0.5), 0,
                            "of the old place, received after that jump"});
  report.figures.push_back({"stale_max_chunks", quantile(seen.stale_chunks, 1), 0, "the same"});
  report.figures.push_back({"stale_max_bytes", quantile(seen.stale_bytes, 1), 0, "the same"});
  add_traffic(report, players.traffic());
  add_resolution(report, players.resolution_ms());
  return report;
}

}  // namespace terrane::cli
