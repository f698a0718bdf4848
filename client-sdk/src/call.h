#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "retry_policy.h"
#include "terrane/client.h"
#include "terrane/v1/world_service.grpc.pb.h"

namespace terrane::client {

/// What all calls of one Client share. Immutable; threads: any.
struct Connection {
  ClientOptions options;
  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<v1::WorldService::Stub> stub;

  /// Lets `pause` pass before another attempt, and lets the channel reconnect meanwhile: gRPC does
  /// so only while somebody polls. Returns early soon after `stop` turns true.
  void wait(std::chrono::milliseconds pause, const std::function<bool()>& stop) const;
};

/// Why one attempt failed.
struct AttemptError {
  Error error;
  // grpc-retry-pushback-ms, when the server sent it
  std::optional<std::chrono::milliseconds> pushback;
};

/// @param cancelled_here  whether this side cancelled; a CANCELLED of another origin counts as
///   kUnavailable
[[nodiscard]] AttemptError attempt_error(const grpc::Status& status,
                                         const grpc::ClientContext& context, bool cancelled_here);

/// The attempts at one call: its deadline and its history of failures. Threads: one at a time.
class Attempts {
 public:
  explicit Attempts(const ClientOptions& options);

  /// Gives the next attempt what is left of the deadline.
  void begin(grpc::ClientContext& context) const;

  /// How long to wait before the next attempt, or nullopt to give up.
  [[nodiscard]] std::optional<std::chrono::milliseconds> after(const AttemptError& failure);

  /// Something arrived: earlier failures are forgiven.
  void progressed();

  /// The error that the caller sees after giving up.
  [[nodiscard]] Error final_error(Error last) const;

 private:
  [[nodiscard]] std::chrono::milliseconds remaining() const;

  RetryPolicy policy_;
  std::string address_;
  std::chrono::steady_clock::time_point deadline_;
  Failures failures_;
  std::minstd_rand random_;
};

/// A unary call with its repeated attempts. Blocks: until the deadline of `attempts` at most.
/// @param call  grpc::Status(grpc::ClientContext&, Response&)
template <typename Response, typename Call>
[[nodiscard]] Result<Response> unary(const Connection& connection, Attempts& attempts,
                                     Call&& call) {
  for (;;) {
    grpc::ClientContext context;
    attempts.begin(context);
    Response response;
    const grpc::Status status = call(context, response);
    if (status.ok()) return response;
    auto failure = attempt_error(status, context, false);
    const auto wait = attempts.after(failure);
    if (!wait) return tl::unexpected(attempts.final_error(std::move(failure.error)));
    connection.wait(*wait, [] { return false; });
  }
}

}  // namespace terrane::client
