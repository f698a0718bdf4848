#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <numeric>

#include "cli/bench/places.h"
#include "cli/bench/scenarios.h"
#include "cli/bench/walk.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

using Clock = Players::Clock;

// several players' moves are sent together when they are so close
constexpr std::chrono::milliseconds kTick{1};

Clock::duration to_duration(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Moves the players, spread evenly over time, and takes what comes.
/// @param pilot    where a player is after so many seconds
/// @param on_move  called after each move of a player, before its consequences are known
Result<void> travel(Players& players, const BenchPlan& plan,
                    const std::function<Pose(std::size_t, double)>& pilot,
                    const std::function<void(std::size_t)>& on_move) {
  const auto start = Clock::now(), end = start + to_duration(plan.seconds);
  const auto interval = to_duration(1 / plan.move_rate);
  std::vector<Clock::time_point> due;
  for (std::size_t i = 0; i < players.size(); ++i)
    due.push_back(start + interval * i / players.size());
  do {
    auto next = end;
    for (std::size_t i = 0; i < players.size(); ++i) {
      if (const auto now = Clock::now(); due[i] <= now) {
        TERRANE_RETURN_IF_ERROR(players.move(i, pilot(i, seconds_since(start))));
        on_move(i);
        due[i] = std::max(due[i] + interval, now);  // who is late does not hurry after
      }
      next = std::min(next, due[i]);
    }
    if (players.size() > 1) next = std::max(next, Clock::now() + kTick);
    TERRANE_RETURN_IF_ERROR(players.take(next));
  } while (Clock::now() < end);
  return {};
}

void append(std::vector<double>& values, const std::vector<double>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

/// Who is served how well: one value for each player, chunks a second.
void add_rates(BenchReport& report, const std::vector<double>& rates,
               const std::array<std::string_view, 4>& names, std::string_view meaning) {
  const double slowest = quantile(rates, 0), median = quantile(rates, 0.5);
  report.figures.push_back({names[0], slowest, 2, meaning});
  report.figures.push_back({names[1], median, 2, "the same"});
  report.figures.push_back({names[2], quantile(rates, 1), 2, "the same"});
  report.figures.push_back({names[3], median > 0 ? slowest / median : 0, 3, "of these"});
}

/// What a crowd's walk has shown.
struct Walk {
  double seconds = 0;
  std::uint64_t moves = 0;
  std::uint64_t wanted = 0, served = 0, missed = 0;  // chunks
  std::vector<double> rates, shares, waits_ms;       // of each player; of each; of each chunk
};

Result<Walk> walk(Players& players, std::vector<Wanderer>& wanderers, const BenchPlan& plan) {
  Walk seen;
  const auto start = Clock::now();
  TERRANE_RETURN_IF_ERROR(travel(
      players, plan, [&](std::size_t i, double seconds) { return wanderers[i].after(seconds); },
      [&](std::size_t) { ++seen.moves; }));
  seen.seconds = seconds_since(start);
  for (std::size_t i = 0; i < players.size(); ++i) {
    const ArrivalCounts counts = players.account(i).take_counts();
    seen.wanted += counts.wanted;
    seen.served += counts.served;
    seen.missed += counts.missed;
    seen.rates.push_back(static_cast<double>(counts.served) / seen.seconds);
    if (counts.wanted > 0)
      seen.shares.push_back(static_cast<double>(counts.served) /
                            static_cast<double>(counts.wanted));
    append(seen.waits_ms, counts.waits_ms);
  }
  TERRANE_RETURN_IF_ERROR(players.take_until_full());
  for (std::size_t i = 0; i < players.size(); ++i)
    append(seen.waits_ms, players.account(i).take_counts().waits_ms);
  return seen;
}

void add_walk(BenchReport& report, const Walk& seen) {
  const auto moves_per_s = static_cast<double>(seen.moves) / seen.seconds;
  report.figures.push_back({"walk_seconds", seen.seconds, 1});
  report.figures.push_back({"walk_moves_per_s", moves_per_s, 1,
                            "sent by all players: less than asked for if this machine is busy"});
  report.figures.push_back(
      {"walk_chunks_per_s", static_cast<double>(seen.served) / seen.seconds, 1, "to all players"});
  add_rates(report, seen.rates,
            {"walk_slowest_chunks_per_s", "walk_median_chunks_per_s", "walk_fastest_chunks_per_s",
             "walk_slowest_to_median_ratio"},
            "to one player");
  report.figures.push_back({"walk_least_served_share", quantile(seen.shares, 0), 3,
                            "of what came into one player's view, what it got"});
  add_quantiles(report, seen.waits_ms, "walk_wait_p50_ms", "walk_wait_p99_ms",
                "from the move that brings a chunk into view to its arrival");
  report.figures.push_back({"walk_missed_chunks", static_cast<double>(seen.missed), 0,
                            "went out of view before they came"});
}

}  // namespace

Result<BenchReport> bench_fly(const GlobalOptions& globals, const Session& session,
                              const BenchPlan& plan) {
  TERRANE_ASSIGN_OR_RETURN(const auto clients, open_connections(globals, plan.connections));
  FreshPlaces places(plan.place_seed, session.world.chunk_size);
  const BlockPos from = places.next();
  Players players(clients, session.world, session.ref, {plan.view_distance, true},
                  globals.timeout_s);
  TERRANE_RETURN_IF_ERROR(players.appear(standing(from)));
  TERRANE_RETURN_IF_ERROR(players.take_until_full());

  ViewAccount& account = players.account(0);
  const Traffic before = players.traffic();
  static_cast<void>(account.take_counts());
  std::vector<double> ahead, outran;
  const auto start = Clock::now();
  TERRANE_RETURN_IF_ERROR(travel(
      players, plan,
      [&](std::size_t, double seconds) { return flying_east(from, plan.speed, seconds); },
      [&](std::size_t) {
        ahead.push_back(account.reach_east());
        outran.push_back(account.on_land() ? 0 : 1);
      }));
  const double seconds = seconds_since(start), longest_ms = account.longest_outran_ms(Clock::now());
  TERRANE_RETURN_IF_ERROR(players.take_until_full());
  const ArrivalCounts counts = account.take_counts();

  BenchReport report{"fly", describe_viewers(plan) + ", straight ahead from a full view"};
  add_plan(report, plan);
  const auto moves = static_cast<double>(ahead.size());
  report.figures.push_back({"speed_blocks_per_s", plan.speed});
  report.figures.push_back({"seconds", seconds, 1});
  report.figures.push_back({"moves", moves});
  report.figures.push_back({"outran_share",
                            std::accumulate(outran.begin(), outran.end(), 0.0) / moves, 4,
                            "of the moves, with no chunk underfoot"});
  report.figures.push_back({"outran_longest_ms", longest_ms, 1, "without a chunk underfoot"});
  report.figures.push_back(
      {"ahead_least_chunks", quantile(ahead, 0), 0, "of land without a gap ahead, when moving"});
  report.figures.push_back({"ahead_p50_chunks", quantile(ahead, 0.5), 0, "the same"});
  add_quantiles(report, counts.waits_ms, "wait_p50_ms", "wait_p99_ms",
                "from the move that brings a chunk into view to its arrival");
  report.figures.push_back({"missed_chunks", static_cast<double>(counts.missed), 0,
                            "went out of view before they came"});
  add_traffic(report, players.traffic() - before);
  return report;
}

Result<BenchReport> bench_crowd(const GlobalOptions& globals, const Session& session,
                                const BenchPlan& plan) {
  TERRANE_ASSIGN_OR_RETURN(const auto clients, open_connections(globals, plan.connections));
  FreshPlaces places(plan.place_seed, session.world.chunk_size);
  const BlockPos middle = places.next();
  std::vector<Wanderer> wanderers;
  Players players(clients, session.world, session.ref, {plan.view_distance, false},
                  globals.timeout_s);
  const auto start = Clock::now();
  for (std::size_t i = 0; i < plan.players; ++i) {
    wanderers.emplace_back(middle, plan.spread, plan.speed, plan.place_seed + i);
    TERRANE_RETURN_IF_ERROR(players.appear(wanderers[i].after(0)));
  }
  TERRANE_RETURN_IF_ERROR(players.take_until_full());
  const double join_s = seconds_since(start);
  std::vector<double> join_rates, first_ms;
  std::uint64_t joined = 0;
  for (std::size_t i = 0; i < plan.players; ++i) {
    const Milestones& reached = players.account(i).milestones();
    const auto served = players.account(i).take_counts().served;
    joined += served;
    first_ms.push_back(*reached.first_ms);
    join_rates.push_back(static_cast<double>(served) / *reached.full_ms * 1000);
  }
  TERRANE_ASSIGN_OR_RETURN(auto walked, walk(players, wanderers, plan));

  BenchReport report{"crowd",
                     describe_viewers(plan) + ", wandering about land that nobody has been to"};
  add_plan(report, plan);
  report.figures.push_back({"spread_blocks", static_cast<double>(plan.spread)});
  report.figures.push_back({"speed_blocks_per_s", plan.speed});
  report.figures.push_back({"join_seconds", join_s, 2, "until all have all in view"});
  report.figures.push_back(
      {"join_chunks_per_s", static_cast<double>(joined) / join_s, 1, "to all players"});
  add_quantiles(report, first_ms, "join_first_p50_ms", "join_first_p99_ms",
                "from appearing to the chunk underfoot");
  add_rates(report, join_rates,
            {"join_slowest_chunks_per_s", "join_median_chunks_per_s", "join_fastest_chunks_per_s",
             "join_slowest_to_median_ratio"},
            "to one player, until it has all in view");
  add_walk(report, walked);
  add_traffic(report, players.traffic());
  add_resolution(report, players.resolution_ms());
  return report;
}

}  // namespace terrane::cli
