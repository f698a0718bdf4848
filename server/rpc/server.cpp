#include "rpc/server.h"

#include <grpc/support/log.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "log.h"
#include "rpc/call_tracker.h"
#include "rpc/grpc_waker.h"
#include "rpc/listen_address.h"
#include "rpc/unknown_method.h"
#include "rpc/world_service.h"
#include "terrane/result_macros.h"

namespace terrane::rpc {
namespace {

// a silent peer is asked whether it is there
constexpr int kKeepaliveTimeMs = 60'000;
constexpr int kKeepaliveTimeoutMs = 20'000;  // and has this long to answer
// clients that ping more often are cut off
constexpr int kMinClientPingMs = 10'000;
// for last bytes to leave once every call is over
constexpr auto kGoodbye = std::chrono::milliseconds(250);

// gRPC cancels a call that arrives just as it shuts down, where clients are promised UNAVAILABLE.
// So it shuts down only once those whose streams have ended have come back and been refused. This
// narrows the gap and can't close it.
constexpr auto kQuiet = std::chrono::milliseconds(100);
constexpr auto kLongestLinger = std::chrono::milliseconds(2000);

/// gRPC's own log lines in the server's log: one format, one level.
void log_from_grpc(gpr_log_func_args* args) {
  const auto level = args->severity == GPR_LOG_SEVERITY_ERROR  ? spdlog::level::warn
                     : args->severity == GPR_LOG_SEVERITY_INFO ? spdlog::level::debug
                                                               : spdlog::level::trace;
  spdlog::log(level, "grpc: {}", args->message);
}

void configure(grpc::ServerBuilder& builder, const Limits& limits) {
  builder.SetMaxReceiveMessageSize(static_cast<int>(limits.max_message_bytes));
  builder.SetMaxSendMessageSize(static_cast<int>(limits.max_message_bytes));
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE,
                             static_cast<int>(limits.max_metadata_bytes));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS,
                             static_cast<int>(limits.max_calls_per_connection));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveTimeMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                             kMinClientPingMs);
  // or a second server would share the port in silence
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
}

}  // namespace

class Server::Impl {
 public:
  Impl(Backend backend, const Limits& limits, StreamPace pace, const ExplorePace& explore_pace)
      : service_(std::move(backend), limits, pace, explore_pace, calls_) {}

  ~Impl() {
    waker_.reset();
    if (server_) server_->Shutdown(std::chrono::system_clock::now());
  }

  /// Errors: kUnavailable.
  Result<void> listen(const std::string& address, const Limits& limits) {
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&service_);
    builder.RegisterCallbackGenericService(&unknown_method_);
    configure(builder, limits);
    server_ = builder.BuildAndStart();
    if (!server_ || port == 0) return tl::unexpected(why_not_listening(address));
    // beside the server as a whole, which is serving anyway
    if (auto* const health = server_->GetHealthCheckService())
      health->SetServingStatus(v1::WorldService::service_full_name(), true);
    waker_.emplace(*server_);
    address_ = with_port(address, port);
    return {};
  }

  std::size_t drain(std::chrono::milliseconds timeout) {
    if (auto* const health = server_->GetHealthCheckService()) health->Shutdown();
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    calls_.close();
    service_.send_viewers_away();
    const std::size_t left = calls_.wait_until_empty(deadline);
    calls_.wait_for_quiet(kQuiet,
                          std::min(deadline, std::chrono::steady_clock::now() + kLongestLinger));
    waker_.reset();
    // Health watches and the like would wait for ever, so this deadline is for bytes on their way
    // and not for calls.
    server_->Shutdown(std::chrono::system_clock::now() +
                      (left == 0 ? kGoodbye : std::chrono::milliseconds(0)));
    return left;
  }

  const std::string& address() const { return address_; }

 private:
  CallTracker calls_;
  WorldService service_;
  UnknownMethod unknown_method_;
  std::unique_ptr<grpc::Server> server_;
  std::optional<GrpcWaker> waker_;
  std::string address_;
};

Result<std::unique_ptr<Server>> Server::start(const std::string& address, Backend backend,
                                              Limits limits, StreamPace pace,
                                              const ExplorePace& explore_pace) {
  gpr_set_log_function(log_from_grpc);
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  auto impl = std::make_unique<Impl>(std::move(backend), limits, pace, explore_pace);
  TERRANE_RETURN_IF_ERROR(impl->listen(address, limits));
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

const std::string& Server::address() const { return impl_->address(); }

std::size_t Server::drain(std::chrono::milliseconds timeout) { return impl_->drain(timeout); }

}  // namespace terrane::rpc
