// The composition root: builds everything in dependency order, and owns everything.

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "access/client_names.h"
#include "access/live_access.h"
#include "access/new_token.h"
#include "admin/operations.h"
#include "admin_numbers.h"
#include "client_load.h"
#include "config/config.h"
#include "generator.h"
#include "http/server.h"
#include "http/world_routes.h"
#include "log.h"
#include "look_after.h"
#include "net/certificates.h"
#include "net/connection_limits.h"
#include "net/port_state.h"
#include "ops/build_info.h"
#include "ops/logging.h"
#include "ops/machine.h"
#include "ops/metrics.h"
#include "ops/process_metrics.h"
#include "pipeline/chunk_pipeline.h"
#include "process_setup.h"
#include "rpc/health_check.h"
#include "rpc/server.h"
#include "schedule/worker_pool.h"
#include "server_metrics.h"
#include "serving_options.h"
#include "stop_signals.h"
#include "store/chunk_store.h"
#include "store/map_faults.h"
#include "terrane/result_macros.h"
#include "world_commands.h"
#include "worlds/world_catalog.h"
#include "worlds/world_reloader.h"

namespace {

using namespace terrane;

constexpr int kFailed = 1;
constexpr std::size_t kThreadsOfGrpc = 14;  // of its own and ours, at the very least
constexpr int kWrongConfiguration = 2;

// Balancers ask for the health each half second to ten seconds. Where none has, nobody waits.
constexpr std::chrono::seconds kWatched{10};
constexpr std::chrono::seconds kDrainDelay{2};

/// @return the store, or null to serve without one. Errors: the directory is another server's, or
///   of no use while a cache is required.
Result<std::unique_ptr<store::ChunkStore>> open_store(const config::Config& config) {
  if (!config.cache) return nullptr;
  auto opened = store::ChunkStore::open({.directory = config.data, .max_bytes = config.cache_size});
  if (opened || opened.error().code == ErrorCode::kFailedPrecondition) return opened;
  if (config.require_cache) {
    opened.error().message += " (with --require-cache the server does not start without it)";
    return opened;
  }
  spdlog::warn("serving without a cache: {}", opened.error().message);
  return nullptr;
}

/// @return the port, or null when none is wanted. Errors: the address can't be listened on.
Result<std::unique_ptr<http::Server>> start_http(
    const config::Config& config, ops::Metrics& metrics, const std::atomic<http::Phase>& phase,
    net::PortStates& ports, const net::ConnectionLimits& limits,
    http::Server::Certificates certificates, const http::WorldRoutes& worlds) {
  if (config.http.empty()) return nullptr;
  return http::Server::start(config.http, metrics, phase, ports, {.connections = limits},
                             std::move(certificates), &worlds);
}

/// @return the certificates, or null where ports are in the clear. Errors: those of
///   LiveCertificates::open.
Result<std::shared_ptr<net::LiveCertificates>> open_certificates(const config::Config& config,
                                                                 ops::Metrics& metrics) {
  if (config.tls_cert.empty()) return nullptr;
  return net::LiveCertificates::open({config.tls_cert, config.tls_key, config.tls_client_ca},
                                     metrics);
}

/// @return who may call, or null where nobody is asked who they are. Errors: those of
///   LiveAccess::open.
Result<std::shared_ptr<access::LiveAccess>> open_access(const config::Config& config,
                                                        ops::Metrics& metrics) {
  if (config.token_keys.empty() && config.access_file.empty() && config.realms.empty() &&
      config.tls_client_ca.empty())
    return nullptr;
  const bool has_tokens = !config.token_keys.empty() || !config.access_file.empty();
  return access::LiveAccess::open(
      {.token_keys = config.token_keys,
       .token_rules = {config.token_issuer, config.token_audience, config.token_leeway},
       .access_file = config.access_file,
       .realms = config.realms,
       .realms_only = config.realms_only,
       .allows_anonymous = config.allow_anonymous || !has_tokens},
      metrics);
}

/// What clients are called in logs and metrics.
std::string name_of(std::uint64_t client, const access::LiveAccess* access) {
  const bool is_identity = access != nullptr && access::is_identity(client);
  return is_identity ? access->name_of(client) : rpc::client_name(client);
}

std::string describe_cache(const config::Config& config, const store::ChunkStore* cache) {
  if (cache == nullptr) return "off";
  return fmt::format("of at most {} MiB in {}", config.cache_size >> 20, config.data.string());
}

std::string describe_chunks(const config::Config& config, const store::StoreStats& stats) {
  return fmt::format("{} ({} chunks{})", config.data.string(), stats.entries,
                     stats.checking ? ", being checked" : "");
}

void announce(const rpc::Server& server, const http::Server* http, std::size_t worlds,
              const config::Config& config, const store::ChunkStore* cache) {
  const std::string cached = cache == nullptr ? "off" : describe_chunks(config, cache->stats());
  const std::string ready =
      fmt::format("terraned ready: grpc {}, http {}, {} worlds, cache {}", server.address(),
                  http == nullptr ? "off" : http->address(), worlds, cached);
  std::cout << ops::bare_line(ops::log_format_of(config.log_format), "info", ready) << std::flush;
}

/// Serves on for a while in which health says no, so that balancers send nobody here any more by
/// the time that those who are here are sent away: else some would be sent back.
void let_balancers_notice(rpc::Server& server, const config::Config& config,
                          std::atomic<http::Phase>& phase, const net::PortStates& ports) {
  const bool is_watched = server.health_asked_within(kWatched) || ports.asked.within(kWatched);
  const auto delay =
      config.drain_delay.value_or(is_watched ? kDrainDelay : std::chrono::seconds(0));
  if (delay.count() == 0) return;
  phase = http::Phase::kLeaving;
  server.announce_end();
  spdlog::info("serving for {} s more while health says no (--drain-delay)", delay.count());
  std::this_thread::sleep_for(delay);  // a further signal ends the process
}

void drain(rpc::Server& server, const config::Config& config) {
  if (const std::size_t cut = server.drain(config.drain_timeout); cut > 0) {
    spdlog::warn("{} calls had not ended after {} s (--drain-timeout) and were cancelled", cut,
                 config.drain_timeout.count());
  }
}

/// Why the server does not start.
struct Failure {
  int exit_code;
  std::string message;
};

Failure failed(const Error& error) { return {kFailed, error.message}; }

/// What the ports serve, and what is looked after meanwhile. All of it outlives them.
struct Served {
  const rpc::Backend& backend;
  worlds::WorldReloader& worlds;
  store::ChunkStore* cache;  // null: there is none
};

/// Opens both ports, serves until it is to stop, and drains.
tl::expected<void, Failure> serve_ports(const config::Config& config,
                                        const net::ConnectionPlan& connections,
                                        const Served& served) {
  const rpc::Backend& backend = served.backend;
  std::atomic<http::Phase> phase = http::Phase::kStarting;
  net::PortStates ports;
  scrape_phase(backend.metrics, phase, ports);
  TERRANE_ASSIGN_OR_RETURN(
      const auto certificates,
      open_certificates(config, backend.metrics).map_error([](const Error& e) {
        return Failure{kWrongConfiguration, "--tls-cert, --tls-key, --tls-client-ca: " + e.message};
      }));
  TERRANE_ASSIGN_OR_RETURN(auto cors,
                           http::Cors::parse(config.http_cors).map_error([](const Error& e) {
                             return Failure{kWrongConfiguration, "--http-cors: " + e.message};
                           }));
  TERRANE_ASSIGN_OR_RETURN(
      const auto server,
      rpc::Server::start(config.listen, backend, rpc_limits(config), {}, explore_pace(config),
                         connection_policy(config, connections.grpc, ports), certificates)
          .map_error(failed));
  const http::WorldRoutes world_routes(
      backend, server->service(), rpc_limits(config), std::move(cors),
      [cache = served.cache, is_wanted = config.cache] {
        return is_wanted && (cache == nullptr || !cache->stats().writable);
      });
  TERRANE_ASSIGN_OR_RETURN(const auto http, start_http(config, backend.metrics, phase, ports,
                                                       connections.http, certificates, world_routes)
                                                .map_error(failed));
  if (http) server->also_send_away(http->send_away());
  phase = http::Phase::kServing;
  announce(*server, http.get(), backend.worlds.now()->size(), config, served.cache);
  await_stop(
      watcher_of(config, served.worlds, served.cache, certificates.get(), backend.access.get()));
  let_balancers_notice(*server, config, phase, ports);
  phase = http::Phase::kDraining;
  drain(*server, config);
  return {};
}

schedule::WorkerPool::Options worker_options(const config::Config& config, ClientLoad& load,
                                             const QueueWaits& waits) {
  return {.workers = config.workers,
          .max_queued = config.queue_limit,
          .on_thread_start = prepare_worker,
          .on_job_start =
              [&waits](auto priority, auto wait) {
                waits[static_cast<std::size_t>(priority)].observe(wait);
              },
          .on_charge = [&load](const auto& source, auto cost) { load.charge(source, cost); }};
}

tl::expected<void, Failure> serve(const config::Config& config, double processors,
                                  const net::ConnectionPlan& connections) {
  TERRANE_ASSIGN_OR_RETURN(
      const auto target, worldgen::noise::choose_target(config.simd).map_error([](const Error& e) {
        return Failure{kWrongConfiguration, "--simd: " + e.message};
      }));
  TERRANE_ASSIGN_OR_RETURN(const auto builtin, worlds::builtin_worlds().map_error(failed));
  worlds::WorldReloader worlds(config.world_dir, builtin);
  TERRANE_RETURN_IF_ERROR(
      worlds.look(worlds::WorldDirectory::Read::kAll).map_error([](const Error& e) {
        return Failure{kWrongConfiguration, "--world-dir: " + e.message};
      }));
  TERRANE_ASSIGN_OR_RETURN(
      const auto clients,
      rpc::ClientRules::parse(config.weights, config.trusted_proxies).map_error([](const Error& e) {
        return Failure{kWrongConfiguration, "--weight, --trusted-proxies: " + e.message};
      }));
  TERRANE_ASSIGN_OR_RETURN(const auto cache, open_store(config).map_error(failed));
  offer_worlds(cache.get(), worlds.live());
  ops::Metrics metrics;
  TERRANE_ASSIGN_OR_RETURN(
      const auto access, open_access(config, metrics).map_error([](const Error& e) {
        return Failure{kWrongConfiguration, "--token-keys, --access-file, --realms: " + e.message};
      }));
  ClientLoad load(metrics, config.workers,
                  [access](std::uint64_t client) { return name_of(client, access.get()); });
  const QueueWaits waits = queue_waits(metrics);
  const pipeline::PipelineTimers timers = pipeline_timers(metrics);
  schedule::WorkerPool workers(worker_options(config, load, waits));
  pipeline::ChunkPipeline pipeline({.lookup_threads = config.lookup_threads,
                                    .memory_cache_bytes = config.memory_cache,
                                    .timers = timers},
                                   TimedGenerator(generate_for(target), metrics), workers,
                                   cache.get());
  scrape_server(metrics, pipeline, workers);
  scrape_worlds(metrics, worlds.live(), worlds.refused_files());
  scrape_memory(metrics, config.memory_limit);
  if (config.cache) scrape_cache(metrics, cache.get(), worlds.live());
  admin::Operations operations({.pipeline = pipeline,
                                .workers = workers,
                                .cache = cache.get(),
                                .numbers = admin_numbers(load, timers, waits, config.memory_limit),
                                .stop = [] { kill(getpid(), SIGTERM); }});
  spdlog::info("computing with {}, {} workers, cache {}", worldgen::noise::to_string(target),
               config.workers, describe_cache(config, cache.get()));
  const rpc::Backend backend{.worlds = worlds.live(),
                             .pipeline = pipeline,
                             .workers = workers,
                             .terrain = terrain_queries(target),
                             .metrics = metrics,
                             .clients = clients,
                             .processors = processors,
                             .access = access,
                             .operations = &operations,
                             .admin_from_loopback = config.admin_from_loopback,
                             .memory = {.limit = config.memory_limit,
                                        .used = ops::anonymous_memory,
                                        .give_back = give_memory_back}};
  TERRANE_RETURN_IF_ERROR(serve_ports(config, connections, {backend, worlds, cache.get()}));
  if (cache) cache->flush();
  log_totals(pipeline.stats(), cache.get());
  return {};
}

/// What the system gives and what is made of it, before anything depends on it.
void describe_surroundings(const ops::Machine& machine, const DescriptorLimit& descriptors,
                           const net::ConnectionPlan& connections, const config::Config& config) {
  spdlog::info("the system allows: {}; descriptors {}{}", ops::describe(machine), descriptors.now,
               descriptors.now == descriptors.before
                   ? std::string()
                   : fmt::format(" (raised from {})", descriptors.before));
  spdlog::info("memory: limit {} MiB{}, of which at most {} MiB for chunks (--memory-cache)",
               config.memory_limit >> 20, config.memory_limit == 0 ? " (unknown)" : "",
               config.memory_cache >> 20);
  spdlog::info(
      "connections: at most {} (--max-connections), {} of one client "
      "(--max-connections-per-client); HTTP {}, {} of one client",
      connections.grpc.total, connections.grpc.per_client, connections.http.total,
      connections.http.per_client);
  if (!connections.warning.empty()) spdlog::warn("{}", connections.warning);
  for (const std::string& warning : config.warnings) spdlog::warn("{}", warning);
}

/// What is wrong, in the log's format where the environment names one, as a container's does.
int show_and_exit(const config::Exit& exit) {
  const char* const format = std::getenv("TERRANE_LOG_FORMAT");
  std::string text = exit.text;
  if (exit.code != 0 && text.ends_with('\n')) {
    text.pop_back();
    text = ops::bare_line(ops::log_format_of(format ? format : ""), "critical", text);
  }
  if (exit.code == 0) return print(text);
  std::cerr << text << std::flush;
  return exit.code;
}

/// For a container's health check.
int report_health(const std::string& address) {
  const auto health = rpc::check_health(address, std::chrono::seconds(2));
  if (health) return 0;
  std::cerr << health.error().message << '\n';
  return kFailed;
}

/// For an operator who lets somebody in.
int print_new_token(const std::string& name) {
  const auto lines = access::describe_new_token(name);
  if (lines) return print(*lines);
  std::cerr << lines.error().message << '\n' << std::flush;
  return kWrongConfiguration;
}

}  // namespace

