#include "cli/bench/scenarios.h"

#include "cli/terminal/text.h"
#include "terrane/result_macros.h"

namespace terrane::cli {

Result<std::vector<Client>> open_connections(const GlobalOptions& globals, std::size_t count) {
  std::vector<Client> clients;
  for (std::size_t i = 0; i < count; ++i) {
    TERRANE_ASSIGN_OR_RETURN(auto client, connect(globals));
    TERRANE_RETURN_IF_ERROR(client.limits());
    clients.push_back(std::move(client));
  }
  return clients;
}

std::string describe_viewers(const BenchPlan& plan) {
  return counted(plan.players, "player") + " on " + counted(plan.connections, "connection") +
         ", view distance " + std::to_string(plan.view_distance) + " chunks";
}

void add_plan(BenchReport& report, const BenchPlan& plan) {
  report.place_seed = plan.place_seed;
  report.figures.push_back({"players", static_cast<double>(plan.players)});
  report.figures.push_back({"connections", static_cast<double>(plan.connections)});
  report.figures.push_back({"view_distance_chunks", static_cast<double>(plan.view_distance)});
}

void add_traffic(BenchReport& report, const Traffic& traffic) {
  const auto in_vain = static_cast<double>(traffic.chunks - traffic.wanted);
  report.figures.push_back({"chunks", static_cast<double>(traffic.chunks), 0,
                            "received by all, from the first to the last"});
  report.figures.push_back(
      {"bytes", static_cast<double>(traffic.bytes), 0, "of these, as encoded"});
  report.figures.push_back(
      {"in_vain_chunks", in_vain, 0, "of these, had already or out of view when they came"});
  report.figures.push_back({"reconnects", static_cast<double>(traffic.reconnects), 0,
                            "broken connections: figures are of little worth unless 0"});
}

void add_resolution(BenchReport& report, const std::vector<double>& resolution_ms) {
  add_quantiles(report, resolution_ms, "resolution_p50_ms", "resolution_p99_ms",
                "between two looks at a player: by so much times are too long");
}

}  // namespace terrane::cli
