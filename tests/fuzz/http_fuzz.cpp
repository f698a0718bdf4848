// libFuzzer target: bytes from a hostile client into the HTTP port of a real server on loopback:
// requests, WebSockets, and the messages of Explore in their frames. The server must end each
// connection once its client has said that nothing more comes (the fuzzer's own time-out sees to
// that), and must have nothing to log as an error.
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "generator.h"
#include "http/server.h"
#include "process_setup.h"
#include "rpc/grpc_log.h"
#include "rpc/server.h"
#include "support/http_connection.h"
#include "support/web_socket_frames.h"
#include "worlds/live_catalog.h"
#include "worlds/world_catalog.h"

namespace {

using namespace terrane;

template <typename T>
T must(Result<T> result) {
  if (result) return *std::move(result);
  std::fprintf(stderr, "the server does not start: %s\n", result.error().message.c_str());
  std::abort();
}

class NoErrors final : public spdlog::sinks::base_sink<std::mutex> {
  void sink_it_(const spdlog::details::log_msg& line) override {
    if (line.level < spdlog::level::err) return;
    std::fprintf(stderr, "%.*s\n", static_cast<int>(line.payload.size()), line.payload.data());
    std::abort();
  }
  void flush_() override {}
};

/// Both ports of a server without a disk.
class RealServer {
 public:
  RealServer() {
    spdlog::set_default_logger(
        std::make_shared<spdlog::logger>("fuzz", std::make_shared<NoErrors>()));
    rpc::take_over_grpc_log();
  }
  [[nodiscard]] const std::string& address() const { return http_->address(); }

 private:
  using Target = worldgen::noise::SimdTarget;
  const Target target_ = must(worldgen::noise::choose_target(""));
  ops::Metrics metrics_;
  worlds::LiveCatalog worlds_{must(worlds::builtin_worlds())};
  schedule::WorkerPool workers_{
      {.workers = 1, .max_queued = 1000, .on_thread_start = prepare_worker}};
  pipeline::ChunkPipeline pipeline_{
      {.lookup_threads = 1, .memory_cache_bytes = std::size_t{8} << 20},
      generate_for(target_),
      workers_,
      nullptr};
  const rpc::Backend backend_{.worlds = worlds_,
                              .pipeline = pipeline_,
                              .workers = workers_,
                              .terrain = terrain_queries(target_),
                              .metrics = metrics_};
  const std::unique_ptr<rpc::Server> grpc_ = must(rpc::Server::start("127.0.0.1:0", backend_));
  const http::WorldRoutes routes_{backend_, grpc_->service(), {}};
  std::atomic<http::Phase> phase_ = http::Phase::kServing;
  net::PortStates ports_;
  const std::unique_ptr<http::Server> http_ =
      must(http::Server::start("127.0.0.1:0", metrics_, phase_, ports_, {}, nullptr, &routes_));
};

/// Each from an address of its own: who breaks off often is sent away.
std::string next_client() {
  static std::uint32_t number = 0;
  ++number;
  return "127." + std::to_string(1 + (number >> 15) % 250) + "." +
         std::to_string((number >> 8) % 128) + "." + std::to_string(1 + number % 250);
}

/// The bytes read as frames: the first byte as RFC 6455 has it, a length of two bytes, the payload.
std::string frames(std::string_view bytes) {
  constexpr std::size_t kHeader = 3;
  std::string all;
  while (bytes.size() >= kHeader) {
    const auto at = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
    const int first_byte = at(0);
    const std::size_t length = at(1) | std::size_t{at(2)} << 8;
    bytes.remove_prefix(kHeader);
    const std::string_view payload = bytes.substr(0, length);
    bytes.remove_prefix(payload.size());
    all += test::web_socket_frame(first_byte, std::string(payload));
  }
  return all;
}

/// The first byte says whether the others are requests, bytes of a WebSocket, or its frames.
std::string to_send(std::string_view bytes) {
  if (bytes.empty()) return {};
  const char form = bytes.front();
  bytes.remove_prefix(1);
  if (form == 'r') return std::string(bytes);
  return test::web_socket_opening() + (form == 'b' ? std::string(bytes) : frames(bytes));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto* const server = new RealServer;  // until the process ends
  test::Connection client(server->address(), 0, next_client());
  client.send(to_send({reinterpret_cast<const char*>(data), size}));
  client.finish();
  static_cast<void>(client.rest());
  return 0;
}
