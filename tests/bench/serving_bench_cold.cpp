#include <time.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <thread>

#include "bench/serving_bench_cases.h"
#include "bench/serving_bench_client.h"
#include "codec/chunk_codec.h"
#include "support/temp_directory.h"
#include "worldgen/float_environment.h"
#include "worldgen/generate.h"
#include "worlds/world_catalog.h"

namespace terrane::bench {
namespace {

constexpr auto kLongerThanACommit = std::chrono::milliseconds(200);

double thread_cpu_seconds() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

/// Processor time to generate and encode every `step`-th chunk of the first squares.
double make_share(const worldgen::World& world, std::uint64_t seed, std::size_t squares,
                  std::size_t first, std::size_t step) {
  worldgen::set_default_float_environment();
  const auto target = worldgen::noise::supported_targets().back();
  std::size_t bytes = 0;
  const double before = thread_cpu_seconds();
  for (std::size_t i = first; i < squares * kChunksPerCall; i += step) {
    const auto request = chunk_request(world.name, seed, i);
    const auto chunk =
        worldgen::generate(world, seed, {request.coord().x(), request.coord().y()}, 0, target);
    bytes += codec::encode(chunk).size();
  }
  if (bytes == 0) throw std::runtime_error("nothing was generated");
  return thread_cpu_seconds() - before;
}

/// Processor time to generate and encode the chunks of the first squares in this process, on so
/// many threads at once.
double make_here(const worldgen::World& world, std::uint64_t seed, std::size_t squares,
                 std::size_t threads) {
  std::vector<double> seconds(threads);
  {
    std::vector<std::jthread> running;
    for (std::size_t i = 0; i < threads; ++i) {
      running.emplace_back([&, i] { seconds[i] = make_share(world, seed, squares, i, threads); });
    }
  }
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

/// Processor time of the server for the same, all its threads, the cache's writer included.
double make_there(const e2e::ServerProcess& server, const std::string& world, std::uint64_t seed,
                  std::size_t squares) {
  std::vector<v1::GetChunksRequest> requests;
  for (std::size_t i = 0; i < squares; ++i) requests.push_back(square_request(world, seed, i));
  const double before = server.cpu_seconds();
  const Throughput total = stream(server.address(), requests, std::chrono::duration<double>(0));
  if (total.calls != squares) throw std::runtime_error("the server was asked for more than once");
  std::this_thread::sleep_for(kLongerThanACommit);
  return server.cpu_seconds() - before;
}

}  // namespace

Table cold(const Options& options) {
  const std::size_t processors = std::max(1u, std::thread::hardware_concurrency());
  const auto worlds = worlds::builtin_worlds();
  if (!worlds) throw std::runtime_error(worlds.error().message);
  std::random_device random;
  Table table{"cold",
              "Chunks never asked for before; ratio: chunks per processor second of the server, of "
              "one thread in this process; "
              "all_busy: of as "
              "many threads as there are processors"};
  for (const auto& [name, world] : *worlds) {
    for (const bool cached : {true, false}) {
      const test::TempDirectory directory;
      const std::vector<std::string> where =
          cached ? std::vector<std::string>{"--data", directory.path()}
                 : std::vector<std::string>{"--no-cache", "--memory-cache", "0"};
      std::vector<std::string> flags{"--http", "off", "--queue-limit", "65536"};
      flags.insert(flags.end(), where.begin(), where.end());
      const e2e::ServerProcess server(flags);
      (void)make_there(server, name, 0, 1);  // threads and memory are there
      std::vector<std::vector<Value>> rows;
      for (int i = 0; i < options.repeats; ++i) {
        const std::uint64_t seed = std::uint64_t{random()} << 32 | random();
        const double here = make_here(*world, seed, options.cold_squares, 1);
        const double all_at_once = make_here(*world, seed, options.cold_squares, processors);
        const double there = make_there(server, name, seed, options.cold_squares);
        const auto chunks = static_cast<double>(options.cold_squares * kChunksPerCall);
        rows.push_back({{"here_us_per_chunk", here * 1e6 / chunks},
                        {"all_busy_us_per_chunk", all_at_once * 1e6 / chunks},
                        {"server_us_per_chunk", there * 1e6 / chunks},
                        {"ratio", here / there},
                        {"ratio_to_all_busy", all_at_once / there}});
      }
      table.add(name + (cached ? ", cache" : ", no cache"), medians(rows));
    }
  }
  return table;
}

}  // namespace terrane::bench
