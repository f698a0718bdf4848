#include <grpcpp/create_channel.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string>
#include <utility>

#include "addresses.h"
#include "call.h"
#include "terrane/result_macros.h"
#include "tls.h"

namespace terrane::client {
namespace {

constexpr int kMaxMessageBytes = 4 << 20;  // as servers send at most
// a server that is gone without a word is noticed within 40 s
constexpr int kKeepaliveMs = 30'000;
constexpr int kKeepaliveTimeoutMs = 10'000;
constexpr int kReconnectFirstMs = 100;
constexpr int kReconnectMaxMs = 1'000;

constexpr char kRoundRobin[] =
    R"({"loadBalancingConfig":[{"round_robin":{}}],"healthCheckConfig":{"serviceName":""}})";

/// gRPC's threads do not come along into a child, where a new channel would wait for them.
/// Errors: kFailedPrecondition
Result<void> claim_process() {
  static std::atomic<pid_t> owner{0};
  pid_t before = 0;
  if (owner.compare_exchange_strong(before, getpid()) || before == getpid()) return {};
  return fail(ErrorCode::kFailedPrecondition,
              "process " + std::to_string(before) +
                  " made a Client before fork(), which leaves its child none: fork before the "
                  "first Client is made, or run a program of its own (exec) in the child");
}

grpc::ChannelArguments channel_arguments(const ClientOptions& options) {
  grpc::ChannelArguments arguments;
  const std::string agent = "terrane-client/" + std::string(client_version());
  arguments.SetUserAgentPrefix(options.user_agent.empty() ? agent
                                                          : options.user_agent + " " + agent);
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  // else all Clients of a program would share one connection
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMs);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kReconnectFirstMs);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kReconnectMaxMs);
  // Ours know what may be repeated; and gRPC 1.51 can forget a call that is cancelled while its
  // retries deal with the failure of an attempt.
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);  // else a name could say more
  if (options.balancing == Balancing::kRoundRobin) arguments.SetServiceConfigJSON(kRoundRobin);
  if (options.tls && !options.tls->server_name.empty()) {
    arguments.SetSslTargetNameOverride(options.tls->server_name);
    arguments.SetString(GRPC_ARG_DEFAULT_AUTHORITY, options.tls->server_name);
  }
  return arguments;
}

Result<void> check(const ClientOptions& options) {
  if (options.deadline <= std::chrono::milliseconds::zero()) {
    return fail(ErrorCode::kInvalidArgument, "deadline must be longer than 0 ms");
  }
  if (options.max_attempts < 1)
    return fail(ErrorCode::kInvalidArgument, "max_attempts must be at least 1");
  const bool is_seen =
      !options.tls && !options.insecure_token && !is_on_this_machine(options.address);
  if (options.token && is_seen) {
    return fail(ErrorCode::kInvalidArgument,
                "token: it would go to '" + options.address +
                    "' in the clear, for whoever sees it to use: set tls, or insecure_token where "
                    "something else encrypts");
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<const Connection>> open_connection(ClientOptions options) {
  TERRANE_RETURN_IF_ERROR(check(options));
  TERRANE_ASSIGN_OR_RETURN(const std::string target, grpc_target(options.address));
  TERRANE_ASSIGN_OR_RETURN(const auto credentials, channel_credentials(options));
  TERRANE_RETURN_IF_ERROR(claim_process());
  const auto channel = grpc::CreateCustomChannel(target, credentials, channel_arguments(options));
  return make_connection(std::move(options), channel);
}

}  // namespace terrane::client
