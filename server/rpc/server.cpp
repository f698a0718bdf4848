#include "rpc/server.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "log.h"
#include "net/port_thread.h"
#include "rpc/call_tracker.h"
#include "rpc/grpc_log.h"
#include "rpc/grpc_waker.h"
#include "rpc/tls_credentials.h"
#include "rpc/unknown_method.h"
#include "rpc/world_service.h"
#include "terrane/mutex.h"
#include "terrane/result_macros.h"

namespace terrane::rpc {
namespace {

// a silent peer is asked whether it is there
constexpr int kKeepaliveTimeMs = 60'000;
constexpr int kKeepaliveTimeoutMs = 20'000;  // and has this long to answer
// clients that ping more often are cut off
constexpr int kMinClientPingMs = 10'000;
constexpr int kReflectionThreads = 16;
// for last bytes to leave once every call is over
constexpr auto kGoodbye = std::chrono::milliseconds(250);

// Bytes, where gRPC left to itself reads four megabytes: half a million frames, for which all other
// connections of the thread wait.
constexpr int kMostReadAtOnce = 16 << 10;

constexpr int kMaxGrpcMetadataBytes = 160 << 10;

// gRPC cancels a call that arrives just as it shuts down, where clients are promised UNAVAILABLE.
// So it shuts down only once those whose streams have ended have come back and been refused. This
// narrows the gap and can't close it.
constexpr auto kQuiet = std::chrono::milliseconds(100);
constexpr auto kLongestLinger = std::chrono::milliseconds(2000);

void configure(grpc::ServerBuilder& builder, const Limits& limits) {
  // Of reflection alone, each of whose calls takes one; further ones are refused.
  builder.SetResourceQuota(grpc::ResourceQuota("terrane").SetMaxThreads(kReflectionThreads));
  // A megabyte of gzip may be a gigabyte, which gRPC unpacks before it looks at its size. Requests
  // are small: compressed ones are refused (UNIMPLEMENTED), and clients are told which may come.
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_DEFLATE, false);
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_GZIP, false);
  builder.SetMaxReceiveMessageSize(static_cast<int>(limits.max_message_bytes));
  builder.SetMaxSendMessageSize(static_cast<int>(limits.max_message_bytes));
  // More than Limits::max_metadata_bytes, which we refuse: past its own limit gRPC 1.51 loses track
  // of the connection's headers, and may take one caller's for another's where a proxy calls for
  // both (CVE-2023-32731). No proxy passes on as much as this.
  builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, kMaxGrpcMetadataBytes);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS,
                             static_cast<int>(limits.max_calls_per_connection));
  // Left to itself, gRPC takes in more that nobody has read the more bandwidth there is: of forty
  // streams that talked faster than they were listened to, 1.2 GB.
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, static_cast<int>(kUnreadBytes));
  builder.AddChannelArgument(GRPC_ARG_TCP_MAX_READ_CHUNK_SIZE, kMostReadAtOnce);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveTimeMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                             kMinClientPingMs);
}

/// Each argument costs some microseconds at every new connection, so those that say nothing are
/// left out.
void configure_connections(grpc::ServerBuilder& builder, const ConnectionPolicy& policy) {
  const auto set = [&](const char* argument, std::chrono::seconds time) {
    const auto milliseconds = std::chrono::milliseconds(time).count();
    if (milliseconds > 0) builder.AddChannelArgument(argument, static_cast<int>(milliseconds));
  };
  set(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, policy.handshake);
  set(GRPC_ARG_MAX_CONNECTION_IDLE_MS, policy.idle);
  set(GRPC_ARG_MAX_CONNECTION_AGE_MS, policy.age);
  if (policy.age.count() > 0) set(GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS, policy.age_grace);
}

// Processor time from accept to close (ADR 15).
constexpr std::chrono::microseconds kConnectionCost{300};

/// The port as gRPC itself would make it.
Result<std::unique_ptr<net::PortThread>> open_port(const std::string& address,
                                                   const ConnectionPolicy& policy,
                                                   Backend& backend) {
  const auto proxied = policy.proxy_protocol ? std::make_shared<net::ProxiedClients>() : nullptr;
  backend.proxied = proxied;
  backend.connections = std::make_shared<net::ConnectionReads>();
  net::PortOptions options{
      .name = "grpc",
      .limits = policy.limits,
      .is_exempt = [clients = backend.clients](
                       const net::AddressBytes& peer) { return clients.is_trusted(peer); },
      .proxied = proxied,
      .reads = backend.connections,
      .header_timeout = policy.handshake,
      .wildcard = net::Wildcard::kBothFamilies,
      .sockets = {.unacknowledged = std::chrono::milliseconds(kKeepaliveTimeoutMs),
                  .receive_buffer = net::ConnectionReads::kReceiveBuffer},
      .state = policy.state};
  return net::PortThread::listen(address, std::move(options), backend.metrics)
      .map_error([&](Error error) {
        error.message = fmt::format(
            "can't listen on {}: {}; stop what uses the port, or choose another with --listen "
            "HOST:PORT",
            address, error.message);
        return error;
      });
}

