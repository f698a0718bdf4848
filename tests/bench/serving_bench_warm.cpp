#include <algorithm>
#include <stdexcept>
#include <thread>

#include "bench/serving_bench_cases.h"
#include "bench/serving_bench_client.h"
#include "codec/chunk_codec.h"

namespace terrane::bench {
namespace {

using Messages = std::vector<std::string>;

std::vector<std::string> bare_arguments(const std::vector<Messages>& squares,
                                        std::size_t unary_bytes) {
  std::vector<std::string> arguments{"--bare-unary", std::to_string(unary_bytes)};
  for (const Messages& messages : squares) {
    arguments.emplace_back("--bare-stream");
    for (const std::string& message : messages) arguments.push_back(std::to_string(message.size()));
  }
  return arguments;
}

std::vector<v1::GetChunksRequest> hot_squares(const std::string& world, std::size_t count) {
  std::vector<v1::GetChunksRequest> requests;
  for (std::size_t i = 0; i < count; ++i) requests.push_back(square_request(world, kHotSeed, i));
  return requests;
}

std::vector<Value> throughput(const std::string& prefix, const e2e::ServerProcess& server,
                              const std::vector<v1::GetChunksRequest>& squares,
                              std::chrono::duration<double> time) {
  const double cpu_before = server.cpu_seconds();
  const Throughput total = stream(server.address(), squares, time);
  const double cpu = server.cpu_seconds() - cpu_before;
  const auto chunks = static_cast<double>(total.calls * kChunksPerCall);
  return {{prefix + "_chunks_per_s", chunks / total.seconds},
          {prefix + "_MB_per_s", static_cast<double>(total.bytes) / 1e6 / total.seconds},
          {prefix + "_cpu_us_per_chunk", cpu * 1e6 / chunks},
          {prefix + "_chunks_per_message", chunks / static_cast<double>(total.messages)}};
}

std::vector<Value> join(std::vector<Value> a, const std::vector<Value>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<Value> latencies(const std::string& prefix, const e2e::ServerProcess& server,
                             const std::string& world, std::size_t in_flight,
                             std::chrono::duration<double> time) {
  std::vector<v1::GetChunkRequest> requests;
  for (std::size_t i = 0; i < kChunksPerCall; ++i)
    requests.push_back(chunk_request(world, kHotSeed, i));
  const double cpu_before = server.cpu_seconds();
  const auto all = unary_latencies(server.address(), requests, in_flight, time);
  const double cpu = server.cpu_seconds() - cpu_before;
  const auto calls = static_cast<double>(all.size());
  return {{prefix + "_p50_us", quantile(all)},
          {prefix + "_p99_us", quantile(all, 0.99)},
          {prefix + "_calls_per_s", calls / time.count()},
          {prefix + "_cpu_us_per_call", cpu * 1e6 / calls}};
}

}  // namespace

Pair start_pair(const std::string& self, const std::string& world,
                const std::string& cache_directory, std::size_t streams) {
  Pair pair;
  pair.world = world;
  pair.terrane = std::make_unique<e2e::ServerProcess>(
      std::vector<std::string>{"--http", "off", "--data", cache_directory, "--cache-size", "1GiB"});
  // the second finds what the first had to drop because the cache's writer was behind
  for (int pass = 0; pass < 2; ++pass) {
    for (const auto& square : hot_squares(world, streams)) {
      (void)stream(pair.terrane->address(), {square}, std::chrono::duration<double>(0));
    }
  }
  // longer than the cache waits before it commits
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  std::vector<Messages> squares;
  for (const auto& square : hot_squares(world, streams))
    squares.push_back(collect(pair.terrane->address(), square));
  for (const std::string& bytes : squares.front()) {
    v1::GetChunksResponse batch;
    if (!batch.ParseFromString(bytes) || batch.failures_size() > 0)
      throw std::runtime_error("terraned sent a wrong batch");
    for (const auto& chunk : batch.chunks()) pair.chunks.push_back(chunk.encoded());
  }
  if (pair.chunks.size() != kChunksPerCall)
    throw std::runtime_error("terraned did not send every chunk once");
  std::size_t unary_bytes = 0;
  for (const std::string& chunk : pair.chunks) unary_bytes += chunk.size();
  pair.bare = std::make_unique<e2e::ServerProcess>(
      self, bare_arguments(squares, unary_bytes / kChunksPerCall));
  return pair;
}

Table hot(std::span<const Pair> pairs, const Options& options) {
  Table table{"hot",
              "Cached chunks, streamed to a client that throws them away; ratio: of the bare "
              "stream's chunks/s"};
  for (const Pair& pair : pairs) {
    for (const std::size_t streams : options.streams) {
      const auto squares = hot_squares(pair.world, streams);
      std::vector<std::vector<Value>> rows;
      for (int i = 0; i < options.repeats; ++i) {
        const auto bare = throughput("bare", *pair.bare, squares, options.each);
        const auto terrane = throughput("terrane", *pair.terrane, squares, options.each);
        rows.push_back(
            join(join(bare, terrane), {{"ratio", terrane[0].number / bare[0].number},
                                       {"cpu_ratio", bare[2].number / terrane[2].number}}));
      }
      table.add(
          pair.world + ", " + std::to_string(streams) + (streams == 1 ? " stream" : " streams"),
          medians(rows));
    }
  }
  return table;
}

Table unary(std::span<const Pair> pairs, const Options& options) {
  Table table{"unary",
              "Cached chunks, one a call, on one connection; ratio: of the bare server's calls/s"};
  for (const Pair& pair : pairs) {
    for (const std::size_t in_flight : {1, 8, 32}) {
      std::vector<std::vector<Value>> rows;
      for (int i = 0; i < options.repeats; ++i) {
        const auto bare = latencies("bare", *pair.bare, pair.world, in_flight, options.each);
        const auto terrane =
            latencies("terrane", *pair.terrane, pair.world, in_flight, options.each);
        rows.push_back(
            join(join(bare, terrane), {{"ratio", terrane[2].number / bare[2].number},
                                       {"cpu_ratio", bare[3].number / terrane[3].number}}));
      }
      table.add(pair.world + ", " + std::to_string(in_flight) + " in flight", medians(rows));
    }
  }
  return table;
}

Table decoding(std::span<const Pair> pairs, const Options& options) {
  using Clock = std::chrono::steady_clock;
  Table table{"decode", "Decoding what was received, on one thread: not part of the above"};
  for (const Pair& pair : pairs) {
    std::size_t decoded = 0;
    std::size_t bytes = 0;
    const auto start = Clock::now();
    const auto end = start + std::chrono::duration_cast<Clock::duration>(options.each);
    for (auto now = start; now < end; now = Clock::now()) {
      const std::string& chunk = pair.chunks[decoded++ % pair.chunks.size()];
      bytes += chunk.size();
      if (!codec::decode(chunk, {0, 0}))
        throw std::runtime_error("terraned sent a chunk that does not decode");
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const auto chunks = static_cast<double>(decoded);
    table.add(pair.world, {{"chunks_per_s", chunks / seconds},
                           {"us_per_chunk", seconds * 1e6 / chunks},
                           {"bytes_per_chunk", static_cast<double>(bytes) / chunks}});
  }
  return table;
}

/// Processes, so that what one gRPC library does while it idles can't keep another one awake.
struct IdleServers::Server {
  Server(const std::string& its_name, const std::string& program,
         const std::vector<std::string>& arguments)
      : name(its_name), process(program, arguments), client(process.address()) {}

  std::string name;
  e2e::ServerProcess process;
  IdleClient client;
};

IdleServers::IdleServers(const std::string& self, std::chrono::duration<double> idle)
    : idle_(idle) {
  constexpr int kOfEach = 7;
  for (int i = 0; i < kOfEach; ++i) {
    servers_.push_back(std::make_unique<Server>(
        "bare", self, std::vector<std::string>{"--bare-unary", "3000", "--bare-stream", "3000"}));
    servers_.push_back(
        std::make_unique<Server>("terrane", TERRANED_PATH,
                                 std::vector<std::string>{"--listen", "127.0.0.1:0", "--http",
                                                          "off", "--no-cache", "--workers", "1"}));
  }
  for (const auto& server : servers_)
    (void)server->client.ask(chunk_request(kHotWorlds.front(), kHotSeed, 0));
  since_ = std::chrono::steady_clock::now();
}

IdleServers::~IdleServers() = default;

Table IdleServers::wake() {
  std::this_thread::sleep_until(
      since_ + std::chrono::duration_cast<std::chrono::steady_clock::duration>(idle_));
  Table table{"idle", "First GetChunk of servers that were left alone for " +
                          std::to_string(static_cast<int>(idle_.count())) + " s"};
  for (const char* name : {"bare", "terrane"}) {
    std::vector<double> first_us;
    std::vector<double> second_us;
    for (const auto& server : servers_) {
      if (server->name != name) continue;
      first_us.push_back(server->client.ask(chunk_request(kHotWorlds.front(), kHotSeed, 1)));
      second_us.push_back(server->client.ask(chunk_request(kHotWorlds.front(), kHotSeed, 2)));
    }
    table.add(name, {{"median_us", quantile(first_us)},
                     {"slowest_us", quantile(first_us, 1)},
                     {"next_median_us", quantile(second_us)}});
  }
  return table;
}

}  // namespace terrane::bench
