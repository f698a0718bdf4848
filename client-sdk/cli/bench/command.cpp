#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <random>

#include "cli/bench/run.h"
#include "cli/bench/scenarios.h"
#include "cli/commands.h"
#include "cli/parse.h"
#include "cli/terminal/text.h"
#include "terrane/result_macros.h"

namespace terrane::cli {
namespace {

constexpr std::size_t kStreamsPerConnection = 1024;  // the server's limit: further ones would wait
constexpr std::size_t kMaxConnections = 1024;
constexpr std::size_t kMaxPlayers = 100'000;
constexpr std::size_t kVisits = 100;  // as many make a 99th percentile
constexpr std::size_t kMinRuns = 3;

struct Options {
  std::string scenario;
  BenchPlan plan;
  bool json = false;
};

/// A scenario, the options that it takes besides --json, and its own defaults.
struct Scenario {
  std::string_view name;
  std::vector<std::string_view> options;
  BenchPlan defaults;
};

std::vector<Scenario> scenarios() {
  return {
      {"hot", {"--seconds", "--connections"}, {}},
      {"cold", {"--seconds", "--connections"}, {}},
      {"join", {"--players", "--connections", "--view-distance", "--runs", "--place-seed"}, {}},
      {"fly",
       {"--view-distance", "--seconds", "--speed", "--move-rate", "--place-seed"},
       {.seconds = 20}},
      {"teleport", {"--players", "--connections", "--view-distance", "--runs", "--place-seed"}, {}},
      {"crowd",
       {"--players", "--connections", "--view-distance", "--seconds", "--speed", "--move-rate",
        "--spread", "--place-seed"},
       {.players = 1000,
        .connections = 10,
        .view_distance = 4,
        .seconds = 20,
        .speed = 30,
        .move_rate = 5}},
  };
}

std::uint64_t random_seed() {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

Result<BenchReport> bench_requests(const GlobalOptions& globals, Session& session,
                                   const Options& options) {
  TERRANE_ASSIGN_OR_RETURN(const auto limits, session.client.limits());
  const bool hot = options.scenario == "hot";
  if (!hot) session.ref.seed = random_seed();
  TERRANE_ASSIGN_OR_RETURN(const auto counts,
                           bench_run(globals, session.ref, hot ? BenchKind::kHot : BenchKind::kCold,
                                     limits.max_chunks_per_request, options.plan.connections,
                                     std::chrono::duration<double>(options.plan.seconds)));
  TERRANE_ASSIGN_OR_RETURN(const auto decode_us, decoding_us(counts.examples));
  return bench_report(counts, options.scenario, options.plan.connections, decode_us);
}

Result<void> run(const GlobalOptions& globals, const Options& options) {
  TERRANE_ASSIGN_OR_RETURN(auto session, Session::open(globals));
  const auto measure = [&] {
    if (options.scenario == "join") return bench_join(globals, session, options.plan);
    if (options.scenario == "fly") return bench_fly(globals, session, options.plan);
    if (options.scenario == "teleport") return bench_teleport(globals, session, options.plan);
    if (options.scenario == "crowd") return bench_crowd(globals, session, options.plan);
    return bench_requests(globals, session, options);
  };
  TERRANE_ASSIGN_OR_RETURN(const auto report, measure());
  (options.json ? print_json : print_text)(std::cout, report, session.ref);
  return {};
}

/// What each of the plan's options means, with the limits of its values.
void add_plan_options(FlagSet& command, BenchPlan& plan) {
  command
      .add("--seconds", plan.seconds,
           "hot, cold, fly, crowd: how long to measure; default 5, fly and crowd 20")
      .within_numbers(0.001, 86400);
  command.add("--connections", plan.connections, "all but fly: connections; default 1, crowd 10")
      .within(1, kMaxConnections);
  command
      .add("--players", plan.players,
           "join, teleport, crowd: players, each with a stream; default 1, crowd 1000")
      .within(1, kMaxPlayers);
  command
      .add("--view-distance", plan.view_distance,
           "join, fly, teleport, crowd: in chunks; default 16, crowd 4")
      .type_name("CHUNKS")
      .within(1, kMaxViewDistance);
  command
      .add("--runs", plan.runs,
           "join, teleport: times that each player does it; default 100 in all, but at least 3")
      .within(1, 1'000'000);
  command.add("--speed", plan.speed, "fly, crowd: blocks a second; default 300, crowd 30")
      .type_name("BLOCKS/S")
      .within_numbers(0, kMaxVelocity);
  command
      .add("--move-rate", plan.move_rate,
           "fly, crowd: moves that a player sends a second; default 20, crowd 5")
      .type_name("HZ")
      .within_numbers(0.1, 1000);
  command
      .add("--spread", plan.spread,
           "crowd: blocks from the middle of the land it shares to its edges; default 4096")
      .type_name("BLOCKS")
      .within(1, std::int64_t{1} << 24);
  command
      .add_parsed(
          "--place-seed", plan.place_seed, parse_seed,
          "join, fly, teleport, crowd: where the fresh places are; default: random, printed")
      .type_name("N");
}

/// Names of the scenarios that take an option: "join, teleport".
std::string who_takes(std::string_view option) {
  std::string names;
  for (const Scenario& each : scenarios()) {
    if (std::count(each.options.begin(), each.options.end(), option) == 0) continue;
    names.append(names.empty() ? "" : ", ").append(each.name);
  }
  return names;
}

/// The plan of what was said, and the scenario's defaults for what was not.
/// Errors: kInvalidArgument for what does not belong together.
Result<BenchPlan> completed(const FlagSet& command, const Options& options) {
  const std::vector<Scenario> all = scenarios();
  const auto scenario = std::find_if(all.begin(), all.end(),
                                     [&](const Scenario& s) { return s.name == options.scenario; });
  BenchPlan plan = options.plan;
  std::string misplaced;  // the first flag that is not for this scenario
  const auto settle = [&](const std::string& name, auto BenchPlan::*member) {
    const bool given = command.given(name);
    if (!given) plan.*member = scenario->defaults.*member;
    const auto& taken = scenario->options;
    if (given && misplaced.empty() && std::count(taken.begin(), taken.end(), name) == 0)
      misplaced = name;
    return given;
  };
  settle("--seconds", &BenchPlan::seconds);
  settle("--connections", &BenchPlan::connections);
  settle("--players", &BenchPlan::players);
  settle("--view-distance", &BenchPlan::view_distance);
  settle("--speed", &BenchPlan::speed);
  settle("--move-rate", &BenchPlan::move_rate);
  settle("--spread", &BenchPlan::spread);
  if (!settle("--runs", &BenchPlan::runs))
    plan.runs = std::max(kMinRuns, (kVisits + plan.players - 1) / plan.players);
  if (!settle("--place-seed", &BenchPlan::place_seed)) plan.place_seed = random_seed();
  if (!misplaced.empty()) {
    return fail(ErrorCode::kInvalidArgument, misplaced + ": is not for " + options.scenario +
                                                 "; it is for " + who_takes(misplaced));
  }
  if (plan.players > plan.connections * kStreamsPerConnection) {
    const std::size_t needed = (plan.players + kStreamsPerConnection - 1) / kStreamsPerConnection;
    return fail(ErrorCode::kInvalidArgument,
                "--players: " + std::to_string(plan.players) + " on " +
                    counted(plan.connections, "connection") + "; at most " +
                    std::to_string(kStreamsPerConnection) + " on each: give --connections " +
                    std::to_string(needed) + " or more");
  }
  return plan;
}

constexpr const char* kFooter =
    "hot and cold: each request streams a square of as many chunks as the server lets one request\n"
    "have. hot asks for each connection's square once before it measures; cold takes a new random\n"
    "seed, ignores --seed, and says which it was. Chunks are thrown away; what decoding them\n"
    "would cost is measured apart.\n"
    "join, fly, teleport, crowd: viewers at places that nobody has been to: far apart, the same\n"
    "again for the same --place-seed. Times are from a move to when the viewer's program has the\n"
    "chunk. One thread drives all players; several are looked at about every millisecond\n"
    "(resolution_p99_ms). A single player's chunks are decoded, as a game client's are; not so\n"
    "those of several players, nor in teleport and crowd. A teleport is a jump from a full view,\n"
    "then one more when a quarter of the new view is there. Players of a crowd walk along the\n"
    "axes, so that all want equally much.\n"
    "Client and server on one machine share its processors.\n"
    "Examples: terrane bench cold --connections 4 --seconds 10\n"
    "          terrane bench fly --speed 30\n"
    "          terrane bench teleport --players 100 --json";

}  // namespace

void add_bench(CommandLine& line, const GlobalOptions& globals) {
  auto options = std::make_shared<Options>();
  FlagSet command = line.add_command(
      "bench", "How fast the server sends chunks to this machine, and to players who move");
  std::vector<std::string> names;
  for (const Scenario& scenario : scenarios()) names.emplace_back(scenario.name);
  command
      .add("scenario", options->scenario,
           "hot: chunks that it has at hand; cold: chunks that it has to generate; join: a "
           "viewer appears; fly: one "
           "flies straight ahead; teleport: jumps; crowd: many walk about")
      .required()
      .type_name("SCENARIO")
      .one_of(names);
  add_plan_options(command, options->plan);
  command.add("--json", options->json, "One JSON object");
  command.footer(kFooter);
  const auto check = [command, options]() -> Result<void> {
    TERRANE_ASSIGN_OR_RETURN(options->plan, completed(command, *options));
    return {};
  };
  command.runs([&globals, options] { return run(globals, *options); }, check);
}

}  // namespace terrane::cli