int main(int argc, char** argv) {
  const ops::Machine machine = ops::read_machine("/", ops::usable_processors());
  const auto configured = config::read_config(
      argc, argv, ops::build_info(),
      {.memory_bytes = machine.memory_limit_bytes, .processors = machine.processors});
  if (const auto* exit = std::get_if<config::Exit>(&configured)) {
    return show_and_exit(*exit);
  }
  const auto& config = std::get<config::Config>(configured);
  if (config.check_health) return report_health(config.listen);
  if (!config.new_token.empty()) return print_new_token(config.new_token);
  if (!config.print_world.empty()) return print_world(config.print_world);
  if (!config.check_world.empty()) return check_world(config.check_world);
  const ops::LogFormat format = ops::log_format_of(config.log_format);
  ops::set_up_logging(format, spdlog::level::from_str(config.log_level));
  spdlog::info("{}", ops::build_info());
  prepare_signals(watches_files(config));
  store::install_map_fault_handler(
      [format](std::string_view text) { return ops::bare_line(format, "critical", text); });
  if (!start_threads(config.workers + config.lookup_threads + kThreadsOfGrpc)) {
    spdlog::critical(
        "the server needs {} threads at least, and may not have so many: see ulimit -u and -v, and "
        "the limits of a container (--pids-limit) or a service (TasksMax)",
        config.workers + config.lookup_threads + kThreadsOfGrpc);
    return kFailed;
  }
  stop_deadlock_detection();
  const DescriptorLimit descriptors = raise_descriptor_limit();
  const net::ConnectionPlan connections = net::plan_connections(
      {config.max_connections, config.max_connections_per_client, !config.tls_cert.empty()},
      descriptors.now, config.memory_limit);
  describe_surroundings(machine, descriptors, connections, config);
  try {
    const auto served = serve(config, ops::processor_share(machine), connections);
    if (served) return 0;
    spdlog::critical("{}", served.error().message);
    return served.error().exit_code;
  } catch (const std::exception& failure) {
    spdlog::critical("stopped by a bug or a lack of memory: {}", failure.what());
    return kFailed;
  }
}