/// Both ports, as far as they are there.
class Doors {
 public:
  explicit Doors(std::shared_ptr<net::PortThread> port) : port_(std::move(port)) {}

  void add(Server::SendAway other) {
    const MutexLock lock(mutex_);
    other_ = std::move(other);
  }

  void send_away(const net::AddressBytes& client, std::chrono::milliseconds time,
                 const std::string& why) {
    port_->send_away(client, time, why);
    const MutexLock lock(mutex_);
    if (other_) other_(client, time, why);
  }

 private:
  const std::shared_ptr<net::PortThread> port_;
  Mutex mutex_;
  Server::SendAway other_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

class Server::Impl {
 public:
  Impl(Backend backend, const Limits& limits, StreamPace pace, const ExplorePace& explore_pace,
       std::shared_ptr<net::PortThread> port, Certificates certificates)
      : doors_(std::make_shared<Doors>(port)),
        service_(std::move(backend), limits, pace, explore_pace, calls_,
                 [doors = doors_](const auto& client, auto time, const std::string& why) {
                   doors->send_away(client, time, why);
                 }),
        unknown_method_([this](const auto& context) { service_.note_in_vain(context); }),
        connection_cost_(certificates ? kConnectionCost + net::kTlsCost : kConnectionCost),
        credentials_(certificates ? tls_credentials(std::move(certificates))
                                  : grpc::InsecureServerCredentials()),
        port_(std::move(port)) {}

  ~Impl() {
    waker_.reset();
    shut_down(std::chrono::milliseconds(0));
  }

  /// Takes connections from the port, which listens already: they are served from now on.
  void serve(const Limits& limits, const ConnectionPolicy& policy) {
    grpc::ServerBuilder builder;
    // gRPC's own listener stops for good at the first accept() that fails
    acceptor_ = builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, credentials_);
    for (grpc::Service* const service : service_.services()) builder.RegisterService(service);
    builder.RegisterCallbackGenericService(&unknown_method_);
    configure(builder, limits);
    configure_connections(builder, policy);
    server_ = builder.BuildAndStart();
    waker_.emplace(*server_);
    port_->start([this](int descriptor, const net::AddressBytes& address) {
      grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
      connection.fd = descriptor;
      acceptor_->HandleNewConnection(&connection);
      return service_.charge_connection(address, connection_cost_);
    });
  }

  std::size_t drain(std::chrono::milliseconds timeout) {
    service_.close();
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    calls_.close();
    service_.send_viewers_away();
    const std::size_t left = calls_.wait_until_empty(deadline);
    calls_.wait_for_quiet(kQuiet,
                          std::min(deadline, std::chrono::steady_clock::now() + kLongestLinger));
    waker_.reset();
    // Health watches and the like would wait for ever, so this deadline is for bytes on their way
    // and not for calls.
    shut_down(left == 0 ? kGoodbye : std::chrono::milliseconds(0));
    return left;
  }

  const std::string& address() const { return port_->address(); }
  WorldService& service() { return service_; }
  void also_send_away(SendAway other) { doors_->add(std::move(other)); }

 private:
  void shut_down(std::chrono::milliseconds time) {
    port_->stop();  // first: gRPC would leak what it is given afterwards
    if (server_) server_->Shutdown(std::chrono::system_clock::now() + time);
  }

  const std::shared_ptr<Doors> doors_;  // a service's calls may outlive it by a moment
  CallTracker calls_;
  WorldService service_;
  UnknownMethod unknown_method_;
  const std::chrono::nanoseconds connection_cost_;
  const std::shared_ptr<grpc::ServerCredentials> credentials_;
  std::unique_ptr<grpc::Server> server_;
  std::optional<GrpcWaker> waker_;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor_;
  const std::shared_ptr<net::PortThread> port_;
};

Result<std::unique_ptr<Server>> Server::start(const std::string& address, Backend backend,
                                              Limits limits, StreamPace pace,
                                              const ExplorePace& explore_pace,
                                              const ConnectionPolicy& connections,
                                              Certificates certificates) {
  take_over_grpc_log();
  grpc::EnableDefaultHealthCheckService(false);  // ours, instead
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  TERRANE_ASSIGN_OR_RETURN(auto port, open_port(address, connections, backend));
  backend.asks_certificates = certificates && certificates->asks_clients();
  auto impl = std::make_unique<Impl>(std::move(backend), limits, pace, explore_pace,
                                     std::move(port), std::move(certificates));
  impl->serve(limits, connections);
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

const std::string& Server::address() const { return impl_->address(); }
WorldService& Server::service() { return impl_->service(); }
void Server::also_send_away(SendAway other) { impl_->also_send_away(std::move(other)); }

void Server::announce_end() { impl_->service().announce_end(); }
bool Server::health_asked_within(std::chrono::milliseconds time) const {
  return impl_->service().health_asked_within(time);
}
std::size_t Server::drain(std::chrono::milliseconds timeout) { return impl_->drain(timeout); }

}  // namespace terrane::rpc
