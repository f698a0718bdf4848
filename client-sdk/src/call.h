#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>
#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "errands.h"
#include "region.h"
#include "retry_policy.h"
#include "terrane/client.h"
#include "terrane/v1/world_service.grpc.pb.h"
#include "tokens.h"
#include "waited_call.h"

namespace terrane::client {

/// Why one attempt failed.
struct AttemptError {
  Error error;
  // grpc-retry-pushback-ms, when the server sent it
  std::optional<std::chrono::milliseconds> pushback;
};

/// What all calls of one Client share. Threads: any.
///
/// Belongs to the process that made it: gRPC's threads, and whoever held its locks, do not exist in
/// a child that fork() makes. There check_process() refuses, and whatever refers to gRPC is left as
/// it is rather than destroyed.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(ClientOptions client_options, std::shared_ptr<grpc::Channel> client_channel);

  const ClientOptions options;
  const std::shared_ptr<grpc::Channel> channel;
  const std::unique_ptr<v1::WorldService::Stub> stub;

  /// Has the server told who calls, where there is a token, and what stands before it what land the
  /// call is about. Blocks: on the provider of tokens. Errors: those of Tokens::get.
  /// @param region  region_of() the request
  [[nodiscard]] Result<void> introduce(grpc::ClientContext& context,
                                       const std::string& region) const;

  /// Why an attempt of this connection failed, see attempt_error(). A refused token is dropped.
  [[nodiscard]] AttemptError failure_of(const grpc::Status& status,
                                        const grpc::ClientContext& context,
                                        bool cancelled_here = false) const;

  /// Ends calls at their deadlines.
  [[nodiscard]] DeadlineWatch& watch() const { return watch_; }
  /// What Explorers have to do for their streams.
  [[nodiscard]] Errands& errands() const { return errands_; }

  /// Errors: kFailedPrecondition in a child of the process that made this.
  [[nodiscard]] Result<void> check_process() const;

  /// Has the channel reconnect, if it is not connected: to be called over and over, and looks
  /// every 20 ms at most. Blocks: no.
  void reconnect() const;

  /// Lets `pause` pass before another attempt, and has the channel reconnect meanwhile. Returns
  /// early soon after `stop` turns true.
  void wait(std::chrono::milliseconds pause, const std::function<bool()>& stop) const;

  /// Leaves behind, for ever, a call that gRPC has not let go of though it was cancelled, with the
  /// channel that it needs. Not known to happen; if it does, memory is lost rather than a thread.
  template <typename Call>
  void leave_behind(std::unique_ptr<Call> call) const {
    (void)call.release();
    (void)new std::shared_ptr<const Connection>(shared_from_this());
  }

 private:
  const pid_t process_;
  mutable Tokens tokens_;
  mutable DeadlineWatch watch_;
  mutable Errands errands_;
  mutable std::atomic<SteadyTime> next_look_ = SteadyTime::min();  // of reconnect()
};

/// A new connection, which in a child of this process is never destroyed.
[[nodiscard]] std::shared_ptr<const Connection> make_connection(
    ClientOptions options, std::shared_ptr<grpc::Channel> channel);

/// Connects to the server that the options name. Errors: those of Client::connect().
[[nodiscard]] Result<std::shared_ptr<const Connection>> open_connection(ClientOptions options);

/// @param cancelled_here  whether this side cancelled; a CANCELLED of another origin counts as
///   kUnavailable
[[nodiscard]] AttemptError attempt_error(const grpc::Status& status,
                                         const grpc::ClientContext& context, bool cancelled_here);

/// The attempts at one call: its deadline and its history of failures. Threads: one at a time.
class Attempts {
 public:
  explicit Attempts(const ClientOptions& options);
  Attempts(const ClientOptions& options, const RetryPolicy& policy);

  /// Gives the next attempt what is left of the deadline.
  void begin(grpc::ClientContext& context) const;

  [[nodiscard]] SteadyTime deadline() const { return deadline_; }

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
  SteadyTime deadline_;
  Failures failures_;
  std::minstd_rand random_;
};

/// Why an attempt failed that gRPC never ended: see Connection::leave_behind.
[[nodiscard]] AttemptError lost_call();

/// The method of a unary call, as gRPC's stub offers it: &Stub::AsyncGetChunk.
using Stub = v1::WorldService::Stub;
template <typename Service, typename Request, typename Response>
using UnaryMethod = std::unique_ptr<grpc::ClientAsyncResponseReader<Response>> (Service::*)(
    grpc::ClientContext*, const Request&, grpc::CompletionQueue*);

/// A unary call with its repeated attempts. Blocks: until the deadline of `attempts` at most, and
/// kGoodbye if gRPC fails to end a cancelled call.
/// @param stub  of the connection's channel
template <typename Service, typename Request, typename Response>
[[nodiscard]] Result<Response> unary(const Connection& connection, Service& stub,
                                     Attempts& attempts,
                                     UnaryMethod<Service, Request, Response> method,
                                     const Request& request) {
  for (;;) {
    if (auto here = connection.check_process(); !here)
      return tl::unexpected(std::move(here).error());
    auto call = std::make_unique<UnaryCall<Response>>(connection.watch());
    attempts.begin(call->context());
    if (auto known = connection.introduce(call->context(), region_of(request)); !known)
      return tl::unexpected(std::move(known).error());
    const auto status = call->run(attempts.deadline(), [&](auto* context, auto* queue) {
      return (stub.*method)(context, request, queue);
    });
    if (status && status->ok()) return std::move(call->response());
    auto failure = status ? connection.failure_of(*status, call->context()) : lost_call();
    if (!status) connection.leave_behind(std::move(call));
    const auto wait = attempts.after(failure);
    if (!wait) return tl::unexpected(attempts.final_error(std::move(failure.error)));
    connection.wait(*wait, [] { return false; });
  }
}

}  // namespace terrane::client
